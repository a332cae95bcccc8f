"""Readings that something passing kept from a server."""

import logging
from collections.abc import Callable

import pytest

from app.domain.errors import PASSING_AT_READING, Deadlock, TargetError
from app.runner.skipped import MOST_IN_A_ROW, SkippedReadings


def _failing(times: int, error: Exception) -> Callable[[], str]:
    left = [error] * times

    def read() -> str:
        if left:
            raise left.pop()
        return "a reading"

    return read


@pytest.mark.parametrize("times", range(MOST_IN_A_ROW))
def test_each_skipped_reading_is_waited_for_and_counted(times: int, caplog: pytest.LogCaptureFixture) -> None:
    """It is told once, with its number; nothing is told where none was skipped. The log names the error of each."""
    caplog.set_level(logging.INFO)
    skipped, waits, notes = SkippedReadings(), list[None](), list[str]()
    assert skipped.read(_failing(times, Deadlock("busy")), lambda: waits.append(None)) == "a reading"
    skipped.tell(notes.append)
    assert len(waits) == times
    assert [record.getMessage() for record in caplog.records] == ["a reading is skipped: busy"] * times
    told = "readings skipped in a trial, because a server could not answer at that moment"
    assert notes == ([f"{told}: {times}"] if times else [])


@pytest.mark.parametrize("kind", PASSING_AT_READING)
def test_a_server_that_never_answers_is_no_longer_watched(kind: type[Exception]) -> None:
    """The last error is raised, with no wait behind it."""
    skipped, waits = SkippedReadings(), list[None]()
    with pytest.raises(kind, match="busy"):
        skipped.read(_failing(MOST_IN_A_ROW, kind("busy")), lambda: waits.append(None))
    assert len(waits) == MOST_IN_A_ROW - 1


def test_what_is_not_passing_is_raised_at_once() -> None:
    """Without a wait, and uncounted."""
    skipped, waits = SkippedReadings(), list[None]()
    with pytest.raises(TargetError, match="refused"):
        skipped.read(_failing(1, TargetError("refused")), lambda: waits.append(None))
    assert (waits, skipped.count) == ([], 0)
