"""The plan as a form: every field, every error, and the plan it makes."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.limits import Limits
from app.domain.plan import Design, Factor, Plan, Stop
from app.domain.server import EffectiveParameter
from app.domain.setting import Setting
from app.flows.plan.plan_fields import FieldKind, Section, section_title
from app.flows.plan.plan_form import PlanForm, plan_form
from app.services.plan.completing import server_limits
from app.services.plan.plan_file import check_factors
from app.systems.transactional_replication.load import Scenario, WorkloadSpec, workload_of
from tests.unit.flows.sites import family, site

_FAMILIES = ("log_reader", "distribution_agent", "wan_delivery")


def _form(family_id: str = "distribution_agent") -> PlanForm:
    return plan_form(family(family_id), site(family_id))


def _error(form: PlanForm, field_id: str) -> str:
    return form.field(field_id).error


@pytest.mark.parametrize("family_id", _FAMILIES)
def test_a_new_form_makes_the_familys_plan_with_the_baseline_in_effect(family_id: str) -> None:
    """Nothing typed: the family's own levels, workload and design, judged against what is in effect."""
    plan = _form(family_id).to_plan()
    default = family(family_id).default_plan()
    assert plan is not None
    assert (plan.factors, workload_of(plan.load), plan.design, plan.limits) == (
        default.factors,
        workload_of(default.load),
        default.design,
        default.limits,
    )
    in_effect = {name: int(site(family_id).parameters[name].value) for name in plan.baseline}
    assert dict(plan.baseline) == in_effect


def test_the_baseline_is_what_the_server_says_not_the_vendors_default() -> None:
    """A server tuned before is compared with what it does now."""
    read = site("log_reader")
    tuned = replace(read.parameters["ReadBatchSize"], value="2500", origin="profile")
    form = plan_form(family("log_reader"), replace(read, parameters={**read.parameters, "ReadBatchSize": tuned}))
    plan = form.to_plan()
    assert plan is not None
    assert dict(plan.baseline) == {"ReadBatchSize": 2500}
    assert form.field("baseline.ReadBatchSize").hint == "in effect: 2,500 (agent profile)"


def test_what_the_lab_does_not_simulate_is_said_beside_its_switch() -> None:
    """On the lab it makes no plan; a server that was read has every parameter."""
    read = site("log_reader")
    assert read.simulated is not None
    lab = replace(read, simulated=read.simulated - {"PollingInterval"})
    untouched = plan_form(family("log_reader"), lab)
    form = untouched.enter("vary.PollingInterval", "on")
    assert untouched.to_plan() is not None
    assert form.to_plan() is None
    assert _error(form, "vary.PollingInterval") == (
        "The lab does not simulate PollingInterval; vary another parameter, or measure on a server."
    )
    server = replace(lab, simulated=None)
    assert plan_form(family("log_reader"), server).enter("vary.PollingInterval", "on").to_plan() is not None


def test_without_a_reading_the_vendors_defaults_stand_in() -> None:
    """A form can be filled in before any target was read."""
    form = plan_form(family("log_reader"), None)
    plan = form.to_plan()
    assert plan is not None
    assert dict(plan.baseline) == {"ReadBatchSize": 500}
    assert form.field("baseline.ReadBatchSize").hint == "vendor's default: 500"
    assert form.field("workload.agent_pairs").hint == "1 to 64"


def test_every_section_has_fields_and_a_title() -> None:
    """Factors, workload, design and limits are all there, each field with a label, a help and a spoken name."""
    form = _form()
    for section in Section:
        assert section_title(section, form.family.load_title)
        assert form.in_section(section)
    assert all(field.label and field.help and field.spoken for field in form.fields)
    assert len({field.field_id for field in form.fields}) == len(form.fields)


