"""Streams on the lab: the published tests come out of real runs, bad sites are refused, every end restores."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import cast

import pytest

from app.domain.change import Change, OfProcess
from app.domain.comparison import Verdict
from app.domain.errors import BadInput
from app.domain.events import ChangeApplied, ChangeRestored, RunEvent, RunStatus, SamplesTaken, StepStarted
from app.domain.facts import FactValue
from app.domain.limits import Limits
from app.domain.load import Load
from app.domain.measurement import TrialStatus
from app.domain.plan import Design, Factor, Plan
from app.domain.plan_field import PlanValue
from app.domain.ports import ServerChanges
from app.domain.setting import Parameter, Setting, Value
from app.domain.target import Target
from app.foundation.paths import resource_path
from app.runner.asking import HandDesk, HandRequest
from app.runner.control import RunControl
from app.services.plan.checking import check_run, prepare_run
from app.services.plan.plan_file import dump_plan, load_plan
from app.systems.oracle_streams.lab.pipeline import Workload
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import StreamsPath
from app.systems.oracle_streams.readings import StreamsSample
from app.systems.oracle_streams.server.documented import risk_of
from tests.calibration.streams_trials import published_figures
from tests.contract.families.lab_runs import FAMILIES, LabRun, run_on_lab, small_plan
from tests.contract.families.watched_by_hand import by_hand_of, done_by
from tests.labs import open_lab

FAMILY = FAMILIES["streams_apply"]
FACTS = Path(__file__).parents[2] / "facts" / "oracle"
SMALL = small_plan(FAMILY)
# What the four published tests are called here; times and pauses in seconds.
METRICS = {
    "elapsed": ("run_time", 0.10, 60.0),
    "flow_control_pause": ("flow_control_pause", 0.05, 60.0),
    "spilled_source": ("spilled_source", 0.05, 1.0),
    "spilled_destination": ("spilled_destination", 0.05, 1.0),
}


def _plan(factor: str, levels: Sequence[Value], **load: PlanValue) -> Plan:
    return replace(
        SMALL,
        factors=(Factor(factor, tuple(levels)),),
        baseline=Setting.from_mapping({factor: levels[0]}),
        load=Load.from_mapping({**SMALL.load, **load}),
    )


def _large(levels: Sequence[int], rows: int) -> Plan:
    return _plan("TXN_LCR_SPILL_THRESHOLD", levels, operation="update", rows=rows, rows_per_commit=rows)


@cache
def _published() -> dict[tuple[int, int, int], dict[str, float]]:
    """Return the measures of the four published tests by (rows, rows of a transaction, threshold)."""
    small = _plan("TXN_LCR_SPILL_THRESHOLD", (100_000, 100_001), rows=1_000_000, rows_per_commit=500)
    runs = [small, _large((100_100, 100_101), 100_000), _large((100_100, 500_100), 300_000)]
    found = {}
    for plan in runs:
        for trial in run_on_lab(FAMILY, plan, noise=False).trials:
            assert trial.status is TrialStatus.USED
            threshold = int(trial.setting["TXN_LCR_SPILL_THRESHOLD"])
            key = (plan.load.whole("rows"), plan.load.whole("rows_per_commit"), threshold)
            found[key] = {m.metric: m.value for m in trial.measurements}
    return found


@pytest.mark.parametrize("figure", published_figures(), ids=lambda figure: f"test {figure.test} {figure.metric}")
def test_a_published_figure_comes_out_of_a_run(figure: object) -> None:
    """From plan to measure: times within 10 %, pauses and spills within 5 %, zeros exactly."""
    test, metric, value, load, threshold = (
        getattr(figure, name) for name in ("test", "metric", "value", "workload", "threshold")
    )
    measured = _published()[load.rows, load.rows_per_commit, threshold]
    name, tolerance, factor = METRICS[metric]
    if value == 0:
        assert measured[name] == 0
    else:
        assert measured[name] == pytest.approx(value * factor, rel=tolerance), f"test {test}"


def test_the_third_test_staged_what_its_queues_did_not_spill() -> None:
    """Below the threshold everything goes through the staging table, and the destination pays for it in redo."""
    below, above = _published()[300_000, 300_000, 100_100], _published()[300_000, 300_000, 500_100]
    assert (below["staged_messages"], above["staged_messages"]) == (299_900, 0)
    assert below["destination_redo"] > above["destination_redo"]
    assert above["source_redo"] > below["source_redo"]
    assert 0.4 < above["source_pool"] < 0.5


def test_the_slow_stage_is_named() -> None:
    """Small transactions: the reader sets the pace; a large one: the server that applies it; never the capture."""
    small, large = _published()[1_000_000, 500, 100_000], _published()[300_000, 300_000, 500_100]
    stages = ("limited_by_capture", "limited_by_propagation", "limited_by_reader", "limited_by_servers")
    assert max(stages, key=small.__getitem__) == "limited_by_reader"
    assert max(stages, key=large.__getitem__) == "limited_by_servers"
    assert small["reader_busy"] > 0.8 > small["servers_busy"]
    assert small["capture_held"] > 0.15


@cache
def _spilling() -> LabRun:
    plan = replace(_large((100_000, 500_000), 300_000), design=Design(blocks=2, confirm_blocks=2))
    return run_on_lab(FAMILY, plan)


def test_the_published_conclusion_is_advised_with_its_price() -> None:
    """A higher threshold is shown to be faster, with spills, redo and what "no spill" means beside it."""
    run = _spilling()
    run.assert_restored("spill threshold")
    said = run.advise()
    found = {finding.rule: finding for finding in said.findings}
    assert {
        "spill-threshold-raise",
        "spill-threshold-stages-all",
        "spill-threshold-five-minutes",
        "spill-threshold-no-spill-but-staged",
        "streams-flow-control-is-a-symptom",
        "apply-one-server-for-one-transaction",
    } <= set(found)
    raised = found["spill-threshold-raise"]
    assert (raised.from_value, raised.to_value) == (100_000, 500_000)
    assert "redo" in raised.because.casefold()
    assert "spill-threshold-lower" not in found
    facts: dict[str, FactValue] = {name: value for name, value, _unit in found["spill-threshold-five-minutes"].facts}
    assert float(facts["spilled_source_best"]) > 1_000
    assert found["streams-flow-control-is-a-symptom"].figure.endswith("/stages")


def test_more_servers_help_until_the_reader_is_the_limit() -> None:
    """Many small transactions: four servers beat one; from there on the reader works all the time."""
    plan = replace(
        _plan("PARALLELISM", (1, 4, 8), rows=200_000, rows_per_commit=500), design=Design(blocks=2, confirm_blocks=2)
    )
    said = run_on_lab(FAMILY, plan).advise()
    best = [c for c in said.comparisons if c.verdict is Verdict.IMPROVEMENT]
    assert {int(c.candidate["PARALLELISM"]) for c in best} <= {4, 8}
    assert best
    assert "apply-parallelism-set" in {finding.rule for finding in said.findings}


@pytest.mark.parametrize("parameter", FAMILY.parameters, ids=[parameter.name for parameter in FAMILY.parameters])
def test_every_parameter_is_set_and_put_back(parameter: Parameter) -> None:
    """Two levels each, on a release that has it: read back before the load, and as it was found at the end."""
    levels: tuple[Value, ...] = parameter.levels[:2]
    if parameter.name == "COMMIT_SERIALIZATION":
        levels = ("FULL", "NONE")
    if parameter.name == "streams_pool_size":
        levels = (3 * 1024**3, 5 * 1024**3)
    run = run_on_lab(FAMILY, _plan(parameter.name, levels, confirm_hidden="yes"), noise=False)
    run.assert_restored(parameter.name)
    assert run.end.status is RunStatus.SUCCEEDED
    assert [trial.status for trial in run.trials] == [TrialStatus.USED, TrialStatus.USED]
    name = parameter.name.removeprefix("CAPTURE_")
    changed = [event.change for event in run.events if isinstance(event, ChangeApplied)]
    assert any(name in change.subject or "latency" in change.subject for change in changed)


@pytest.mark.parametrize("parameter", FAMILY.parameters, ids=[parameter.name for parameter in FAMILY.parameters])
def test_a_parameter_agrees_with_what_is_documented(parameter: Parameter) -> None:
    """Limits, and a default where one is documented for some release; hidden ones have a risk of their own."""
    component = (
        "capture" if parameter.name in ("CAPTURE_PARALLELISM", "_SGA_SIZE", "_CHECKPOINT_FREQUENCY") else "apply"
    )
    component = {"streams_pool_size": "server", "LATENCY": "propagation"}.get(parameter.name, component)
    wanted = (parameter.name.removeprefix("CAPTURE_"), component)
    documented = json.loads((FACTS / "parameters.json").read_text(encoding="utf-8"))["parameters"]
    [page] = [p for p in documented if (p["name"], p["component"]) == wanted]
    if not parameter.choices:
        assert parameter.low == (1 if page["min"] is None else int(page["min"]))
    if isinstance(page["max"], int):
        assert parameter.high == page["max"]
    defaults = {str(entry["value"]).split()[0] for entry in page["default"] if entry["value"] is not None}
    assert not defaults or str(parameter.default) in defaults
    assert page["hidden"] is parameter.name.startswith("_")
    assert bool(risk_of(parameter.name)) is page["hidden"]


def test_a_parameter_has_one_open_change_at_most() -> None:
    """Levels that alternate over blocks leave one step to undo, back to the value that was found."""
    plan = replace(
        _plan("TXN_LCR_SPILL_THRESHOLD", (20_000, 30_000)), design=Design(blocks=3, confirm_blocks=0, further_blocks=0)
    )
    run = run_on_lab(FAMILY, plan, noise=False)
    open_now, most = 0, 0
    for event in run.events:
        if isinstance(event, ChangeApplied | ChangeRestored) and "SPILL_THRESHOLD" in event.change.subject:
            open_now += 1 if isinstance(event, ChangeApplied) else -1
            most = max(most, open_now)
            assert event.change.original == "100000"
    assert (most, open_now) == (1, 0)


def test_a_hidden_parameter_needs_its_own_confirmation() -> None:
    """Without confirm_hidden the run is refused with the risk; with it every change still names the risk."""
    target = open_lab("streams-2009")
    plan = _plan("_CMPKEY_ONLY", ("N", "Y"))
    with pytest.raises(BadInput, match=r"hidden parameters.*go unnoticed.*confirm_hidden"):
        prepare_run(plan, FAMILY, target, "plan.toml")
    run = run_on_lab(FAMILY, _plan("_CMPKEY_ONLY", ("N", "Y"), confirm_hidden="yes"), noise=False)
    hidden = [e.change for e in run.events if isinstance(e, ChangeApplied) and "_CMPKEY_ONLY" in e.change.subject]
    assert hidden
    assert all("hidden" in change.needs_consent for change in hidden)


def test_confirm_hidden_may_be_written_as_true() -> None:
    """TOML's true stands for yes, and is written back as a word."""
    field = next(field for field in FAMILY.load_fields if field.name == "confirm_hidden")
    assert field.check(True, "plan.toml") == "yes"
    assert field.check(False, "plan.toml") == "no"
    assert 'confirm_hidden = "yes"' in dump_plan(_plan("_CMPKEY_ONLY", ("N", "Y"), confirm_hidden="yes"), FAMILY)


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        (_plan("COMMIT_SERIALIZATION", ("DEPENDENT_TRANSACTIONS", "FULL")), "11.2"),
        (_plan("streams_pool_size", (1, 4 * 1024**3)), "in use"),
        (_plan("PARALLELISM", (1, 4), path="NOWHERE"), "no Streams path NOWHERE"),
    ],
    ids=["release", "pool in use", "path"],
)
def test_what_cannot_be_set_or_put_back_is_refused(plan: Plan, why: str) -> None:
    """Before anything is changed, with the reason."""
    with pytest.raises(BadInput, match=why):
        prepare_run(plan, FAMILY, open_lab("streams-2009"), "plan.toml")


