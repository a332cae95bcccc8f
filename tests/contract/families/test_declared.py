"""What a family says of itself: parameters with documented limits, measures, plan, steps, texts."""

from dataclasses import replace

import pytest

from app.analysis.plan_settings import plan_settings
from app.domain.condition import Condition
from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily
from app.domain.load import complete_load
from app.domain.plan import Plan
from app.domain.setting import Parameter, Setting, plain
from app.domain.step import Step
from app.domain.units import dimension_of
from app.services.explain.importing import columns_of
from app.services.explain.importing.columns import NOTE, PHASE, SOURCE, VALUE
from app.services.plan.plan_file import check_factors
from app.systems.transactional_replication.load import Scenario, workload_of
from app.systems.transactional_replication.rig.backlog import MeasureBacklog, WriteBacklog
from app.systems.transactional_replication.rig.stream import MeasureStream
from app.systems.transactional_replication.rig.switching import Configure, StartAgents, StopAgents
from app.systems.transactional_replication.rig.window import MeasureWindow
from app.systems.transactional_replication.subjects import DISTRIBUTION, LOG_READER
from tests.contract.families.lab_runs import AGENT_FAMILIES, FAMILIES, scenarios_of, small_plan
from tests.facts.sqlserver import read_facts

PARAMETERS = [(family, parameter) for family in FAMILIES.values() for parameter in family.parameters]
COMPONENTS = {LOG_READER: "log_reader_agent", DISTRIBUTION: "distribution_agent"}

NUMBER_PARAMETERS = [(family, parameter) for family, parameter in PARAMETERS if not parameter.choices]
CHOICE_PARAMETERS = [(family, parameter) for family, parameter in PARAMETERS if parameter.choices]

every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))
every_agent_family = pytest.mark.parametrize("family", AGENT_FAMILIES.values(), ids=list(AGENT_FAMILIES))
every_number = pytest.mark.parametrize(
    ("family", "parameter"),
    NUMBER_PARAMETERS,
    ids=[f"{family.family_id}-{parameter.name}" for family, parameter in NUMBER_PARAMETERS],
)
every_choice = pytest.mark.parametrize(
    ("family", "parameter"),
    CHOICE_PARAMETERS,
    ids=[f"{family.family_id}-{parameter.name}" for family, parameter in CHOICE_PARAMETERS],
)
every_scenario = pytest.mark.parametrize(
    ("family", "scenario"),
    [(family, one) for family in AGENT_FAMILIES.values() for one in scenarios_of(family)],
    ids=[f"{name}-{one}" for name, family in AGENT_FAMILIES.items() for one in scenarios_of(family)],
)


@every_family
def test_a_family_introduces_itself(family: ExperimentFamily) -> None:
    """Its id is its folder, its texts are sentences, its needs are capabilities."""
    assert FAMILIES[family.family_id] is family
    assert family.version >= 1
    assert family.title.strip()
    assert not family.title.endswith(".")
    assert "?" in family.question
    assert family.question.endswith(".")
    assert family.needs
    assert family.needs <= set(family.system.capabilities)
    assert family.subject in family.system.lab.simulated


@every_family
def test_measures_have_units_and_the_main_ones_are_among_them(family: ExperimentFamily) -> None:
    """Every metric has a known unit and a name of its own; a claim is made about measured metrics only."""
    assert len({metric.name for metric in family.metrics}) == len(family.metrics)
    assert all(dimension_of(metric.unit) and metric.title for metric in family.metrics)
    assert family.main_metrics
    assert set(family.main_metrics) <= set(family.metrics)
    assert family.backlog_elsewhere is None or family.backlog_elsewhere.commands > 0


@every_family
def test_what_stands_in_for_a_main_measure_is_another_one(family: ExperimentFamily) -> None:
    """Each has a title and a name of its own, and is none of the main ones."""
    judged_by = (*family.main_metrics, *family.stand_in_metrics)
    assert len({metric.name for metric in judged_by}) == len(judged_by)
    assert all(metric.title and metric.unit for metric in judged_by)


