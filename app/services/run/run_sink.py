"""Where the events of a run go: first into the session file, then to those who watch."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.domain.change import JournalEntry
from app.domain.errors import NotRestored, StoreError
from app.domain.events import ChangeApplied, Note, RunEvent, RunFinished
from app.foundation.texts import _
from app.services.run.journal_words import behind_sentence
from app.store import JournalWithScript, SessionRecorder

Observer = Callable[[RunEvent], None]


@dataclass(frozen=True)
class BegunSession:
    """The recorder of a session that has begun."""

    recorder: SessionRecorder
    journal: JournalWithScript


class RunSink:
    """Takes the events of one run.

    Attributes:
        ended: the event that ended the run, once it came.
    """

    def __init__(self, begun: BegunSession, run_id: str, observers: Sequence[Observer]) -> None:
        self._begun = begun
        self._run_id = run_id
        self._observers = observers
        self._told_of_script = ""
        self._told_of_journal = ""
        self._told_of_place = ""
        self.ended: list[RunFinished] = []

    def __call__(self, event: RunEvent) -> None:
        """Write an event and tell it.

        Raises:
            StoreError: the session file cannot be written.
            NotRestored: neither can it, and something is left changed on a server.
        """
        try:
            self._begun.recorder.record(event)
        except StoreError:
            # what is left changed on a server must be told also where the disk is full
            if isinstance(event, RunFinished):
                self._tell(event)
                _raise_not_restored(event)
            raise
        if isinstance(event, ChangeApplied):
            # a program that is killed has told its session file what it left behind
            self._begun.recorder.save_changes(_own(self._begun.journal, self._begun.recorder.session_id))
        if isinstance(event, RunFinished):
            self.ended.append(event)
        self._tell(event)
        self._tell_of_place()
        self._tell_of_script()
        self.tell_of_journal()

    def _tell_of_place(self) -> None:
        """Say at once that the session file was replaced or removed, and is there again: the run goes on."""
        told = self._begun.recorder.told_of_place
        if told != self._told_of_place:
            self._told_of_place = told
            self(Note(self._run_id, told))

    def _tell(self, event: RunEvent) -> None:
        for observer in self._observers:
            observer(event)

    def _tell_of_script(self) -> None:
        """Say once that rollback.sql could not be written, which keeps no run from going on."""
        problem = self._begun.journal.script_problem
        if problem != self._told_of_script:
            self._told_of_script = problem
            if problem:
                self(Note(self._run_id, _("rollback.sql is out of date: {why}").format(why=problem)))

    def tell_of_journal(self) -> None:
        """Say once that the undo journal cannot be used any more: open changes are undone from memory."""
        problem = self._begun.journal.journal_trouble
        if problem != self._told_of_journal:
            self._told_of_journal = problem
            if problem:
                self(Note(self._run_id, behind_sentence(problem)))


def _own(journal: JournalWithScript, session_id: str) -> list[JournalEntry]:
    """Return the open changes of a session: few, however long it is."""
    return [entry for entry in journal.open_entries() if entry.session_id == session_id]


def _raise_not_restored(event: RunFinished) -> None:
    if event.not_restored:
        raise NotRestored(
            _("the session file cannot be written, and this is not undone: {problem}").format(
                problem="; ".join(event.not_restored)
            )
        )
