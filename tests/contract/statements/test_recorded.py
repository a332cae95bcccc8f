"""What servers answered once, as `doctor --record` wrote it: each file is a contract that today's statements keep.

A file that a consultant sent in goes to `tests/facts/sqlserver/recorded/` as it came.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from app.domain.first_contact import Answer, differences_of
from app.drivers.sqlserver.catalogue import Statement, catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.first_contact import expected_columns, text_sha256
from app.drivers.sqlserver.odbc.results import read_result, read_shape
from app.services.look.first_contact import answers_of

RECORDED = sorted((Path(__file__).parents[2] / "facts" / "sqlserver" / "recorded").glob("*.json"))
VALUES: Final[dict[str, tuple[type, object]]] = {
    "whole": (int, 7),
    "number": (float, 7.5),
    "text": (str, "x"),
    "time": (datetime, datetime(2026, 11, 23, tzinfo=UTC)),
    "binary": (bytes, b"x"),
}


class RecordedCursor:
    """A cursor over a result with the columns of a record, and one row of values of their kinds."""

    def __init__(self, answer: Answer) -> None:
        self.description: Sequence[Sequence[Any]] = [
            (one.name, VALUES[one.kind][0], None, one.digits, one.digits, 0, True) for one in answer.columns
        ]
        self._row = [VALUES[one.kind][1] for one in answer.columns]

    def execute(self, text: str, values: tuple[object, ...], /) -> object:
        """Nothing is sent."""
        raise NotImplementedError

    def fetchall(self) -> Sequence[Sequence[Any]]:
        """Return the row."""
        return [self._row]

    def nextset(self) -> bool:
        """There is one result."""
        return False

    def close(self) -> None:
        """Nothing is open."""


def kept(answers: Sequence[Answer]) -> list[tuple[Statement, Answer]]:
    """Return the results of statements that are sent today as they were then."""
    return [
        (statement, answer)
        for answer in answers
        if (statement := catalogue().get(answer.statement)) and text_sha256(statement) == answer.text_sha256
    ]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_what_came_then_is_read_today(path: Path) -> None:
    """Every result with all its columns is read as the program reads it; what differed is what the file says."""
    document = json.loads(path.read_text(encoding="utf-8"))
    answers = answers_of(document)
    told = [(one["statement"], one["server"], one["what"]) for one in document["differences"]]
    assert [(one.statement, one.server, one.what) for one in differences_of(answers)] == told
    differing = {(statement, server) for statement, server, _what in told}
    replayed = 0
    for statement, answer in kept(answers):
        if (answer.statement, answer.server) not in differing and answer.columns:
            assert answer.expected == expected_columns(statement)
            (row,) = read_result(RecordedCursor(answer), statement)
            assert len(row) == len(statement.columns)
            assert read_shape(RecordedCursor(answer), statement) == (answer.columns, 1)
            replayed += 1
    assert replayed > 0 or not answers


def test_a_column_that_is_called_otherwise_is_refused() -> None:
    """The replay fails where a statement would: a result without what the statement reads."""
    statement, answer = next((one, two) for one, two in kept(answers_of(json.loads(RECORDED[0].read_text()))))
    spoilt = Answer(**{**vars(answer), "columns": answer.columns[1:]})
    assert [one.what for one in differences_of((spoilt,))] == [f"column {answer.columns[0].name} is missing"]
    with pytest.raises(SqlError, match="were expected"):
        read_result(RecordedCursor(spoilt), statement)
