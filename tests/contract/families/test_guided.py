"""Guided mode on the lab: a whole run whose every change is made by somebody else, with the same result."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.change import Change, OfProcess, StillRunning
from app.domain.events import RunEvent, RunStatus, TrialFinished
from app.domain.family import ExperimentFamily
from app.domain.measurement import TrialStatus
from app.domain.plan import Design, Factor
from app.domain.ports import ServerChanges
from app.domain.setting import Setting, Value
from app.domain.statement import Access
from app.domain.target import Target
from app.domain.work_source import WorkSource
from app.runner.asking import HandDesk, HandRequest
from app.runner.control import RunControl
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import Scenario
from app.systems.transactional_replication.offer import agent_ports
from tests.contract.families.lab_runs import AGENT_FAMILIES, FAMILIES, open_lab_of, run_on_lab, small_plan
from tests.contract.families.own_work import own_plan, site_of
from tests.contract.families.watched_by_hand import by_hand_of, done_by, switches_of


class Dba:
    """The client's DBA: runs each script as it stands, and remembers what was asked."""

    def __init__(self, target: Target, takes_s: float = 0.0) -> None:
        self._takes_s = takes_s
        self.asked: list[HandRequest] = []
        self.is_acting = False
        self._target = target
        self._known: dict[str, tuple[Change, bool]] = {}

    def note(self, change: Change) -> None:
        """Learn what the scripts of a change do."""
        self._known.setdefault(change.undo_sql, (change, True))
        self._known[change.apply_sql] = (change, False)

    def run(self, request: HandRequest) -> None:
        """Run a script."""
        self.asked.append(request)
        self._target.clock.sleep(self._takes_s)
        self.is_acting = True
        for change, undo in done_by(request.script, {**switches_of(self._target), **self._known}):
            (self._target.changes.undo if undo else self._target.changes.apply)(change)
        self.is_acting = False


class Watched:
    """Changes that tell the DBA what they are before they are asked for."""

    def __init__(self, changes: ServerChanges, dba: Dba) -> None:
        self._changes = changes
        self._dba = dba

    def is_applied(self, change: Change) -> bool:
        """Read as the server does."""
        self._dba.note(change)
        return self._changes.is_applied(change)

    def is_undone(self, change: Change) -> bool:
        """Read as the server does."""
        self._dba.note(change)
        return self._changes.is_undone(change)

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Plan as the server does."""
        return self._changes.plan_quiesce(changes)

    def process_of(self, change: Change) -> OfProcess | None:
        """Tell as the server does."""
        self._dba.note(change)
        return self._changes.process_of(change)

    def run_of(self, change: Change) -> str:
        """Read as the server does."""
        return self._changes.run_of(change)

    def restart(self, change: Change, make: Callable[[Change], None], take_back: Callable[[Change], None]) -> bool:
        """Restart as the server does."""
        return self._changes.restart(change, make, take_back)

    def apply(self, change: Change) -> None:
        """Nobody may."""
        raise AssertionError(f"the program itself changed {change.subject}")

    def undo(self, change: Change) -> None:
        """Nobody may."""
        raise AssertionError(f"the program itself put back {change.subject}")

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Nobody may."""
        raise AssertionError("the program itself stopped agents")


@pytest.mark.parametrize("family_id", [*AGENT_FAMILIES, "commit_mode", "streams_apply"])
def test_a_guided_run_changes_nothing_itself_and_is_put_back(family_id: str) -> None:
    """Every change and every start and stop is asked for; the run ends well; the server is as it was."""
    family = FAMILIES[family_id]
    made: list[Dba] = []
    run = run_on_lab(family, small_plan(family, Scenario.DRAINED), wrap=_guided(family, made))
    assert run.end.status is RunStatus.SUCCEEDED
    run.assert_restored("at the end of a guided run")
    [dba] = made
    assert any(request.is_undo for request in dba.asked)
    words = {
        "agents": ("USE ", "EXEC"),
        "streams": ("BEGIN", "ALTER "),
        "commit": ("ALTER ", "DBCC", "CREATE ", "DROP "),
    }
    kind = "agents" if family_id in AGENT_FAMILIES else family.subject
    assert all(any(word in request.script for word in words[kind]) for request in dba.asked)
    assert kind == "commit" or any("Stop " in request.title for request in dba.asked)


