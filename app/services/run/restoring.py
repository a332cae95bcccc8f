"""Restoring after a crash, a lost connection or a power cut."""

import errno
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from app.domain.change import Change, JournalEntry
from app.domain.errors import BadInput, NotRestored, ReplituneError, ServerBusy, StoreError
from app.domain.ports import UndoJournal
from app.domain.statement import StatementRecord
from app.domain.target import Target
from app.foundation.files import write_atomically
from app.foundation.texts import _
from app.runner.asking import HandDesk
from app.runner.by_hand import by_hand
from app.runner.control import RunControl
from app.runner.undo import INTERRUPTED, restore_entries
from app.services.ports import Systems, TargetOpener
from app.services.run.journal_words import (
    all_undone_sentence,
    behind_sentence,
    caution_sentences,
    damage_sentences,
    doubt_of,
    kept_sentences,
)
from app.services.run.running_mark import hold_target, refuse_busy
from app.services.run.second_source import WithSessionFiles, lost_entries
from app.services.run.undo_tools import undo_tools
from app.store import (
    JournalDamage,
    JournalDamaged,
    JournalLost,
    JournalWithScript,
    UndoJournalFile,
    has_journal,
    open_for_writing,
    rollback_script,
    script_bytes,
)

_log = logging.getLogger(__name__)

_NO_FILE_AT_ALL: Final = frozenset({errno.ENAMETOOLONG, errno.EINVAL, errno.ENOTDIR})
"""Why no file of such a name can exist, so that nothing can be open in it."""


@dataclass(frozen=True)
class RestoreOutcome:
    """The result of a restore.

    Attributes:
        restored: subjects put back and read back.
        problems: one sentence for each change that is still open, or may be where the journal is damaged.
        cautions: one sentence for each thing to know of the journal that leaves nothing changed.
        going_on: those of the problems that tell of a run that goes on, one for each target.
        left_to_runs: how many changes are left to these runs, which undo them themselves.
    """

    restored: tuple[str, ...]
    problems: tuple[str, ...]
    cautions: tuple[str, ...] = ()
    going_on: tuple[str, ...] = ()
    left_to_runs: int = 0

    @property
    def open_count(self) -> int:
        """How many changes are open, or may be."""
        return len(self.problems) - len(self.going_on) + self.left_to_runs


@dataclass(frozen=True)
class Undoing:
    """A change whose undoing begins.

    Attributes:
        place: among all that are undone, from 1 on. count: how many these are.
    """

    change: Change
    place: int
    count: int


@dataclass(frozen=True)
class RestoreWay:
    """How changes are undone that a client's DBA made in guided work; all others the program undoes itself.

    Attributes:
        systems: what asks for scripts; with none such changes stay open.
        desk: where the DBA is asked; without one each is only looked at: what they have undone meanwhile is closed.
        hands_on: the program undoes these, too, as somebody said in so many words.
        is_stopped: tells whether no further change is to be undone.
        session_id: whose changes alone are undone, those kept on purpose, too; "" for all that nobody keeps.
        on_undoing: told each change whose undoing begins, in the thread that restores.
    """

    systems: Callable[[], Systems] = dict
    desk: HandDesk | None = None
    hands_on: bool = False
    is_stopped: Callable[[], bool] = lambda: False
    session_id: str = ""
    on_undoing: Callable[[Undoing], None] = lambda _undoing: None

    def means(self, entry: JournalEntry) -> bool:
        """Tell whether an open change is to be undone."""
        return entry.session_id == self.session_id if self.session_id else not entry.is_kept

    def target(self, target: Target, entries: Sequence[JournalEntry]) -> Target:
        """Return the target to undo entries at: where one of them was made by hand, none is undone by the program."""
        if self.hands_on or not any(entry.change.is_by_hand for entry in entries):
            return target
        desk = self.desk
        if desk is None:
            desk = HandDesk()
            desk.give_up()
        systems = [system for system_id, system in self.systems().items() if system_id in target.offers]
        return by_hand(target, systems, desk, RunControl(), target.label, loads=False)