def _lab_with(trouble: str) -> Target:
    target = open_lab("streams-2009", noise=False)
    lab = streams_port(target)._session._transport._server.state.lab  # type: ignore[attr-defined]  # the lab behind the port
    if trouble == "stopped":
        lab.stop_apply()
    if trouble == "aborted":
        lab.abort_apply(26714, "ORA-26714: User error encountered while applying")
    if trouble == "error":
        lab.fail_next_transaction(1, "ORA-00001: unique constraint violated")
        lab.write(Workload("insert", 10, 10))
    target.clock.sleep(300.0)
    return target


@pytest.mark.parametrize(
    ("trouble", "title"), [("stopped", "is enabled"), ("aborted", "is enabled"), ("error", "error queue is empty")]
)
def test_a_pipeline_in_trouble_is_not_experimented_on(trouble: str, title: str) -> None:
    """A disabled or aborted apply and an error queue forbid the run, and the check says what to do first."""
    target = _lab_with(trouble)
    checks = check_run(SMALL, FAMILY, target, "plan.toml").checks
    failed = [check for check in checks if check.blocking and not check.passed]
    assert failed
    assert all(title in check.title and check.remedy.endswith(".") for check in failed)
    with pytest.raises(BadInput, match=title):
        prepare_run(SMALL, FAMILY, target, "plan.toml")


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        (Limits.of(streams_pool_share=0.001), "Streams pool reached"),
        (Limits.of(latency_s=5.0), "source commit to apply reached"),
        (Limits.of(trial_duration_s=10.0), "duration of the trial reached"),
    ],
    ids=["pool", "latency", "duration"],
)
def test_an_abort_rule_ends_the_trial_and_lets_the_rows_arrive(limits: Limits, why: str) -> None:
    """The trial is kept as aborted with the reason; the table is dropped only when nothing is under way any more."""
    run = run_on_lab(FAMILY, replace(SMALL, limits=limits), noise=False)
    run.assert_restored(why)
    assert run.end.status is RunStatus.ABORTED
    assert why in run.end.reason
    assert [trial.status for trial in run.trials] == [TrialStatus.ABORTED]
    settled = next(i for i, e in enumerate(run.events) if isinstance(e, StepStarted) and "under way" in e.text)
    restored = next(i for i, e in enumerate(run.events) if isinstance(e, ChangeRestored))
    assert settled < restored


