"""Making changes so that they can always be undone: the journal first, then the server.

A restore goes on whatever fails: a value that cannot be restored, a journal that cannot be written, or a mistake of the
program keeps nothing else from being undone. An entry is closed by the value in effect: one that counts from a
process's start keeps in which run it was planned and undone (`Change.may_run_on`, `ServerChanges.run_of`), and stays
open while the process runs on with it. A process that was asked to stop is not taken for running again before another
session of it is seen; one that cannot be started again is not stopped; one that somebody stopped or started since stays
so and is told (`Change.left_as`).
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from app.domain.change import Change, JournalEntry, LeftAs, OfProcess
from app.domain.errors import (
    ChangedByOthers,
    ChangedMeanwhile,
    ConnectionLost,
    Gone,
    MayStillArrive,
    NotDoneByHand,
    ProcessDidNotRespond,
    StatementTimeout,
    StoreError,
    TargetError,
    VerificationFailed,
)
from app.domain.ports import UndoJournal
from app.domain.target import Target
from app.foundation.clock import Clock
from app.foundation.texts import _

_log = logging.getLogger(__name__)

# A lost connection is back within seconds or not at all; three tries bridge a restart of the network.
UNDO_ATTEMPTS = 3
UNDO_RETRY_PAUSE_S = 5.0
INTERRUPTED: Final = _("not undone: the restore was interrupted before")
"""Why what was left when somebody stopped a restore stays open."""


class SafeChanger:
    """Applies changes to one target, each on disk in the journal before it is sent.

    Args:
        by_hand: the target's changes are made by the client's DBA, which the journal keeps with each.
    """

    def __init__(self, target: Target, journal: UndoJournal, session_id: str, *, by_hand: bool = False) -> None:
        self._target = target
        self._journal = journal
        self._session_id = session_id
        self._by_hand = by_hand

    def apply(self, change: Change) -> Change:
        """Record the change, send it, read it back, and record that it holds; return it as it was made.

        Raises:
            ChangedMeanwhile: somebody else's value stands there, which stays; nothing was sent, so nothing is open.
            TargetError: the server refused; the journal entry stays open and will be undone.
        """
        entry_id = self._journal.record_intent(self._session_id, self._target.key, self._kept(change))
        try:
            made = self._target.changes.apply(change)
        except ChangedMeanwhile:
            self._journal.mark_restored(entry_id)
            raise
        self._journal.mark_applied(entry_id, made and self._kept(made))
        return made or change

    def take_back(self, changes: Sequence[Change]) -> None:
        """Undo changes of this session that are still open, newest first, each read back.

        For a value that goes to and fro during a run: at any moment one change of it is open at most, and one more
        while its process runs on with a value it was started with.

        Raises:
            TargetError: one could not be undone; its entry stays open.
        """
        for change in reversed(changes):
            own = self._own_entries()
            entry = next((e for e in own if e.change == self._kept(change)), None)
            if entry is None:
                continue
            self._target.after_late_requests(partial(self._target.changes.undo, change), of_earlier=False)
            oldest = min((e for e in own if e.change.object_key == change.object_key), key=lambda e: e.entry_id)
            run = _run_with(self._target, change, (change,))
            if run:
                self._journal.mark_left(oldest.entry_id, oldest.change.undone_in(run))
            if not run or oldest is not entry:
                self._journal.mark_restored(entry.entry_id)

    def note_left(self, change: Change, how: LeftAs) -> None:
        """Record how a process whose first stop or start this change was is left; see `Changer`."""
        for entry in self._own_entries():
            if entry.change.object_key == change.object_key:
                self._journal.mark_left(entry.entry_id, entry.change.with_left(how))

    def leave(self, changes: Sequence[Change]) -> None:
        """Close the open entries of these subjects without undoing them: somebody else decided since.

        Raises:
            StoreError: the journal cannot be written; they stay open.
        """
        subjects = {change.object_key for change in changes}
        for entry in self._own_entries():
            if entry.change.object_key in subjects:
                self._journal.mark_restored(entry.entry_id)

    def restore(self, on_restored: Callable[[Change], None]) -> tuple[str, ...]:
        """Undo every open change of this session on this target; return one sentence for each that failed."""
        try:
            own = self._own_entries()
        except StoreError as error:
            return (_("the undo journal cannot be read ({error}); use rollback.sql").format(error=error),)
        return restore_entries(self._target, self._journal, own, on_restored, of_earlier=False)

    def _kept(self, change: Change) -> Change:
        """Return a change as the journal keeps it."""
        return change.made_by_hand() if self._by_hand else change

    def _own_entries(self) -> list[JournalEntry]:
        return [e for e in self._journal.open_entries(self._target.key) if e.session_id == self._session_id]


def restore_entries(
    target: Target,
    journal: UndoJournal,
    entries: Sequence[JournalEntry],
    on_restored: Callable[[Change], None],
    on_left: Callable[[Change, str], None] | None = None,
    doubt: Callable[[JournalEntry], str] = lambda _entry: "",
    is_stopped: Callable[[], bool] = lambda: False,
    *,
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
        of_earlier: whether these are changes of a program before this one, which may have sent what still arrives.

    Returns:
        One sentence for each subject that could not be restored.
    """
    restore = _Restore(target, journal, on_restored, on_left, doubt, is_stopped, of_earlier=of_earlier)
    return restore.undo_all(entries)