def test_parameters_not_varied_hide_their_fields() -> None:
    """Levels and baseline show once a parameter is ticked, with the levels its family suggests."""
    form = _form()
    assert not form.field("levels.CommitBatchSize").is_shown
    ticked = form.enter("vary.CommitBatchSize", "on")
    assert ticked.field("levels.CommitBatchSize").is_shown
    assert ticked.field("levels.CommitBatchSize").text == "100; 150; 200; 250; 500; 1,000"
    plan = ticked.to_plan()
    assert plan is not None
    assert [factor.name for factor in plan.factors] == ["SubscriptionStreams", "CommitBatchSize"]
    assert set(plan.baseline) == {"SubscriptionStreams", "CommitBatchSize"}


def test_none_or_three_parameters_cannot_be_varied() -> None:
    """The sentence stands beside the switch, and there is no plan."""
    none = _form().enter("vary.SubscriptionStreams", "off")
    assert "one or two" in _error(none, "vary.CommitBatchSize")
    assert none.to_plan() is None
    three = _form().enter("vary.CommitBatchSize", "on").enter("vary.CommitBatchThreshold", "on")
    assert "untick" in _error(three, "vary.SubscriptionStreams")
    assert three.to_plan() is None


@pytest.mark.parametrize(
    ("field_id", "text", "says"),
    [
        ("levels.SubscriptionStreams", "1", "at least two"),
        ("levels.SubscriptionStreams", "", "at least two"),
        ("levels.SubscriptionStreams", "1, 8, 1", "1 is given twice"),
        ("levels.SubscriptionStreams", "1, 65", "1 to 64 connections (documented limits), not 65"),
        ("levels.SubscriptionStreams", "0, 8", "not 0"),
        ("levels.SubscriptionStreams", "1, many", '"many" is not a whole number'),
        ("baseline.SubscriptionStreams", "100", "1 to 64"),
        ("baseline.SubscriptionStreams", "", "whole number"),
        ("workload.commands", "0", "1 to 100,000,000 commands"),
        ("workload.commands", "1.5", "not a whole number"),
        ("workload.commands_per_transaction", "0.5", "1 to 1,000,000"),
        ("workload.commands_per_transaction", "", "Type a number"),
        ("workload.agent_pairs", "4", "the publication databases of this Distributor"),
        ("design.blocks", "0", "1 to 100 blocks"),
        ("design.blocks", "101", "1 to 100 blocks"),
        ("design.confirm_blocks", "-1", "0 to 100"),
        ("design.minimum_effect", "0", "more than 0, less than 100 %"),
        ("design.minimum_effect", "100", "more than 0, less than 100 %"),
        ("design.noise_cv", "-3", "more than 0"),
        ("design.seed", "-1", "at least 0"),
        ("limits.latency_s", "0", "more than 0 s"),
        ("limits.pending_commands", "0.5", "not a whole number"),
        ("limits.log_used_share", "101", "at most 100 %"),
        ("limits.lock_wait_share", "x", "not a number"),
        ("limits.free_disk_gb", "-1", "more than 0 GB"),
        ("limits.trial_duration_s", "", "Type a number"),
    ],
)
def test_a_mistake_is_told_beside_its_field(field_id: str, text: str, says: str) -> None:
    """Each field says itself what is wrong with its text; the form has no plan, and no other field complains."""
    form = _form().enter(field_id, text)
    assert says in _error(form, field_id)
    assert [field.field_id for field in form.errors] == [field_id]
    assert form.to_plan() is None


def test_a_mistake_put_right_leaves_no_trace() -> None:
    """The form is a value: typing the old text again gives the old plan."""
    form = _form()
    assert form.enter("design.blocks", "x").enter("design.blocks", "3").to_plan() == form.to_plan()


def test_the_servers_own_limits_go_first() -> None:
    """Where the server allows less than the documentation, the field says so."""
    read = site("distribution_agent")
    own = EffectiveParameter("SubscriptionStreams", "1", "default", "1", 0, 8, "connections")
    narrow = replace(read, parameters={**read.parameters, "SubscriptionStreams": own})
    form = plan_form(family("distribution_agent"), narrow)
    assert "1 to 8 connections (this server's own limits), not 16" in _error(form, "levels.SubscriptionStreams")
    assert form.field("levels.SubscriptionStreams").hint == "1 to 8, this server's own limits"


