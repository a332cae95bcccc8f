"""The client's own load by the history a Distributor keeps: its day, and when its heaviest stretch is delivered."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.domain.own_load import Speed
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.own_day import KeptHours, day_of, heaviest_of, kept_hours
from app.systems.transactional_replication.observed import AgentHour
from app.systems.transactional_replication.topology import Topology
from tests.store.sample import TOPOLOGY

MIDNIGHT = datetime(2026, 1, 5, tzinfo=UTC)
RATE_PER_S = 1_000.0
# 1,000 commands/s are 3.6 M an hour: 7.2 M come in each of two hours, so that the last of them leaves at 05:00.
CAME = [0.4, 7.2, 7.2, 0.4, 0.4, 0.4, *[0.4] * 8]
LEFT = [0.4, 3.6, 3.6, 3.6, 3.6, 1.2, *[0.4] * 8]
AT_1 = Speed(1.0, 1.0, 1.0)


def hours_of(kind: AgentKind, millions: Sequence[float], late: range = range(0)) -> tuple[AgentHour, ...]:
    """Return an agent's hours from midnight on, behind in some of them."""
    return tuple(
        AgentHour(
            kind,
            1,
            MIDNIGHT + timedelta(hours=place),
            0,
            round(of_hour * 1e6),
            of_hour * 1e6 / RATE_PER_S,
            600_000.0 if place in late else 3_000.0,
            900_000,
            0,
        )
        for place, of_hour in enumerate(millions)
    )


def kept(came: Sequence[float] = CAME, left: Sequence[float] = LEFT, late: range = range(1, 6)) -> KeptHours:
    """Return the history of one Distribution Agent and its Log Reader Agent."""
    delivered, arrived = hours_of(AgentKind.DISTRIBUTION, left, late), hours_of(AgentKind.LOG_READER, came)
    return KeptHours(delivered, arrived, float(len(left)))


def at(hour: int, minute: int = 0) -> datetime:
    """Return a time of that day."""
    return MIDNIGHT + timedelta(hours=hour, minutes=minute)


def test_the_heaviest_load_leaves_sooner_at_a_gain() -> None:
    """By hand: 7.2 M wait at 03:00, and 0.4 M come in each hour: 3.2 M an hour are worked off, until 05:15.

    At one and a half times the rate 3.6 M wait at 03:00 and 5 M an hour leave: until 03:43; at twice it keeps up.
    """
    load = heaviest_of(kept(), "PUB1-SUB1", Speed(1.5, 1.25, 2.0))
    assert load is not None
    assert (load.place, load.kept_h, load.began, load.came) == ("PUB1-SUB1", 14.0, at(1), at(5, 10))
    assert load.comes == at(3, 40)
    assert load.earliest is None
    # 5.4 M wait at 03:00 at 1.25 times the rate; 4.1 M an hour leave: 1 h 19 min, less the minute that is not told
    assert load.latest == at(4, 20)
    assert load.commands == pytest.approx(15.3e6, rel=0.02)


def test_how_far_it_is_behind_is_told_at_each_speed() -> None:
    """By hand, at 03:00: 7.2 M at 1,000/s are 2 h; 3.6 M at 1,500/s 40 min; 5.4 M at 1,250/s 72 min; at twice none."""
    load = heaviest_of(kept(), "PUB1-SUB1", Speed(1.5, 1.25, 2.0))
    assert load is not None
    assert load.behind_s == pytest.approx(7_200)
    assert load.would_be_behind_s == pytest.approx((2_400, 4_320, 0), abs=1e-6)


def test_what_never_was_behind_is_told_as_that() -> None:
    """A gain is worth no hours where nothing waited for more than a minute."""
    load = heaviest_of(kept([0.4] * 14, [0.4] * 14, range(0)), "PUB1-SUB1", AT_1)
    assert load is not None
    assert (load.commands, load.began, load.came, load.comes) == (0, None, None, None)


@pytest.mark.parametrize(
    ("history", "why"),
    [
        (kept(CAME[:8], LEFT[:8]), "shorter than half a day"),
        (kept(late=range(10, 14)), "still behind at its end"),
        (kept(late=range(0, 3)), "behind from its beginning"),
        (kept(came=[0.4] * 14, late=range(1, 6)), "something else than what came delayed it"),
    ],
)
def test_a_history_that_does_not_tell_it_tells_nothing(history: KeptHours, why: str) -> None:
    """Nothing is worked out from a part of a load, or from one that the model does not explain."""
    assert heaviest_of(history, "PUB1-SUB1", AT_1) is None, why


def test_a_day_without_delivery_leaves_a_day_of_commands() -> None:
    """Scaled from the hours there are to 24; less than half a day tells none."""
    day = day_of(kept())
    assert day is not None
    assert day.commands == pytest.approx(sum(LEFT) * 1e6 / 14 * 24, abs=1)
    assert day.inflow_per_s == pytest.approx(sum(LEFT) * 1e6 / 14 / 3_600)
    assert "14 h" in day.basis
    assert day_of(kept(CAME[:8], LEFT[:8])) is None


def test_hours_of_own_trials_are_no_load_of_the_clients() -> None:
    """An hour that a trial touches is left out, of both agents; another agent's hours are not this one's."""
    topology: Topology = TOPOLOGY
    deliverer = topology.agents_of(AgentKind.DISTRIBUTION)[0]
    reader = next(r for r in topology.agents_of(AgentKind.LOG_READER) if r.publisher_db == deliverer.publisher_db)
    every = [
        *(replace(hour, agent_id=deliverer.agent_id) for hour in hours_of(AgentKind.DISTRIBUTION, LEFT)),
        *(replace(hour, agent_id=reader.agent_id) for hour in hours_of(AgentKind.LOG_READER, CAME)),
        *(replace(hour, agent_id=4711) for hour in hours_of(AgentKind.DISTRIBUTION, LEFT)),
    ]
    found = kept_hours(deliverer, topology, every, [(at(2, 30), at(3, 10))])
    assert [hour.hour_utc.hour for hour in found.delivered] == [0, 1, *range(4, 14)]
    assert [hour.hour_utc.hour for hour in found.arrived] == [0, 1, *range(4, 14)]
    assert found.kept_h == 12.0
