"""Undoing what a journal lists, newest first."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from app.domain.change import Change, JournalEntry, LeftAs
from app.domain.errors import ChangedByOthers
from app.domain.ports import UndoJournal
from app.domain.target import Target
from app.foundation.texts import _
from app.runner.undo.attempts import Attempts
from app.runner.undo.outcomes import ObjectKey, Outcomes
from app.runner.undo.processes import counts_later, is_stop, not_in_effect, process_of, run_with

_log = logging.getLogger(__name__)

INTERRUPTED: Final = _("not undone: the restore was interrupted before")
"""Why what was left when somebody stopped a restore stays open."""


def restore_entries(
    target: Target,
    journal: UndoJournal,
    entries: Sequence[JournalEntry],
    on_restored: Callable[[Change], None],
    on_left: Callable[[Change, str], None] | None = None,
    doubt: Callable[[JournalEntry], str] = lambda _entry: "",
    is_stopped: Callable[[], bool] = lambda: False,
    *,
    on_undoing: Callable[[Change], None] = lambda _change: None,
    of_earlier: bool = True,
) -> tuple[str, ...]:
    """Undo journal entries newest first, verifying each by reading it back.

    A server that does not answer any more is waited for once, not with each entry: what follows is tried a single
    time, in case it belongs to another server.

    One entry that cannot be undone does not keep those of other subjects from being undone, and stays open in the
    journal. Older ones of the same subject stay open with it: undone out of their order, they would put back what
    stood between two changes. By what a session made first, others see that what stands there is no original: it stays
    with those it is kept for (`Offer.marks`).

    Args:
        on_restored: told each change that was undone.
        on_left: told each change somebody else changed since, which is then closed as they left it; without it such a
            change stays open.
        doubt: says of an entry why a third value may be this program's own as well, "" where it is somebody else's.
        is_stopped: tells whether no further entry is to be undone: those that are left stay open.
        on_undoing: told each change whose undoing begins.
        of_earlier: whether these are changes of a program before this one, which may have sent what still arrives.

    Returns:
        One sentence for each subject that could not be restored.
    """
    outcomes = Outcomes(journal, on_restored, on_left, on_undoing)
    restore = _Restore(target, outcomes, doubt, is_stopped, of_earlier=of_earlier)
    return restore.undo_all(entries)


@dataclass(frozen=True)
class _Held:
    """Changes of processes that would not stop, each with the reason; see StillRunning."""

    parameters: dict[Change, str]
    switches: dict[Change, str]


class _Restore:
    """One restore of one target.

    Nothing but the end of the program stops it: neither a server, nor an undo journal that cannot be written, nor
    whoever is told of it. What a change or a listener did not expect is logged as the mistake of the program it is.
    """

    def __init__(
        self,
        target: Target,
        outcomes: Outcomes,
        doubt: Callable[[JournalEntry], str],
        is_stopped: Callable[[], bool],
        *,
        of_earlier: bool,
    ) -> None:
        self._target = target
        self._outcomes = outcomes
        self._doubt = doubt
        self._is_stopped = is_stopped
        self._of_earlier = of_earlier
        self._attempts = Attempts(target.clock)
        self._alike: dict[ObjectKey, list[Change]] = {}
        self._stopped: list[JournalEntry] = []

    def undo_all(self, entries: Sequence[JournalEntry]) -> tuple[str, ...]:
        """Undo entries newest first; return one sentence for each subject that could not be restored."""
        newest_first = self._expecting(sorted(entries, key=lambda entry: entry.entry_id, reverse=True))
        held = self._quiesce([entry.change for entry in newest_first])
        for entry in newest_first:
            self._alike.setdefault(entry.change.object_key, []).append(entry.change)
        oldest = {entry.change.object_key: entry for entry in newest_first}
        for entry in newest_first:
            self._settle(entry, held, oldest[entry.change.object_key])
        self._close_what_went(newest_first)
        self._close_stopped(newest_first)
        return self._outcomes.sentences()

    def _settle(self, entry: JournalEntry, held: _Held, oldest: JournalEntry) -> None:
        """Undo one entry, or leave it, and have the journal say which."""
        object_key = entry.change.object_key
        self._outcomes.begin(entry)
        problem = self._outcomes.problems.get(object_key, "")
        if not problem and object_key not in self._outcomes.left:
            problem = self._undo_unless_kept(entry, held)
        if object_key in self._outcomes.left:
            self._outcomes.forget(entry)
            return
        if not problem and entry is oldest:
            # its undo does nothing the second time, but keeps the process from being forgotten
            problem = self._counts_later(entry, held)
        if problem:
            self._outcomes.keep_open(entry, problem)
        elif is_stop(self._target, entry.change):
            self._stopped.append(entry)
        else:
            if entry is not oldest and oldest.change.tells_run_left:
                # it may have been in effect in a later run, which nobody knows of once it is closed
                self._outcomes.note_left(oldest, oldest.change.undone_in(""))
            self._outcomes.close(entry)

    def _undo_unless_kept(self, entry: JournalEntry, held: _Held) -> str:
        """Undo one entry where it may be now; return why it is open, or ""."""
        if self._is_stopped():
            return INTERRUPTED
        return held.switches.get(entry.change, "") or self._kept_as_mark(entry) or self._undo(entry)

    def _counts_later(self, entry: JournalEntry, held: _Held) -> str:
        """Return why an original that is set again is not in effect: its process runs on as it was started, or ""."""
        change = entry.change
        run, problem = self._run_with(change)
        if run and change not in held.parameters:
            self._restart(entry)
            now, problem = self._run_with(change)
            run = now if now == run else ""
        if run:
            self._outcomes.note_left(entry, change.undone_in(run))
        if change in held.parameters:
            return counts_later(change, held.parameters[change])
        return problem or not_in_effect(self._target, change, run)

    def _run_with(self, change: Change) -> tuple[str, str]:
        """Return the run in which a process may still work with an undone value, "" for none, and why it cannot be
        read."""
        runs = [""]
        problem = self._attempt(
            lambda: runs.append(run_with(self._target, change, self._alike[change.object_key])), change
        )
        if problem:
            problem = _("{original} is set again; whether it is in effect could not be read: {why}").format(
                original=change.original or "–", why=problem
            )
        return runs[-1], problem

    def _restart(self, entry: JournalEntry) -> None:
        """Have the process of an entry that is undone start anew, where the server does so once something is changed.

        What is changed for it is in the journal like any other change; what of it cannot be taken back stays there.
        """
        made, journal = list[JournalEntry](), self._outcomes.journal

        def make(change: Change) -> None:
            kept = change.made_by_hand() if entry.change.is_by_hand else change
            entry_id = journal.record_intent(entry.session_id, entry.target, kept)
            made.append(replace(entry, entry_id=entry_id, change=kept))
            self._target.changes.apply(change)
            journal.mark_applied(entry_id)

        def take_back(_change: Change) -> None:
            self._surely(partial(self._target.changes.undo, made[-1].change))
            self._outcomes.forget(made.pop())

        try:
            self._target.changes.restart(entry.change, make, take_back)
        except Exception as error:  # noqa: BLE001  # the rest must still be put back; the next restore tries again
            _log.info("not restarted: %s", error)
        for left in made:
            try:
                problem = self._attempt(partial(self._surely, partial(self._target.changes.undo, left.change)))
            except ChangedByOthers as error:
                problem = str(error)
            if problem:
                self._outcomes.keep_open(left, problem)
            else:
                self._outcomes.forget(left)

    def _process_waiting(self, change: Change) -> str:
        """Return the process that may run on with a value this change set, "" for none."""
        of, outcomes = process_of(self._target, change), self._outcomes
        is_open = change.object_key in outcomes.problems and change.object_key not in outcomes.others
        return of.process if of is not None and not of.is_stop and is_open else ""

    def _close_stopped(self, newest_first: Sequence[JournalEntry]) -> None:
        """Close the entries of processes stopped and started again, but for one that runs with a value not undone."""
        waiting = {self._process_waiting(entry.change) for entry in newest_first}
        for entry in self._stopped:
            of = process_of(self._target, entry.change)
            if of is not None and of.process in waiting:
                self._outcomes.note_left(entry, entry.change.with_left(LeftAs.ORIGINAL))
                self._outcomes.keep_open(
                    entry,
                    _("it runs again, with what could not be undone; the next restore restarts it once that is undone"),
                )
            else:
                self._outcomes.close(entry)

    def _kept_as_mark(self, entry: JournalEntry) -> str:
        """Return why the object by which a lost session would be recognised stays, or ""."""
        kept_for = self._target.marks.get(entry.change.kind, frozenset())
        if self._outcomes.is_undone_of(entry.session_id, kept_for):
            return ""
        return _("it stays until the rest is undone, because others see by it that something is still changed here")

    def _close_what_went(self, newest_first: Sequence[JournalEntry]) -> None:
        """Close entries that somebody else had changed, and those undone with others, such as a value of an object of
        ours."""
        problems, others = self._outcomes.problems, self._outcomes.others
        for object_key in [object_key for object_key in problems if object_key in others]:
            own = [entry for entry in newest_first if entry.change.object_key == object_key]
            if self._is_undone(own[-1].change):
                del problems[object_key]
                for entry in own:
                    self._outcomes.forget(entry)

    def _is_undone(self, change: Change) -> bool:
        answers: list[bool] = []
        self._attempt(partial(self._surely, lambda: answers.append(self._target.changes.is_undone(change))))
        return answers[-1:] == [True]

    def _surely(self, action: Callable[[], None]) -> None:
        self._target.after_late_requests(action, of_earlier=self._of_earlier)

    def _expecting(self, entries: list[JournalEntry]) -> list[JournalEntry]:
        """Return the entries with the coming stops noted first: these are not somebody else's."""
        if all(entry.change.left_as is LeftAs.NEW for entry in entries):
            return entries
        planned: set[ObjectKey] = set()

        def plan() -> None:
            planned.update(one.object_key for one in self._target.changes.plan_quiesce([e.change for e in entries]))

        self._attempt(plan)
        expecting = []
        for entry in entries:
            if entry.change.object_key in planned and entry.change.left_as is LeftAs.ORIGINAL:
                entry = replace(entry, change=entry.change.with_left(LeftAs.NEW))
                self._outcomes.note_left(entry, entry.change)
            expecting.append(entry)
        return expecting

    def _quiesce(self, changes: list[Change]) -> _Held:
        """Stop the processes concerned; one that does not stop must not keep the settings from being put back."""
        held = _Held({}, {})
        if not changes:
            return held

        def stop() -> None:
            held.parameters.clear()
            held.switches.clear()
            for resisting in self._target.changes.quiesce(changes):
                if resisting.is_gone:
                    self._outcomes.gone.update(one.object_key for one in (*resisting.parameters, *resisting.switches))
                held.parameters.update(dict.fromkeys(resisting.parameters, resisting.problem))
                held.switches.update(dict.fromkeys(resisting.switches, resisting.problem))

        # a start that arrives late would be one with what is changed now
        if problem := self._attempt(partial(self._surely, stop)):
            # which of them run is not known then: all are looked at again by the next restore
            held.parameters.update(dict.fromkeys(changes, problem))
        return held

    def _undo(self, entry: JournalEntry) -> str:
        """Undo one change; return why it could not be, or "" also where somebody else's value was left."""
        try:
            return self._attempt(partial(self._surely, partial(self._target.changes.undo, entry.change)), entry.change)
        except ChangedByOthers as error:
            if doubt := self._doubt(entry):
                return doubt
            self._outcomes.leave(entry, str(error))
            return str(error)

    def _attempt(self, action: Callable[[], None], about: Change | None = None) -> str:
        """Try an action; return "" or why it failed; raises ChangedByOthers.

        Args:
            about: the change it is about, whose object may be gone.
        """
        problem = self._attempts.attempt(action)
        if about is not None and self._attempts.is_gone:
            self._outcomes.gone.add(about.object_key)
        return problem