def test_scenario_decides_which_fields_show() -> None:
    """A backlog has a size, a steady load a length and, where it is not saturated, a rate."""
    drained = _form()
    assert drained.field("workload.commands").is_shown
    assert not drained.field("workload.duration_s").is_shown
    steady = drained.enter("workload.scenario", "continuous")
    assert not steady.field("workload.commands").is_shown
    assert steady.field("workload.duration_s").is_shown
    assert not steady.field("workload.rate_per_s").is_shown
    rated = steady.enter("workload.rate", "rate")
    assert "Type a number" in _error(rated, "workload.rate_per_s")
    plan = rated.enter("workload.rate_per_s", "2500,5").enter("workload.duration_s", "25").to_plan()
    assert plan is not None
    assert workload_of(plan.load).scenario is Scenario.CONTINUOUS
    assert (workload_of(plan.load).rate_per_s, workload_of(plan.load).duration_s) == (2500.5, 1500.0)
    saturated = steady.to_plan()
    assert saturated is not None
    assert workload_of(saturated.load).rate_per_s is None


def test_a_mistake_in_a_hidden_field_does_not_matter() -> None:
    """What does not count is not complained about, and the value from before stands in the plan."""
    form = _form().enter("workload.commands", "none").enter("workload.scenario", "continuous")
    plan = form.to_plan()
    assert form.errors == ()
    assert plan is not None
    assert workload_of(plan.load).commands == 1_000_000


def test_sizes_may_be_one_mean_or_a_range() -> None:
    """A range has a smallest and a largest size, in this order."""
    form = (
        _form()
        .enter("workload.sizes", "range")
        .enter("workload.commands_per_transaction_low", "500")
        .enter("workload.commands_per_transaction_high", "1000")
    )
    plan = form.to_plan()
    assert plan is not None
    assert workload_of(plan.load).commands_per_transaction == (500.0, 1000.0)
    swapped = form.enter("workload.commands_per_transaction_high", "400")
    assert _error(swapped, "workload.commands_per_transaction_high") == "Must be at least the smallest size, 500."
    bad_low = swapped.enter("workload.commands_per_transaction_low", "x")
    assert [field.field_id for field in bad_low.errors] == ["workload.commands_per_transaction_low"]


def test_a_transaction_must_fit_the_backlog() -> None:
    """A transaction larger than the whole backlog could not be written; without a backlog there is no such limit."""
    form = _form().enter("workload.commands", "100").enter("workload.commands_per_transaction", "500")
    assert "whole backlog" in _error(form, "workload.commands_per_transaction")
    assert form.enter("workload.scenario", "continuous").to_plan() is not None
    assert [f.field_id for f in form.enter("workload.commands", "x").errors] == ["workload.commands"]


def test_empty_optional_fields_mean_none() -> None:
    """No limit, and no known noise, are said by leaving the field empty."""
    form = _form()
    for name in ("log_used_share", "free_disk_gb"):
        form = form.enter(f"limits.{name}", " ")
    plan = form.to_plan()
    assert plan is not None
    assert plan.limits == Limits.of(trial_duration_s=14_400.0)
    assert form.field("limits.log_used_share").when_empty == "no limit"
    assert plan.design.noise_cv is None


def test_shares_are_typed_in_percent_and_exact() -> None:
    """7 % is 0.07, not 0.07000000000000001."""
    form = _form().enter("design.minimum_effect", "7").enter("design.noise_cv", "3,5")
    form = form.enter("limits.log_used_share", "35")
    plan = form.to_plan()
    assert plan is not None
    assert (plan.design.minimum_effect, plan.design.noise_cv, plan.limits["log_used_share"]) == (0.07, 0.035, 0.35)


def test_race_is_a_choice() -> None:
    """The design may race instead of running a fixed number of blocks."""
    plan = _form().enter("design.stop", "race").to_plan()
    assert plan is not None
    assert plan.design.stop is Stop.RACE


