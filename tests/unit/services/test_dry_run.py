"""A dry run tells everything and changes nothing."""

from dataclasses import replace

import pytest

from app.domain.plan import Design, Phase, Plan
from app.domain.setting import EMPTY_SETTING
from app.domain.statement import Access, StatementRecord
from app.services.plan.checking import prepare_run
from app.services.plan.dry_run import DryRun, make_dry_run
from tests.contract.families.lab_runs import (
    AGENT_FAMILIES,
    FAMILIES,
    LabRun,
    open_lab_of,
    run_on_lab,
    settings_of,
    small_plan,
)

VALUES = ("profile_parameter", "job_step_token")


def dry(plan: Plan) -> tuple[DryRun, list[StatementRecord]]:
    """Return the dry run of a plan on a lab, with what it sent; the lab is as it was."""
    records: list[StatementRecord] = []
    target = open_lab_of(FAMILIES[plan.family].subject, records.append, noise=False)
    prepared = prepare_run(plan, FAMILIES[plan.family], target, "the plan")
    before = settings_of(target)
    records.clear()
    made = make_dry_run(prepared, target)
    sent = list(records)
    assert settings_of(target) == before
    return made, sent


def real(plan: Plan) -> LabRun:
    """Return the same plan, run."""
    return run_on_lab(FAMILIES[plan.family], plan, noise=False)


every_family = pytest.mark.parametrize("family_id", list(FAMILIES))
every_agent_family = pytest.mark.parametrize("family_id", list(AGENT_FAMILIES))


@every_family
def test_a_dry_run_only_reads(family_id: str) -> None:
    """Not one statement that changes anything is sent."""
    _made, sent = dry(small_plan(FAMILIES[family_id]))
    assert sent
    assert {record.access for record in sent} == {Access.READ}


@pytest.mark.parametrize("family_id", [name for name, family in FAMILIES.items() if family.compares_all])
def test_trials_whose_comparisons_are_named_run_as_listed(family_id: str) -> None:
    """Every block holds every setting, all of them confirmations, in the very order of the run."""
    plan = small_plan(FAMILIES[family_id], blocks=2)
    made, _sent = dry(plan)
    ran = [(t.block, t.phase, t.setting.label()) for t in real(plan).trials]
    assert [(trial.block, trial.phase, trial.setting) for trial in made.trials] == ran
    assert {phase for _block, phase, _setting in ran} == {Phase.CONFIRM}


@every_agent_family
def test_the_exploring_trials_run_as_listed(family_id: str) -> None:
    """Blocks and settings in the very order of the run; two for each confirmation block follow."""
    plan = small_plan(FAMILIES[family_id], blocks=2, confirm_blocks=2)
    made, _sent = dry(plan)
    listed = [(trial.block, trial.setting) for trial in made.trials if trial.phase is Phase.EXPLORE]
    ran = [(t.block, t.setting.label()) for t in real(plan).trials if t.phase is Phase.EXPLORE]
    assert listed == ran
    confirming = [trial for trial in made.trials if trial.phase is Phase.CONFIRM]
    assert [trial.block for trial in confirming] == [3, 3, 4, 4]
    assert {trial.setting for trial in confirming} == {"the winner", plan.baseline.label()}


@every_family
def test_every_change_of_the_run_is_listed_with_its_undo(family_id: str) -> None:
    """Each kind of change and subject the run makes stands in the dry run, with both scripts."""
    plan = small_plan(FAMILIES[family_id])
    made, _sent = dry(plan)
    listed = {(change.kind, change.subject) for change in made.changes}
    changed = {(entry.change.kind, entry.change.subject) for entry in real(plan).journal.entries.values()}
    assert {kind for kind, _subject in changed} <= {kind for kind, _subject in listed}
    if family_id in AGENT_FAMILIES:
        set_to = {(c.kind, c.new) for c in made.changes if c.kind in VALUES}
        ran = {entry.change for entry in real(plan).journal.entries.values()}
        assert {(c.kind, c.new) for c in ran if c.kind in VALUES} <= set_to
    assert len({(change.kind, change.subject, change.new) for change in made.changes}) == len(made.changes)
    for change in made.changes:
        assert change.apply_sql.strip()
        assert change.undo_sql.strip()


