"""The record of every statement a session sent to its servers: read again, and written to a file of its own."""

from pathlib import Path

from app.domain.errors import BadInput
from app.domain.statement import StatementRecord
from app.foundation.files import write_atomically
from app.foundation.texts import _
from app.reporting.export.csv_export import statements_csv
from app.store import open_for_reading


def read_statement_log(session_file: Path, session_id: str | None = None) -> tuple[StatementRecord, ...]:
    """Return the statements of a session, the newest of the file for None, oldest first.

    Raises:
        StoreError: the file cannot be read, or holds no such session.
    """
    with open_for_reading(session_file) as reader:
        return reader.read_statements(session_id)


def write_statement_log(statements: tuple[StatementRecord, ...], out: Path) -> int:
    """Write statements as CSV, as the report has them attached; return how many.

    Raises:
        BadInput: the file cannot be written.
    """
    try:
        write_atomically(out, statements_csv(statements))
    except OSError as error:
        raise BadInput(
            _("{path} cannot be written: {why}; give another file").format(path=out, why=error.strerror)
        ) from error
    return len(statements)
