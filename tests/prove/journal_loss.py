"""The undo journal is lost before one of its writes, and the servers must come out as they were all the same."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import pytest

from app.bootstrap import load_families
from app.domain.errors import NotRestored, ReplituneError
from app.domain.events import Note, RunEvent, RunStatus
from app.runner.control import RunControl
from app.services.plan.checking import prepare_run
from app.services.plan.plan_file import load_plan
from app.services.run.guided_session import GuidedSession
from app.services.run.restoring import read_journal_state, restore_all
from app.services.workplace import open_workplace
from app.store import UndoJournalFile
from tests.abilities import full_disk
from tests.fuzzing import refusal
from tests.prove.killing import ServerState, read_state
from tests.prove.wire_session import open_target

WRITES = ("record_intent", "mark_applied", "mark_restored", "mark_problem", "keep_place", "mark_synced")


class Loss(Enum):
    """What becomes of a journal while a session uses it."""

    TRUNCATED = "cut to half"
    EMPTIED = "emptied"
    REMOVED = "removed"
    OVERWRITTEN = "overwritten with something else"
    OLDER = "replaced by a copy from before"
    READ_ONLY = "made read-only"
    FULL = "without room to grow"
    DISK_FULL = "on a disk that is full, as all files are"


@dataclass(frozen=True)
class Case:
    """One loss before one write of the journal.

    Attributes:
        number: of the write, from 1.
        write: its name.
    """

    loss: Loss
    number: int
    write: str

    def __str__(self) -> str:
        return f"{self.loss.value} before write {self.number} ({self.write})"


@dataclass(frozen=True)
class Ended:
    """How a session ended, and all it told."""

    status: RunStatus | None
    told: str
    not_restored: tuple[str, ...]


@dataclass(frozen=True)
class Tally:
    """How many cases there were, in how many the loss was told, and what failed."""

    cases: int
    told: int
    failures: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.cases} cases, {self.told} told, {len(self.failures)} left changed or unreported"


def writes_of(plan: Path, target: str, out: Path) -> list[str]:
    """Return the writes of a session nothing goes wrong in."""
    with counted_writes() as names:
        ended = _run(plan, target, out)
    assert ended == Ended(RunStatus.SUCCEEDED, "", ())
    return names


def cases_of(writes: Sequence[str], losses: Sequence[Loss]) -> list[Case]:
    """Return every loss before every write."""
    return [Case(loss, number, name) for number, name in enumerate(writes, 1) for loss in losses]


def run_cases(cases: Sequence[Case], plan: Path, target: str, folder: Path) -> Tally:
    """Run each case on the same servers, which each must leave as they were."""
    original = read_state(target)
    failures: list[str] = []
    told = 0
    for case in cases:
        out = folder / f"{case.loss.name}-{case.number}"
        try:
            told += _run_case(case, plan, target, out, original)
        except (AssertionError, pytest.fail.Exception) as failed:
            failures.append(f"{case}: {failed}")
            if read_state(target) != original:
                failures.append("the servers stayed changed; nothing after it was tried")
                break
    return Tally(len(cases), told, tuple(failures))


def _run_case(case: Case, plan: Path, target: str, out: Path, original: ServerState) -> bool:
    journal = out / "undo.journal"
    with losing(case, journal):
        ended = _run(plan, target, out)
    after = read_state(target)
    assert after == original, f"left changed: {ended}"
    assert ended.not_restored == (), "told as not restored, and it is"
    still_listed = journal.exists() and journal.stat().st_size > 0 and _lists(journal)
    assert ended.told or (ended.status is RunStatus.SUCCEEDED and not still_listed), f"the loss is not told: {ended}"
    if journal.exists():
        refusal(lambda: restore_all(journal, open_target, lambda _change: None))
        assert read_state(target) == original, "restored into something else"
    return bool(ended.told)


def _lists(journal: Path) -> bool:
    try:
        state = read_journal_state(journal)
    except ReplituneError:
        return True
    return bool(state.entries or state.problems)


def _run(plan_path: Path, target: str, out: Path) -> Ended:
    families = load_families()
    plan = load_plan(plan_path, dict(families))
    notes: list[str] = []

    def watch(event: RunEvent) -> None:
        if isinstance(event, Note):
            notes.append(event.text)

    try:
        with GuidedSession(open_workplace(out), out / "undo.journal", open_target, title="loss") as session:
            opened = session.open_target(target, 1)
            try:
                prepared = prepare_run(plan, families[plan.family], opened, str(plan_path))
                outcome = session.run(prepared, opened, RunControl(), [watch])
            finally:
                opened.close()
    except NotRestored as error:
        return Ended(None, str(error), (str(error),))
    except ReplituneError as error:
        return Ended(None, str(error), ())
    reason = "" if outcome.status is RunStatus.SUCCEEDED else outcome.reason
    return Ended(outcome.status, " ".join((*notes, reason)).strip(), outcome.not_restored)


@contextmanager
def counted_writes(before: Callable[[UndoJournalFile, int], object] | None = None) -> Iterator[list[str]]:
    """Note every write of every journal, and do something before each."""
    names: list[str] = []
    originals = {name: getattr(UndoJournalFile, name) for name in WRITES}

    def noted(name: str) -> Callable[..., object]:
        def write(self: UndoJournalFile, *values: object) -> object:
            names.append(name)
            if before is not None:
                before(self, len(names))
            return originals[name](self, *values)

        return write

    for name in WRITES:
        setattr(UndoJournalFile, name, noted(name))
    try:
        yield names
    finally:
        for name, original in originals.items():
            setattr(UndoJournalFile, name, original)


@contextmanager
def losing(case: Case, path: Path) -> Iterator[None]:
    """Lose the journal before one of its writes; what concerns the whole process is over with the session."""

    def before(journal: UndoJournalFile, number: int) -> None:
        if number == 1:
            shutil.copyfile(path, path.with_name("older"))
        if number == case.number:
            lose(case.loss, journal, over)

    with ExitStack() as over:
        with counted_writes(before) as names:
            yield
        assert len(names) >= case.number, "the session ended before"


def lose(loss: Loss, journal: UndoJournalFile, over: ExitStack) -> None:
    """Do to a journal that is in use what the loss says; what concerns the whole process ends with `over`."""
    path = journal.path
    match loss:
        case Loss.TRUNCATED:
            os.truncate(path, path.stat().st_size // 2)
        case Loss.EMPTIED:
            os.truncate(path, 0)
        case Loss.REMOVED:
            path.unlink()
        case Loss.OVERWRITTEN:
            path.write_bytes(b"something else\n" * 1_000)
        case Loss.OLDER:
            shutil.copyfile(path.with_name("older"), path)
        case Loss.READ_ONLY:
            # The program that tests may be one that writes everywhere: SQLite itself refuses as on a read-only disk.
            journal._connection.execute("PRAGMA query_only = ON")
        case Loss.FULL:
            (pages,) = journal._connection.execute("PRAGMA page_count").fetchone()
            journal._connection.execute(f"PRAGMA max_page_count = {pages}")
        case Loss.DISK_FULL:
            over.enter_context(full_disk())
