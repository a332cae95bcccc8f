"""Readings that explain a trial: what is not needed costs no trial, and is not asked for again once it is refused."""

import pytest

from app.domain.errors import (
    ConnectionLost,
    Deadlock,
    PermissionDenied,
    ShortOfResources,
    StatementCancelled,
    StatementTimeout,
    TargetError,
)
from app.domain.happening import Happening, Work
from app.runner.optional import read_optional, tell_past_work

BACKUP = Happening(Work.BACKUP, "DIST1", "distribution")
JOB = Happening(Work.JOB, "PUB1", "nightly")


def failing(error: TargetError) -> tuple[Happening, ...]:
    """Fail as a reading does."""
    raise error


def test_what_is_read_is_returned_each_time() -> None:
    """Nothing is refused by it."""
    refused: set[str] = set()
    assert [read_optional("past_work", refused, lambda: 7) for _time in range(2)] == [7, 7]
    assert refused == set()


@pytest.mark.parametrize("error", [PermissionDenied("no"), StatementTimeout("late"), TargetError("odd")], ids=repr)
def test_a_reading_that_is_refused_is_not_asked_for_again(error: TargetError) -> None:
    """The others still are."""
    refused: set[str] = set()
    assert read_optional("past_work", refused, lambda: failing(error)) is None
    assert refused == {"past_work"}
    assert read_optional("past_work", refused, lambda: 7) is None
    assert read_optional("other_programs", refused, lambda: 7) == 7


@pytest.mark.parametrize("error", [Deadlock("chosen"), ShortOfResources("memory")], ids=repr)
def test_what_fails_for_a_moment_is_asked_for_again(error: TargetError) -> None:
    """It costs this reading alone."""
    refused: set[str] = set()
    assert read_optional("past_work", refused, lambda: failing(error)) is None
    assert read_optional("past_work", refused, lambda: 7) == 7


@pytest.mark.parametrize("error", [ConnectionLost("gone"), StatementCancelled("stop")], ids=repr)
def test_a_lost_connection_and_a_cancel_are_the_runs(error: TargetError) -> None:
    """Whoever asked must hear of them, and nothing is refused."""
    refused: set[str] = set()
    with pytest.raises(type(error)):
        read_optional("past_work", refused, lambda: failing(error))
    assert refused == set()


def test_past_work_is_told_server_by_server() -> None:
    """All that could be read, in its order; what is refused is left out from then on."""
    told: list[Happening] = []
    refused: set[str] = set()
    readings = {"jobs": lambda: (JOB, BACKUP), "backups": lambda: failing(PermissionDenied("no")), "more": lambda: ()}
    tell_past_work(readings, refused, told.append)
    assert told == [JOB, BACKUP]
    assert refused == {"backups"}
