"""Nothing is lost or delivered twice, whatever is done to the agents and however time is cut."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.systems.transactional_replication.lab.replication import (
    DistributionSettings,
    LogReaderSettings,
    ReplicationLab,
)
from tests.calibration.trials import shipped


@dataclass(frozen=True)
class Action:
    """One thing done to pair 0, and the time that passes after it."""

    name: str
    size: int
    wait_s: float


ACTIONS = st.lists(
    st.builds(
        Action,
        st.sampled_from(["write", "write", "reader on", "reader off", "agent on", "agent on", "agent off", "fail"]),
        st.integers(1, 2_000),
        st.floats(0.0, 40.0),
    ),
    min_size=3,
    max_size=25,
)


def _do(lab: ReplicationLab, action: Action) -> int:
    """Do one thing and return the commands written."""
    match action.name:
        case "write":
            return lab.write_transactions(0, action.size, (1.0, 9.0), seed=action.size)
        case "reader on" if not lab.log_reader(0).running:
            lab.start_log_reader(0, LogReaderSettings(read_batch_size=max(1, action.size // 3)))
        case "reader off":
            lab.stop_log_reader(0)
        case "agent on" if not lab.distribution_agent(0).running:
            lab.start_distribution_agent(
                0,
                DistributionSettings(commit_batch_size=action.size // 7 + 1, subscription_streams=1 + action.size % 9),
            )
        case "agent off":
            lab.stop_distribution_agent(0)
        case "fail":
            lab.fail_stream(0)
    return 0


def _pending(lab: ReplicationLab) -> tuple[int, int, int]:
    """Return the commands in the log, in the distribution database, and delivered."""
    delivered = lab.distribution_agent(0).total_delivered_commands
    return lab.log_pending_commands(0), lab.distribution_pending_commands(0), delivered


def _drain(lab: ReplicationLab) -> None:
    """Restart both agents until everything is delivered."""
    lab.stop_log_reader(0)
    lab.stop_distribution_agent(0)
    lab.advance(1_000.0)
    lab.start_log_reader(0, LogReaderSettings())
    lab.start_distribution_agent(0, DistributionSettings())
    lab.advance(1_000.0)


@settings(max_examples=60, deadline=None)
@given(actions=ACTIONS)
def test_every_command_is_in_exactly_one_place(actions: Sequence[Action]) -> None:
    """Written = in the log + in the distribution database + delivered, after every step; in the end all delivered."""
    lab = ReplicationLab(shipped("lan"), seed=3)
    written = 0
    for action in actions:
        written += _do(lab, action)
        lab.advance(action.wait_s)
        assert sum(_pending(lab)) == written
        session = lab.distribution_agent(0)
        if len(session.deliveries) < 2_000:
            assert sum(commands for _time, commands, _n, _age in session.deliveries) == session.delivered_commands
    _drain(lab)
    assert _pending(lab) == (0, 0, written)


@settings(max_examples=40, deadline=None)
@given(actions=ACTIONS, steps=st.integers(2, 60))
def test_the_size_of_time_steps_changes_nothing(actions: Sequence[Action], steps: int) -> None:
    """Looking often or seldom gives the same deliveries at the same times."""
    coarse, fine = ReplicationLab(shipped("lan"), seed=3), ReplicationLab(shipped("lan"), seed=3)
    for action in actions:
        _do(coarse, action)
        coarse.advance(action.wait_s)
        _do(fine, action)
        for _step in range(steps):
            fine.advance(action.wait_s / steps)
            _pending(fine)
    for once, often in (
        (coarse.log_reader(0), fine.log_reader(0)),
        (coarse.distribution_agent(0), fine.distribution_agent(0)),
    ):
        assert [row[1:3] for row in often.deliveries] == [row[1:3] for row in once.deliveries]
        assert [row[0] for row in often.deliveries] == pytest.approx([row[0] for row in once.deliveries])
        assert often.writer_write_s == pytest.approx(once.writer_write_s, abs=1e-6)
        assert often.idle_s == pytest.approx(once.idle_s, abs=1e-6)


def test_the_same_seed_gives_the_same_run_and_another_seed_another() -> None:
    """Noise and hash splits come from the seed alone."""

    def run(seed: int) -> tuple[tuple[float, int, int, float], ...]:
        lab = ReplicationLab(shipped("lan"), seed=seed)
        lab.write_transactions(0, 20_000, (2.5, 2.5), seed=1)
        lab.start_log_reader(0, LogReaderSettings())
        lab.start_distribution_agent(0, DistributionSettings(subscription_streams=4))
        lab.advance(120.0)
        return tuple(lab.distribution_agent(0).deliveries)

    assert run(5) == run(5)
    assert run(5) != run(6)