@dataclass(frozen=True)
class JournalState:
    """The changes of a journal that are to be undone, newest first.

    Attributes:
        kept: those that stand because the client keeps them on purpose, newest first.
        problems: one sentence for each thing that is damaged and may hide a change.
    """

    entries: tuple[JournalEntry, ...]
    problems: tuple[str, ...] = ()
    kept: tuple[JournalEntry, ...] = ()

    @staticmethod
    def of(entries: Iterable[JournalEntry], problems: tuple[str, ...]) -> "JournalState":
        """Return the state of a journal with these open entries."""
        found = tuple(entries)
        kept = tuple(entry for entry in found if entry.is_kept)
        return JournalState(tuple(entry for entry in found if not entry.is_kept), problems, kept)


def open_changes(journal_path: Path) -> tuple[JournalEntry, ...]:
    """Return the changes a journal holds that were not put back, newest first.

    Those that the client keeps on purpose are among them.

    Raises:
        StoreError: the journal cannot be used; BadInput where there is none at that path.
    """
    with _open_journal(journal_path) as journal:
        return journal.open_entries()


def read_journal_state(journal_path: Path) -> JournalState:
    """Return the open and damaged entries of a journal; damage to a journal as a whole is reported, too.

    Raises:
        StoreError: the journal cannot be used; BadInput where there is none at that path.
    """
    try:
        with _open_journal(journal_path) as journal:
            entries = journal.open_entries()
            if journal.damage.lost is not None:
                entries = (*lost_entries(journal.damage.lost, journal), *entries)
            return JournalState.of(entries, damage_sentences(journal))
    except JournalLost as error:
        return JournalState.of(lost_entries(error.witnessed, None), (str(error),))
    except JournalDamaged as error:
        return JournalState((), (str(error),))


def state_if_any(journal_path: Path) -> JournalState:
    """Return the open entries of a journal, none where this user has made no change yet; raises as above."""
    return read_journal_state(journal_path) if has_journal(journal_path) else JournalState(())


def count_open(journal_path: Path) -> int:
    """Return how many changes of earlier runs are not put back, or may not be; none where there is no journal.

    Raises:
        StoreError: the journal cannot be used.
    """
    state = state_if_any(journal_path)
    return len(state.entries) + len(state.problems)


def may_be_open(journal_path: Path) -> bool:
    """Tell whether a journal holds anything open, also where that cannot be read."""
    try:
        return count_open(journal_path) > 0
    except OSError as error:
        return error.errno not in _NO_FILE_AT_ALL
    except Exception:  # noqa: BLE001 - such as a disk that is gone, or no memory left
        return True


def restore_all(
    journal_path: Path,
    open_target: TargetOpener,
    on_restored: Callable[[Change], None],
    on_left: Callable[[Change, str], None] | None = None,
    way: RestoreWay = RestoreWay(),
) -> RestoreOutcome:
    """Undo every open change of a journal, target by target, and verify each by reading it back.

    What a client keeps on purpose stays, and is told, unless its session is named. What a run that goes on elsewhere
    has changed is left to it, and told. An entry that is damaged is never undone; `rollback.sql` of a session is then
    left as it is, since it may undo what no intact entry tells of. What a journal does not say any more is undone by
    what the sessions' files hold, and stays a problem: they may not hold all of it.

    Args:
        on_restored: told each change that was undone.
        on_left: told what somebody else changed since, which is then closed as they left it; None keeps it open.
        way: what is undone, and how what a client's DBA made is.
    """
    restored: list[str] = []
    problems: list[str] = []
    going_on: list[str] = []
    left_to_runs = begun = 0

    def note(change: Change) -> None:
        restored.append(change.subject)
        on_restored(change)

    def begin(change: Change) -> None:
        nonlocal begun
        begun += 1
        way.on_undoing(Undoing(change, begun, len(entries)))

    told_of = _Told(note, on_left, begin)
    with _open_journal_with_files(journal_path) as opened:
        standing = opened.journal.open_entries()
        entries = tuple(entry for entry in standing if way.means(entry))
        cautions = () if opened.file is None else caution_sentences(opened.file)
        if not way.session_id:
            cautions = (*cautions, *kept_sentences(standing))
        for key in dict.fromkeys(entry.target for entry in entries):
            own = [entry for entry in entries if entry.target == key]
            if way.is_stopped():
                problems += _left_open(opened.journal, own, NotRestored(INTERRUPTED))
                continue
            try:
                problems += _restore_one(journal_path, key, open_target, opened, own, told_of, way)
            except ServerBusy as busy:
                going_on.append(str(busy))
                left_to_runs += len({entry.change.object_key for entry in own})
        left, told = _end(journal_path, opened, entries)
    problems += left
    cautions = (*cautions, *told)
    return RestoreOutcome(tuple(restored), (*problems, *going_on), cautions, tuple(going_on), left_to_runs)