def test_an_apply_that_aborts_ends_the_run_and_is_told() -> None:
    """The reason says that the apply process is aborted; its parameters are put back, and it is started again."""
    aborting: list[bool] = []

    def wrap(target: Target) -> Target:
        lab = streams_port(target)._session._transport._server.state.lab  # type: ignore[attr-defined]  # behind the port
        sample = streams_port(target).sample

        def watched(path: StreamsPath) -> StreamsSample:
            now = sample(path)
            if now.received and not aborting:
                aborting.append(True)
                lab.abort_apply(26714, "ORA-26714: User error encountered while applying")
            return now

        streams_port(target).sample = watched  # type: ignore[method-assign]  # a fault that no statement has
        return target

    run = run_on_lab(FAMILY, _plan("PARALLELISM", (1, 8), rows=20_000), noise=False, wrap=wrap)
    assert aborting
    assert run.end.status is RunStatus.FAILED
    assert "STREAMS_APPLY was aborted by an error during the trial" in run.end.reason
    run.assert_restored("apply aborted")


def test_a_trace_is_begun_and_ended_around_a_few_updates() -> None:
    """After the measured load; the change is taken back at once, and the table has what is updated."""
    plan = _plan("_DYNAMIC_STMTS", ("N", "Y"), operation="update", confirm_hidden="yes", trace_10046="yes")
    run = run_on_lab(FAMILY, plan, noise=False)
    run.assert_restored("trace")
    kinds = [
        type(event).__name__
        for event in run.events
        if isinstance(event, ChangeApplied | ChangeRestored) and "trace" in event.change.subject
    ]
    assert kinds == ["ChangeApplied", "ChangeRestored"] * 2


