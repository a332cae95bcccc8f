"""How long a process stood, by the record of the statements that stopped and started it."""

from datetime import UTC, datetime, timedelta

from app.analysis.awaited import stood_s
from app.domain.statement import Access, StatementRecord

ASKED = ("asked", "begun")
START = datetime(2026, 3, 1, tzinfo=UTC)


def log(*sent: tuple[str, float, float, str]) -> list[StatementRecord]:
    """Return statements by name, offset and duration in seconds, and the job they are about."""
    return [
        StatementRecord(
            name, Access.READ, "DIST1", "", f'{{"job_id": "{job}"}}', START + timedelta(seconds=at), took * 1000, 1
        )
        for name, at, took, job in sent
    ]


def test_a_stop_and_the_start_behind_it_are_one_interruption() -> None:
    """From the request to the last answer of each wait: 2.5 s and 1.2 s, whatever was done between them."""
    statements = log(
        ("stop", 0, 0.1, "A"),
        ("asked", 0.2, 0, "A"),
        ("asked", 2.4, 0.1, "A"),
        ("load", 3, 600, "A"),
        ("start", 700, 0.2, "A"),
        ("asked", 701, 0, "A"),
        ("begun", 701.1, 0.1, "A"),
    )
    assert stood_s(statements, "stop", "start", ASKED, "A") == (3.7,)


def test_a_question_asked_much_later_is_not_of_the_same_wait() -> None:
    """The next step asks whether the process stands, half a minute later."""
    statements = log(("stop", 0, 0.5, "A"), ("asked", 30, 0, "A"), ("start", 31, 0.5, "A"), ("asked", 60, 0, "A"))
    assert stood_s(statements, "stop", "start", ASKED, "A") == (1.0,)


def test_another_process_or_a_start_without_a_stop_is_none() -> None:
    """Only what was stopped and started here tells how long that takes."""
    statements = log(("start", 0, 1, "A"), ("stop", 2, 1, "B"), ("start", 4, 1, "B"), ("stop", 6, 1, "A"))
    assert stood_s(statements, "stop", "start", ASKED, "A") == ()
    assert stood_s(statements, "stop", "start", ASKED, "B") == (2.0,)
