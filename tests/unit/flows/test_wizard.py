"""The wizard's flow: what each step needs, what a change of mind keeps, and where one can go."""

from dataclasses import replace
from functools import reduce
from pathlib import Path

import pytest

from app.domain.family import PreflightCheck
from app.domain.plan import Factor, Plan
from app.domain.setting import Setting
from app.flows.shell.wizard import (
    STEPS,
    Choices,
    RunEnd,
    Step,
    Wizard,
    choose_family,
    choose_plan,
    choose_target,
    consent,
    keep_dry_run,
    keep_reading,
    keep_run_end,
    servers_to_consent,
    step_text,
    why_not_leave,
)
from app.services.look.discovering import Discovery
from app.services.plan.dry_run import DryRun
from app.systems.transactional_replication.system import SYSTEM
from tests.store.sample import ENVIRONMENT, make_change
from tests.unit.flows.sites import family

PLAN = Plan("distribution_agent", (Factor("SubscriptionStreams", (1, 8)),), Setting.of(SubscriptionStreams=1))
END = RunEnd("S1", "E1", "succeeded", "all trials done", ())
REPLICATION = SYSTEM.kept(ENVIRONMENT)
assert REPLICATION is not None
DISCOVERY = Discovery("lab", ((SYSTEM, REPLICATION),))
SERVERS = REPLICATION.topology.servers


def dry_run(*checks: PreflightCheck, changes: int = 1) -> DryRun:
    """Return what a plan would do."""
    planned = tuple(make_change(n + 1) for n in range(changes))
    return DryRun(PLAN, (), (), planned, 60.0, 600.0, checks, (), SERVERS)


def complete() -> Choices:
    """Return choices with which every step can be left."""
    begun = choose_target(Choices(folder=Path("/sessions")), "lab")
    chosen = choose_plan(choose_family(keep_reading(begun, DISCOVERY, ()), "distribution_agent"), PLAN)
    return keep_run_end(consent(keep_dry_run(chosen, dry_run()), frozenset({"Distributor DIST1"})), END)


def test_every_step_has_its_texts() -> None:
    """Each step names itself, and says what comes next."""
    for step in STEPS:
        text = step_text(step)
        assert text.title
        assert text.next.endswith(".")


def test_forward_walks_all_steps_and_stops_at_the_last() -> None:
    """With nothing missing Next leads through all eight steps."""
    end = reduce(lambda wizard, _step: wizard.forward(), STEPS, Wizard(choices=complete()))
    assert end.step is Step.HAND_OVER
    assert end.forward() is end


def test_back_walks_to_the_first_step_and_keeps_the_choices() -> None:
    """Back keeps everything that was chosen."""
    begun = Wizard(Step.HAND_OVER, complete())
    first = reduce(lambda wizard, _step: wizard.back(), STEPS, begun)
    assert first == Wizard(Step.TARGET, complete())


@pytest.mark.parametrize(
    ("step", "lacking"),
    [
        (Step.TARGET, Choices()),
        (Step.TOPOLOGY, replace(complete(), discovery=None)),
        (Step.TOPOLOGY, replace(complete(), family="")),
        (Step.PLAN, replace(complete(), plan=None)),
        (Step.PREFLIGHT, replace(complete(), dry_run=None)),
        (Step.PREFLIGHT, replace(complete(), consented=frozenset())),
        (Step.PREFLIGHT, replace(complete(), folder=None)),
        (Step.RUN, replace(complete(), run_end=None)),
    ],
)
def test_a_step_that_lacks_something_is_not_left_forwards(step: Step, lacking: Choices) -> None:
    """What is missing is said in one sentence; the step stays, and none after it can be reached."""
    wizard = Wizard(step, lacking)
    assert why_not_leave(step, lacking).rstrip().endswith((".", "Distributor DIST1"))
    assert wizard.forward() is wizard
    later = STEPS[STEPS.index(step) + 1]
    assert not wizard.can_reach(later)
    assert wizard.go_to(later) is wizard
    assert wizard.can_reach(step)


def test_a_check_that_forbids_the_run_is_named() -> None:
    """A failed blocking check keeps Preflight closed; one that only warns does not."""
    forbids = PreflightCheck("Free disk", False, "free some", blocking=True)
    warns = PreflightCheck("Old version", False, "update", blocking=False)
    assert "Free disk" in why_not_leave(Step.PREFLIGHT, keep_dry_run(complete(), dry_run(warns, forbids)))
    agreed = consent(keep_dry_run(complete(), dry_run(warns)), frozenset({"Distributor DIST1"}))
    assert why_not_leave(Step.PREFLIGHT, agreed) == ""


def test_a_run_holds_the_wizard() -> None:
    """While a run goes on neither Back nor Next leads away, and a jump only to the site."""
    wizard = Wizard(Step.RUN, complete())
    assert wizard.back(running=True) is wizard
    assert wizard.forward(running=True) is wizard
    assert not wizard.can_reach(Step.PLAN, running=True)
    assert wizard.can_reach(Step.RUN, running=True)