@every_family
def test_another_name_means_one_thing(family: ExperimentFamily) -> None:
    """No word that people use stands for two measures, two columns or two choices of a family."""
    declared = columns_of(family)
    columns: tuple[Parameter | Condition, ...] = (*declared.parameters, *declared.conditions)
    kinds: list[list[tuple[str, tuple[str, ...]]]] = [
        [(metric.name, metric.called) for metric in (*declared.judged_by, *declared.others)],
        [(column.name, column.called) for column in columns],
        *(list(zip(p.choices, p.choices_called, strict=True)) for p in declared.parameters if p.choices_called),
    ]
    for kind in kinds:
        words = [word for name, called in kind for word in {plain(text) for text in (name, *called)}]
        assert sorted(words) == sorted(set(words))


@every_family
def test_no_condition_is_called_as_a_column_of_every_file(family: ExperimentFamily) -> None:
    """Such as the source a value was found in."""
    assert not {condition.name for condition in columns_of(family).conditions} & {SOURCE, NOTE, PHASE, VALUE}


@every_number
def test_a_parameter_is_consistent(family: ExperimentFamily, parameter: Parameter) -> None:
    """Default and levels lie within the limits, levels ascend, and unit, help and source are there."""
    assert parameter.check(parameter.default, "default") == parameter.default
    assert [parameter.check(level, "level") for level in parameter.levels] == sorted(set(parameter.levels))
    assert len(parameter.levels) > 1
    assert dimension_of(parameter.unit)
    assert parameter.help.endswith(".")
    assert parameter.source
    for limit, step in ((parameter.low, -1), (parameter.high, 1)):
        if limit is not None:
            with pytest.raises(BadInput, match=parameter.name):
                parameter.check(limit + step, "beyond")


@every_choice
def test_a_choice_is_consistent(family: ExperimentFamily, parameter: Parameter) -> None:
    """Default and levels are among the choices, each once; no other word is taken; help and source are there."""
    assert parameter.default in parameter.choices
    assert len(set(parameter.choices)) == len(parameter.choices) > 1
    assert len(parameter.levels) == len({parameter.check(level, "level") for level in parameter.levels}) > 1
    assert parameter.help.endswith(".")
    assert parameter.source
    with pytest.raises(BadInput, match=parameter.name):
        parameter.check("no such word", "beyond")
    for rule in parameter.same_as_default:
        assert rule.other in {other.name for other in family.parameters} - {parameter.name}
        assert set(rule.values) <= set(parameter.choices) - {parameter.default}


@every_number
def test_a_parameter_agrees_with_the_documentation(family: ExperimentFamily, parameter: Parameter) -> None:
    """Default and limits are the documented ones, wherever the vendor states any."""
    if family.subject not in COMPONENTS:
        pytest.skip("the parameter's documentation is not among the facts of replication agents")
    name, component = f"-{parameter.name}", COMPONENTS[family.subject]
    [page] = [
        p for p in read_facts("parameters.json")["parameters"] if (p["name"], p["component"]) == (name, component)
    ]
    if isinstance(page["default"], int):
        assert parameter.default == page["default"]
    if page["max"] is not None:
        assert parameter.high == page["max"]
    if page["min"] is not None:
        assert parameter.low is not None
        assert parameter.low >= page["min"]


@every_family
def test_every_parameter_is_named_once(family: ExperimentFamily) -> None:
    """A plan names a parameter by its name alone."""
    assert len({parameter.name for parameter in family.parameters}) == len(family.parameters)


@every_family
def test_the_plan_offered_to_a_newcomer_passes_the_checks(family: ExperimentFamily) -> None:
    """It varies known parameters within their limits against a complete baseline, and says how long a trial takes."""
    plan = family.default_plan()
    check_factors(plan, family, {}, "the default plan")
    assert plan.family == family.family_id
    assert set(plan.baseline) == {factor.name for factor in plan.factors}
    assert complete_load(family.load_fields, dict(plan.load), "the default plan") == plan.load
    assert family.main_metric(plan) in family.main_metrics


@every_scenario
def test_a_trial_is_estimated(family: ExperimentFamily, scenario: Scenario) -> None:
    """A rough duration is positive and grows with the work."""
    plan = small_plan(family, scenario)
    more = replace(plan, load=plan.load.but(commands=40_000, duration_s=2_400.0))
    if scenario is Scenario.WINDOWS:
        assert 0 < family.estimate_trial_s(plan) == family.estimate_trial_s(more), "as long as the noise asks for"
        return
    assert 0 < family.estimate_trial_s(plan) < family.estimate_trial_s(more)
    assert family.main_metric(plan) in family.main_metrics


