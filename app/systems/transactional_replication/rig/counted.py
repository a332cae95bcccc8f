"""The counter of the commands that a Log Reader Agent delivers, and whether windows are measured by it.

The history of such an agent has a row a minute, its counter is read on each tick. What type the counter is of, and when
the agent raises it, is documented nowhere: it is used where the server says that it is a total, and once it has grown
by as many commands as rows of the history tell. It is held against each further row, and not used any more once it
stands still, goes backwards or grows otherwise.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, NamedTuple

from app.drivers.sqlserver.counters import TOTAL
from app.foundation.texts import _
from app.systems.transactional_replication.readings import AgentReading
from app.systems.transactional_replication.topology import Agent

TOLERANCE: Final = 0.05
"""How far counter and history may be apart, a share: less than settings that are told apart. Our choice."""


class _Point(NamedTuple):
    """The total of a history at a moment, and between which values the counter stood then."""

    told: int
    least: float
    most: float


@dataclass
class CountersMet:
    """A run's knowledge of the counters of agents, by agent id, which no restore changes.

    Attributes:
        used: those that were found to count as the history does. refused: those that are not used any more.
        ended: how the newest session of each was counted when its window ended: its start, the newest point of it, and
            the counter's value.
    """

    used: set[int] = field(default_factory=set)
    refused: set[int] = field(default_factory=set)
    ended: dict[int, tuple[datetime, _Point, int]] = field(default_factory=dict)

    def forget(self) -> None:
        """Keep it: the server is the same after a restore."""


class Counted:
    """The counter of one agent in the session of a window.

    Attributes:
        rows: readings at which it had grown, by the Distributor's clock, with the commands since the first reading.
    """

    def __init__(
        self, agent: Agent, before: AgentReading | None, met: CountersMet, on_note: Callable[[str], object]
    ) -> None:
        """Begin with the reading of the agent while it stands."""
        self.rows: list[AgentReading] = []
        self._agent, self._met, self._on_note = agent, met, on_note
        self._before = None if before is None else before.counter_commands
        self._read: list[tuple[datetime, int]] = []
        self._point: _Point | None = None
        if before is not None:
            self._check_end(before)

    @property
    def is_used(self) -> bool:
        """Whether the window may be measured by it."""
        return self._agent.agent_id in self._met.used

    def take(self, at: datetime, reading: AgentReading) -> bool:
        """Take note of a reading in the session of the window; tell whether the counter had grown."""
        if self._agent.agent_id in self._met.refused:
            return False
        value, transactions = reading.counter_commands, reading.counter_transactions
        doubt = self._doubt(reading)
        if doubt:
            self._refuse(doubt)
        if doubt or value is None or transactions is None:
            return False
        has_grown = bool(self._read) and value > self._read[-1][1]
        self._read.append((at, value))
        if has_grown:
            grown = value - self._read[0][1]
            row = replace(reading, last_time=at, delivered_commands=grown, delivered_transactions=transactions)
            self.rows.append(row)
        self._hold_against(reading)
        return has_grown and self._agent.agent_id not in self._met.refused

    def _doubt(self, reading: AgentReading) -> str:
        """Return why the counter cannot be gone by as it stands, "" where nothing speaks against it."""
        value = reading.counter_commands
        if value is None or reading.counter_transactions is None:
            missing = _(
                "the server has no counter of the commands that {agent} delivers, so its windows are measured by its "
                "history, which has a row a minute"
            )
            return missing if reading.delivered_commands > 0 else ""
        if reading.counter_type != TOTAL:
            return _(
                "the counter of the commands that {agent} delivers is no running total at this server, so its windows "
                "are measured by its history, which has a row a minute"
            )
        if self._read and value < self._read[-1][1]:
            return _(
                "the counter of the commands that {agent} delivers went backwards, so its windows are measured by its "
                "history, which has a row a minute"
            )
        return ""

    def _hold_against(self, reading: AgentReading) -> None:
        """Hold the counter against the newest row of the history, where it tells more than the one before."""
        value, is_first = self._read[-1][1], self._point is None
        before = self._point or self._start
        if reading.delivered_commands > before.told:
            least = max((count for at, count in self._read if at <= reading.last_time), default=before.least)
            most = min((count for at, count in self._read if at >= reading.last_time), default=float(value))
            self._point = _Point(reading.delivered_commands, least, most)
            is_sure = not is_first or self._before is not None
            self._compare(before, self._point, is_sure=is_sure)
        self._met.ended[self._agent.agent_id] = reading.session_start, self._point or self._start, value

    @property
    def _start(self) -> _Point:
        """The beginning of the session; where nothing was counted while the agent stood, the counter begins with it."""
        is_kept = self._before is not None and self._read[0][1] >= self._before
        base = float(self._before or 0) if is_kept else 0.0
        return _Point(0, base, base)

    def _compare(self, since: _Point, until: _Point, *, is_sure: bool) -> None:
        """Use the counter where it grew as the history did; not any more where it is sure that it did not."""
        told = until.told - since.told
        least, most = max(0.0, until.least - since.most), until.most - since.least
        if least * (1 - TOLERANCE) <= told <= most * (1 + TOLERANCE):
            self._use()
        elif is_sure and most <= 0:
            self._refuse(
                _(
                    "the counter of the commands that {agent} delivers stands still while its history moves, so its "
                    "windows are measured by its history, which has a row a minute"
                )
            )
        elif is_sure:
            self._refuse(
                _(
                    "the counter of the commands that {agent} delivers grew by {counted:,.0f} where its history tells "
                    "{told:,}, more than {tolerance:.0%} apart, so its windows are measured by its history, which has "
                    "a row a minute"
                ),
                counted=most if told > most else least,
                told=told,
                tolerance=TOLERANCE,
            )

    def _check_end(self, before: AgentReading) -> None:
        """Hold the counter of the session before against the last row of its history."""
        ended = self._met.ended.pop(self._agent.agent_id, None)
        if ended is None or not self.is_used or before.session_start != ended[0]:
            return
        _start, since, value = ended
        most = math.inf if before.counter_commands is None else float(before.counter_commands)
        if before.delivered_commands > since.told and value > since.most:
            self._compare(since, _Point(before.delivered_commands, float(value), max(most, float(value))), is_sure=True)

    def _use(self) -> None:
        if self.is_used:
            return
        self._met.used.add(self._agent.agent_id)
        self._on_note(
            _(
                "the windows of {agent} are measured by its counter of delivered commands, which grew as its history "
                "tells, within {tolerance:.0%}"
            ).format(agent=self._agent.name, tolerance=TOLERANCE)
        )

    def _refuse(self, sentence: str, **told: object) -> None:
        self._met.used.discard(self._agent.agent_id)
        self._met.refused.add(self._agent.agent_id)
        self._on_note(sentence.format(agent=self._agent.name, **told))
