"""The time told before a run is a bound for every family, way of stopping and speed of a site, also where it goes on.

What it could not finish is left to be done, everything is put back, and what was measured until then is kept.
"""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.events import RunEvent, RunFinished, RunStarted, RunStatus, TrialFinished
from app.domain.limits import LOG_USED
from app.domain.measurement import TrialResult, TrialStatus
from app.domain.plan import Plan, Stop
from app.runner.control import RunControl
from app.runner.run import RunOrder, execute
from app.services.plan.checking import prepare_run
from app.services.plan.plan_outlook import plan_outlook
from app.systems.availability_groups.commit_members import group_site
from app.systems.transactional_replication.load import Scenario
from tests.contract.families.lab_runs import (
    AGENT_FAMILIES,
    CASES,
    FAMILIES,
    open_lab_of,
    settings_of,
    small_plan,
)
from tests.labs import ignore
from tests.unit.runner.memory import MemoryJournal

_STOPS = [(name, scenario, stop) for name, scenario in CASES for stop in Stop if not FAMILIES[name].compares_all]
_LATE_S = 60.0  # a statement that goes on, such as a portion of a load that is written, is not broken off


class Started:
    """One start of a run on a lab of its own, prepared as the program prepares it."""

    def __init__(
        self,
        name: str,
        plan: Plan,
        agreed_s: float | None = None,
        *,
        lab: str = "",
        kept: tuple[TrialResult, ...] = (),
        least_confirm_blocks: int = 0,
    ) -> None:
        family = FAMILIES[name]
        target = open_lab_of(family.subject, ignore, lab=lab)
        before = settings_of(target)
        prepared = prepare_run(plan, family, target, "the plan", kept=kept, agreed_s=agreed_s)
        assert prepared.plan.most_s is not None
        self.agreed_s = prepared.plan.most_s
        self.plan, self.site = prepared.plan, prepared.site
        self.events: list[RunEvent] = []
        execute(
            RunOrder(
                "S1",
                "E1",
                prepared.plan,
                family,
                prepared.site,
                target,
                MemoryJournal([]),
                RunControl(),
                self.events.append,
                done=kept,
                least_confirm_blocks=least_confirm_blocks,
            )
        )
        self.trials = tuple(event.trial for event in self.events if isinstance(event, TrialFinished))
        self.ended = tuple(trial for trial in (*kept, *self.trials) if trial.status is not TrialStatus.ABORTED)
        assert settings_of(target) == before

    @property
    def end(self) -> RunFinished:
        """How it ended."""
        assert isinstance(self.events[-1], RunFinished)
        return self.events[-1]

    @property
    def took_s(self) -> float:
        """How long its trials took, until the last had ended."""
        began = self.events[0]
        assert isinstance(began, RunStarted)
        last = max((trial.finished_utc for trial in self.trials), default=began.at_utc)
        return (last - began.at_utc) / timedelta(seconds=1)


def _ends_in_time_and_goes_on(name: str, plan: Plan) -> None:
    whole = Started(name, plan)
    assert whole.end.status is RunStatus.SUCCEEDED
    assert whole.took_s <= whole.agreed_s
    short_s = 0.6 * whole.took_s
    cut = Started(name, plan, short_s)
    assert cut.end.status is RunStatus.ABORTED
    assert "the time agreed to for the run" in cut.end.reason
    assert cut.took_s <= short_s + _LATE_S
    assert 0 < len(cut.ended) < len(whole.ended)
    if left := re.search(r"too short for a further trial .*; up to ([\d,]+) are left", cut.end.reason):
        told = plan_outlook(plan, FAMILIES[name]).most_trials
        assert 0 < int(left[1].replace(",", "")) <= told - len(cut.ended)
    rest = Started(name, plan, kept=cut.ended)
    assert rest.end.status is RunStatus.SUCCEEDED
    assert rest.took_s <= rest.agreed_s
    assert len(rest.ended) >= len(cut.ended) + len(rest.trials)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_run_ends_when_the_time_agreed_to_is_over(name: str) -> None:
    """It keeps what was measured, puts everything back, and goes on within a time of its own."""
    _ends_in_time_and_goes_on(name, small_plan(FAMILIES[name], blocks=2))


@pytest.mark.prove
@pytest.mark.parametrize(("name", "scenario", "stop"), _STOPS)
def test_however_it_is_to_stop(name: str, scenario: Scenario, stop: Stop) -> None:
    """Blocks, a race or a model."""
    plan = small_plan(FAMILIES[name], scenario, blocks=3, confirm_blocks=2)
    _ends_in_time_and_goes_on(name, replace(plan, design=replace(plan.design, stop=stop)))


