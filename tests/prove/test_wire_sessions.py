"""Whole sessions over TDS, encrypted, through every driver, from the command line and from the window."""

from pathlib import Path

import pytest

from app.bootstrap import load_advisor, load_families
from app.domain.measurement import TrialResult
from app.domain.plan import Plan
from app.domain.ports import StatementSink
from app.domain.session import SessionRecord
from app.domain.target import Target
from app.flows.shell.wizard import Step
from app.runner.control import RunControl
from app.services.plan.checking import prepare_run
from app.services.run.guided_session import GuidedSession
from app.services.workplace import open_workplace
from app.store import open_for_reading
from tests.e2e.posed_lab import Pose, PosedLab, posed_lab
from tests.e2e.program import spawn
from tests.e2e.scripted_dba import ScriptedDba, printed_scripts
from tests.e2e.wire_results import Expected, assert_same_over_the_wire, connection_of, expected_once
from tests.labs import open_lab
from tests.prove.killing import write_plan
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, has_driver

pytestmark = pytest.mark.prove

PLANS = {
    "log_reader": """
ReadBatchSize = [500, 1000, 5000, 10000]
[workload]
commands_per_transaction = [500, 1000]
commands = 400_000
""",
    "distribution_agent": """
SubscriptionStreams = [1, 4, 8, 16]
[workload]
commands_per_transaction = 2.5
commands = 200_000
""",
}
"""Each with as many commands as take long enough for what is pending to be counted, too."""

PLAN = """
family = "{family}"
[factors]
{factors}
[design]
blocks = 3
confirm_blocks = 3
"""


@pytest.fixture(scope="module", params=sorted(PLANS))
def expected(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Expected:
    """Run the plan of a family in process, once for all drivers."""
    plan = PLAN.format(family=request.param, factors=PLANS[request.param])
    return expected_once(tmp_path_factory, request.param, plan, "lab")


@pytest.mark.dealt("expected")
@pytest.mark.parametrize("name", sorted(DRIVERS))
def test_a_whole_session_by_command_finds_what_one_in_process_does(
    tmp_path: Path, expected: Expected, name: str
) -> None:
    """Seed, plan and lab are the same, so verdicts, findings and every measurement are; the servers are put back."""
    if not has_driver(name):
        pytest.skip(f"{name} is not installed")
    assert_same_over_the_wire(expected, DRIVERS[name], tmp_path / "wire")
    verdicts = [c["verdict"] for c in expected.ended.json()["comparisons"]]
    print(f"through {name}: the same {len(verdicts)} verdicts as in process: {', '.join(verdicts)}")


@pytest.mark.parametrize("family", sorted(PLANS))
def test_a_whole_session_in_the_window_finds_what_one_in_process_does(
    tmp_path: Path, family: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """The plan a person made in the window, run there over TDS, measures what the same plan does in process.

    The window reads the site before, which takes the lab's time, so agents poll at other moments: without noise, what
    is measured differs by that alone, and the verdicts by nothing.
    """
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    with posed_lab(Pose(noise=False)) as lab:
        before = lab.ask(PosedLab.truth)
        file = _run_in_window(family, lab.port, tmp_path, request)
        assert lab.ask(PosedLab.truth) == before
    assert connection_of(file)["Encryption"].startswith(("encrypted", "asked for"))  # as far as the driver assures it
    by_window = _session_of(file)
    by_lab = _session_of(_run_in_process(by_window.runs[0].plan, tmp_path))
    differences = [0.0]
    for ours, theirs in zip(by_window.runs[0].trials, by_lab.runs[0].trials, strict=True):
        assert (ours.setting, ours.status) == (theirs.setting, theirs.status)
        differences.append(abs(_run_time_s(ours) / _run_time_s(theirs) - 1))
    assert max(differences) < 0.01
    advisor = load_advisor(load_families())
    verdicts = [[(c.candidate, c.verdict) for c in advisor.advise(s).comparisons] for s in (by_window, by_lab)]
    assert verdicts[0] == verdicts[1] != []
    print(
        f"{family} from the window: {len(verdicts[0])} verdicts as in process, run times within {max(differences):.2%}"
    )


def _run_in_window(family: str, port: int, folder: Path, request: pytest.FixtureRequest) -> Path:
    """Go through the window as a person does, to the end of a run; return the session file."""
    qtbot = request.getfixturevalue("qtbot")
    from tests.ui.journey import MouseTraveller
    from tests.ui.studio import open_studio

    with open_studio(folder, folder / "pictures", 1280, 860) as studio:
        traveller = MouseTraveller(studio.window, studio.desk, qtbot)
        traveller.press_button("start.new_button")
        traveller.arrive(Step.TARGET)
        traveller.press_button("target.new_button")
        traveller.choose("target.way_combo", "A lab server on this computer")
        traveller.fill("target.port_edit", str(port))
        traveller.fill("target.name_edit", "posed lab")
        traveller.press_button("target.save_button")
        traveller.go_on()
        traveller.arrive(Step.TOPOLOGY)
        traveller.press_button("site.experiments_button")
        traveller.press_button(f"experiment.{family}_radio")
        traveller.go_on()
        traveller.arrive(Step.PLAN)
        traveller.fill("plan.workload.commands_edit", "20000")
        traveller.fill("plan.design.blocks_edit", "2")
        traveller.go_on()
        traveller.arrive(Step.PREFLIGHT)
        traveller.agree()
        traveller.go_on()
        traveller.arrive(Step.RUN)
        traveller.press_button("run.start_button")
        traveller.wait(lambda: studio.desk.is_running)
        traveller.wait(lambda: not studio.desk.is_running)
        file = traveller.folder / "session.replitune"
    return file


def _run_in_process(plan: Plan, folder: Path) -> Path:
    def opener(_target: str, seed: int, on_statement: StatementSink) -> Target:
        return open_lab(None, seed, on_statement, noise=False)

    place = open_workplace(folder / "in-process")
    with GuidedSession(place, folder / "in-process.journal", opener, title="lab") as session:
        opened = session.open_target("lab", 1)
        prepared = prepare_run(plan, load_families()[plan.family], opened, "lab")
        session.run(prepared, opened, RunControl(), [])
        opened.close()
    return place.session_file


def _run_time_s(trial: TrialResult) -> float:
    return next(m.value for m in trial.measurements if m.metric == "run_time")


def _session_of(file: Path) -> SessionRecord:
    with open_for_reading(file) as reader:
        return reader.read_session(with_samples=False)


def test_a_guided_run_by_command_asks_for_every_change(tmp_path: Path) -> None:
    """A DBA who reads the terminal and runs what stands there is all it takes; the servers are put back."""
    plan = write_plan(tmp_path, "log_reader")
    where = ("--out", tmp_path / "out", "--journal", tmp_path / "journal")
    with posed_lab(Pose()) as lab:
        before = lab.ask(PosedLab.truth)
        dba = ScriptedDba(lab.ports)
        with spawn("run", plan, "--target", lab.key(), "--guided", *where) as process:
            assert process.stderr is not None
            scripts = 0
            for script in printed_scripts(process.stderr):
                dba.run_script(script)
                scripts += 1
        dba.close()
        assert process.returncode == 0
        assert lab.ask(PosedLab.truth) == before
    print(f"guided by command: {scripts} scripts printed, run by hand and read back")
    assert scripts > 10
