"""Writing one session: the reports of runner, targets and services, in the order of their events."""

import dataclasses
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from app.domain.change import JournalEntry
from app.domain.errors import StoreError
from app.domain.events import (
    ChangeApplied,
    ChangeRestored,
    HandRequested,
    Note,
    RunEvent,
    RunFinished,
    RunPaused,
    RunResumed,
    RunStarted,
    SamplesTaken,
    TrialFinished,
    TrialStarted,
)
from app.domain.measurement import Measurement
from app.domain.session import Environment
from app.domain.statement import StatementRecord
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.store import trial_writing, writing
from app.store.overview import RecordedEvent
from app.store.part import copy_part
from app.store.replaced_file import KeptPlace
from app.store.sample_buffer import BATCH_ROWS, SampleBuffer

T = TypeVar("T")

_Work = Callable[[sqlite3.Connection], None]


class RunWork(Protocol):
    """Runs a function of the file's connection in a transaction and waits for it; raises StoreError."""

    def __call__(
        self,
        work: Callable[[sqlite3.Connection], T],
        *,
        durable: bool = True,
        committed: Callable[[], None] | None = None,
    ) -> T:
        """Return the result of `work`; on disk (fsync) where `durable`; `committed` is called once it holds."""
        ...


@dataclass
class _Pending:
    """Rows for the next transaction."""

    statements: list[StatementRecord] = field(default_factory=list)
    events: list[RecordedEvent] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class SessionRecorder:
    """Writes one session of an open file; any thread may call it.

    Calls return when their write is done and raise StoreError where it is not, with three exceptions made so that
    restoring a server never stops for a full disk: statements, notes and changes are gathered and go with the next
    write, which then raises.

    Attributes:
        session_id: the session written.
    """

    def __init__(self, session_id: str, session_key: int, run: RunWork, clock: Clock, place: KeptPlace) -> None:
        self.session_id = session_id
        self._place = place
        self._session_key = session_key
        self._run = run
        self._clock = clock
        self._opened_s = clock.monotonic_s()
        self._write_lock = threading.RLock()
        self._pending_lock = threading.Lock()
        self._pending = _Pending()
        self._buffer: SampleBuffer | None = None

    def record(self, event: RunEvent) -> None:
        """Write an event of a run.

        When this returns for RunStarted, TrialFinished or RunFinished, the event and all before it are on disk
        (fsync). Samples are written in batches, and with their trial at the latest. StepStarted is for the screen only.

        Raises:
            StoreError: the file cannot be written (disk full, read-only …); the same event may be recorded again.
            LookupError: an event of a run or trial that never started.
            ValueError: a trial that is on record already and was used.
        """
        with self._write_lock:
            if self._place.is_lost:
                self._write()
            match event:
                case RunStarted():
                    self._start_run(event)
                case TrialStarted():
                    self._start_trial(event)
                case SamplesTaken():
                    self._take_samples(event)
                case TrialFinished():
                    self._finish_trial(event)
                case RunFinished():
                    self._finish_run(event)
                case ChangeApplied() | ChangeRestored() | RunPaused() | RunResumed() | Note():
                    self._remember(event)
                case HandRequested():
                    self._remember(Note(event.run_id, _asked(event)))

    @property
    def told_of_place(self) -> str:
        """One sentence on the newest time the file had to be put back in its place, "" where it never had."""
        return self._place.told

    def add_statement(self, statement: StatementRecord) -> None:
        """Keep a statement that was sent; never raises: one that cannot be written now goes with the next write."""
        with self._pending_lock:
            self._pending.statements.append(statement)
            is_batch = len(self._pending.statements) % BATCH_ROWS == 0
        if is_batch:
            try:
                self._write(durable=False)
            except StoreError:
                return  # still pending; the next event that must be on disk reports it

    def add_note(self, text: str) -> None:
        """Keep a note on the session; it goes with the next write."""
        with self._pending_lock:
            self._pending.notes.append(text)

    def save_environment(self, environment: Environment) -> None:
        """Write an environment, in place of the one there is for the same target."""
        self._write(lambda connection: writing.put_environment(connection, self._session_key, environment))

    def add_imported(self, measurements: Sequence[Measurement], imported_from: str, notes: Iterable[str] = ()) -> None:
        """Write measurements made elsewhere, the name of their file, and remarks from reading it."""

        def work(connection: sqlite3.Connection) -> None:
            trial_writing.insert_imported(connection, self._session_key, measurements, imported_from)
            writing.insert_notes(connection, self._session_key, notes)

        self._write(work)

    def save_changes(self, entries: Sequence[JournalEntry]) -> None:
        """Copy the undo journal's entries of this session, as they stand now, for the report."""
        self._write(lambda connection: writing.put_changes(connection, self._session_key, entries))

    def take_over(self, part: Path) -> None:
        """Take over the runs that another process wrote to a file of its own, as if they had been written here.

        Raises:
            StoreError: a file cannot be read or written; nothing is taken over then.
        """
        self._write(lambda connection: copy_part(part, connection, self._session_key))

    def rename(self, title: str, client: str, consultant: str) -> None:
        """Write the texts of the report's cover."""
        self._write(lambda connection: writing.update_session(connection, self._session_key, title, client, consultant))

    def flush(self) -> None:
        """Write everything gathered; on disk (fsync) when this returns."""
        with self._write_lock:
            buffer = self._buffer
            if buffer is not None and buffer.waiting:
                self._write_samples(buffer)
            self._write()

    def _start_run(self, event: RunStarted) -> None:
        kind = "run_resumed" if event.resumed else "run_started"
        self._write(
            lambda connection: writing.start_run(connection, self._session_key, event),
            (self._moment(event.run_id, kind, event.target),),
        )

    def _start_trial(self, event: TrialStarted) -> None:
        buffer = SampleBuffer(event.run_id, event.spec.trial_id)

        def work(connection: sqlite3.Connection) -> None:
            trial_writing.start_trial(connection, self._run_key(connection, event.run_id), event.spec)

        self._write(
            work,
            (self._moment(event.run_id, "trial_started", event.spec.trial_id),),
            durable=False,
            committed=lambda: self._set_buffer(buffer),
        )

    def _take_samples(self, event: SamplesTaken) -> None:
        buffer = self._buffer
        if buffer is None or (buffer.run_id, buffer.trial_id) != (event.run_id, event.trial_id):
            raise LookupError(f"trial {event.trial_id} is not going on")
        buffer.add(event.samples)
        if buffer.is_full:
            self._write_samples(buffer)

    def _write_samples(self, buffer: SampleBuffer) -> None:
        waiting, first = buffer.waiting, buffer.written

        def work(connection: sqlite3.Connection) -> None:
            run_key = self._run_key(connection, buffer.run_id)
            trial_writing.add_samples(connection, run_key, buffer.trial_id, waiting, first)

        self._write(work, durable=False, committed=lambda: buffer.mark_written(len(waiting)))

    def _finish_trial(self, event: TrialFinished) -> None:
        trial, written = event.trial, 0
        buffer = self._buffer
        if buffer is not None and (buffer.run_id, buffer.trial_id) == (event.run_id, trial.trial_id):
            trial = trial if trial.samples else dataclasses.replace(trial, samples=buffer.samples)
            written = buffer.written_of(trial.samples)

        def work(connection: sqlite3.Connection) -> None:
            trial_writing.finish_trial(connection, self._run_key(connection, event.run_id), trial, written)

        moment = self._moment(event.run_id, "trial_finished", trial.trial_id)
        self._write(work, (moment,), committed=lambda: self._set_buffer(None))

    def _finish_run(self, event: RunFinished) -> None:
        self._write(
            lambda connection: writing.finish_run(connection, self._session_key, event),
            (
                self._moment(event.run_id, "run_finished", event.reason),
                *(self._moment(event.run_id, "not_restored", subject) for subject in event.not_restored),
            ),
        )

    def _remember(self, event: ChangeApplied | ChangeRestored | RunPaused | RunResumed | Note) -> None:
        match event:
            case ChangeApplied():
                moment = self._moment(event.run_id, "change_applied", event.change.subject)
            case ChangeRestored():
                moment = self._moment(event.run_id, "change_restored", event.change.subject)
            case RunPaused() | RunResumed():  # no note: what waited and went on is nothing to know before believing
                kind = "run_paused" if isinstance(event, RunPaused) else "run_went_on"
                moment = self._moment(event.run_id, kind, "")
            case Note():
                moment = self._moment(event.run_id, "note", event.text)
                self.add_note(event.text)
        with self._pending_lock:
            self._pending.events.append(moment)

    def _moment(self, run_id: str, kind: str, text: str) -> RecordedEvent:
        offset_s = self._clock.monotonic_s() - self._opened_s
        return RecordedEvent(run_id, kind, text, self._clock.now_utc(), offset_s)

    def _run_key(self, connection: sqlite3.Connection, run_id: str) -> int:
        return writing.find_run(connection, self._session_key, run_id)

    def _set_buffer(self, buffer: SampleBuffer | None) -> None:
        self._buffer = buffer

    def _write(
        self,
        work: _Work | None = None,
        moments: Sequence[RecordedEvent] = (),
        *,
        durable: bool = True,
        committed: Callable[[], None] | None = None,
    ) -> None:
        """Run work together with all pending rows; they stay pending where the transaction fails."""
        with self._write_lock:
            with self._pending_lock:
                pending = _Pending(
                    list(self._pending.statements), list(self._pending.events), list(self._pending.notes)
                )

            def write_all(connection: sqlite3.Connection) -> None:
                if work is not None:
                    work(connection)
                writing.insert_statements(connection, self._session_key, pending.statements)
                writing.insert_notes(connection, self._session_key, pending.notes)
                writing.insert_events(connection, self._session_key, (*pending.events, *moments))

            def settle() -> None:
                self._drop(pending)
                if committed is not None:
                    committed()

            self._run(write_all, durable=durable, committed=settle)

    def _drop(self, written: _Pending) -> None:
        with self._pending_lock:
            del self._pending.statements[: len(written.statements)]
            del self._pending.events[: len(written.events)]
            del self._pending.notes[: len(written.notes)]


def _asked(event: HandRequested) -> str:
    return _("asked the DBA to run, at {server}: {title}").format(server=event.server, title=event.title)