@dataclass(frozen=True)
class _Told:
    """Who is told of each change: undone, left as somebody else changed it, or whose undoing begins."""

    restored: Callable[[Change], None]
    left: Callable[[Change, str], None] | None
    undoing: Callable[[Change], None]


@dataclass(frozen=True)
class _Opened:
    """A journal to restore from, with entries that only its sessions' files hold.

    Attributes:
        file: None where nothing is left of it.
        problems: one sentence for each thing that may be left changed and that no intact entry tells of.
        doubt: see `restore_entries`.
        settle_lost: tells the sessions what became of what the journal lost; returns whether that was all, and is
            undone, so that no problem is left.
    """

    file: UndoJournalFile | None
    journal: UndoJournal
    problems: tuple[str, ...]
    doubt: Callable[[JournalEntry], str]
    settle_lost: Callable[[], bool] = lambda: False


@contextmanager
def _open_journal_with_files(path: Path) -> Iterator[_Opened]:
    try:
        journal = _open_journal(path)
    except JournalLost as error:
        lost = lost_entries(error.witnessed, None)
        if not lost and not error.witnessed.is_complete:
            raise
        files = WithSessionFiles(None, lost)
        settle = partial(files.settle, path, error.witnessed, is_all=True)
        yield _Opened(None, files, (str(error),), doubt_of(JournalDamage(lost=error.witnessed)), settle)
        return
    with journal:
        problems, doubt, witnessed = damage_sentences(journal), doubt_of(journal.damage), journal.damage.lost
        if witnessed is None:
            yield _Opened(journal, journal, problems, doubt)
            return
        files = WithSessionFiles(journal, lost_entries(witnessed, journal))
        settle = partial(files.settle, path, witnessed, is_all=len(problems) == 1)
        yield _Opened(journal, files, problems, doubt, settle)


