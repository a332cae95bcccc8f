"""The setting that a run showed to be better, and the one it is better than: the first can be kept."""

from app.analysis.comparing.evidence import compared
from app.analysis.comparing.experiment import Declared, MeasuredRun, experiment_of
from app.domain.comparison import Verdict, turned
from app.domain.family import ExperimentFamily
from app.domain.measurement import Better, TrialStatus
from app.domain.session import RunRecord, SessionRecord
from app.domain.setting import Setting
from app.domain.system import site_of_run
from app.runner.schedule import schedule_of


def shown_better(session: SessionRecord, run: RunRecord, family: ExperimentFamily) -> tuple[Setting, Setting] | None:
    """Return the setting that a run confirmed and the one it is better than; None where it showed none.

    Where a winner is picked, that is the baseline. Where all settings are compared the site decides: of those that are
    shown to be better than the setting it was found with, the one that gains most.
    """
    if family.compares_all:
        return _better_than_found(session, run, family)
    trials = tuple(trial for trial in run.trials if trial.status is not TrialStatus.ABORTED)
    confirmed = schedule_of(run.plan, run.run_id, family).confirmed(trials)
    return None if confirmed is None else (confirmed, run.plan.baseline)


def _better_than_found(
    session: SessionRecord, run: RunRecord, family: ExperimentFamily
) -> tuple[Setting, Setting] | None:
    site = site_of_run(session.environments, run, family)
    found = None if site is None else family.in_effect(run.plan, site)
    metric = family.main_metric(run.plan)
    measured = experiment_of(MeasuredRun(Declared.by(family), metric, run.plan, run.trials, site))
    if found is None or measured is None:
        return None
    told = compared(measured).evidence.comparisons
    against_found = (turned(one) if one.candidate == found else one for one in told)
    shown = [one for one in against_found if (one.reference, one.verdict) == (found, Verdict.IMPROVEMENT)]
    sign = 1 if metric.better is Better.LOWER else -1
    best = min(shown, key=lambda one: sign * one.ratio, default=None)
    return None if best is None else (best.candidate, found)
