"""A second session in a folder: what belongs to the first is never replaced, by any command."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from app.store import open_for_reading
from tests.e2e.program import SMALL_PLAN, Ended, assert_one_sentence, call, write
from tests.files import files_below

ROWS = "family,run,block,metric,value,unit,SubscriptionStreams\n" + "".join(
    f"distribution_agent,r{run},{run // 2 + 1},run_time,{100 - 40 * (run % 2) + run},s,{1 + 7 * (run % 2)}\n"
    for run in range(12)
)
# The session's own file, and what restores servers, go on.
GOES_ON = {"session.replitune", "rollback.sql", "undo.journal"}

Begin = Callable[[Path], Ended]


def _run(folder: Path) -> Ended:
    plan = write(folder.parent / "plan.toml", SMALL_PLAN)
    return call("run", plan, "--target", "lab", "--out", folder, "--journal", folder / "undo.journal")


def _advise(folder: Path) -> Ended:
    return call("advise", write(folder.parent / "rows.csv", ROWS), "--out", folder)


def _demo(folder: Path) -> Ended:
    return call("demo", "--family", "log_reader", "--out", folder)


BEGINNINGS: dict[str, Begin] = {"run": _run, "advise": _advise, "demo": _demo}


PAIRS = [("run", "run"), ("run", "advise"), ("run", "demo"), ("advise", "run")]


@pytest.fixture(scope="module")
def first(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a session that was handed over, by each command that begins one."""
    folder = tmp_path_factory.mktemp("first") / "site"
    assert BEGINNINGS[request.param](folder).code == 0
    return folder


@pytest.mark.parametrize(("first", "second"), [pair for pair in PAIRS if "demo" not in pair], indirect=["first"])
def test_the_second_session_leaves_all_of_the_first(first: Path, tmp_path: Path, second: str) -> None:
    """Byte for byte, whichever commands begin them; the second's files are below, and told."""
    folder = Path(shutil.copytree(first, tmp_path / "site"))
    before = files_below(folder)
    assert {"report.pdf", "measurements.csv"} <= {Path(name).name for name in before}
    ended = BEGINNINGS[second](folder)
    assert ended.code == 0, ended
    with open_for_reading(folder / "session.replitune") as reader:
        newest, oldest = (overview.header.session_id for overview in reader.list_sessions())
        assert reader.first_session() == oldest
    own = folder / newest
    assert (
        f"Report: {own / 'report.pdf'} (scripts beside it; the session is in {folder / 'session.replitune'})"
        in ended.out
    )
    assert {"report.pdf", "measurements.csv"} <= {path.name for path in own.iterdir()}
    after = files_below(folder)
    assert [name for name in before if Path(name).name not in GOES_ON and after[name] != before[name]] == []


@pytest.mark.parametrize(("first", "second"), PAIRS, indirect=["first"])
def test_a_folder_with_the_results_of_a_session_kept_elsewhere_is_refused(
    first: Path, tmp_path: Path, second: str
) -> None:
    """Where the session file is gone nobody knows whose the report is: nothing begins, nothing is replaced."""
    folder = Path(shutil.copytree(first, tmp_path / "site"))
    (folder / "session.replitune").unlink()
    before = files_below(folder)
    ended = BEGINNINGS[second](folder)
    assert_one_sentence(ended)
    assert "belongs to another session" in ended.err
    after = files_below(folder)
    assert [name for name in before if Path(name).name not in GOES_ON and after.get(name) != before[name]] == []
    assert not (folder / "session.replitune").exists()
