"""What else ran beside trials of groups: as the readings of a tick tell it, and as history does at a trial's end."""

from dataclasses import replace

from app.domain.happening import Happening, Work
from app.domain.measurement import TrialStatus
from app.domain.plan_field import PlanValue
from app.lab.faults import Fault
from tests.contract.families.lab_runs import FAMILIES, LabRun, run_on_lab, small_plan

PRIMARY = "SQLNODE1"
JOB = Happening(Work.JOB, PRIMARY, "Log backups")


def run_with(family_id: str, *faults: tuple[str, int, str], **load: PlanValue) -> LabRun:
    """Return a run of a family in which something happens at a call of a statement."""
    family = FAMILIES[family_id]
    plan = small_plan(family)
    return run_on_lab(family, replace(plan, load=plan.load.but(**load)), faults=[Fault(*fault) for fault in faults])


def used(run: LabRun) -> set[TrialStatus]:
    """Return how the trials ended, but for what the lab's short trials leave compressed."""
    return {t.status for t in run.trials if not any("compressed" in check for check in t.failed_checks)}


def test_a_backup_during_a_trial_of_the_commit_mode_is_told_by_its_readings() -> None:
    """Where the login may not read the history, the counts in the tick's own statement still tell of it."""
    refused = [("past_work", call, "permission_denied") for call in (1, 2)]
    run = run_with("commit_mode", ("group_sample_primary", 4, "log_backup"), *refused)
    told = [one for trial in run.trials for one in trial.happenings]
    assert told
    assert set(told) == {Happening(Work.LOG_BACKUP, PRIMARY)}
    assert used(run) == {TrialStatus.USED}


def test_history_is_told_at_the_end_of_a_trial_of_the_commit_mode() -> None:
    """The job by name; a trial of a few seconds has no minute on record in which other programs could show."""
    struck = [("group_sample_primary", 4, "log_backup"), ("group_sample_primary", 5, "other_programs")]
    run = run_with("commit_mode", *struck, settle_s=0.0)  # a trial that waits first outlasts the backup
    assert {one for trial in run.trials for one in trial.happenings} >= {JOB, Happening(Work.LOG_BACKUP, PRIMARY)}
    assert used(run) == {TrialStatus.USED}


def test_history_and_processors_are_told_at_the_end_of_a_seeding() -> None:
    """Job and backup of another database by name, and other programs by the share of the minutes of the trial."""
    struck = [("seeding_sample_primary", 4, "log_backup"), ("seeding_sample_primary", 5, "other_programs")]
    run = run_with("seeding", *struck, database_mb=20_000)
    (trial,) = (trial for trial in run.trials if JOB in trial.happenings)
    assert Happening(Work.LOG_BACKUP, PRIMARY, "Archive") in trial.happenings
    (programs,) = (one for one in trial.happenings if one.work is Work.OTHER_PROGRAMS)
    assert programs.server == PRIMARY
    assert 0.1 <= programs.share <= 0.42
    assert used(run) == {TrialStatus.USED}


def test_backups_and_the_job_of_a_seeding_are_no_others() -> None:
    """Backup and restore are the method that is measured."""
    run = run_with("seeding")
    assert [trial.happenings for trial in run.trials] == [()] * len(run.trials)