_OfWhat = tuple[str, str, str]


class _Restore:
    """One restore of one target.

    Nothing but the end of the program stops it: neither a server, nor an undo journal that cannot be written, nor
    whoever is told of it. What a change or a listener did not expect is logged as the mistake of the program it is.
    """

    def __init__(
        self,
        target: Target,
        journal: UndoJournal,
        on_restored: Callable[[Change], None],
        on_left: Callable[[Change, str], None] | None,
        doubt: Callable[[JournalEntry], str],
        is_stopped: Callable[[], bool],
        *,
        of_earlier: bool,
    ) -> None:
        self._target = target
        self._journal = journal
        self._on_restored = on_restored
        self._on_left = on_left
        self._doubt = doubt
        self._is_stopped = is_stopped
        self._of_earlier = of_earlier
        self._tries = _Tries(target.clock)
        self._problems: dict[_OfWhat, str] = {}
        self._left: set[_OfWhat] = set()
        self._others: set[_OfWhat] = set()
        self._gone: set[_OfWhat] = set()
        self._not_undone: set[tuple[str, str]] = set()  # session and kind
        self._journal_problem = ""
        self._alike: dict[_OfWhat, list[Change]] = {}
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
        problems = [f"{subject}: {problem}" for (_kind, subject, _one), problem in self._problems.items()]
        return (*problems, self._journal_problem) if self._journal_problem else tuple(problems)

    def _settle(self, entry: JournalEntry, held: "_Held", oldest: JournalEntry) -> None:
        """Undo one entry, or leave it, and have the journal say which."""
        object_key = entry.change.object_key
        problem = self._problems.get(object_key, "")
        if not problem and object_key not in self._left:
            problem = self._undo_unless_kept(entry, held)
        if object_key in self._left:
            self._mark(partial(self._journal.mark_restored, entry.entry_id))
            return
        if not problem and entry is oldest:
            # its undo does nothing the second time, but keeps the process from being forgotten
            problem = self._counts_later(entry, held)
        if problem:
            self._keep_open(entry, problem)
        elif self._is_stop(entry.change):
            self._stopped.append(entry)
        else:
            if entry is not oldest and oldest.change.tells_run_left:
                # it may have been in effect in a later run, which nobody knows of once it is closed
                self._mark(partial(self._journal.mark_left, oldest.entry_id, oldest.change.undone_in("")))
            self._close(entry)

    def _undo_unless_kept(self, entry: JournalEntry, held: "_Held") -> str:
        """Undo one entry where it may be now; return why it is open, or ""."""
        if self._is_stopped():
            return INTERRUPTED
        return held.switches.get(entry.change, "") or self._kept_as_mark(entry) or self._undo(entry)

    def _close(self, entry: JournalEntry) -> None:
        self._mark(partial(self._journal.mark_restored, entry.entry_id))
        self._tell(self._on_restored, entry.change)

    def _counts_later(self, entry: JournalEntry, held: "_Held") -> str:
        """Return why an original that is set again is not in effect: its process runs on as it was started, or ""."""
        change = entry.change
        run, problem = self._run_with(change)
        if run and change not in held.parameters:
            self._restart(entry)
            now, problem = self._run_with(change)
            run = now if now == run else ""
        if run:
            self._mark(partial(self._journal.mark_left, entry.entry_id, change.undone_in(run)))
        if change in held.parameters:
            return _counts_later(change, held.parameters[change])
        return problem or self._not_in_effect(change, run)

    def _run_with(self, change: Change) -> tuple[str, str]:
        """Return the run in which a process may still work with an undone value, "" for none, and why it cannot be
        read."""
        runs = [""]
        problem = self._attempt(lambda: runs.append(_run_with(self._target, change, self._alike[change.object_key])))
        if self._tries.is_gone:
            self._gone.add(change.object_key)
        if problem:
            problem = _("{original} is set again; whether it is in effect could not be read: {why}").format(
                original=change.original or "–", why=problem
            )
        return runs[-1], problem

    def _not_in_effect(self, change: Change, run: str) -> str:
        of = self._process_of(change)
        if not run or of is None:
            return ""
        return _(
            "{original} is set again, but not in effect until the next start of {process}, which was started since "
            "this was changed; restart it, then restore again"
        ).format(original=change.original or "–", process=of.process)

    def _restart(self, entry: JournalEntry) -> None:
        """Have the process of an entry that is undone start anew, where the server does so once something is changed.

        What is changed for it is in the journal like any other change; what of it cannot be taken back stays there.
        """
        made: list[JournalEntry] = []

        def make(change: Change) -> None:
            kept = change.made_by_hand() if entry.change.is_by_hand else change
            entry_id = self._journal.record_intent(entry.session_id, entry.target, kept)
            made.append(replace(entry, entry_id=entry_id, change=kept))
            self._target.changes.apply(change)
            self._journal.mark_applied(entry_id)

        def take_back(_change: Change) -> None:
            self._surely(partial(self._target.changes.undo, made[-1].change))
            self._mark(partial(self._journal.mark_restored, made.pop().entry_id))

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
                self._keep_open(left, problem)
            else:
                self._mark(partial(self._journal.mark_restored, left.entry_id))

    def _process_of(self, change: Change) -> OfProcess | None:
        try:
            return self._target.changes.process_of(change)
        except TargetError:  # a kind this program does not know
            return None

    def _is_stop(self, change: Change) -> bool:
        of = self._process_of(change)
        return of is not None and of.is_stop

    def _process_waiting(self, change: Change) -> str:
        """Return the process that may run on with a value this change set, "" for none."""
        of = self._process_of(change)
        is_open = change.object_key in self._problems and change.object_key not in self._others
        return of.process if of is not None and not of.is_stop and is_open else ""

    def _close_stopped(self, newest_first: Sequence[JournalEntry]) -> None:
        """Close the entries of processes stopped and started again, but for one that runs with a value not undone."""
        waiting = {self._process_waiting(entry.change) for entry in newest_first}
        for entry in self._stopped:
            of = self._process_of(entry.change)
            if of is not None and of.process in waiting:
                left = entry.change.with_left(LeftAs.ORIGINAL)
                self._mark(partial(self._journal.mark_left, entry.entry_id, left))
                self._keep_open(
                    entry,
                    _("it runs again, with what could not be undone; the next restore restarts it once that is undone"),
                )
            else:
                self._close(entry)

    def _kept_as_mark(self, entry: JournalEntry) -> str:
        """Return why the object by which a lost session would be recognised stays, or ""."""
        kept_for = self._target.marks.get(entry.change.kind, frozenset())
        if not any((entry.session_id, kind) in self._not_undone for kind in kept_for):
            return ""
        return _("it stays until the rest is undone, because others see by it that something is still changed here")

    def _close_what_went(self, newest_first: Sequence[JournalEntry]) -> None:
        """Close entries that somebody else had changed, and those undone with others, such as a value of an object of
        ours."""
        for object_key in [object_key for object_key in self._problems if object_key in self._others]:
            own = [entry for entry in newest_first if entry.change.object_key == object_key]
            if self._is_undone(own[-1].change):
                del self._problems[object_key]
                for entry in own:
                    self._mark(partial(self._journal.mark_restored, entry.entry_id))

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
        planned: set[_OfWhat] = set()

        def plan() -> None:
            planned.update(one.object_key for one in self._target.changes.plan_quiesce([e.change for e in entries]))

        self._attempt(plan)
        expecting = []
        for entry in entries:
            if entry.change.object_key in planned and entry.change.left_as is LeftAs.ORIGINAL:
                entry = replace(entry, change=entry.change.with_left(LeftAs.NEW))
                self._mark(partial(self._journal.mark_left, entry.entry_id, entry.change))
            expecting.append(entry)
        return expecting

    def _quiesce(self, changes: list[Change]) -> "_Held":
        """Stop the processes concerned; one that does not stop must not keep the settings from being put back."""
        held = _Held({}, {})
        if not changes:
            return held

        def stop() -> None:
            held.parameters.clear()
            held.switches.clear()
            for resisting in self._target.changes.quiesce(changes):
                if resisting.is_gone:
                    self._gone.update(one.object_key for one in (*resisting.parameters, *resisting.switches))
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
            problem = self._attempt(partial(self._surely, partial(self._target.changes.undo, entry.change)))
            if self._tries.is_gone:
                self._gone.add(entry.change.object_key)
            return problem
        except ChangedByOthers as error:
            if doubt := self._doubt(entry):
                return doubt
            problem = str(error)
            self._others.add(entry.change.object_key)
            if self._on_left is not None:
                self._left.add(entry.change.object_key)
                self._tell(self._on_left, entry.change, problem)
            return problem

    def _attempt(self, action: Callable[[], None]) -> str:
        try:
            return self._tries.attempt(action)
        except ChangedByOthers:
            raise
        except Exception as error:  # noqa: BLE001  # the rest must still be put back; this one stays open
            _log.exception("a mistake of the program while putting back")
            return _("an unexpected error ({error}); restore again, or use rollback.sql").format(error=error)

    def _keep_open(self, entry: JournalEntry, problem: str) -> None:
        if entry.change.object_key not in self._others | self._gone:
            self._not_undone.add((entry.session_id, entry.change.kind))
        self._problems[entry.change.object_key] = problem
        self._mark(partial(self._journal.mark_problem, entry.entry_id, problem))

    def _mark(self, write: Callable[[], None]) -> None:
        try:
            write()
        except StoreError as error:
            # What was put back stays listed; putting it back once more changes nothing.
            self._journal_problem = _(
                "the undo journal could not be written ({error}); run `replitune restore` when it can be"
            ).format(error=error)

    def _tell(self, listener: Callable[..., None], *what: object) -> None:
        try:
            listener(*what)
        except StoreError as error:  # no mistake of the program; whoever keeps the run's end meets it again
            _log.info("a change was put back and could not be kept: %s", error)
        except Exception:  # noqa: BLE001  # the rest must still be put back
            _log.exception("a change was put back and could not be told")