@every_family
def test_every_step_of_every_setting_can_be_told(family: ExperimentFamily) -> None:
    """Steps are the same for the same plan, each in words of its own, for every setting of the plan."""
    plan = small_plan(family)
    for setting in plan_settings(plan, family.parameters):
        steps = _steps(family, plan, setting)
        assert len({step.describe() for step in steps}) == len(steps) > 1
    assert family.estimate_trial_s(plan) > 0


@every_family
def test_what_is_swept_comes_from_the_load(family: ExperimentFamily) -> None:
    """A condition that varies within trials has a unit and a title; where there is none, comparisons need none."""
    for condition in family.swept:
        assert dimension_of(condition.unit)
        assert condition.title
    assert family.compares_all or not family.swept


def _steps(family: ExperimentFamily, plan: Plan, setting: Setting) -> tuple[Step, ...]:
    steps = family.trial_steps(plan, setting)
    assert steps == family.trial_steps(plan, setting), "the same plan gives the same trials"
    return steps


@every_scenario
def test_a_trial_measures_exactly_once(family: ExperimentFamily, scenario: Scenario) -> None:
    """There is one measuring step, of the agent under test, and every step can be told in words."""
    plan = small_plan(family, scenario)
    kind = {Scenario.DRAINED: MeasureBacklog, Scenario.CONTINUOUS: MeasureStream}.get(scenario, MeasureWindow)
    for setting in plan_settings(plan):
        steps = _steps(family, plan, setting)
        [measuring] = [step for step in steps if isinstance(step, MeasureBacklog | MeasureStream | MeasureWindow)]
        assert isinstance(measuring, kind)
        assert measuring.kind == family.subject
        assert len({step.describe() for step in steps}) == len(steps)


@every_scenario
def test_agents_stand_while_they_are_configured(family: ExperimentFamily, scenario: Scenario) -> None:
    """A setting is given between stopping and starting the agent under test, once, and before it is measured."""
    plan = small_plan(family, scenario)
    for setting in plan_settings(plan):
        stands, configured = False, 0
        for step in _steps(family, plan, setting):
            match step:
                case StopAgents(kind) if kind == family.subject:
                    stands = True
                case StartAgents(kind) | MeasureBacklog(kind) if kind == family.subject:
                    assert configured == 1
                    stands = False
                case Configure(kind, wanted):
                    assert stands
                    assert (kind, wanted) == (family.subject, setting)
                    configured += 1
                case MeasureStream():
                    assert configured == 1
        assert configured == 1


@every_agent_family
def test_a_backlog_is_written_before_it_is_measured(family: ExperimentFamily) -> None:
    """A drained trial writes the planned commands, then measures as many."""
    plan = small_plan(family)
    steps = family.trial_steps(plan, plan.baseline)
    [written] = [step for step in steps if isinstance(step, WriteBacklog)]
    [measured] = [step for step in steps if isinstance(step, MeasureBacklog)]
    assert steps.index(written) < steps.index(measured)
    assert written.commands == measured.commands == workload_of(plan.load).commands
    assert written.commands_per_transaction == workload_of(plan.load).commands_per_transaction


@every_agent_family
def test_a_stream_keeps_the_largest_batch_full(family: ExperimentFamily) -> None:
    """A saturated stream holds more commands in front of the agent than one batch of any level takes."""
    plan = small_plan(family, Scenario.CONTINUOUS)
    saturated = replace(plan, load=plan.load.but(rate_per_s=None, commands_per_transaction=(500.0, 1_000.0)))
    [stream] = [s for s in family.trial_steps(saturated, plan.baseline) if isinstance(s, MeasureStream)]
    levels = {factor.name: max(factor.levels, key=float) for factor in plan.factors}
    if "ReadBatchSize" in levels:
        assert stream.ahead_commands >= 2 * int(levels["ReadBatchSize"]) * 750
    assert stream.ahead_commands >= 100_000
    assert stream.rate_per_s is None
