"""A session file that another program replaces or removes while it is written keeps every trial, and that is told."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.bootstrap import build_program, load_families
from app.domain.errors import StoreError
from app.domain.events import Note, RunEvent, RunFinished, RunStarted, RunStatus, SamplesTaken, TrialFinished
from app.domain.session import RunRecord
from app.runner.control import RunControl
from app.services.plan.checking import prepare_run
from app.services.plan.plan_file import load_plan
from app.services.run.guided_session import GuidedSession
from app.services.workplace import open_workplace
from app.store import SessionStore, create_session_file, open_for_reading
from tests.prove.killing import write_plan
from tests.store.sample import HEADER, PLAN, START, TARGET, make_trial

if sys.platform == "win32":
    pytest.skip("Windows lets nobody replace or remove a file that is open", allow_module_level=True)


def _replaced_by_an_older_copy(path: Path) -> None:
    shutil.copyfile(path, path.with_suffix(".tmp"))
    path.with_suffix(".tmp").replace(path)


def _replaced_by_something_else(path: Path) -> None:
    path.with_suffix(".tmp").write_bytes(b"conflicted copy" * 1_000)
    path.with_suffix(".tmp").replace(path)


def _moved_away(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


def _removed_with_its_companions(path: Path) -> None:
    for each in path.parent.glob(f"{path.name}*"):
        if not each.name.endswith(".lock"):
            each.unlink()


def _removed_with_its_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


def _moved_with_its_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name(f"elsewhere-{len(list(path.parent.parent.iterdir()))}"))


DEEDS = [
    _replaced_by_an_older_copy,
    _replaced_by_something_else,
    _moved_away,
    _removed_with_its_companions,
    _removed_with_its_folder,
    _moved_with_its_folder,
]
every_deed = pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.__name__.strip("_"))


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "session.replitune"


@pytest.fixture(name="store")
def _store(path: Path) -> Iterator[SessionStore]:
    path.parent.mkdir()
    with create_session_file(path) as store:
        yield store


def _run_of(path: Path) -> RunRecord:
    with open_for_reading(path) as reader:
        (run,) = reader.read_session().runs
    return run


@every_deed
def test_what_was_measured_is_in_the_file_at_once(
    path: Path, store: SessionStore, deed: Callable[[Path], None]
) -> None:
    """Also what was written before, however often it happens, and the other's copy is there under a name of its own."""
    recorder = store.start_session(HEADER)
    recorder.record(RunStarted("E1", PLAN, TARGET, START))
    for number in (1, 2, 3):
        deed(path)
        content = path.read_bytes() if path.exists() else b""
        recorder.record(TrialFinished("E1", make_trial(number)))
        assert [trial.trial_id for trial in _run_of(path).trials] == [f"E1-T{n:03}" for n in range(1, number + 1)]
        aside = path.with_name(f"session-replaced-{number}.replitune")
        assert aside.exists() is bool(content)
        assert not content or (aside.read_bytes() == content and str(aside) in recorder.told_of_place)
        assert "everything measured so far" in recorder.told_of_place
    deed(path)
    recorder.record(RunFinished("E1", RunStatus.SUCCEEDED, "complete", START))
    deed(path)
    store.close()
    assert _run_of(path).status is RunStatus.SUCCEEDED
    assert not [each for each in path.parent.iterdir() if each.name.endswith(("-wal", "-shm", ".kept", ".lock"))]


def test_a_file_that_cannot_be_put_back_ends_the_write_and_is_kept_beside(
    path: Path, store: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence says where everything is; once it can be put back it is, with what came meanwhile."""
    recorder = store.start_session(HEADER)
    recorder.record(RunStarted("E1", PLAN, TARGET, START))
    recorder.record(TrialFinished("E1", make_trial(1)))
    _replaced_by_an_older_copy(path)

    def refuse(_path: Path, target: Path) -> None:
        raise PermissionError(13, "Permission denied", str(target))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", refuse)
        for _turn in range(2):
            with pytest.raises(StoreError, match=r"cannot be put back .* is in .*session\.replitune\.kept"):
                recorder.record(TrialFinished("E1", make_trial(2)))
    assert [trial.trial_id for trial in _run_of(Path(f"{path}.kept")).trials] == ["E1-T001"]
    recorder.record(TrialFinished("E1", make_trial(2)))
    assert [trial.trial_id for trial in _run_of(path).trials] == ["E1-T001", "E1-T002"]


def test_where_nothing_can_be_kept_nothing_is_said_to_be(path: Path, store: SessionStore) -> None:
    """A file now stands where its folder was: no copy can lie beside it, until there is a folder again."""
    recorder = store.start_session(HEADER)
    recorder.record(RunStarted("E1", PLAN, TARGET, START))
    _removed_with_its_folder(path)
    path.parent.write_text("a file")
    with pytest.raises(StoreError, match=r"cannot be put back \([^;]*\)$"):
        recorder.record(TrialFinished("E1", make_trial(1)))
    path.parent.unlink()
    recorder.record(TrialFinished("E1", make_trial(1)))
    assert [trial.trial_id for trial in _run_of(path).trials] == ["E1-T001"]


def test_a_linked_file_stays_a_link(tmp_path: Path) -> None:
    """What is put back is the file, wherever it lies."""
    real, link = tmp_path / "real.replitune", tmp_path / "link.replitune"
    link.symlink_to(real)
    with create_session_file(link) as store:
        recorder = store.start_session(HEADER)
        recorder.record(RunStarted("E1", PLAN, TARGET, START))
        _moved_away(real)
        recorder.record(TrialFinished("E1", make_trial(1)))
    assert link.is_symlink()
    assert len(_run_of(real).trials) == 1


def test_it_is_told_while_the_run_goes_on_and_the_run_is_whole(tmp_path: Path) -> None:
    """Replaced during a trial: told before that trial has ended, and the report has every trial."""
    families = load_families()
    plan = load_plan(write_plan(tmp_path, "distribution_agent"), dict(families))
    workplace = open_workplace(tmp_path / "out")
    events: list[RunEvent] = []

    def watch(event: RunEvent) -> None:
        events.append(event)
        if isinstance(event, SamplesTaken) and sum(isinstance(one, SamplesTaken) for one in events) == 1:
            _replaced_by_an_older_copy(workplace.session_file)

    open_target = build_program().parts.open_target
    with GuidedSession(workplace, tmp_path / "undo.journal", open_target, title="moved") as session:
        target = session.open_target("lab", 1)
        prepared = prepare_run(plan, families[plan.family], target, "plan.toml")
        outcome = session.run(prepared, target, RunControl(), [watch])
        target.close()
    assert outcome.status is RunStatus.SUCCEEDED
    told = next(n for n, one in enumerate(events) if isinstance(one, Note) and "was replaced" in one.text)
    assert told < next(n for n, one in enumerate(events) if isinstance(one, TrialFinished))
    finished = [one.trial.trial_id for one in events if isinstance(one, TrialFinished)]
    run = _run_of(workplace.session_file)
    assert [trial.trial_id for trial in run.trials] == finished
    assert all(trial.samples for trial in run.trials)
    assert run.status is RunStatus.SUCCEEDED
    assert os.path.exists(workplace.session_file.with_name(f"{workplace.session_file.stem}-replaced-1.replitune"))