def test_only_fields_and_options_that_exist_can_be_entered() -> None:
    """A field or option nobody offers is a mistake of the program."""
    with pytest.raises(KeyError):
        _form().enter("design.colour", "red")
    with pytest.raises(ValueError, match="blocks, race"):
        _form().enter("design.stop", "never")


def test_kinds_of_fields() -> None:
    """Each kind of field is used, and a choice offers what it shows."""
    form = _form()
    assert {field.kind for field in form.fields} == set(FieldKind) - {FieldKind.TICKS}
    for field in form.fields:
        if field.kind is FieldKind.CHOICE:
            assert field.text in {option.option_id for option in field.options}


_LEVELS = st.lists(st.integers(1, 64), min_size=2, max_size=5, unique=True).map(tuple)
_SHARE = st.floats(1e-6, 0.999999)
_POSITIVE = st.floats(1e-6, 1e9)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Draw a plan of the Distribution Agent that its family accepts."""
    names = draw(st.permutations(["SubscriptionStreams", "CommitBatchSize", "CommitBatchThreshold"]))
    factors = tuple(Factor(name, draw(_LEVELS)) for name in names[: draw(st.integers(1, 2))])
    low = draw(st.floats(1, 1_000))
    return Plan(
        "distribution_agent",
        factors,
        Setting.from_mapping({factor.name: draw(st.integers(1, 64)) for factor in factors}),
        WorkloadSpec(
            commands_per_transaction=draw(st.sampled_from([(low, low), (low, low * 2)])),
            commands=draw(st.integers(2_000, 100_000_000)),
            scenario=draw(st.sampled_from(Scenario)),
            duration_s=draw(st.floats(60, 86_400)),
            rate_per_s=draw(st.none() | _POSITIVE),
            agent_pairs=draw(st.integers(1, 3)),
        ).to_load(),
        Design(
            stop=draw(st.sampled_from(Stop)),
            blocks=draw(st.integers(1, 100)),
            confirm_blocks=draw(st.integers(0, 100)),
            minimum_effect=draw(_SHARE),
            seed=draw(st.integers(0, 10**20)),
            noise_cv=draw(st.none() | _SHARE),
        ),
        Limits.of(
            latency_s=draw(st.none() | _POSITIVE),
            pending_commands=draw(st.none() | st.integers(1, 10**20)),
            log_used_share=draw(st.none() | st.floats(1e-6, 1)),
            lock_wait_share=draw(st.none() | _POSITIVE),
            free_disk_gb=draw(st.none() | _POSITIVE),
            trial_duration_s=draw(_POSITIVE),
        ),
    )


@given(plans())
@settings(max_examples=60)
def test_a_plan_put_into_the_form_comes_out_the_same(plan: Plan) -> None:
    """The form loses nothing of a plan: not a digit, not the order of the factors."""
    chosen = family("distribution_agent")
    form = plan_form(chosen, site("distribution_agent"), plan)
    assert [(field.field_id, field.text, field.error) for field in form.errors] == []
    assert form.to_plan() == plan


_TEXT = st.one_of(
    st.sampled_from(["", "0", "1", "-1", "2.5", "1,5", "1,500", "1, 8", "on", "99999", "x", "1 2 3", "64, 65"]),
    st.text(max_size=12),
)


@given(st.lists(st.tuples(st.integers(0, 200), _TEXT), max_size=8))
@settings(max_examples=60)
def test_whatever_is_typed_a_plan_without_errors_fits_the_family_and_the_server(typed: list[tuple[int, str]]) -> None:
    """Any typing gives errors beside fields, or a plan that the checks of a run accept."""
    form = _form()
    for number, text in typed:
        field = form.fields[number % len(form.fields)]
        options = [option.option_id for option in field.options] or (
            ["on", "off"] if field.kind is FieldKind.SWITCH else [text]
        )
        form = form.enter(field.field_id, options[number % len(options)])
    plan = form.to_plan()
    assert (plan is None) == bool(form.errors)
    if plan is not None:
        check_factors(plan, form.family, server_limits(site("distribution_agent")), "form")
