"""What a look at a server's history gave, written to a file of its own."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from app.domain.errors import BadInput
from app.foundation.files import write_atomically
from app.foundation.texts import _


@dataclass(frozen=True)
class History:
    """A server's history row by row, as written to a file.

    Attributes:
        columns: their names, with units.
        rows: cells as text or numbers, "" where nothing is known.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str | int, ...], ...]


def history_csv(history: History) -> bytes:
    """Return a history as CSV in UTF-8."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(history.columns)
    writer.writerows(history.rows)
    return text.getvalue().encode("utf-8")


def write_history(history: History, out: Path) -> int:
    """Write a history as CSV; return how many rows.

    Raises:
        BadInput: the file cannot be written.
    """
    try:
        write_atomically(out, history_csv(history))
    except OSError as error:
        raise BadInput(
            _("{path} cannot be written: {why}; give another file").format(path=out, why=error.strerror)
        ) from error
    return len(history.rows)
