"""The client's own load by the hours of history that a Distributor keeps: its day, and its heaviest stretch.

A Distribution Agent is behind while its commands are more than a minute old. What it can do is its rate in hours in
which it was; what came is told by the Log Reader Agent in front of it, hour by hour. From both follows, minute by
minute, when the load is delivered, today and at another rate (a queue with one server whose work flows:
e.g. Newell, Applications of Queueing Theory, chapter 2).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from app.domain.own_load import OwnBacklog, OwnLoad, Speed
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.history import HOUR_S, SATURATED_LATENCY_MS, is_saturated
from app.systems.transactional_replication.observed import AgentHour
from app.systems.transactional_replication.topology import Agent, Topology

# Half a day tells a day's load as well as its busy hours.
_SHORTEST_H: Final = 12.0
_HOUR: Final = timedelta(hours=1)
_STEP_S: Final = 60.0
_BEHIND_S: Final = SATURATED_LATENCY_MS / 1000
# Worked out for today, the end must fall where the history has it; else something else delayed the agent.
_AS_KEPT: Final = timedelta(minutes=90)
_TOLD_TO: Final = timedelta(minutes=10)


@dataclass(frozen=True)
class KeptHours:
    """The history of one Distribution Agent and of the Log Reader Agent in front of it.

    Attributes:
        delivered, arrived: hours of either, oldest first.
        kept_h: hours of which there are any rows.
    """

    delivered: tuple[AgentHour, ...]
    arrived: tuple[AgentHour, ...]
    kept_h: float


def kept_hours(
    agent: Agent,
    topology: Topology,
    hours: Sequence[AgentHour],
    own_work: Sequence[tuple[datetime, datetime]] = (),
) -> KeptHours:
    """Return the history of a Distribution Agent, without hours that touch this program's own work.

    Args:
        hours: of all agents. own_work: times in which this program wrote and switched.
    """
    end = (agent.publisher, agent.publisher_db)
    readers = {
        reader.agent_id
        for reader in topology.agents_of(AgentKind.LOG_READER)
        if (reader.publisher, reader.publisher_db) == end
    }
    clients = [
        hour
        for hour in sorted(hours, key=lambda one: one.hour_utc)
        if not any(hour.hour_utc < until and since < hour.hour_utc + _HOUR for since, until in own_work)
    ]
    kept = (
        tuple(h for h in clients if (h.kind, h.agent_id) == (agent.kind, agent.agent_id)),
        tuple(h for h in clients if h.kind is AgentKind.LOG_READER and h.agent_id in readers),
    )
    begins = {hour.hour_utc for hours in kept for hour in hours}
    return KeptHours(kept[0], kept[1], float(len(begins)))


def day_of(kept: KeptHours) -> OwnBacklog | None:
    """Return the backlog a day without delivery leaves behind, None where the history tells no day."""
    commands = sum(hour.commands for hour in kept.delivered)
    if kept.kept_h < _SHORTEST_H or not commands:
        return None
    per_s = commands / (kept.kept_h * HOUR_S)
    return OwnBacklog(
        round(per_s * 24 * HOUR_S),
        per_s,
        _("as many as arrive there in 24 h, by the last {hours:.0f} h of its history").format(hours=kept.kept_h),
    )


def heaviest_of(kept: KeptHours, place: str, speed: Speed) -> OwnLoad | None:
    """Return the heaviest load in a history, delivered as it was and at another speed.

    Returns:
        None where the history is shorter than half a day, where the agent was behind at one of its ends, or where its
        hours do not explain when it was behind.
    """
    if kept.kept_h < _SHORTEST_H:
        return None
    stretches = _stretches(kept.delivered)
    if not stretches:
        return OwnLoad(place, kept.kept_h)
    behind = max(stretches, key=lambda hours: sum(hour.commands for hour in hours))
    load = _load_of(kept, behind)
    if load is None:
        return None
    today = load.behind(1.0)
    middle_of_last = behind[-1].hour_utc + _HOUR / 2
    if today is None or abs(today[1] - middle_of_last) > _AS_KEPT:
        return None
    ends = [load.behind(factor) for factor in (speed.usual, speed.most, speed.least)]
    comes, earliest, latest = (None if end is None else _told(end[1]) for end in ends)
    commands = round(load.arriving(today[0], today[1]))
    told = OwnLoad(place, kept.kept_h, commands, _told(today[0]), _told(today[1]), comes, earliest, latest)
    would_be = (load.worst_s(speed.usual), load.worst_s(speed.least), load.worst_s(speed.most))
    return replace(told, behind_s=load.worst_s(1.0), would_be_behind_s=would_be)


def _stretches(hours: Sequence[AgentHour]) -> list[list[AgentHour]]:
    """Return hours in which the agent was behind, those that follow each other together."""
    found: list[list[AgentHour]] = []
    for hour in filter(is_saturated, hours):
        if found and hour.hour_utc - found[-1][-1].hour_utc == _HOUR:
            found[-1].append(hour)
        else:
            found.append([hour])
    return found


@dataclass(frozen=True)
class _Load:
    """The arrivals for an agent, hour by hour from `since` on, and its own rate, commands/s."""

    since: datetime
    by_hour: tuple[float, ...]
    rate_per_s: float

    def arriving(self, since: datetime, until: datetime) -> float:
        """Return the commands that came in a time."""
        minutes = range(int((since - self.since).total_seconds() // _STEP_S), self._minute(until))
        return sum(self._in_minute(minute) for minute in minutes)

    def behind(self, factor: float) -> tuple[datetime, datetime] | None:
        """Return the first and the last time it is behind at a multiple of its rate, None where it never is."""
        late = [minute for minute, behind_s in enumerate(self._behind_s(factor)) if behind_s > _BEHIND_S]
        return (self._at(late[0]), self._at(late[-1] + 1)) if late else None

    def worst_s(self, factor: float) -> float:
        """Return how far it is behind at the most, at a multiple of its rate, seconds."""
        return max(self._behind_s(factor))

    def _behind_s(self, factor: float) -> Iterator[float]:
        """Yield how far it is behind at the end of each minute: the time that the commands waiting then take."""
        waiting, can = 0.0, self.rate_per_s * factor * _STEP_S
        for minute in range(int(len(self.by_hour) * HOUR_S / _STEP_S)):
            waiting = max(0.0, waiting + self._in_minute(minute) - can)
            yield waiting / (self.rate_per_s * factor)

    def _at(self, minute: int) -> datetime:
        return self.since + timedelta(seconds=_STEP_S * minute)

    def _minute(self, moment: datetime) -> int:
        return int((moment - self.since).total_seconds() // _STEP_S)

    def _in_minute(self, minute: int) -> float:
        return self.by_hour[int(minute * _STEP_S // HOUR_S)] * _STEP_S / HOUR_S


def _load_of(kept: KeptHours, behind: Sequence[AgentHour]) -> _Load | None:
    """Return the arrivals from the hour before a stretch to the hour after it, None where one of them is not kept.

    Of all commands a Log Reader Agent reads an agent gets its publication's part, the same part all the time.
    """
    first, last = behind[0].hour_utc - _HOUR, behind[-1].hour_utc + _HOUR
    hours = [first + _HOUR * number for number in range(int((last - first) / _HOUR) + 1)]
    delivered, arrived = (_commands_in(hours, of_agent) for of_agent in (kept.delivered, kept.arrived))
    busy_s = sum(hour.busy_s for hour in behind)
    if delivered is None or arrived is None or not sum(arrived) or not busy_s:
        return None
    part = sum(delivered) / sum(arrived)
    rate_per_s = sum(hour.commands for hour in behind) / busy_s
    return _Load(first, tuple(commands * part for commands in arrived), rate_per_s)


def _commands_in(hours: Sequence[datetime], kept: Sequence[AgentHour]) -> list[int] | None:
    """Return the commands of each hour, None where one of them is not kept."""
    by_hour = {hour.hour_utc: hour.commands for hour in kept}
    return [by_hour[hour] for hour in hours] if by_hour.keys() >= set(hours) else None


def _told(moment: datetime) -> datetime:
    """Return a time to ten minutes."""
    past = timedelta(minutes=moment.minute % 10, seconds=moment.second, microseconds=moment.microsecond)
    return moment - past + (_TOLD_TO if past >= _TOLD_TO / 2 else timedelta())
