"""The claim of an experiment, for rules, plots and texts: one measure, the baseline, and the best setting."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from app.analysis.estimate import Estimate, estimate
from app.analysis.factorial import Factorial
from app.analysis.outcomes import circumstances_of
from app.analysis.regression import taken_apart
from app.analysis.settings_order import lowest_or_default
from app.analysis.simplest import Judging, choose, costly_of
from app.domain.comparison import Comparison, Verdict
from app.domain.family import Evidence, ExperimentFamily
from app.domain.measurement import Better, Measurement, Metric
from app.domain.plan import Phase
from app.domain.setting import Parameter, Setting


@dataclass(frozen=True, eq=False)
class Claim:
    """The settings an experiment speaks about.

    Attributes:
        metric: the measure.
        explored: its exploring measurements, of two settings or more; where a file has none, the confirming ones.
        fit: their estimate.
        baseline: what every claim is made against; it may be missing among the measured settings.
        best: the setting that ran the confirmation trials, or the one that would where none did.
        chosen: the setting that the exploring trials name by themselves; another one than `best` after a race, or where
            what was confirmed was chosen by another rule.
        factorial: what each of several factors does by itself, None where the trials do not take them apart.
    """

    metric: Metric
    explored: tuple[Measurement, ...]
    fit: Estimate
    baseline: Setting
    best: Setting
    chosen: Setting
    factorial: Factorial | None = None


@dataclass(frozen=True)
class ClaimedEvidence(Evidence):
    """Evidence that keeps its family's claim, which facts, plots and tables all begin with."""

    claims: list[Claim | None] = field(default_factory=list, init=False, repr=False, compare=False)

    @staticmethod
    def of(evidence: Evidence) -> "ClaimedEvidence":
        """Return evidence whose claim is made when it is first asked for."""
        return ClaimedEvidence(**{part.name: getattr(evidence, part.name) for part in fields(evidence)})


def claim_of(family: ExperimentFamily, evidence: Evidence) -> Claim | None:
    """Return the claim of the evidence, None where fewer than two settings gave usable trials."""
    if not isinstance(evidence, ClaimedEvidence):
        return _made_claim(family, evidence)
    if not evidence.claims:
        evidence.claims.append(_made_claim(family, evidence))
    return evidence.claims[0]


def _made_claim(family: ExperimentFamily, evidence: Evidence) -> Claim | None:
    metric = main_metric_of(family, evidence)
    explored = exploring(evidence, metric)
    if evidence.plan is None and len({m.setting for m in explored}) < 2:
        explored = tuple(m for m in evidence.measurements if m.metric == metric.name and m.phase is Phase.CONFIRM)
    if len({m.setting for m in explored}) < 2:
        return None
    fit = estimate(explored)
    confirmed = [c for c in evidence.comparisons if c.phase is Phase.CONFIRM]
    baseline = baseline_of(evidence, family.parameters)
    chosen = _chosen(family, evidence, metric, explored, baseline)
    best = _best_confirmed(confirmed, metric.better) if confirmed else chosen
    apart = taken_apart(explored, baseline, metric.better, evidence.noise_cv, best)
    return Claim(metric, explored, fit, baseline, best, chosen, apart)


def _best_confirmed(confirmed: Sequence[Comparison], better: Better) -> Setting:
    """Return the setting shown to gain most; of a run that explored again two were confirmed."""
    shown = [c for c in confirmed if c.verdict is Verdict.IMPROVEMENT]
    sign = 1 if better is Better.LOWER else -1
    return min(shown or confirmed, key=lambda c: sign * c.ratio).candidate


def _chosen(
    family: ExperimentFamily, evidence: Evidence, metric: Metric, explored: tuple[Measurement, ...], baseline: Setting
) -> Setting:
    """Return the setting that would go on to be confirmed; of measurements from elsewhere the one compared."""
    if evidence.plan is None and evidence.comparisons and evidence.comparisons[-1].phase is Phase.EXPLORE:
        return evidence.comparisons[0].candidate
    costly = costly_of(family.parameters)
    circumstances = circumstances_of(family.metrics, evidence.measurements, evidence.trials)
    judging = Judging(baseline, costly, metric.better, evidence.minimum_effect, evidence.noise_cv, circumstances)
    return choose(explored, judging).setting


def main_metric_of(family: ExperimentFamily, evidence: Evidence) -> Metric:
    """Return the metric this evidence's claims are about: the plan's, or the one its comparisons carry."""
    if evidence.plan is not None:
        return family.main_metric(evidence.plan)
    names = {comparison.metric for comparison in evidence.comparisons}
    judged_by = (*family.main_metrics, *family.stand_in_metrics)
    return next((metric for metric in judged_by if metric.name in names), family.main_metrics[0])


def exploring(evidence: Evidence, metric: Metric) -> tuple[Measurement, ...]:
    """Return the exploring measurements of one metric."""
    return tuple(m for m in evidence.measurements if m.metric == metric.name and m.phase is Phase.EXPLORE)


def baseline_of(evidence: Evidence, parameters: tuple[Parameter, ...]) -> Setting:
    """Return the setting claims are made against: the plan's, the one given, the vendor's defaults, or the lowest."""
    if evidence.plan is not None:
        return evidence.plan.baseline
    return lowest_or_default((m.setting for m in evidence.measurements), parameters, evidence.baseline)


def decisive_comparison(evidence: Evidence, baseline: Setting, best: Setting) -> Comparison | None:
    """Return the comparison of best against baseline: the confirmation where there is one."""
    comparisons = [c for c in evidence.comparisons if c.reference == baseline and c.candidate == best]
    confirmed = [c for c in comparisons if c.phase is Phase.CONFIRM]
    return next(iter(confirmed or comparisons), None)