class _Dba:
    """Runs what a run asks for, as the client's DBA would."""

    def __init__(self, target: Target) -> None:
        self.titles: list[str] = []
        self._target = target
        self._known: dict[str, tuple[Change, bool]] = {}

    def is_applied(self, change: Change) -> bool:
        """Learn the change's scripts, and read as the server does."""
        self._learn(change)
        return self._target.changes.is_applied(change)

    def is_undone(self, change: Change) -> bool:
        """Learn the change's scripts, and read as the server does."""
        self._learn(change)
        return self._target.changes.is_undone(change)

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Plan as the server does."""
        return self._target.changes.plan_quiesce(changes)

    def process_of(self, change: Change) -> OfProcess | None:
        """Learn the change's scripts, and tell as the server does."""
        self._learn(change)
        return self._target.changes.process_of(change)

    def run_of(self, change: Change) -> str:
        """Read as the server does."""
        return self._target.changes.run_of(change)

    def run(self, request: HandRequest) -> None:
        """Run a script."""
        self.titles.append(request.title)
        for change, undo in done_by(request.script, self._known):
            (self._target.changes.undo if undo else self._target.changes.apply)(change)

    def _learn(self, change: Change) -> None:
        # two trials put the same original back with the same text: what is meant is the change looked at last
        self._known[change.undo_sql] = (change, True)
        self._known[change.apply_sql] = (change, False)