def _end(
    journal_path: Path, opened: _Opened, entries: Sequence[JournalEntry]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Record the fate of their changes with the sessions; return further problems, and further notices."""
    problems, cautions = opened.problems, list[str]()
    if opened.settle_lost():
        problems = ()
        cautions.append(all_undone_sentence(journal_path))
    if opened.file is not None:
        _tell_sessions(opened.file, [entry.session_id for entry in entries])
        if opened.file.trouble:
            cautions.append(behind_sentence(opened.file.trouble))
    return problems, tuple(cautions)


def _restore_one(
    journal_path: Path,
    key: str,
    open_target: TargetOpener,
    opened: _Opened,
    entries: Sequence[JournalEntry],
    told: _Told,
    way: RestoreWay,
) -> tuple[str, ...]:
    refuse_busy(journal_path, key)
    try:
        target = open_target(key, 1, _ignore_statement)
    except ReplituneError as error:
        return _left_open(opened.journal, entries, error)
    try:
        with hold_target(journal_path, target):
            entries = _kept_no_longer(opened.journal, opened.file, entries)
            return restore_entries(
                way.target(target, entries),
                opened.journal,
                entries,
                told.restored,
                told.left,
                opened.doubt,
                way.is_stopped,
                on_undoing=told.undoing,
            )
    except ServerBusy:
        raise
    except ReplituneError as error:
        return _left_open(opened.journal, entries, error)
    finally:
        target.close()


def _kept_no_longer(
    journal: UndoJournal, file: UndoJournalFile | None, entries: Sequence[JournalEntry]
) -> tuple[JournalEntry, ...]:
    """Have the journal say that nothing of these is kept: the next restore undoes what breaks off now."""
    kept = [entry.entry_id for entry in entries if entry.is_kept]
    try:
        if kept:
            for session_id in {entry.session_id for entry in entries if entry.is_kept}:
                place = None if file is None else file.place_of(session_id)
                if file is not None and place is not None:
                    file.keep_place(session_id, place)  # which is behind from now on
            journal.mark_kept(kept, None)
    except StoreError as error:  # a journal that can only be read tells what is undone all the same
        _log.info("the journal goes on saying that changes are kept: %s", error)
    return tuple(replace(entry, change=entry.change.kept_as(None)) for entry in entries)


def _left_open(journal: UndoJournal, entries: Sequence[JournalEntry], error: ReplituneError) -> tuple[str, ...]:
    for entry in entries:
        journal.mark_problem(entry.entry_id, str(error))
    return tuple(f"{entry.change.subject}: {error}" for entry in entries)


def _tell_sessions(journal: UndoJournalFile, session_ids: Sequence[str]) -> None:
    """Bring files of sessions and their rollback.sql up to date, where they still are and nobody else writes them."""
    try:
        for session_id in dict.fromkeys((*session_ids, *journal.sessions_behind())):
            _tell_session(journal, session_id)
    except StoreError as error:
        _log.info("the sessions keep what they say of their changes: %s", error)


def _tell_session(journal: UndoJournalFile, session_id: str) -> None:
    place = journal.place_of(session_id)
    if place is None or not place.is_here:
        return
    try:
        with open_for_writing(place.session_file) as store:
            store.resume_session(session_id).save_changes(journal.entries_of(session_id))
        if not journal.damage.hides_changes:
            JournalWithScript(journal, place.rollback_script, session_id, undo_tools())
            journal.mark_synced(session_id)
    except StoreError as error:
        _log.info("%s keeps what it says of its changes: %s", place.session_file, error)


def still_running(journal_path: Path) -> tuple[str, ...]:
    """Return one sentence for each target whose open changes are those of a run that goes on and undoes them itself."""
    told: list[str] = []
    for key in dict.fromkeys(entry.target for entry in read_journal_state(journal_path).entries):
        try:
            refuse_busy(journal_path, key)
        except ServerBusy as busy:
            told.append(str(busy))
    return tuple(told)


def write_restore_script(journal_path: Path, out: Path) -> int:
    """Write a stand-alone script that undoes every open change; return how many there are.

    Raises:
        BadInput: the script cannot be written there.
        NotRestored: it was written, and the journal is damaged, so that it may not undo everything.
    """
    state = read_journal_state(journal_path)
    entries = state.entries
    try:
        write_atomically(out, script_bytes(rollback_script(entries, undo_tools())))
    except OSError as error:
        raise BadInput(
            _("{path} cannot be written: {why}; give another file").format(path=out, why=error.strerror)
        ) from error
    if state.problems:
        raise NotRestored(
            _("{path} undoes {count} open changes, but not everything: {problem}").format(
                path=out, count=len(entries), problem="; ".join(state.problems)
            )
        )
    return len(entries)


def _open_journal(path: Path) -> UndoJournalFile:
    if not has_journal(path):
        raise BadInput(_("{path} does not exist; give the undo journal with --journal").format(path=path))
    return UndoJournalFile(path, create=False)


def _ignore_statement(_record: StatementRecord) -> None:
    """A restore outside a session keeps no statement log; the journal is its record."""
