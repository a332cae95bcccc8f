"""A system that nobody foresaw works by its folder alone, and the program works without any of its own."""

import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any, Final

import pytest

from app.foundation.paths import MORE_SYSTEMS
from tests.dying import is_killed
from tests.e2e.program import ROOT, Ended, run_alone, run_in_turn, served_lab, write
from tests.forked import start_python
from tests.own_folders import move_home
from tests.patience import PATIENCE_S
from tests.prove.shares import Share

TOY: Final = ROOT / "tests" / "toy" / "app"
SYSTEM, FAMILY, LAB = "turnstile", "turnstile_gates", "lab:door"

PLAN: Final = """
family = "turnstile_gates"
[factors]
Gates = [1, 4]
QueueLength = [10, 100]
[workload]
people = 500
[design]
blocks = 2
confirm_blocks = 2
"""
# Four gates are fastest, and three per cent more room in the queue is no reason to make any.
PUBLISHED: Final = """family,run,block,metric,value,unit,Gates,people
turnstile_gates,a1,1,run_time,34.1,s,1,1000
turnstile_gates,a2,2,run_time,34.4,s,1,1000
turnstile_gates,a3,3,run_time,33.8,s,1,1000
turnstile_gates,b1,1,run_time,16.1,s,4,1000
turnstile_gates,b2,2,run_time,15.9,s,4,1000
turnstile_gates,b3,3,run_time,16.0,s,4,1000
"""

# Kills itself at a moment: a write of the journal, or a statement.
_KILLED: Final = """
import sys
from pathlib import Path
from tests.prove.kill_driver import main
at, out, target, plan = sys.argv[1:]
print(*main(int(at), Path(out), Path(out) / "undo.journal", target, Path(plan)))
"""


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of further systems is named, and nothing of the person's is touched."""
    monkeypatch.setenv(MORE_SYSTEMS, str(TOY))
    move_home(monkeypatch, tmp_path / "home")


def good(ended: Ended) -> Ended:
    """Return how a call ended, which must be well."""
    assert ended.code == 0, ended
    assert "Traceback" not in ended.err
    return ended


def settings(target: str) -> Mapping[str, tuple[str, str]]:
    """Return the settings in effect, and where each comes from."""
    return settings_in(good(run_alone("discover", "--target", target, "--json")))


def settings_in(discovered: Ended) -> Mapping[str, tuple[str, str]]:
    """Return the settings in effect that a discovery told, and where each comes from."""
    document = discovered.json()
    return {setting["name"]: (setting["value"], setting["origin"]) for setting in document[SYSTEM]["parameters"]}


FOUND: Final = {"Gates": ("1", "default"), "QueueLength": ("10", "default")}


@pytest.mark.usefixtures("environment")
def test_it_is_found_with_its_rules_and_its_lab() -> None:
    """Doctor, rules, discovery and a look know it without being told."""
    at_lab = ("--target", LAB)
    health, rules, found, rights, look = map(
        good,
        run_in_turn(
            ("doctor", "--json"),
            ("rules", "test"),
            ("discover", *at_lab, "--json"),
            ("doctor", *at_lab),
            ("observe", *at_lab),
        ),
    )
    assert FAMILY in health.json()["families"]
    assert "all valid" in rules.out
    assert settings_in(found) == FOUND
    assert re.search("Turnstile: how many gates .*✓ yes", rights.out)
    assert "QueueLength" in look.out


@pytest.mark.usefixtures("environment")
def test_it_is_planned_run_explained_and_handed_over(tmp_path: Path) -> None:
    """Dry run, run with its scripts, report and the report once more from the session file."""
    plan, out = write(tmp_path / "plan.toml", PLAN), tmp_path / "out"
    again = tmp_path / "again.html"
    dry_run, run, _report = map(
        good,
        run_in_turn(
            ("run", "--dry-run", "--target", LAB, plan, "--json"),
            ("run", "--target", LAB, "--out", out, plan, "--json"),
            ("report", out / "session.replitune", "--out", again),
        ),
    )
    dry, ran = dry_run.json(), run.json()
    assert {(change["subject"], change["new"]) for change in dry["changes"]} == {
        ("Gates of the turnstile at TURN1", "4"),
        ("QueueLength of the turnstile at TURN1", "100"),
    }
    assert [(finding["rule"], finding["to"]) for finding in ran["findings"]] == [("turnstile-gates", 4)]
    assert (out / "report.pdf").read_bytes().startswith(b"%PDF-")
    script = (out / "apply-1-TURN1.sql").read_text(encoding="utf-8-sig")
    assert "DECLARE @parameter sysname = N'Gates';\nDECLARE @value nvarchar(4000) = N'4';" in script
    assert "N'1'" in (out / "undo-1-TURN1.sql").read_text(encoding="utf-8-sig")
    text = again.read_text(encoding="utf-8")
    assert "The turnstile at TURN1" in text
    assert "There was room for 10 in the queue." in text


