"""Telling another running window from a crash."""

import subprocess
import sys
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.errors import ServerBusy
from app.domain.events import ChangeApplied, RunEvent, RunFinished
from app.runner.control import RunControl
from app.services.plan.checking import prepare_run
from app.services.run.guided_session import GuidedSession
from app.services.run.running_mark import hold_server, refuse_busy, runs_elsewhere
from app.services.workplace import open_workplace
from tests.contract.families.lab_runs import small_plan

_OTHER = """
import sys
from pathlib import Path
from app.services.run.running_mark import hold_server
with hold_server(Path(sys.argv[1]), "sqlserver://anna@db1/dist?driver=odbc"):
    print("marked", flush=True)
    sys.stdin.read()
"""

_LOOK = """
import sys
from pathlib import Path
from app.services.run.running_mark import runs_elsewhere
sys.exit(runs_elsewhere(Path(sys.argv[1])))
"""


def test_only_a_living_process_counts(tmp_path: Path) -> None:
    """A run of another process is seen as long as it lives, however it ends; one of this process never is."""
    journal = tmp_path / "undo.journal"
    assert not runs_elsewhere(journal)
    with hold_server(journal, "lab"):
        assert not runs_elsewhere(journal)
    assert list(tmp_path.iterdir()) == []
    with subprocess.Popen(
        [sys.executable, "-c", _OTHER, str(journal)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "marked\n"
        assert runs_elsewhere(journal)
        refuse_busy(journal, "sqlserver://anna@db2")
        with pytest.raises(ServerBusy, match=r"bob@db1.*another window or command of Replitune is changing"):
            refuse_busy(journal, "sqlserver://bob@db1/Dist?trust=yes")
        with pytest.raises(ServerBusy), hold_server(journal, "sqlserver://bob@db1/dist"):
            raise AssertionError("two hold one server")
        with hold_server(journal, "sqlserver://bob@db2"):
            pass
        other.kill()
        other.wait()
    assert not runs_elsewhere(journal)


def _others_see_a_run(journal: Path) -> bool:
    return subprocess.run([sys.executable, "-c", _LOOK, str(journal)], check=False).returncode == 1


def test_whoever_starts_a_run_the_others_see_it(tmp_path: Path) -> None:
    """From its first change to its end a run is marked, be it started in a window or on the command line."""
    program, journal = build_program(), tmp_path / "undo.journal"
    family = program.families["distribution_agent"]
    seen: dict[type[RunEvent], bool] = {}

    def look(event: RunEvent) -> None:
        if isinstance(event, ChangeApplied | RunFinished) and type(event) not in seen:
            seen[type(event)] = _others_see_a_run(journal)

    place = open_workplace(tmp_path / "session")
    with GuidedSession(place, journal, program.parts.open_target, title="marked") as session:
        target = session.open_target("lab", 1)
        prepared = prepare_run(small_plan(family), family, target, "plan")
        assert not _others_see_a_run(journal)
        session.run(prepared, target, RunControl(), [look])
        target.close()
        assert not _others_see_a_run(journal)
    assert seen == {ChangeApplied: True, RunFinished: True}
