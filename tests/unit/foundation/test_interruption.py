"""Ending a call of another thread: when it is told, and when not."""

import threading

from app.foundation.interruption import Interruption
from tests.patience import PATIENCE_S, PAUSE_S


def test_what_waits_is_told_once() -> None:
    """The first wish counts; nothing tells a call that ended, nor the one after it."""
    told = threading.Event()
    calls: list[str] = []

    def tell() -> None:
        calls.append("first")
        told.set()

    interruption = Interruption(0.0)
    interruption.ask()
    interruption.begin(tell)
    interruption.ask()
    interruption.ask()
    assert told.wait(PATIENCE_S)
    assert interruption.end()
    interruption.ask()
    interruption.begin(lambda: calls.append("second"))
    assert not interruption.end()
    assert calls == ["first"]


def test_nothing_is_told_within_the_patience() -> None:
    """A call that ends in time is known to be unwanted, and was left alone."""
    calls: list[str] = []
    interruption = Interruption(3600.0)
    interruption.begin(lambda: calls.append("told"))
    interruption.ask()
    assert interruption.end()
    assert calls == []


def test_a_call_that_ran_long_enough_is_told_at_once() -> None:
    """The patience counts from its begin."""
    told, now_s = threading.Event(), [100.0]
    interruption = Interruption(3600.0, lambda: now_s[0])
    interruption.begin(told.set)
    now_s[0] += 3600.0
    interruption.ask()
    assert told.wait(PATIENCE_S)
    assert interruption.end()


def test_the_end_waits_for_a_driver_that_is_being_told() -> None:
    """Nobody tells a driver any more once the end is known; asking meanwhile waits for nothing."""
    begun, go_on = threading.Event(), threading.Event()
    ended: list[bool] = []

    def tell() -> None:
        begun.set()
        assert go_on.wait(PATIENCE_S)

    interruption = Interruption(0.0)
    interruption.begin(tell)
    interruption.ask()
    assert begun.wait(PATIENCE_S)
    interruption.ask()
    worker = threading.Thread(target=lambda: ended.append(interruption.end()))
    worker.start()
    worker.join(PAUSE_S)
    assert ended == []
    go_on.set()
    worker.join(PATIENCE_S)
    assert ended == [True]