def test_in_guided_mode_somebody_else_stops_sets_and_starts() -> None:
    """Every change, and every stop and start of the apply process, is asked for; the run ends well and restored."""
    made: list[_Dba] = []

    def wrap(target: Target) -> Target:
        dba, desk = _Dba(target), HandDesk(0.0)
        made.append(dba)
        desk.attach(dba.run, lambda _request: None)
        return by_hand_of(FAMILY, target, desk, "DST", lambda _changes: cast(ServerChanges, dba))

    plan = _plan("TXN_LCR_SPILL_THRESHOLD", (20_000, 30_000))
    run = run_on_lab(FAMILY, plan, noise=False, wrap=wrap)
    assert run.end.status is RunStatus.SUCCEEDED
    assert run.end.not_restored == ()
    [dba] = made
    assert any("Stop " in title for title in dba.titles)
    assert sum("Start " in title for title in dba.titles) >= 2
    assert any("SPILL_THRESHOLD" in title for title in dba.titles)


@pytest.mark.parametrize(
    ("begun", "at", "is_waited"),
    [
        (["Insert"], SamplesTaken, True),
        (["Insert", "Insert"], SamplesTaken, True),
        (["Insert"], StepStarted, False),
        (["Insert", "Create"], StepStarted, False),
    ],
)
def test_a_cancel_while_rows_are_written_waits_for_them(begun: list[str], at: type, *, is_waited: bool) -> None:
    """The rows written so far are applied before the table goes, and no error is left behind; where none are under way,
    nothing is waited for."""
    seen, left = list[str](), list(begun)

    def make(control: RunControl) -> object:
        def watch(event: RunEvent) -> None:
            if isinstance(event, StepStarted):
                seen.append(event.text)
                if left and event.text.startswith(left[0]):
                    del left[0]
            if not left and isinstance(event, at):
                control.cancel()

        return watch

    run = run_on_lab(FAMILY, SMALL, noise=False, make_sink=make)  # type: ignore[arg-type]  # a sink is a callable
    run.assert_restored("cancelled while writing")
    assert run.end.status is RunStatus.CANCELLED
    assert any(text.startswith("Wait until the rows under way") for text in seen) is is_waited


@pytest.mark.parametrize("limits", [Limits(), FAMILY.default_plan().limits, Limits.of(latency_s=30.0)])
def test_a_plan_file_keeps_its_limits(tmp_path: Path, limits: Limits) -> None:
    """What is written is read back, no limit on the pool among it."""
    path = tmp_path / "plan.toml"
    path.write_text(dump_plan(replace(FAMILY.default_plan(), limits=limits), FAMILY), encoding="utf-8")
    read = load_plan(path, {FAMILY.family_id: FAMILY}).limits
    assert read == limits.but(trial_duration_s=14_400.0)


def test_a_plan_file_that_names_no_limits_has_those_of_streams(tmp_path: Path) -> None:
    """The pool is guarded; limits on what no reading of a pipeline shows are not claimed."""
    path = tmp_path / "plan.toml"
    path.write_text('family = "streams_apply"\n[factors]\nPARALLELISM = [1, 4]\n', encoding="utf-8")
    limits = load_plan(path, {FAMILY.family_id: FAMILY}).limits
    assert dict(limits) == {"streams_pool_share": 0.95, "trial_duration_s": 14_400.0}


def test_a_plan_file_may_take_the_guard_of_the_pool_away(tmp_path: Path) -> None:
    """None is a limit like any other, where somebody writes it."""
    path = tmp_path / "plan.toml"
    text = 'family = "streams_apply"\n[factors]\nPARALLELISM = [1, 4]\n[limits]\nstreams_pool_share = "none"\n'
    path.write_text(text, encoding="utf-8")
    assert load_plan(path, {FAMILY.family_id: FAMILY}).limits.get("streams_pool_share") is None


def test_the_shipped_lab_is_the_published_site() -> None:
    """The scenario these runs use ships with the program."""
    assert (resource_path("lab") / "streams-2009.toml").is_file()
