"""Session files and the undo journal, in SQLite: the only part that speaks it."""

from app.store.annotations import Remark, SearchedText, Tag
from app.store.journal import UndoJournalFile
from app.store.journal_opening import JournalDamaged, JournalLost, close_witness, has_journal, sentence_of_lost
from app.store.journal_seals import DamagedEntry, JournalDamage
from app.store.journal_witness import SessionPlace, Witnessed
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
    "JournalLost",
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
    "Witnessed",
    "close_witness",
    "create_session_file",
    "has_journal",
    "open_for_reading",
    "open_for_writing",
    "read_lock_holder",
    "rollback_script",
    "script_bytes",
    "sentence_of_lost",
]