def test_a_complete_run_that_confirms_further_does_so_within_a_time_of_its_own() -> None:
    """What its trials took counts, not what was estimated before any."""
    plan = small_plan(FAMILIES["distribution_agent"], blocks=2, confirm_blocks=3)
    plan = replace(plan, design=replace(plan.design, further_blocks=0))
    whole = Started("distribution_agent", plan)
    extended = replace(plan, design=plan.design.extended())
    more = Started("distribution_agent", extended, kept=whole.ended, least_confirm_blocks=4)
    assert 0.0 < more.took_s <= more.agreed_s
    cut = Started("distribution_agent", extended, 1.0, kept=whole.ended, least_confirm_blocks=4)
    assert (cut.end.status, cut.ended) == (RunStatus.ABORTED, whole.ended)


@pytest.mark.parametrize("lab", ["wan-128k", "wan-512k"])
@pytest.mark.parametrize("name", sorted(AGENT_FAMILIES))
def test_a_slow_line_that_was_measured_is_counted_with(name: str, lab: str) -> None:
    """The run ends by itself within the time told, and takes about what was told of it."""
    ran = Started(name, small_plan(FAMILIES[name]), lab=lab)
    assert ran.end.status is RunStatus.SUCCEEDED
    outlook = plan_outlook(ran.plan, FAMILIES[name], ran.site)
    assert outlook.unknown == ""
    assert 0.6 <= ran.took_s / outlook.duration_s <= 1.4
    assert ran.took_s <= ran.agreed_s == outlook.longest_s


def test_a_line_that_turns_out_slow_ends_the_run_at_the_time_agreed_to() -> None:
    """Estimated where nothing was known of the line: what was measured until then stays."""
    plan = small_plan(FAMILIES["distribution_agent"], blocks=2)
    blind_s = plan_outlook(plan, FAMILIES["distribution_agent"]).longest_s
    ran = Started("distribution_agent", plan, blind_s, lab="wan-128k")
    assert ran.end.status is RunStatus.ABORTED
    assert ran.took_s <= blind_s + _LATE_S


def _database_of_the_site(blocks: int) -> Plan:
    """Return a seeding of the lab's own database of 132 GB, which is 66 times that of the small plan."""
    plan = small_plan(FAMILIES["seeding"], blocks=blocks)
    return replace(plan, load=plan.load.but(database="Archive"), limits=plan.limits.but(**{LOG_USED.name: 1.0}))


def test_the_size_of_a_named_database_is_counted_with() -> None:
    """The run ends by itself within the time told, which is of the size read and not of that of a test database."""
    ran = Started("seeding", _database_of_the_site(1))
    assert ran.end.status is RunStatus.SUCCEEDED
    outlook = plan_outlook(ran.plan, FAMILIES["seeding"], ran.site)
    assert 0.6 <= ran.took_s / outlook.duration_s <= 1.4
    assert ran.took_s <= ran.agreed_s == outlook.longest_s
    looked_at = replace(group_site(ran.site), requirements=None)
    assert plan_outlook(ran.plan, FAMILIES["seeding"], looked_at).duration_s >= outlook.duration_s


@pytest.mark.parametrize("blocks", [1, pytest.param(2, marks=pytest.mark.prove)])
def test_what_is_left_may_be_the_slowest_setting(blocks: int) -> None:
    """Measured before or not: what goes on ends by itself, though all that has ended was quicker on average."""
    whole = Started("seeding", _database_of_the_site(blocks))
    assert whole.end.status is RunStatus.SUCCEEDED
    slowest = max(whole.ended, key=lambda trial: trial.took_s)
    rest = Started("seeding", _database_of_the_site(blocks), kept=tuple(t for t in whole.ended if t != slowest))
    assert rest.end.status is RunStatus.SUCCEEDED
    assert len(rest.trials) == 1
    assert rest.took_s <= rest.agreed_s


@pytest.mark.parametrize("database", ["", "Archive"])
def test_a_slow_line_between_replicas_is_counted_with(database: str) -> None:
    """Where its bandwidth is given: what is sent takes as long as it allows, compressed less than as it is."""
    family = FAMILIES["seeding"]
    plan = family.default_plan()
    plan = replace(plan, load=plan.load.but(database=database, database_mb=100_000, compressible_share=1.0))
    slow, quick = (replace(plan, load=plan.load.but(link_mbps=mbps)) for mbps in (100.0, 10_000.0))
    assert family.estimate_trial_s(quick) == family.estimate_trial_s(plan)
    sent_s = 100_000 / 12.5
    if database:
        assert sent_s <= family.estimate_trial_s(slow) <= sent_s + 300.0
    else:
        assert 0.3 * sent_s <= family.estimate_trial_s(slow) <= 0.8 * sent_s
