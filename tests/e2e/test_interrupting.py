"""A run that does not come to its end: cancelled, paused, stopped by a limit; and taken up again."""

import signal
import threading
from pathlib import Path

import pytest

from app.bootstrap import build_program, load_families
from app.domain.errors import StoreError
from app.domain.events import Note, RunEvent, RunFinished, RunStatus, TrialFinished
from app.domain.measurement import TrialStatus
from app.domain.session import RunRecord
from app.runner.control import RunControl
from app.services.guided_session import GuidedSession, prepare_run
from app.services.plan_file import load_plan
from app.services.workplace import open_workplace
from app.store import open_for_reading
from tests.e2e.program import SMALL_PLAN, call, served_lab, spawn, write

LONG_PLAN = SMALL_PLAN.replace("[1, 8]", "[1, 2, 4, 8, 16]").replace("blocks = 2", "blocks = 10")
OPEN = build_program().parts.open_target


def runs_of(folder: Path) -> tuple[RunRecord, ...]:
    """Return the runs of the newest session."""
    with open_for_reading(folder / "session.replitune") as reader:
        return reader.read_session(with_samples=False).runs


def test_a_politely_killed_run_is_restored(tmp_path: Path) -> None:
    """SIGTERM is a cancel as well: the run ends, and nothing is left to restore."""
    plan, journal = write(tmp_path / "plan.toml", LONG_PLAN), tmp_path / "journal"
    cancelled_run(plan, "lab", tmp_path / "out", journal, signal.SIGTERM)
    assert call("restore", "--journal", journal).out == "Nothing to restore.\n"


def test_a_cancelled_run_is_restored_and_can_go_on(tmp_path: Path) -> None:
    """Exit code 130, the server as it was, finished trials kept; `--resume` completes the same run by the same plan."""
    plan = write(tmp_path / "plan.toml", LONG_PLAN)
    folder, journal = tmp_path / "out", tmp_path / "journal"
    with served_lab() as target:
        original = call("discover", "--target", target, "--json").json()
        cancelled_run(plan, target, folder, journal, signal.SIGINT)
        assert call("discover", "--target", target, "--json").json() == original
        (run,) = runs_of(folder)
        assert run.status is RunStatus.CANCELLED
        kept = [trial for trial in run.trials if trial.status is TrialStatus.USED]
        assert 0 < len(kept) < 50
        plan.unlink()  # the plan that was begun stands in the session file
        again = call("run", "--resume", "--out", folder, "--journal", journal)
        assert again.code == 0, again
        assert call("discover", "--target", target, "--json").json() == original
    (whole,) = runs_of(folder)
    assert (whole.run_id, whole.plan, whole.status) == (run.run_id, run.plan, RunStatus.SUCCEEDED)
    assert list(whole.trials[: len(kept)]) == kept
    assert [trial.trial_id for trial in whole.trials] == [f"E1-T{n:03d}" for n in range(1, len(whole.trials) + 1)]
    assert len(whole.trials) == 52


def cancelled_run(plan: Path, target: str, folder: Path, journal: Path, how: signal.Signals) -> None:
    """Start a run, cancel it once trials are on disk, and check how it ends."""
    with spawn("run", plan, "--target", target, "--out", folder, "--journal", journal) as process:
        while not trials_on_disk(folder):
            assert process.poll() is None, "the run ended before it could be cancelled"
        process.send_signal(how)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert err.startswith("Cancelling; every change is being put back.\nE1: cancelled on request\n")
    assert "Every change was put back and read back; finished trials are kept.\n" in err
    assert f"replitune run --resume --out {folder} --journal {journal}\n" in err
    assert "Report: " in out


def trials_on_disk(folder: Path) -> bool:
    """Tell whether the session file holds a trial already."""
    try:
        with open_for_reading(folder / "session.replitune") as reader:
            return sum(run.used_trials for run in reader.list_runs()) > 2
    except StoreError:
        return False  # it is being made right now


def test_a_run_cancelled_in_its_first_trial_can_go_on(tmp_path: Path) -> None:
    """Nothing was measured yet, and still the run keeps its id."""
    folder, journal = tmp_path / "out", tmp_path / "journal"
    plan = write(tmp_path / "plan.toml", SMALL_PLAN)
    seen: list[RunEvent] = []
    control = RunControl()
    control.cancel()
    run_here(plan, folder, journal, control, seen)
    assert isinstance(seen[-1], RunFinished)
    assert seen[-1].status is RunStatus.CANCELLED
    assert call("run", "--resume", "--out", folder, "--journal", journal).code == 0
    (run,) = runs_of(folder)
    assert (run.run_id, run.status, len(run.trials)) == ("E1", RunStatus.SUCCEEDED, 6)


