"""A change and its journal entry as columns: the same in the undo journal and in the session file's copy."""

from functools import lru_cache
from typing import Final, TypeAlias

from app.domain.change import Change, EntryState, JournalEntry
from app.domain.setting import Value
from app.foundation.codec import dump_json, known, load_json, utc_time

CHANGE_COLUMNS: Final = "kind, subject, original, new, details, apply_sql, undo_sql, needs_consent"
ENTRY_COLUMNS: Final = f"entry_id, target, {CHANGE_COLUMNS}, state, recorded_utc, problem"

EntryRow: TypeAlias = tuple[int, str, str, str, str, str, str, str, str, str, str, str, str]
"""A row of `ENTRY_COLUMNS`."""


def change_values(change: Change) -> tuple[str, ...]:
    """Return the values of `CHANGE_COLUMNS`."""
    return (
        change.kind,
        change.subject,
        change.original,
        change.new,
        dump_json(change.details),
        change.apply_sql,
        change.undo_sql,
        change.needs_consent,
    )


@lru_cache(maxsize=64)  # what is open is asked for with each change and each stop of a process, and seldom differs
def entry_from(row: EntryRow, session_id: str) -> JournalEntry:
    """Return the entry of a row of `ENTRY_COLUMNS`.

    Raises:
        CodecError: a column holds what was never written to it.
    """
    entry_id, target, kind, subject, original, new, details, apply_sql, undo_sql, consent, state, recorded, problem = (
        row
    )
    change = Change(
        kind=kind,
        subject=subject,
        original=original,
        new=new,
        details=load_json(tuple[tuple[str, Value], ...], details),
        apply_sql=apply_sql,
        undo_sql=undo_sql,
        needs_consent=consent,
    )
    return JournalEntry(entry_id, session_id, target, change, known(EntryState, state), utc_time(recorded), problem)
