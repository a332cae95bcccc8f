"""Session files and the undo journal, in SQLite: the only part that speaks it."""

from app.store.annotations import Remark, SearchedText, Tag
from app.store.journal import SessionPlace, UndoJournalFile
from app.store.journal_opening import JournalDamaged
from app.store.journal_seals import DamagedEntry, JournalDamage
from app.store.lock import LockHolder, OpenElsewhere, read_lock_holder
from app.store.overview import RecordedEvent, RunOverview, SessionHeader, SessionOverview
from app.store.reader import SessionReader
from app.store.recorder import SessionRecorder
from app.store.rollback import JournalWithScript, rollback_script, script_bytes
from app.store.session_file import SessionStore, create_session_file, open_for_reading, open_for_writing

__all__ = [
    "DamagedEntry",
    "JournalDamage",
    "JournalDamaged",
    "JournalWithScript",
    "LockHolder",
    "OpenElsewhere",
    "RecordedEvent",
    "Remark",
    "RunOverview",
    "SearchedText",
    "SessionHeader",
    "SessionOverview",
    "SessionPlace",
    "SessionReader",
    "SessionRecorder",
    "SessionStore",
    "Tag",
    "UndoJournalFile",
    "create_session_file",
    "open_for_reading",
    "open_for_writing",
    "read_lock_holder",
    "rollback_script",
    "script_bytes",
]