def test_only_the_workload_is_written_by_the_program() -> None:
    """Of all statements sent outside the DBA's hands, the one that changes anything writes the test table."""
    family = FAMILIES["distribution_agent"]
    made: list[Dba] = []
    own: list[str] = []

    def wrap(target: Target) -> Target:
        dba, desk = Dba(target), HandDesk(0.0)
        made.append(dba)
        desk.attach(dba.run, lambda _request: None)
        send = target.open_connection.session._sink  # the record of what was sent, and by whom

        def sink(record: object) -> None:
            if not dba.is_acting and getattr(record, "access", None) is Access.CHANGE:
                own.append(str(getattr(record, "name", "")))
            send(record)

        target.open_connection.session._sink = sink  # listens to statements from outside
        return by_hand_of(family, target, desk, "DIST1", lambda changes: Watched(changes, dba))

    run_on_lab(family, small_plan(family, Scenario.DRAINED), wrap=wrap)
    assert set(own) == {"write_load"}


def test_agents_are_told_apart_in_scripts() -> None:
    """A script names the one agent it is about, so that nobody stops another."""
    family = FAMILIES["log_reader"]
    run = run_on_lab(family, small_plan(family, Scenario.DRAINED))
    readers = [
        agent for agent in agent_ports(run.target).agents.discover().agents if agent.kind is AgentKind.LOG_READER
    ]
    scripts = {agent_ports(run.target).agent_changes.plan_stop(agent).apply_sql for agent in readers}
    assert len(scripts) == len(readers)


@pytest.mark.parametrize(
    ("family_id", "source", "more"),
    [
        ("distribution_agent", WorkSource.OWN_BACKLOG, 1),  # the profile that marks the run
        ("log_reader", WorkSource.OWN_BACKLOG, 1),
        ("commit_mode", WorkSource.OWN_TRAFFIC, 0),
        ("streams_apply", WorkSource.OWN_BACKLOG, 0),
    ],
)
def test_each_window_is_one_script_for_the_dba(family_id: str, source: WorkSource, more: int, tmp_path: Path) -> None:
    """It stops, changes and starts, so that a process stands for a moment; reading tells that all of it is made."""
    family = FAMILIES[family_id]
    made: list[Dba] = []
    site = site_of(family, tmp_path, source)
    at_its_end: list[int] = []

    def note_end(_control: RunControl) -> Callable[[RunEvent], None]:
        return lambda event: at_its_end.append(len(made[0].asked)) if isinstance(event, TrialFinished) else None

    wrap = _guided(family, made)
    run = run_on_lab(family, own_plan(family, source), scenario=site, noise=False, wrap=wrap, make_sink=note_end)
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    assert {trial.status for trial in run.trials} == {TrialStatus.USED}
    run.assert_restored("at the end of a guided run")
    [dba] = made
    assert at_its_end[-1] <= len(run.trials) + more, [request.title for request in dba.asked]
    if family_id != "commit_mode":
        assert any("→ stopped; " in request.title and "Start " in request.title for request in dba.asked)


def test_an_apply_process_that_is_held_is_stopped_by_a_script_of_its_own(tmp_path: Path) -> None:
    """It stands while work gathers, so that another one sets the values and starts it."""
    family, made = FAMILIES["streams_apply"], list[Dba]()
    plan, site = own_plan(family, WorkSource.HELD), site_of(family, tmp_path, WorkSource.HELD)
    run = run_on_lab(family, plan, scenario=site, noise=False, wrap=_guided(family, made))
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    run.assert_restored("at the end of a guided run")
    assert len(made[0].asked) <= 2 * len(run.trials) + 3