@dataclass(frozen=True)
class _Held:
    """Changes of processes that would not stop, each with the reason; see StillRunning."""

    parameters: dict[Change, str]
    switches: dict[Change, str]


def _run_with(target: Target, change: Change, alike: Sequence[Change]) -> str:
    """Return the run in which the process of a change that was undone may work with its new value, "" for none.

    Args:
        alike: every change of the same value that was open, whatever each knows of the process.
    """
    of = target.changes.process_of(change)
    if of is None or of.is_stop:
        return ""
    run = target.changes.run_of(change)
    return run if any(one.may_run_on(run) for one in alike) else ""


def _counts_later(change: Change, why: str) -> str:
    return _("{original} is set again, but is not in effect yet: {why}; restore again when it has stopped").format(
        original=change.original or "–", why=why.rstrip(".")
    )


class _Tries:
    """Retries an undo that a server may refuse in passing, and tries once only while it does not answer at all.

    Attributes:
        is_gone: what the last action was about is no longer there.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._tries = UNDO_ATTEMPTS
        self.is_gone = False

    def _pause(self) -> None:
        with suppress(TargetError):  # a server's clock that cannot be asked is no reason to try no further
            self._clock.sleep(UNDO_RETRY_PAUSE_S)

    def attempt(self, action: Callable[[], None]) -> str:
        """Try an action; return "" or the last error's sentence; raises ChangedByOthers."""
        problem, is_silent = "", False
        self.is_gone = False
        for number in range(self._tries):
            try:
                if number:
                    self._pause()
                action()
            except ChangedByOthers:
                raise  # no further try changes that
            except (VerificationFailed, ProcessDidNotRespond, NotDoneByHand, MayStillArrive) as error:
                return str(error)  # it was waited for, and a second try could hide what the first one saw
            except TargetError as error:
                problem, is_silent = str(error), isinstance(error, ConnectionLost | StatementTimeout)
                self.is_gone = isinstance(error, Gone)
                _log.info("undo attempt %d failed: %s", number + 1, problem)
            else:
                self._tries = UNDO_ATTEMPTS
                return ""
        if is_silent:
            self._tries = 1
        return problem
