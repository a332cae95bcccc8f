"""A run that does not come to its end: cancelled, paused, stopped by a limit; and taken up again."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.bootstrap import build_program, load_families
from app.cli.main import run as run_command
from app.domain.errors import StoreError
from app.domain.events import RunEvent, RunFinished, RunPaused, RunStatus, TrialFinished
from app.domain.measurement import TrialStatus
from app.domain.plan import Phase
from app.domain.ports import FigureRenderer
from app.domain.session import RunRecord
from app.foundation.ctrl_c import take_ctrl_c
from app.runner.control import RunControl
from app.services.plan.checking import prepare_run
from app.services.plan.plan_file import load_plan
from app.services.program import Program
from app.services.run.guided_session import GuidedSession
from app.services.run.restoring import open_changes
from app.services.workplace import open_workplace
from app.store import open_for_reading
from app.systems.transactional_replication.offer import agent_ports
from tests.e2e.program import SMALL_PLAN, call, interrupt, scenario_with, served_lab, spawn, write
from tests.patience import PATIENCE_S, PAUSE_S

DENIED = [("start_job", number, "permission_denied") for number in range(2, 12)]
LONG_PLAN = SMALL_PLAN.replace("[1, 8]", "[1, 2, 4, 8, 16]").replace("blocks = 2", "blocks = 5")
OPEN = build_program().parts.open_target


def runs_of(folder: Path) -> tuple[RunRecord, ...]:
    """Return the runs of the newest session."""
    with open_for_reading(folder / "session.replitune") as reader:
        return reader.read_session(with_samples=False).runs


@pytest.mark.prove
@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a program at once, politely or not")
def test_a_politely_killed_run_is_restored(tmp_path: Path) -> None:
    """SIGTERM is a cancel as well: the run ends, and nothing is left to restore."""
    plan, journal = write(tmp_path / "plan.toml", LONG_PLAN), tmp_path / "journal"
    cancelled_run(plan, "lab", tmp_path / "out", journal, lambda process: process.send_signal(signal.SIGTERM))
    assert call("restore", "--journal", journal).out == "Nothing to restore.\n"


@pytest.mark.prove
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows ends a program whose console is closed by SIGBREAK")
def test_a_run_whose_terminal_is_closed_is_restored(tmp_path: Path) -> None:
    """The connection to the terminal drops: nobody can be told any more, and everything is put back all the same."""
    plan, journal, folder = write(tmp_path / "plan.toml", LONG_PLAN), tmp_path / "journal", tmp_path / "out"
    with served_lab() as target:
        original = call("discover", "--target", target, "--json").json()
        with spawn("run", plan, "--target", target, "--out", folder, "--journal", journal) as process:
            while not trials_on_disk(folder):
                assert process.poll() is None, "the run ended before its terminal was closed"
            meanwhile = call("restore", "--journal", journal)
            assert (meanwhile.code, meanwhile.out) == (4, "")
            assert "another window or command of Replitune is changing this server right now" in meanwhile.err
            for pipe in (process.stdout, process.stderr):
                assert pipe is not None
                pipe.close()
            process.send_signal(signal.SIGHUP)
            process.wait(timeout=PATIENCE_S)
        assert [entry.problem for entry in open_changes(journal)] == [], f"it ended with {process.returncode}"
        assert call("discover", "--target", target, "--json").json() == original
    assert call("restore", "--journal", journal).out == "Nothing to restore.\n"
    (run,) = runs_of(folder)
    assert run.status is RunStatus.CANCELLED


@pytest.mark.prove
def test_what_a_killed_run_left_is_told_and_guarded_until_it_is_put_back(tmp_path: Path) -> None:
    """Its report lists the changes, no other session takes its rollback.sql; after the restore both say so."""
    plan, journal, folder = write(tmp_path / "plan.toml", LONG_PLAN), tmp_path / "journal", tmp_path / "out"
    small = write(tmp_path / "small.toml", SMALL_PLAN)
    script, session = folder / "rollback.sql", folder / "session.replitune"
    with served_lab() as target:
        with spawn("run", plan, "--target", target, "--out", folder, "--journal", journal) as process:
            while not trials_on_disk(folder):
                assert process.poll() is None, "the run ended before it could be killed"
            process.kill()
        assert "are not undone" in report_of(session, tmp_path)
        before = script.read_bytes()
        other = call("run", small, "--target", "lab", "--out", folder, "--journal", journal)
        assert other.code == 4
        assert "rollback.sql undoes changes of an earlier run that are still open" in other.err
        assert script.read_bytes() == before
        assert call("restore", "--journal", journal).code == 0
        assert "are not undone" not in report_of(session, tmp_path)
        assert "Nothing was changed" not in report_of(session, tmp_path)
        assert b"Nothing to undo" in script.read_bytes()
        assert call("run", small, "--target", "lab", "--out", folder, "--journal", journal).code == 0
        again = call("run", "--resume", "--out", folder, "--journal", journal)
        assert again.code == 0, again
    with open_for_reading(session) as reader:
        statuses = [reader.list_runs(found.header.session_id)[0].status for found in reader.list_sessions()]
    assert statuses == [RunStatus.SUCCEEDED] * 2


def report_of(session: Path, folder: Path) -> str:
    """Return the report of the oldest session of a file, as Markdown."""
    out = folder / "report.md"
    with open_for_reading(session) as reader:
        oldest = reader.list_sessions()[-1].header.session_id
    ended = call("report", session, "--session", oldest, "--out", out)
    assert ended.code == 0, ended
    return out.read_text(encoding="utf-8")


def test_a_run_that_never_began_leaves_no_session_file(tmp_path: Path) -> None:
    """A target that is refused leaves the folder as it was."""
    plan, folder = write(tmp_path / "plan.toml", SMALL_PLAN), tmp_path / "out"
    assert call("run", plan, "--target", "nix", "--out", folder, "--journal", tmp_path / "journal").code == 2
    assert list(folder.iterdir()) == []


def test_a_cancelled_run_is_restored_and_can_go_on(tmp_path: Path) -> None:
    """Exit code 130, the server as it was, finished trials kept; `--resume` completes the same run by the same plan."""
    plan = write(tmp_path / "plan.toml", LONG_PLAN)
    folder, journal = tmp_path / "out", tmp_path / "journal"
    with served_lab() as target:
        original = call("discover", "--target", target, "--json").json()
        cancelled_run(plan, target, folder, journal, interrupt)
        assert call("discover", "--target", target, "--json").json() == original
        (run,) = runs_of(folder)
        assert run.status is RunStatus.CANCELLED
        kept = [trial for trial in run.trials if trial.status is TrialStatus.USED]
        assert 0 < len(kept) < 25
        plan.unlink()  # the plan that was begun stands in the session file
        told = call("run", "--resume", "--dry-run", "--out", folder, "--journal", journal)
        assert told.code == 0, told
        assert f"Trials kept and not repeated: {len(kept)}\n" in told.out
        assert runs_of(folder) == (run,)
        again = call("run", "--resume", "--out", folder, "--journal", journal)
        assert again.code == 0, again
        assert call("discover", "--target", target, "--json").json() == original
    (whole,) = runs_of(folder)
    assert (whole.run_id, whole.plan, whole.status) == (run.run_id, run.plan, RunStatus.SUCCEEDED)
    assert list(whole.trials[: len(kept)]) == kept
    assert [trial.trial_id for trial in whole.trials] == [f"E1-T{n:03d}" for n in range(1, len(whole.trials) + 1)]
    assert len(whole.trials) == 29


def cancelled_run(
    plan: Path, target: str, folder: Path, journal: Path, stop: Callable[[subprocess.Popen[str]], None]
) -> None:
    """Start a run, cancel it once trials are on disk, and check how it ends."""
    with spawn("run", plan, "--target", target, "--out", folder, "--journal", journal) as process:
        while not trials_on_disk(folder):
            assert process.poll() is None, "the run ended before it could be cancelled"
        stop(process)
        out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "Cancelling; every change is being undone.\nE1: cancelled on request\n" in err
    assert "Every change is undone and checked; finished trials are kept.\n" in err
    assert f"replitune run --resume --out {folder} --journal {journal}\n" in err
    assert "Report: " in out


STRIKES = [
    (name, is_restored)
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    for is_restored in (True, False)
    if hasattr(signal, name) and (is_restored or name != "SIGHUP")
]


@pytest.mark.parametrize(("strike", "is_restored"), STRIKES)
def test_a_signal_while_the_report_is_written_costs_the_report_only_and_says_how_to_get_it(
    tmp_path: Path, strike: str, is_restored: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence with the command that writes it, which then does; what is not undone keeps its exit code."""
    plan = write(tmp_path / "plan.toml", SMALL_PLAN)
    lab = "lab" if is_restored else f"lab:{scenario_with(tmp_path / 'faulty.toml', DENIED)}"
    program = build_program()
    renderer = program.parts.make_renderer

    def press_and_make() -> FigureRenderer:
        signal.raise_signal(getattr(signal, strike))
        signal.raise_signal(getattr(signal, strike))
        return renderer()

    interrupted = Program(replace(program.parts, make_renderer=press_and_make))
    before = signal.getsignal(signal.SIGINT)
    take_ctrl_c()
    try:
        code = run_command(
            ["run", str(plan), "--target", lab, "--out", str(tmp_path / "out"), "--journal", str(tmp_path / "journal")],
            interrupted,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    session, report = tmp_path / "out" / "session.replitune", tmp_path / "out" / "report.pdf"
    *others, told = capsys.readouterr().err.splitlines()
    assert code == (130 if is_restored else 4)
    assert told.startswith("replitune: interrupted before the report was written")
    assert told.endswith(f": replitune report {session} --out {report}")
    assert ("no server is left changed" in told) == is_restored
    assert any(line.startswith("To undo the rest: replitune restore") for line in others) != is_restored
    assert not report.exists()
    assert call("report", session, "--out", report).code == 0
    assert report.exists()


@pytest.mark.prove
def test_ctrl_c_again_and_again_puts_everything_back(tmp_path: Path) -> None:
    """Whatever goes on meanwhile, a restore or a report with its imports: no traceback, nothing left."""
    plan = write(tmp_path / "plan.toml", LONG_PLAN)
    folder, journal = tmp_path / "out", tmp_path / "journal"
    with served_lab() as target:
        original = call("discover", "--target", target, "--json").json()
        with spawn("run", plan, "--target", target, "--out", folder, "--journal", journal) as process:
            while not trials_on_disk(folder):
                assert process.poll() is None, "the run ended before it could be cancelled"
            pressed = 0
            while process.poll() is None:
                interrupt(process)
                pressed += 1
                time.sleep(PAUSE_S)
            _out, err = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 130, err
        assert pressed > 1
        assert "Traceback" not in err
        assert "with everything undone.\nCancelling; every change is being undone.\n" in err
        assert open_changes(journal) == ()
        assert call("discover", "--target", target, "--json").json() == original
    (run,) = runs_of(folder)
    assert run.status is RunStatus.CANCELLED


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
    assert (run.run_id, run.status, len(run.trials)) == ("E1", RunStatus.SUCCEEDED, 12)


def test_a_complete_run_takes_the_looks_that_are_left(tmp_path: Path) -> None:
    """One confirming pair tells nothing: --extend adds blocks until it is settled, and then no more."""
    plan = write(tmp_path / "plan.toml", SMALL_PLAN + "further_blocks = 0\n")
    journal, folder = tmp_path / "journal", tmp_path / "out"
    first = call("run", plan, "--target", "lab", "--out", folder, "--journal", journal)
    assert first.code == 0, first
    assert f"3 at most: replitune run --extend --out {folder}" in first.err
    (before,) = runs_of(folder)
    told = call("run", "--extend", "--dry-run", "--json", "--out", folder, "--journal", journal).json()
    assert (told["kept_trials"], len(told["trials"]), told["most_trials"]) == (len(before.trials), 2, 6)
    again = call("run", "--extend", "--out", folder, "--journal", journal)
    assert again.code == 0, again
    assert "--extend" not in again.err
    (run,) = runs_of(folder)
    assert run.trials[: len(before.trials)] == before.trials
    added = run.trials[len(before.trials) :]
    assert 2 <= len(added) <= 6
    assert {trial.phase for trial in added} == {Phase.CONFIRM}
    assert (run.status, run.plan.design.further_blocks) == (RunStatus.SUCCEEDED, 3)
    assert run.plan.most_s == told["longest_s"]
    refused = call("run", "--extend", "--out", folder, "--journal", journal)
    assert (refused.code, refused.out) == (2, "")
    assert "its confirmation is settled" in refused.err
    assert call("restore", "--journal", journal).out == "Nothing to restore.\n"


COMMITS = """
family = "commit_mode"
[factors]
availability_mode = ["async", "sync"]
[baseline]
availability_mode = "async"
[workload]
group = "AG_SYNC"
database = "LoadSync"
inserts = [1, 100]
rows_total = 10_000
loops = 1
budget_s = 2.0
[design]
blocks = 2
"""


def test_a_run_that_compares_everything_goes_on_once(tmp_path: Path) -> None:
    """Blocks of every setting, as many as are told to settle what is open, and then no more."""
    plan, journal, folder = write(tmp_path / "plan.toml", COMMITS), tmp_path / "journal", tmp_path / "out"
    first = call("run", plan, "--target", "lab:ag-uneven", "--out", folder, "--journal", journal)
    assert first.code == 0, first
    assert "1 of 2 comparisons are open: 2 blocks were few." in first.out
    assert f"1 at most: replitune run --extend --out {folder}" in first.err
    told = call("run", "--extend", "--dry-run", "--json", "--out", folder, "--journal", journal).json()
    assert (told["kept_trials"], len(told["trials"]), told["most_trials"]) == (4, 2, 2)
    again = call("run", "--extend", "--out", folder, "--journal", journal)
    assert again.code == 0, again
    (run,) = runs_of(folder)
    assert [trial.block for trial in run.trials] == [1, 1, 2, 2, 3, 3]
    refused = call("run", "--extend", "--out", folder, "--journal", journal)
    assert refused.code == 2
    assert "its comparisons are settled" in refused.err
    assert call("restore", "--journal", journal).out == "Nothing to restore.\n"


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
        elif isinstance(event, RunPaused):
            paused.set()
        elif finished == 1 and not paused.is_set() and not control.pause_requested:
            control.pause()

    with GuidedSession(open_workplace(tmp_path / "out"), tmp_path / "journal", OPEN, title="test") as session:
        target = session.open_target("lab", 1)
        agents = agent_ports(target).agents.discover().agents
        original = [agent_ports(target).agents.read_parameters(agent) for agent in agents]
        prepared = prepare_run(plan, families[plan.family], target, "plan")
        outcome: list[RunStatus] = []

        def work() -> None:
            outcome.append(session.run(prepared, target, control, [watch]).status)

        worker = threading.Thread(target=work)
        worker.start()
        assert paused.wait(PATIENCE_S)
        assert finished == 2
        running += [agent_ports(target).agents.is_running(agent) for agent in agents]
        assert [agent_ports(target).agents.read_parameters(agent) for agent in agents] == original
        control.resume()
        worker.join(PATIENCE_S)
        target.close()
    assert all(running)
    assert outcome == [RunStatus.SUCCEEDED]
    assert finished == 10


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
