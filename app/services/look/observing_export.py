"""The result of a look at a server's history, written to a file of its own."""

from pathlib import Path

from app.domain.errors import BadInput
from app.domain.view import TableContent
from app.foundation.files import write_atomically
from app.foundation.texts import _
from app.reporting.export.csv_export import readings_csv


def write_history(history: TableContent, out: Path) -> int:
    """Write a history as CSV; return how many rows.

    Raises:
        BadInput: the file cannot be written.
    """
    try:
        write_atomically(out, readings_csv(history))
    except OSError as error:
        raise BadInput(
            _("{path} cannot be written: {why}; give another file").format(path=out, why=error.strerror)
        ) from error
    return len(history.rows)
