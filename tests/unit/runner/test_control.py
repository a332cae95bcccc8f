"""Cancelling ends the statement that runs, and never one of a restore."""

import pytest

from app.domain.rig import RunCancelled
from app.runner.control import RunControl, let_pass
from tests.unit.runner.memory import MemoryClock


def test_a_cancel_ends_the_statement_that_runs() -> None:
    """Inside the block the interrupt is called, and the next check raises."""
    control, ended = RunControl(), []
    with control.interrupting(lambda: ended.append("statement")):
        control.cancel()
    assert ended == ["statement"]
    assert control.is_cancelled
    with pytest.raises(RunCancelled):
        control.check()


def test_a_second_cancel_leaves_the_restore_alone() -> None:
    """After the block nothing is interrupted, however often somebody cancels."""
    control, ended = RunControl(), []
    with control.interrupting(lambda: ended.append("statement")):
        pass
    control.cancel()
    control.cancel()
    assert ended == []


def test_a_cancel_between_two_readings_is_noticed_within_seconds() -> None:
    """Readings of a long trial are a minute apart; nobody who cancels waits that long."""
    control = RunControl()

    class Cancelling(MemoryClock):
        def sleep(self, seconds: float) -> None:
            super().sleep(seconds)
            if self.slept_s >= 10.0:
                control.cancel()

    clock = Cancelling()
    with pytest.raises(RunCancelled):
        let_pass(60.0, clock, control)
    assert 10.0 <= clock.slept_s <= 15.0


@pytest.mark.parametrize("seconds", [0.0, 0.4, 5.0, 12.5, 60.0])
def test_exactly_the_time_between_two_readings_passes(seconds: float) -> None:
    """Cut into pieces or not."""
    clock = MemoryClock()
    let_pass(seconds, clock, RunControl())
    assert clock.slept_s == pytest.approx(seconds)
