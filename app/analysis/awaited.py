"""How long a process stood while it was stopped and started, by the record of the statements that a run sent."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from app.domain.statement import StatementRecord

_LONGEST_PAUSE: Final = timedelta(seconds=6)
"""Between two questions of one wait, which are at most 5 s apart (`foundation/polling`)."""


def stood_s(
    statements: Sequence[StatementRecord], stop: str, start: str, asked_by: Sequence[str], subject: str
) -> tuple[float, ...]:
    """Return for each stop and the start behind it the seconds that both took, the time between them left out.

    A stop or start lasts from when it was sent to the end of the last question that the same wait asked.

    Args:
        statements: in the order they were sent. stop, start: names of the statements.
        asked_by: names of the statements that ask whether it is done.
        subject: what the parameters of stop and start hold, such as an id.
    """
    took, stopped_s = [], None
    for position, one in enumerate(statements):
        if one.name not in (stop, start) or one.error or subject not in one.parameters:
            continue
        awaited_s = _awaited_s(statements, position, asked_by)
        if one.name == stop:
            stopped_s = awaited_s
        elif stopped_s is not None:
            took.append(stopped_s + awaited_s)
            stopped_s = None
    return tuple(took)


def _awaited_s(statements: Sequence[StatementRecord], position: int, asked_by: Sequence[str]) -> float:
    sent = statements[position]
    ended = sent.sent_utc + timedelta(milliseconds=sent.duration_ms)
    for question in statements[position + 1 :]:
        if question.name not in asked_by or question.sent_utc - ended > _LONGEST_PAUSE:
            break
        ended = question.sent_utc + timedelta(milliseconds=question.duration_ms)
    return (ended - sent.sent_utc).total_seconds()
