"""Changes to servers as a table: planned, open right now, left by a crash, or kept with a session."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final

from app.domain.change import Change, JournalEntry
from app.domain.setting import value_text
from app.domain.view import Cell, Column, Row, TableContent, data_cell, file_column, text_cell, typed_cell, valued_cell
from app.foundation.texts import _
from app.reporting.numbers import moment

IN_FILES: Final = (
    *("entry", "recorded_utc", "target", "kind", "subject", "original", "new", "state", "problem", "undo_sql"),
)
"""The columns of changes.csv."""

PLANNED: Final = ("subject", "original", "new", "consequence")
OPEN_NOW: Final = ("new", "original", "subject")
LEFT: Final = ("subject", "original", "new", "target", "recorded_utc", "problem")
NOT_UNDONE: Final = ("subject", "target", "original", "new", "problem")
"""The columns of what a plan will change, a run has changed, a crash left, and a session leaves."""

# How the kind of a change ends that a first stop is kept as. Later starts and stops of the same run stay under it: what
# was stopped runs while it is measured, and the change is undone by starting it for good.
_STOPPED: Final = "_stopped"


def change_values(change: Change) -> tuple[str, str]:
    """Return the value before a change and the one after it as a person reads them; an empty one is said to be."""
    before, after = (value_text(value) or _("(empty)") for value in (change.original, change.new))
    return before, after


def value_now(change: Change) -> str:
    """Return the value a change has set, as long as it is open."""
    if change.kind.endswith(_STOPPED):
        return _("stopped between measurements")
    return change_values(change)[1]


def from_to(change: Change) -> str:
    """Return the value before and the one now, as long as the change is open."""
    return f"{change_values(change)[0]} → {value_now(change)}"


def changes_table(
    changes: Sequence[Change], columns: Sequence[str], row_keys: Sequence[str] | None = None
) -> TableContent:
    """Return changes in the order given, as they are told while they are open.

    Args:
        columns: their keys, in order.
        row_keys: of each row, None for their places.
    """
    return _table([_change_cells(change) for change in changes], columns, row_keys)


def journal_table(
    entries: Sequence[JournalEntry], columns: Sequence[str], time: Callable[[datetime], str] = moment
) -> TableContent:
    """Return the changes of a journal, with when each was made and why it is not undone.

    Args:
        columns: their keys, in order.
        time: how a time is written.
    """
    return _table([_change_cells(entry.change) | _entry_cells(entry, time) for entry in entries], columns)


def _table(
    cells: Sequence[Mapping[str, Cell]], columns: Sequence[str], row_keys: Sequence[str] | None = None
) -> TableContent:
    described = {column.key: column for column in _columns()}
    keys = row_keys or [f"{place}" for place in range(len(cells))]
    rows = tuple(Row(key, tuple(made[column] for column in columns)) for key, made in zip(keys, cells, strict=True))
    return TableContent(tuple(described[key] for key in columns), rows)


def _columns() -> tuple[Column, ...]:
    return (
        Column("subject", _("What is changed"), width=2.2),
        Column("original", _("Original"), width=1.1),
        Column("new", _("Changed to"), width=1.4),
        Column("consequence", _("What it means for production")),
        Column("target", _("Target"), width=1),
        Column("recorded_utc", _("When")),
        Column("problem", _("Why it is not undone"), width=1.6),
        *map(file_column, ("entry", "kind", "state", "undo_sql")),
    )


def _change_cells(change: Change) -> dict[str, Cell]:
    return {
        "subject": valued_cell(change.subject, change.subject, hint=change.subject),
        "original": typed_cell(change_values(change)[0], change.original),
        "new": typed_cell(value_now(change), change.new),
        "consequence": text_cell(change.needs_consent),
        "kind": data_cell(change.kind),
        "undo_sql": data_cell(change.undo_sql),
    }


def _entry_cells(entry: JournalEntry, time: Callable[[datetime], str]) -> dict[str, Cell]:
    problem = entry.problem or (_("kept on purpose") if entry.is_kept else _("not yet undone"))
    return {
        "target": valued_cell(entry.target, entry.target, hint=entry.target),
        "recorded_utc": valued_cell(time(entry.recorded_utc), entry.recorded_utc.isoformat()),
        "problem": valued_cell(problem, entry.problem, hint=problem),
        "entry": data_cell(entry.entry_id),
        "state": data_cell(entry.state.value),
    }