def run_here(plan_path: Path, folder: Path, journal: Path, control: RunControl, seen: list[RunEvent]) -> None:
    """Run a plan on a lab of this process."""
    families = load_families()
    plan = load_plan(plan_path, dict(families))
    with GuidedSession(open_workplace(folder), journal, OPEN, title="test") as session:
        target = session.open_target("lab", 1)
        prepared = prepare_run(plan, families[plan.family], target, "plan")
        session.run(prepared, target, control, [seen.append])
        target.close()


def test_a_pause_waits_for_the_trial_and_restores_the_server(tmp_path: Path) -> None:
    """Asked for in a trial: that trial is finished, everything is put back, and after the pause the run goes on."""
    plan_path = write(tmp_path / "plan.toml", SMALL_PLAN)
    families = load_families()
    plan = load_plan(plan_path, dict(families))
    control = RunControl()
    paused, finished = threading.Event(), 0
    running: list[bool] = []

    def watch(event: RunEvent) -> None:
        nonlocal finished
        if isinstance(event, TrialFinished):
            finished += 1
        elif isinstance(event, Note):
            paused.set()
        elif finished == 1 and not paused.is_set() and not control.pause_requested:
            control.pause()

    with GuidedSession(open_workplace(tmp_path / "out"), tmp_path / "journal", OPEN, title="test") as session:
        target = session.open_target("lab", 1)
        agents = target.agents.discover().agents
        original = [target.agents.read_parameters(agent) for agent in agents]
        prepared = prepare_run(plan, families[plan.family], target, "plan")
        outcome: list[RunStatus] = []

        def work() -> None:
            outcome.append(session.run(prepared, target, control, [watch]).status)

        worker = threading.Thread(target=work)
        worker.start()
        assert paused.wait(60)
        assert finished == 2
        running += [target.agents.is_running(agent) for agent in agents]
        assert [target.agents.read_parameters(agent) for agent in agents] == original
        control.resume()
        worker.join(60)
        target.close()
    assert all(running)
    assert outcome == [RunStatus.SUCCEEDED]
    assert finished == 6


CONTINUOUS = """
family = "log_reader"
[factors]
ReadBatchSize = [500, 5000]
[workload]
scenario = "continuous"
duration_s = 120
rate_per_s = 2000
[design]
blocks = 1
confirm_blocks = 0
"""


BACKLOG = """
family = "log_reader"
[factors]
ReadBatchSize = [500, 5000]
[workload]
commands = 400_000
"""


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (CONTINUOUS + "[limits]\npending_commands = 1\n", "pending commands beyond the planned backlog reached"),
        (CONTINUOUS + "[limits]\nlatency_s = 0.001\n", "latency reached"),
        (SMALL_PLAN + "[limits]\nfree_disk_gb = 5000\n", "free disk on the Distributor fell to"),
        (SMALL_PLAN + "[limits]\ntrial_duration_s = 1.5\n", "duration of the trial reached"),
        (BACKLOG + "[limits]\nlog_used_share = 0.005\n", "used share of the publication database's log reached"),
    ],
    ids=["pending commands", "latency", "free disk", "duration", "log"],
)
def test_a_limit_ends_the_run_and_restores(tmp_path: Path, plan: str, sentence: str) -> None:
    """Exit code 3, the limit named with both numbers, nothing left to restore; the trial is kept and not used."""
    path, journal = write(tmp_path / "plan.toml", plan), tmp_path / "journal"
    ended = call("run", path, "--target", "lab", "--out", tmp_path / "out", "--journal", journal)
    assert ended.code == 3, ended
    assert "E1 was stopped by a limit of the plan: " in ended.err
    assert sentence in ended.err
    assert "the plan's limit is" in ended.err
    assert call("restore", "--journal", journal).out == "Nothing to restore.\n"
    (run,) = runs_of(tmp_path / "out")
    assert run.status is RunStatus.ABORTED
    assert run.trials[-1].status is TrialStatus.ABORTED
