"""Session files and journals that cannot be used, and disks that are full: nothing is lost, the server is restored."""

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.abilities import limits_files
from tests.e2e.program import (
    ROOT,
    SMALL_PLAN,
    Ended,
    assert_one_sentence,
    call,
    served_lab,
    write,
)
from tests.files import files_below
from tests.forked import start_python
from tests.patience import PATIENCE_S


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run a small plan once; return a folder with its session, its journal, and the plan."""
    folder = tmp_path_factory.mktemp("finished")
    plan = write(folder / "plan.toml", SMALL_PLAN)
    assert call("run", plan, "--target", "lab", "--out", folder / "out", "--journal", folder / "journal").code == 0
    return folder


@pytest.fixture
def session(finished: Path, tmp_path: Path) -> Path:
    """Return a copy of that folder, to be spoiled."""
    return Path(shutil.copytree(finished, tmp_path / "site"))


def commands_on(session: Path) -> tuple[tuple[object, ...], ...]:
    """Return the commands that use the session file."""
    out, journal = session / "out", session / "journal"
    return (
        ("report", out / "session.replitune", "--out", session / "again.pdf"),
        ("run", session / "plan.toml", "--target", "lab", "--out", out, "--journal", journal),
        ("run", "--resume", "--out", out, "--journal", journal),
    )


def damage(path: Path) -> None:
    """Overwrite the middle of a file."""
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[4096:middle] = b"\xa5" * (middle - 4096)
    path.write_bytes(bytes(content))


def make_newer(path: Path) -> None:
    """Give a file the version of a later program."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 9999")
    connection.close()


def make_foreign(path: Path) -> None:
    """Put another program's database in place of a file."""
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE album (title TEXT)")
    connection.close()


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda path: write(path, "no database" * 100), "is no session file of Replitune"),
        (lambda path: write(path, ""), "is no session file of Replitune"),
        (damage, "damaged"),
        (make_newer, "newer"),
        (make_foreign, "is no session file of Replitune"),
    ],
    ids=["text", "empty", "damaged", "newer", "of another program"],
)
def test_session_files_that_cannot_be_used(session: Path, spoil: object, sentence: str) -> None:
    """Report, run and resume say why, and leave the file as it is."""
    path = session / "out" / "session.replitune"
    assert callable(spoil)
    spoil(path)
    before = files_below(session / "out")
    for arguments in commands_on(session):
        if arguments[0] == "run" and path.stat().st_size == 0 and "--target" in arguments:
            continue  # an empty file is taken for a new one
        ended = call(*arguments)
        assert_one_sentence(ended)
        assert sentence in ended.err, arguments
        assert str(path) in ended.err
    assert files_below(session / "out") == before


HOLD = """
import sys
from pathlib import Path
from app.store import open_for_writing
store = open_for_writing(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
store.close()
"""


def test_a_session_file_that_is_open_elsewhere(session: Path) -> None:
    """A second program may read it and may not write it; afterwards it may."""
    path = session / "out" / "session.replitune"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        report, run, resume = commands_on(session)
        assert call(*report).code == 0
        for arguments in (run, resume):
            ended = call(*arguments)
            assert_one_sentence(ended)
            assert "open" in ended.err
        holder.communicate("")
    assert call(*run).code == 0


def test_a_journal_that_cannot_be_used(session: Path) -> None:
    """Damaged or foreign: neither a run nor a restore goes on, and both say why."""
    journal = session / "journal"
    make_foreign(journal)
    for arguments in (commands_on(session)[1], ("restore", "--journal", journal)):
        ended = call(*arguments)
        assert_one_sentence(ended)
        assert "is no undo journal of Replitune" in ended.err


def test_results_in_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """A file takes no folders, whoever asks."""
    folder = write(tmp_path / "file", "") / "results"
    ended = call("demo", "--out", folder)
    assert_one_sentence(ended)
    assert f"{folder} cannot be created" in ended.err


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from app.__main__ import main
sys.exit(main(sys.argv[2:]))
"""


def limited(size_bytes: int, *arguments: object) -> Ended:
    """Run the program where no file can grow beyond a size, as on a disk that is full."""
    with start_python("-c", LIMITED, str(size_bytes), *map(str, arguments)) as process:
        out, err = process.communicate(timeout=PATIENCE_S)
    return Ended(process.returncode, out, err)


@limits_files
@pytest.mark.parametrize("size_kb", [16, 200])
def test_a_full_disk_never_leaves_a_server_changed(tmp_path: Path, size_kb: int) -> None:
    """Wherever the disk is full first: one sentence with the reason, no traceback, and the server as it was."""
    plan, journal = write(tmp_path / "plan.toml", SMALL_PLAN), tmp_path / "journal"
    with served_lab() as target:
        original = call("discover", "--target", target, "--json").json()
        ended = limited(
            size_kb * 1024, "run", plan, "--target", target, "--out", tmp_path / "out", "--journal", journal
        )
        assert ended.code == 2, ended
        assert "Traceback" not in ended.err
        last = ended.err.splitlines()[-1]
        assert last.startswith("replitune: ")
        assert "check the disk, its free space" in last
        if journal.exists():
            call("restore", "--journal", journal)
        assert call("discover", "--target", target, "--json").json() == original