@pytest.mark.usefixtures("environment")
def test_it_is_advised_and_demonstrated(tmp_path: Path) -> None:
    """Measurements from elsewhere are explained, and the demonstration shows the known optimum."""
    measured = write(tmp_path / "measured.csv", PUBLISHED)
    advised, shown = map(
        good,
        run_in_turn(
            ("advise", measured, "--out", tmp_path / "advice", "--json"),
            ("demo", "--family", FAMILY, "--out", tmp_path / "demo"),
        ),
    )
    advice = advised.json()
    assert [finding["rule"] for finding in advice["findings"]] == ["turnstile-gates"]
    assert (tmp_path / "advice" / "report.pdf").is_file()
    assert "Gates 4 instead of 1" in shown.out


def killed(at: int, out: Path, target: str, plan: Path) -> list[str]:
    """Run a session that kills itself at moment `at`, 0 for never; return what its moments were, [] where it died."""
    with start_python("-c", _KILLED, str(at), str(out), target, str(plan)) as process:
        said, _nothing = process.communicate(timeout=PATIENCE_S)
    assert is_killed(process.returncode) if at else process.returncode == 0
    return [] if at else said.splitlines()[-1].split()


@pytest.mark.prove
@pytest.mark.usefixtures("environment")
def test_killed_in_mid_run_its_server_is_restored(tmp_path: Path) -> None:
    """Over TDS: what a change and a restart left is put back by another process, from the journal, and read back."""
    plan = write(tmp_path / "plan.toml", PLAN)
    with served_lab("--scenario", "door") as target:
        moments = killed(0, tmp_path / "whole", target, plan)
        assert settings(target) == FOUND
        for sent in ("set_turnstile", "restart_turnstile"):
            out = tmp_path / sent
            killed(moments.index(sent) + 1, out, target, plan)
            assert settings(target) != FOUND
            good(run_alone("restore", "--journal", out / "undo.journal"))
            assert settings(target) == FOUND


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize(("scenario", "found"), [("door", SYSTEM), ("ag-2014", "groups"), ("lan", "agents")])
def test_a_served_lab_has_nothing_of_the_other_systems(scenario: str, found: str) -> None:
    """Each answers the discovery of the others as a server without them does."""
    with served_lab("--scenario", scenario) as target:
        document = good(run_alone("discover", "--target", target, "--json")).json()
    there = {name for name in (SYSTEM, "groups", "agents") if document.get(name)}
    assert there == {found}
    assert document["unread"] == [], "what is not there is no trouble"


def test_no_other_file_names_it() -> None:
    """Its words stand in its own folder alone."""
    folders = [ROOT / name for name in ("app", "advisor_rules", "resources", "packaging")]
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in _TEXTS]
    files += [ROOT / "pyproject.toml", ROOT / "Makefile"]
    assert len(files) > 500
    assert [path for path in files if SYSTEM in path.read_text(encoding="utf-8").lower()] == []


_TEXTS: Final = (".py", ".sql", ".toml", ".yaml", ".yml", ".po", ".json", ".csv", ".md", ".spec", ".typ", ".qss")

OWN: Final = sorted(path.parent.name for path in (ROOT / "app" / "systems").glob("*/system.py"))


@contextmanager
def program_without(folder: Path, system: str) -> Iterator[Path]:
    """Copy the program without one of its systems; what was compiled of it is copied, too."""
    for name in ("app", "advisor_rules", "resources"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(system))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def call_there(folder: Path, *arguments: str) -> Ended:
    """Run the program of a folder."""
    command = [sys.executable, "-m", "app", *arguments]
    with Popen(command, cwd=folder, stdout=PIPE, stderr=PIPE, text=True, encoding="utf-8") as process:
        out, err = process.communicate(timeout=PATIENCE_S)
        return good(Ended(process.returncode, out, err))


@pytest.mark.prove
def test_without_a_system_the_others_work(share: Share, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It starts, leaves the rules of the missing families out, and demonstrates another system's."""
    move_home(monkeypatch, tmp_path)
    for system in share.of(OWN, str):
        works_without(system, tmp_path)


def works_without(system: str, tmp_path: Path) -> None:
    """Check what the program does where the folder of a system is missing."""
    gone = {path.parent.name for path in (ROOT / "app" / "systems" / system / "families").glob("*/__init__.py")}
    every = {path.parent.name for path in (ROOT / "app" / "systems").glob("*/families/*/__init__.py")}
    with program_without(tmp_path / "program", system) as folder:
        assert call_there(folder, "--version").out.startswith("replitune ")
        assert "all valid" in call_there(folder, "rules", "test").out
        for family in gone:
            shutil.rmtree(folder / "advisor_rules" / family)
        health: Any = call_there(folder, "doctor", "--json").json()
        assert set(health["families"]) == every - gone
        if system == "transactional_replication":
            out = str(tmp_path / "demo")
            assert "Report: " in call_there(folder, "demo", "--family", "commit_mode", "--out", out).out