@every_family
def test_every_statement_of_the_run_is_listed(family_id: str) -> None:
    """Nothing is sent that the person who consented could not read before."""
    plan = small_plan(FAMILIES[family_id])
    made, _sent = dry(plan)
    assert {record.name for record in real(plan).records} <= {statement.name for statement in made.statements}


def test_steps_duration_checks_and_baseline_are_told() -> None:
    """Steps in words, the time of all trials, preflight checks, and the baseline that is in effect."""
    family = FAMILIES["log_reader"]
    plan = replace(small_plan(family, blocks=3, confirm_blocks=1), baseline=EMPTY_SETTING)
    made, _sent = dry(plan)
    assert made.plan.baseline == family.default_plan().baseline
    assert made.steps[0] == "Stop the Log Reader Agents and wait until they have stopped"
    assert made.duration_s == pytest.approx(family.estimate_trial_s(plan) * (2 * 3 + 2))
    assert made.checks


@every_family
def test_no_run_has_more_trials_than_were_told(family_id: str) -> None:
    """Those planned, and those that may follow to settle or to confirm: a run of the lab stays within both."""
    plan = small_plan(FAMILIES[family_id], blocks=2)
    made, _sent = dry(plan)
    assert len(real(plan).trials) <= len(made.trials) + made.further_trials
    assert (made.further_s > 0) is (made.further_trials > 0)
    nothing_further, _sent = dry(replace(plan, design=replace(plan.design, further_blocks=0, confirm_blocks=0)))
    if made.plan.design.is_windowed:  # pairs until it is settled, whatever the plan says of blocks
        assert nothing_further.further_trials == made.further_trials
    else:
        assert nothing_further.further_trials < made.further_trials or FAMILIES[family_id].compares_all


def test_no_confirmation_is_listed_where_none_is_planned() -> None:
    """A plan without confirmation blocks ends with exploring."""
    plan = replace(small_plan(FAMILIES["log_reader"]), design=Design(blocks=1, confirm_blocks=0, further_blocks=0))
    made, _sent = dry(plan)
    assert {trial.phase for trial in made.trials} == {Phase.EXPLORE}


@every_family
def test_a_run_that_goes_on_lists_what_is_left(family_id: str) -> None:
    """Trials that are kept are counted neither among those to come nor in their time, wherever the run stopped."""
    plan = small_plan(FAMILIES[family_id], blocks=2)
    run = real(plan)
    prepared = prepare_run(plan, run.family, run.target, "the plan")
    whole = make_dry_run(prepared, run.target)
    planned_blocks = {trial.block for trial in whole.trials}
    for count in range(len(run.trials) + 1):
        left = make_dry_run(prepared, run.target, run.trials[:count])
        kept = [trial for trial in run.trials[:count] if trial.block in planned_blocks]
        assert len(left.trials) == len(whole.trials) - len(kept)
        took_s = [(trial.finished_utc - trial.started_utc).total_seconds() for trial in run.trials[:count]]
        trial_s = sum(took_s) / count if count else whole.duration_s / len(whole.trials)
        assert left.duration_s == pytest.approx(trial_s * len(left.trials))
        assert left.longest_s >= left.duration_s + left.further_s
        assert left.most_trials == whole.most_trials - count


def test_further_blocks_of_a_complete_run_are_listed() -> None:
    """A complete run that confirms further lists the trials of the blocks it adds, and no other."""
    planned = small_plan(FAMILIES["distribution_agent"], blocks=2, confirm_blocks=2)
    plan = replace(planned, design=replace(planned.design, further_blocks=0))
    run = real(plan)
    prepared = prepare_run(plan, run.family, run.target, "the plan")
    further = make_dry_run(prepared, run.target, run.trials, 3)
    assert [(trial.block, trial.phase) for trial in further.trials] == [(5, Phase.CONFIRM)] * 2
