"""Writing rows of the test table at the source, server-side, in portions that a cancel waits seconds for."""

import contextlib
from typing import Final

from app.domain.errors import BadInput, TargetError
from app.domain.setting import value_text
from app.drivers.oracle.session import End, Session
from app.foundation.texts import _

# One statement inserts about this many rows; an update of one transaction goes over fewer, because it cannot be seen
# before its commit.
ROWS_PER_INSERT: Final = 50_000
ROWS_PER_UPDATE: Final = 20_000


def load_rows(session: Session, schema: str, operation: str, rows: int, rows_per_commit: int) -> int:
    """Insert or update rows; return rows written.

    Raises:
        BadInput: another operation, no rows, or an update of more rows than the table has.
        TargetError: a portion failed; what was not committed is rolled back.
    """
    if operation not in ("insert", "update") or rows < 1 or rows_per_commit < 1:
        raise BadInput(
            _("a load inserts or updates one row or more, not {rows} rows of operation {operation}").format(
                rows=value_text(rows), operation=operation
            )
        )
    extent = session.run("load_extent", End.SOURCE, schema_name=schema)[0]
    first, last = extent.whole("first_id"), extent.whole("last_id")
    if operation == "insert":
        return _insert(session, schema, last + 1, rows, rows_per_commit)
    if rows > last - first + 1:
        raise BadInput(
            _("the test table has {found} rows, fewer than the {rows} to update; insert more first").format(
                found=last - first + 1, rows=rows
            )
        )
    return _update(session, schema, first, rows, rows_per_commit)


def _insert(session: Session, schema: str, first: int, rows: int, rows_per_commit: int) -> int:
    # whole commits in each portion, so that their size is as asked for
    portion = max(1, ROWS_PER_INSERT // rows_per_commit) * rows_per_commit
    written = 0
    while written < rows:
        answer = session.run(
            "insert_load",
            End.SOURCE,
            schema_name=schema,
            first_id=first + written,
            rows_wanted=min(portion, rows - written),
            rows_per_commit=rows_per_commit,
        )
        written += answer[0].whole("rows_written")
    return written


def _update(session: Session, schema: str, first: int, rows: int, rows_per_commit: int) -> int:
    written = 0
    try:
        for start in range(0, rows, rows_per_commit):
            in_transaction = min(rows_per_commit, rows - start)
            for offset in range(0, in_transaction, ROWS_PER_UPDATE):
                low = first + start + offset
                high = low + min(ROWS_PER_UPDATE, in_transaction - offset) - 1
                answer = session.run("update_load", End.SOURCE, schema_name=schema, first_id=low, last_id=high)
                written += answer[0].whole("rows_written")
            session.run("commit_load", End.SOURCE)
    except TargetError:
        # a lost connection has rolled back by itself
        with contextlib.suppress(TargetError):
            session.run("rollback_load", End.SOURCE)
        raise
    return written
