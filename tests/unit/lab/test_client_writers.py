"""The client's own applications, the speed that moves within a trial, and history rows as agents write them."""

import numpy as np
import pytest

from app.lab.moving import MovingConstants, MovingSpeed
from app.systems.transactional_replication.lab.replication import (
    DistributionSettings,
    LogReaderSettings,
    ReplicationLab,
)
from app.systems.transactional_replication.lab.scenario import (
    ClientWritersConstants,
    HistoryConstants,
    Scenario,
    load_scenario,
    scenario_path,
)
from app.systems.transactional_replication.lab_server.history import IN_PROGRESS, AgentHistory
from app.systems.transactional_replication.lab_server.state import lived_state
from tests.unit.targets.test_history import delivering

_LAN = load_scenario(scenario_path("lan"))
_QUIET = {
    "drift_share": 0.0,
    "drift_memory_s": 1200.0,
    "mix_share": 0.0,
    "mix_memory_s": 180.0,
    "slow_share": 0.0,
    "slow_memory_s": 30.0,
    "second_share": 0.0,
    "burst_time_share": 0.0,
    "burst_least_share": 0.3,
    "burst_most_share": 0.4,
    "burst_shortest_s": 40.0,
    "burst_longest_s": 120.0,
}


def _speeds(seconds: int = 20_000, **changed: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the speed at each second of a site on which only so much moves."""
    moving = MovingSpeed(MovingConstants(**{**_QUIET, **changed}), seed=1)
    moving.when_done(0.0, np.array([float(seconds)]))
    return np.diff(moving._done_s)[:seconds]


def _with_writers(**changed: object) -> Scenario:
    usual = {"transactions_per_s": 20.0, "least_commands": 2, "most_commands": 6}
    writers = ClientWritersConstants.model_validate({**usual, **changed})
    return _LAN.model_copy(update={"client_writers": (writers,)})


def test_a_quiet_machine_does_its_work_in_its_time() -> None:
    """Where nothing moves, what takes so long takes so long."""
    moving = MovingSpeed(MovingConstants(**_QUIET), seed=1)
    assert moving.when_done(10.5, np.array([1.0, 7_200.0])).tolist() == pytest.approx([11.5, 7_210.5])


def test_speed_moves_by_the_second_and_keeps_what_is_remembered() -> None:
    """White noise has no memory; slow noise does, at the lag it is said to have."""
    white = np.log(_speeds(second_share=0.25))
    slow = np.log(_speeds(slow_share=0.10, slow_memory_s=30.0))
    assert white.std() == pytest.approx(0.25, rel=0.05)
    assert abs(np.corrcoef(white[:-30], white[30:])[0, 1]) < 0.05
    assert slow.std() == pytest.approx(0.10, rel=0.15)
    assert np.corrcoef(slow[:-30], slow[30:])[0, 1] == pytest.approx(np.exp(-1), abs=0.15)


def test_bursts_take_their_share_of_the_time() -> None:
    """One minute in twenty is slower, by 30 to 40 %."""
    speeds = _speeds(200_000, burst_time_share=0.05)
    slowed = speeds[speeds < 0.99]
    assert len(slowed) / len(speeds) == pytest.approx(0.05, abs=0.02)
    assert 0.6 <= slowed.min() <= slowed.max() <= 0.7


def test_a_rhythm_returns_after_its_period() -> None:
    """A sine of a fifth around the mean."""
    speeds = _speeds(6_000, rhythm_share=0.2, rhythm_every_s=600.0)
    assert speeds[:600] == pytest.approx(speeds[600:1200])
    assert (speeds.min(), speeds.max()) == pytest.approx((0.8, 1.2), abs=0.001)


def test_how_time_is_looked_at_changes_no_speed() -> None:
    """Asked in small steps or in one, work is done at the same moment."""
    constants = MovingConstants(**{**_QUIET, "second_share": 0.25, "burst_time_share": 0.05})
    once, stepwise = MovingSpeed(constants, seed=3), MovingSpeed(constants, seed=3)
    at_s = 0.0
    for _step in range(100):
        at_s = float(stepwise.when_done(at_s, np.array([60.0]))[0])
    assert at_s == pytest.approx(float(once.when_done(0.0, np.array([6_000.0]))[0]))


def test_applications_write_what_they_are_said_to() -> None:
    """Twenty transactions a second of four commands on average, none lost on the way."""
    lab = ReplicationLab(_with_writers(), noise=False)
    lab.advance(1_000.0)
    transactions = lab.log_pending_transactions(0)
    assert transactions == pytest.approx(20_000, rel=0.05)
    assert lab.log_pending_commands(0) / transactions == pytest.approx(4.0, rel=0.05)


def test_applications_write_by_the_hour_and_in_bursts() -> None:
    """Nothing in an hour whose share is none; more within bursts."""
    lab = ReplicationLab(_with_writers(hours=(0.0, 1.0)), noise=False)
    lab.advance(3_600.0)
    assert lab.log_pending_transactions(0) == 0
    lab.advance(3_600.0)
    assert lab.log_pending_transactions(0) == pytest.approx(72_000, rel=0.05)
    bursts = ReplicationLab(_with_writers(burst_every_s=100.0, burst_s=10.0, burst_times=11.0), noise=False)
    bursts.advance(10_000.0)
    assert bursts.log_pending_transactions(0) > 1.5 * 200_000


def test_what_applications_write_goes_through_both_agents() -> None:
    """It is stored, delivered, and forgotten; nothing is left behind but what was written a moment ago."""
    lab = ReplicationLab(_with_writers(), noise=False)
    lab.start_log_reader(0, LogReaderSettings())
    lab.start_distribution_agent(0, DistributionSettings())
    lab.advance(1_000.0)
    assert lab.distribution_agent(0).delivered_commands > 70_000
    assert lab.log_pending_transactions(0) < 500
    assert lab.kept_transactions(0) < 20_000


def test_an_experiment_may_write_among_applications() -> None:
    """A load written beside them keeps the log's order."""
    lab = ReplicationLab(_with_writers(), noise=False)
    lab.advance(10.5)
    written = lab.write_transactions(0, 10_000, (2.5, 2.5), 1)
    lab.advance(60.0)
    assert lab.log_pending_commands(0) > written


def test_an_agent_tells_after_so_many_transactions_or_so_long() -> None:
    """No row is written more often; the last row of a session has all of it."""
    history = AgentHistory(HistoryConstants(transactions_per_history=100, message_interval_s=60.0))
    batches = tuple((100.0 + 2.0 * number, 40, 10, 1.5) for number in range(1, 26))
    history.observe(delivering(*batches), 151.0)
    told = [row for row in history.rows if row.runstatus == IN_PROGRESS]
    assert [(row.time_s, row.transactions, row.commands) for row in told] == [(120.0, 100, 400), (140.0, 200, 800)]
    history.observe(delivering(*batches, running=False, reader_wait_s=52.0), 160.0)
    assert (history.rows[-1].transactions, history.rows[-1].commands) == (250, 1_000)
    slow = AgentHistory(HistoryConstants(transactions_per_history=0, message_interval_s=60.0))
    slow.observe(delivering(*batches, (161.0, 40, 10, 1.5)), 165.0)
    assert [row.time_s for row in slow.rows if row.runstatus == IN_PROGRESS] == [161.0]


def test_the_incident_begins_with_millions_that_wait_for_one_agent() -> None:
    """The other agents keep up, and no publication has a table of an experiment's."""
    state = lived_state(load_scenario(scenario_path("incident")), 1, None)
    waiting = [state.lab.distribution_pending_commands(pair) for pair in range(3)]
    assert 3_000_000 < waiting[0] < 8_000_000
    assert max(waiting[1:]) < 50_000
    assert not any(pair.has_test_table for pair in state.site.pairs)
    before = state.lab.distribution_agent(0).delivered_commands
    state.advance(60.0)
    assert 20_000 < state.lab.distribution_agent(0).delivered_commands - before < 60_000
