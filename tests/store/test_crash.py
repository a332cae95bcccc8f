"""Programs killed while they write: nothing that was acknowledged is lost, nothing stays locked."""

import random
import shutil
from pathlib import Path

import pytest

from app.domain.events import RunStarted, RunStatus, TrialFinished
from app.store.connection import connect
from app.store.session_file import create_session_file, open_for_reading, open_for_writing
from tests.dying import is_killed
from tests.store.children import start_child
from tests.store.sample import FIXTURES, HEADER, PLAN, START, TARGET, make_trial

KILLS = random.Random(20260304).sample(range(1, 25), 6)


@pytest.mark.parametrize("acknowledged", KILLS)
def test_every_acknowledged_trial_survives_a_kill(tmp_path: Path, acknowledged: int) -> None:
    """After kill -9 the file is sound, holds each acknowledged trial whole, and can be gone on with."""
    path = tmp_path / "client.replitune"
    child = start_child("write_trials", str(path))
    assert child.stdout is not None
    names = [child.stdout.readline().strip() for _line in range(acknowledged)]
    child.kill()
    names += child.stdout.read().split()  # the rest, also what the first line brought along
    child.communicate()

    with open_for_reading(path) as reader:
        before = reader.read_session().runs[0].trials
    with open_for_writing(path) as store:
        with store.reader() as reader:
            run = reader.read_session().runs[0]
            assert reader._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert run.trials == before
        assert [trial.trial_id for trial in run.trials][: len(names)] == names
        assert len(run.trials) - len(names) in (0, 1)
        assert run.trials == tuple(make_trial(n, samples=1500) for n in range(1, len(run.trials) + 1))
        assert (run.status, run.finished_utc) == (RunStatus.INTERRUPTED, None)
        recorder = store.resume_session()
        recorder.record(RunStarted("E1", PLAN, TARGET, START, resumed=True))
        recorder.record(TrialFinished("E1", make_trial(len(run.trials) + 1)))
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("version", [0, 1])
def test_a_kill_while_tables_are_made_leaves_the_file_as_it_was(tmp_path: Path, version: int) -> None:
    """Killed while a file is created or upgraded, the next start creates it, or finds the old one whole."""
    path = tmp_path / "client.replitune"
    if version:
        shutil.copyfile(FIXTURES / "v1.replitune", path)
    child = start_child("die_in_migration", str(path))
    child.communicate()
    assert is_killed(child.returncode)
    assert (tmp_path / "client.replitune-journal").stat().st_size > 0
    with create_session_file(path) as store, store.reader() as reader:
        assert [line.header for line in reader.list_sessions()] == [HEADER] * version


def test_a_file_being_written_is_refused_to_a_second_writer_until_the_first_dies(tmp_path: Path) -> None:
    """Two programs never write one session file; a killed one leaves no lock behind."""
    path = tmp_path / "client.replitune"
    child = start_child("hold_session", str(path))
    assert child.stdout is not None
    assert child.stdout.readline() == "open\n"
    for opener in (open_for_writing, create_session_file):
        with pytest.raises(Exception, match="is open elsewhere; close it there and try again"):
            opener(path)
    with open_for_reading(path) as reader:
        assert reader.list_sessions() == ()
    child.kill()
    child.communicate()
    with open_for_writing(path), pytest.raises(Exception, match="open elsewhere"):
        open_for_writing(path)
    assert list(tmp_path.iterdir()) == [path]


def test_finished_trials_are_synchronised_and_others_are_not(tmp_path: Path) -> None:
    """A durable transaction runs at synchronous=FULL, a batch of samples at NORMAL."""
    with create_session_file(tmp_path / "client.replitune") as store:
        sql = "PRAGMA synchronous"
        assert store._writer.run(lambda connection: connection.execute(sql).fetchone()) == (2,)
        assert store._writer.run(lambda connection: connection.execute(sql).fetchone(), durable=False) == (1,)
        assert store._writer.run(lambda connection: connection.execute("PRAGMA journal_mode").fetchone()) == ("wal",)
    with create_session_file(tmp_path / "part.replitune", is_lasting=False) as store:
        assert store._run(lambda connection: connection.execute(sql).fetchone()) == (1,)


def test_a_log_that_was_never_merged_is_read_whole(tmp_path: Path) -> None:
    """A copy of the file with its write-ahead log, made while it was written, holds the trials."""
    path = tmp_path / "client.replitune"
    child = start_child("write_trials", str(path))
    assert child.stdout is not None
    names = [child.stdout.readline().strip() for _line in range(2)]
    child.kill()
    child.communicate()
    assert (tmp_path / "client.replitune-wal").stat().st_size > 0
    connection = connect(path, "mode=ro")
    assert connection.execute("SELECT count(*) FROM trial WHERE status = 'used'").fetchone()[0] >= len(names)
    connection.close()
