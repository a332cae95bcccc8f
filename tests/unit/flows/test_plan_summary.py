"""What a plan costs and can show, in sentences; plans to begin with."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.analysis.plan_settings import plan_settings
from app.domain.load import Load
from app.domain.plan import Plan
from app.domain.work_source import SOURCE, WorkSource
from app.flows.plan.plan_form import PlanForm, in_time, plan_form
from app.flows.plan.plan_presets import presets
from app.flows.plan.plan_summary import NO_FORM, summarise
from app.foundation.durations import duration_text
from app.services.plan.checking import prepare_run
from app.services.plan.dry_run import make_dry_run
from app.services.plan.plan_outlook import plan_outlook
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.families.log_reader.plan import counter_checks
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.own_work import Waiting
from app.systems.transactional_replication.site import AgentSite
from tests.unit.flows.sites import LAB, family, program, site
from tests.unit.flows.subjects import GROUPS, form_of

NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_FAMILIES = ("log_reader", "distribution_agent", "wan_delivery")


def _form(family_id: str = "log_reader") -> PlanForm:
    return plan_form(family(family_id), site(family_id))


def _plan(form: PlanForm) -> Plan:
    plan = form.to_plan()
    assert plan is not None
    return plan


@pytest.mark.parametrize(
    ("duration_s", "text"),
    [
        (0.2, "1 s"),
        (45, "45 s"),
        (150, "2 min"),
        (35 * 60, "35 min"),
        (4 * 3600 + 11 * 60, "4 h 10 min"),
        (3 * 3600, "3 h"),
        (2 * 86_400, "2 days"),
        (3 * 86_400 + 4 * 3600, "3 days 4 h"),
    ],
)
def test_durations_are_rounded_to_what_one_plans_with(duration_s: float, text: str) -> None:
    """Seconds, minutes, five minutes, hours."""
    assert duration_text(duration_s) == text


@pytest.mark.parametrize("family_id", _FAMILIES)
@pytest.mark.parametrize("stop", ["blocks", "race"])
def test_the_estimate_is_that_of_the_dry_run(family_id: str, stop: str) -> None:
    """Trials and duration below the form are those the dry run lists."""
    form = _form(family_id).enter("design.stop", stop)
    opened = program().parts.open_target(LAB, 1, lambda _record: None)
    try:
        dry = make_dry_run(prepare_run(_plan(form), form.family, opened, LAB), opened)
    finally:
        opened.close()
    outlook = plan_outlook(_plan(form), form.family, form.at_hand)
    assert outlook.trials == len(dry.trials)
    assert outlook.duration_s == pytest.approx(dry.duration_s)
    assert outlook.longest_s == pytest.approx(dry.longest_s)
    assert outlook.settings == len(plan_settings(dry.plan))


def test_a_race_ends_at_the_latest_there() -> None:
    """What a race costs is the most it may cost."""
    summary = summarise(_form().enter("design.stop", "race"), NINE)
    assert summary.estimate.startswith("At most 21 trials in 6 blocks, ends by about 13:")
    guided = summarise(_form().enter("design.stop", "model"), NINE)
    assert guided.estimate.startswith("At most 21 trials, ends by about 13:")


def test_the_labs_time_is_told_apart_from_the_persons() -> None:
    """Four hours of the lab pass in moments."""
    told = summarise(_form(), None).estimate.replace("\u00a0", " ")
    assert told == (
        "21 trials in 6 blocks, about 4 h 20 min of lab time (far less here); with all that may follow 37 trials, "
        "11 h 35 min at most"
    )
    assert summarise(_form(), NINE).estimate.startswith("21 trials in 6 blocks, ends about 13:")
    late = summarise(_form(), NINE.replace(hour=22)).estimate
    assert "ends about 2026-03-03 02:" in late
    assert summarise(form_of("commit_mode", GROUPS).enter("design.blocks", "1"), NINE).estimate.startswith("3 trials, ")


def test_a_run_that_is_stopped_before_its_end_says_so() -> None:
    """Four hours in 90 minutes is no "at most": what is left out is said."""
    told = summarise(in_time(_form(), 90 * 60.0), None).estimate.replace("\u00a0", " ")
    assert told == "21 trials in 6 blocks, about 4 h 20 min of lab time (far less here); stopped after 90 min"


def test_an_incomplete_form_names_the_fields() -> None:
    """Instead of an estimate stands which fields to look at."""
    form = _form().enter("design.blocks", "x").enter("levels.ReadBatchSize", "1")
    summary = summarise(form, NINE)
    assert not summary.is_complete
    assert summary.estimate == "Not complete yet; check: ReadBatchSize: values to try, Exploring blocks"
    assert summary.power == ""
    assert not NO_FORM.is_complete


def test_the_smallest_shown_difference_and_what_it_takes() -> None:
    """The noise is named with its source, the difference shown with its chance, and how many blocks the wish takes."""
    power = summarise(_form(), NINE).power
    assert power.startswith("With 3 % noise between trials (assumed; the run measures it), a difference of 8.1 %")
    assert "8 of 10 experiments" in power
    assert "For 5 % plan" in power


def test_the_blocks_named_are_enough() -> None:
    """Planning the blocks the sentence asks for makes it content."""
    outlook = plan_outlook(_plan(_form()), _form().family)
    enough = _form().enter("design.confirm_blocks", str(outlook.confirm_blocks_needed))
    after = plan_outlook(_plan(enough), enough.family)
    assert after.shown_effect is not None
    assert after.shown_effect <= 0.05
    one_less = _form().enter("design.confirm_blocks", str((outlook.confirm_blocks_needed or 0) - 1))
    before = plan_outlook(_plan(one_less), one_less.family)
    assert before.shown_effect is not None
    assert before.shown_effect > 0.05
    assert "plan" not in summarise(enough, NINE).power


def test_noise_that_is_known_is_named_as_such() -> None:
    """A stated noise level replaces the assumed one."""
    form = _form().enter("design.noise_cv", "1")
    power = summarise(form, NINE).power
    assert power.startswith("With 1 % noise between trials (as you state)")
    assert plan_outlook(_plan(form), form.family).noise_is_given


def test_without_confirmation_nothing_is_claimed() -> None:
    """No confirmation blocks, no claim."""
    assert "nothing is claimed" in summarise(_form().enter("design.confirm_blocks", "0"), NINE).power


def test_one_block_of_each_cannot_tell_noise() -> None:
    """With one block there is nothing to estimate the noise from; a known noise level helps."""
    form = _form().enter("design.blocks", "1").enter("design.confirm_blocks", "1").enter("design.further_blocks", "0")
    assert "cannot tell a difference from noise" in summarise(form, NINE).power
    assert "8 of 10 experiments" in summarise(form.enter("design.noise_cv", "3"), NINE).power


def test_further_blocks_count_in_what_is_shown() -> None:
    """Up to three more blocks, where they may settle it, show a smaller effect than the three alone."""
    some, none = _form(), _form().enter("design.further_blocks", "0")
    with_more = plan_outlook(_plan(some), some.family).shown_effect
    alone = plan_outlook(_plan(none), none.family).shown_effect
    assert with_more is not None
    assert alone is not None
    assert with_more < alone


def test_an_effect_too_small_for_any_number_of_trials_is_said() -> None:
    """Nobody is told to plan ten thousand blocks."""
    power = summarise(_form().enter("design.minimum_effect", "0.01"), NINE).power
    assert "No number of trials shows an effect as small as" in power


def test_a_limit_shorter_than_a_trial_is_cautioned() -> None:
    """A limit that would end every trial is worth a second thought, and no error."""
    summary = summarise(_form().enter("limits.trial_duration_s", "5"), NINE)
    assert summary.is_complete
    assert summary.cautions == ("A trial takes about 12 min; the limit of 5 min would end every one.",)


def test_a_distant_link_is_cautioned_where_it_makes_trials_too_long() -> None:
    """A million commands over a round trip of 300 ms take days; a backlog that fits is not cautioned about."""
    distant = replace(site("log_reader"), rtt_ms=300.0)
    form = plan_form(family("log_reader"), distant)
    (caution,) = summarise(form, NINE).cautions
    assert "300 ms" in caution
    assert "smaller backlog" in caution
    assert summarise(form.enter("workload.commands", "10000"), NINE).cautions == ()
    (steady,) = summarise(form.enter("workload.scenario", "continuous"), NINE).cautions
    assert "would end every one" in steady  # what was read meanwhile is delivered before a trial is over
    unknown = plan_form(family("log_reader"), replace(distant, rtt_ms=None))
    assert summarise(unknown, NINE).cautions == ()


def test_a_line_that_was_not_measured_is_told_and_nothing_to_warn_of() -> None:
    """Nothing is wrong with the plan: its trials may take longer than it says."""
    unmeasured = replace(site("log_reader"), rtt_ms=None, round_trip=None)
    summary = summarise(plan_form(family("log_reader"), unmeasured), NINE)
    assert summary.untold == "The line to the Subscriber was not measured; over a slow one trials take longer."
    assert summary.cautions == ()


@pytest.mark.parametrize("is_counted", [True, False])
def test_how_windows_are_measured_and_how_long_they_take_is_no_warning(is_counted: bool) -> None:
    """Both ways are right; the check says which it is, and that the one takes six minutes."""
    found = site("log_reader")
    assert isinstance(found, AgentSite)
    readers = [agent for agent in found.topology.agents if agent.kind is AgentKind.LOG_READER]
    waiting = {agent.name: Waiting(agent.name, 1_000_000, 200.0, is_counted) for agent in readers}
    plan = replace(_plan(_form()), load=Load.from_mapping({SOURCE: str(WorkSource.OWN_BACKLOG)}))
    (check,) = counter_checks(plan, replace(found, waiting=waiting), readers)
    assert check.passed
    assert ("six minutes each" in check.title) != is_counted


def test_a_quick_look_over_a_distant_link_is_smaller_still() -> None:
    """One stream delivers it in half an hour of the lab's time, so that no limit ends it."""
    distant = replace(site("log_reader"), rtt_ms=300.0)
    quick = presets(family("log_reader"), LAB, distant)[1].plan
    assert workload_of(quick.load).commands == 12_000
    assert summarise(plan_form(family("log_reader"), distant, quick), None).cautions == ()


@pytest.mark.parametrize("family_id", _FAMILIES)
def test_every_family_offers_its_own_plan_and_a_quick_look_on_the_lab(family_id: str) -> None:
    """The quick look is much shorter, and both are complete as they stand."""
    chosen = family(family_id)
    usual, quick = presets(chosen, LAB, site(family_id))
    assert (usual.preset_id, quick.preset_id) == ("recommended", "quick")
    made = [_plan(plan_form(chosen, site(family_id), preset.plan)) for preset in (usual, quick)]
    whole, short = (plan_outlook(plan, chosen).duration_s for plan in made)
    assert short < whole / 8
    assert workload_of(made[1].load).commands == workload_of(made[0].load).commands // 10
    assert 2 <= len(made[1].factors[0].levels) <= 3


def test_real_servers_are_offered_no_quick_look() -> None:
    """A quick look is for the lab: on real servers its numbers would be too rough to act on."""
    assert [preset.preset_id for preset in presets(family("log_reader"), "sqlserver://db", None)] == ["recommended"]