def test_a_window_of_streams_is_one_script_whatever_stood_before(tmp_path: Path) -> None:
    """From one setting to the next, too: nothing is put back in between, and the undo is still one step."""
    family, made = FAMILIES["streams_apply"], list[Dba]()
    plan = own_plan(family, WorkSource.OWN_BACKLOG)
    levels: tuple[Value, ...] = (10_000, 20_000, 50_000)
    name = "TXN_LCR_SPILL_THRESHOLD"
    plan = replace(
        plan,
        factors=(Factor(name, levels), Factor("PARALLELISM", (1, 4))),
        baseline=Setting.from_mapping({name: levels[0], "PARALLELISM": 1}),
        design=Design(blocks=1, confirm_blocks=0, further_blocks=0, settling_trials=0),
    )
    at_its_end: list[int] = []

    def note_end(_control: RunControl) -> Callable[[RunEvent], None]:
        return lambda event: at_its_end.append(len(made[0].asked)) if isinstance(event, TrialFinished) else None

    site = site_of(family, tmp_path, WorkSource.OWN_BACKLOG)
    run = run_on_lab(family, plan, scenario=site, noise=False, wrap=_guided(family, made), make_sink=note_end)
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    run.assert_restored("at the end of a guided run")
    assert len({trial.setting for trial in run.trials}) >= 4
    assert at_its_end[-1] <= len(run.trials), [request.title for request in made[0].asked]


def test_a_script_that_stops_or_starts_alone_is_waited_for(tmp_path: Path) -> None:
    """Nothing is measured before the DBA has run it: each window holds its own setting's rate."""
    family, made = FAMILIES["distribution_agent"], list[Dba]()
    plan, site = own_plan(family, WorkSource.OWN_BACKLOG), site_of(family, tmp_path, WorkSource.OWN_BACKLOG)
    rates: list[list[float]] = []
    for wrap in (_guided(family, made), lambda target: target):
        run = run_on_lab(family, plan, scenario=site, noise=False, wrap=wrap)
        by_setting = sorted(
            (str(trial.setting), m.value)
            for trial in run.trials
            for m in trial.measurements
            if m.metric == family.main_metric(run.plan).name
        )
        rates.append([value for _setting, value in by_setting])
    assert rates[0] == pytest.approx(rates[1], rel=0.05)


@pytest.mark.parametrize("family_id", ["log_reader", "streams_apply"])
def test_the_time_a_dba_takes_is_none_of_a_window(family_id: str, tmp_path: Path) -> None:
    """Minutes for a script end no window by its limit: the Log Reader Agent's lasts up to ten by itself."""
    family, made, takes_s = FAMILIES[family_id], list[Dba](), 400.0
    site = site_of(family, tmp_path, WorkSource.OWN_BACKLOG)  # meanwhile the process works on: millions wait here
    plan = own_plan(family, WorkSource.OWN_BACKLOG)
    plan = replace(plan, limits=plan.limits.but(trial_duration_s=700.0))
    run = run_on_lab(family, plan, scenario=site, noise=False, wrap=_guided(family, made, takes_s))
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    assert [trial.status for trial in run.trials] == [TrialStatus.USED] * len(run.trials)
    run.assert_restored("at the end of a guided run")


def test_the_deadline_counts_what_the_dba_takes(tmp_path: Path) -> None:
    """No window begins that could not be undone in time at that pace, and all is undone by then."""
    family, made = FAMILIES["distribution_agent"], list[Dba]()
    plan, site = own_plan(family, WorkSource.OWN_BACKLOG), site_of(family, tmp_path, WorkSource.OWN_BACKLOG)
    begun = open_lab_of(family.subject, lambda _record: None, lab=site).clock.now_utc().astimezone()
    minutes = begun.hour * 60 + begun.minute + 41
    plan = replace(plan, limits=plan.limits.but(restored_by=minutes % 1_440))
    run = run_on_lab(family, plan, scenario=site, noise=False, wrap=_guided(family, made, 240.0))
    assert run.end.status is RunStatus.ABORTED
    assert "everything is to be undone by" in run.end.reason
    run.assert_restored("at the deadline")
    assert (run.target.clock.now_utc().astimezone() - begun).total_seconds() <= 41 * 60


def _guided(family: ExperimentFamily, made: list[Dba], takes_s: float = 0.0) -> Callable[[Target], Target]:
    """Return what makes a target guided, with a DBA who runs each script at once, or after a while."""

    def wrap(target: Target) -> Target:
        dba, desk = Dba(target, takes_s), HandDesk(0.0)
        made.append(dba)
        desk.attach(dba.run, lambda _request: None)
        return by_hand_of(family, target, desk, "DIST1", lambda changes: Watched(changes, dba))

    return wrap