def test_the_site_is_looked_at_while_a_run_goes_on_and_leads_back_to_it() -> None:
    """Nothing else is planned meanwhile; a resumed run has read no site."""
    site = Wizard(Step.RUN, complete()).go_to(Step.TOPOLOGY, running=True)
    assert site.step is Step.TOPOLOGY
    assert site.back(running=True) is site
    assert site.forward(running=True).step is Step.RUN
    unread = Wizard(Step.RUN, replace(complete(), discovery=None))
    assert not unread.can_reach(Step.TOPOLOGY, running=True)


def test_another_target_drops_what_was_read_but_keeps_the_family() -> None:
    """What was read from one target says nothing about another."""
    changed = choose_target(complete(), "lab:wan-512k")
    assert (changed.discovery, changed.plan, changed.run_end) == (None, None, None)
    assert changed.family == "distribution_agent"
    assert choose_target(complete(), "lab") == complete()


def test_another_family_drops_the_plan() -> None:
    """A plan belongs to its family; choosing the same family again keeps it."""
    assert choose_family(complete(), "log_reader").plan is None
    assert choose_family(complete(), "distribution_agent") == complete()


def test_another_plan_must_be_checked_and_consented_to_again() -> None:
    """A changed plan drops dry run, consent and the end of the last run."""
    changed = choose_plan(complete(), replace(PLAN, baseline=Setting.of(SubscriptionStreams=8)))
    assert (changed.dry_run, changed.consented, changed.run_end) == (None, frozenset(), None)
    assert choose_plan(complete(), PLAN) == complete()


def test_consent_holds_only_for_the_list_of_changes_it_was_given_to() -> None:
    """The same changes keep the ticks, others drop them."""
    assert keep_dry_run(complete(), dry_run()).consented == frozenset({"Distributor DIST1"})
    assert keep_dry_run(complete(), dry_run(changes=2)).consented == frozenset()


def test_consent_holds_for_no_longer_time_and_no_more_trials() -> None:
    """A line that is slower when it is measured again asks anew; what is told alike, or is less, does not."""
    agreed = dry_run()
    ticked = frozenset({"Distributor DIST1"})
    for longest_s, kept in ((590.0, ticked), (604.0, ticked), (900.0, frozenset())):
        assert keep_dry_run(complete(), replace(agreed, longest_s=longest_s)).consented == kept
    assert keep_dry_run(complete(), replace(agreed, further_trials=1)).consented == frozenset()


def test_reading_again_drops_what_was_checked_before() -> None:
    """A dry run made against an older reading is made again."""
    read = keep_reading(complete(), DISCOVERY, ())
    assert read.dry_run is None
    assert read.plan == PLAN
    assert read.site(family("distribution_agent")) is None


def test_nothing_is_consented_to_before_it_is_known() -> None:
    """Without a dry run there is no server to tick."""
    assert servers_to_consent(Choices()) == ()
    assert servers_to_consent(complete()) == ("Distributor DIST1",)


def test_a_session_opened_from_its_file_has_only_its_last_steps() -> None:
    """Its findings can be read and handed over; nothing before them can be reached."""
    opened = Choices(folder=Path("/sessions"), file_name="contoso.replitune", run_end=END, opened=True)
    wizard = Wizard(Step.FINDINGS, opened)
    assert wizard.back() is wizard
    assert [step for step in STEPS if wizard.can_reach(step)] == [Step.FINDINGS, Step.HAND_OVER]
    assert wizard.forward().step is Step.HAND_OVER
    assert wizard.forward().back() == wizard
    assert opened.place is not None
    assert opened.place.session_file == Path("/sessions/contoso.replitune")
    assert Choices().place is None


def test_what_was_found_stays_in_reach_while_the_next_experiment_is_planned() -> None:
    """Findings and hand-over are those of the run before until another has ended; Back leads to the plan."""
    before = Wizard(Step.FINDINGS, replace(complete(), run_end=END, folder=Path("/s/1")))
    planning = before.with_choices(replace(choose_family(before.choices, "log_reader"), folder=Path("/s/2")))
    assert planning.choices.run_end is None
    assert planning.can_reach(Step.FINDINGS)
    assert planning.can_reach(Step.HAND_OVER)
    assert not planning.can_reach(Step.RUN)
    shown = planning.go_to(Step.FINDINGS).shown_choices
    assert (shown.run_end, shown.folder) == (END, Path("/s/1"))
    assert replace(planning, step=Step.PLAN).shown_choices.folder == Path("/s/2")
    assert replace(planning, step=Step.FINDINGS).back().step is Step.PLAN
    ended = planning.with_choices(replace(planning.choices, run_end=replace(END, run_id="E2")))
    assert ended.go_to(Step.FINDINGS).shown_choices.folder == Path("/s/2")
