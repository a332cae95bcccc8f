"""Cancelling ends the statement that runs, and never one of a restore."""

import pytest

from app.domain.rig import RunCancelled
from app.runner.control import RunControl


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
