"""Verdicts on one setting against another, as far as the measurements show."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app.domain.plan import Phase
from app.domain.setting import Setting, Value


class Verdict(StrEnum):
    """A verdict by the 95 % interval that is simultaneous over all comparisons."""

    IMPROVEMENT = "improvement"
    WORSE = "worse"
    NO_DIFFERENCE = "no_difference"
    CANNOT_TELL = "cannot_tell"


@dataclass(frozen=True)
class Confirmation:
    """How a confirmed comparison was judged; a claim needs both of its intervals to exclude 1.

    Attributes:
        pairs: blocks that count, in which both sides ran.
        joint: 95 % interval of the ratio by these blocks with what the exploring trials lend of their noise.
        alone: interval by these blocks alone, at the level that pays for looking up to four times.
        disturbed_trial: the trial of a pair that stands out, "" for none.
        is_set_aside: that pair does not count: the other confirming blocks alone show it to be disturbed.
        whole_ratio, whole: ratio and printed interval with that pair among them.
        wants_more: one more block may well settle it.
        is_own: its setting itself may have made that trial stand out, so the pair counts however far it lies.
        told_trial: the trial of a pair that does not count because what ran during it ran during hardly any other, ""
            for none; where another pair is set aside by the others as well, `whole` is without this one.
        log_sd, degrees: the noise of one trial behind `joint`, on the log scale, and its degrees of freedom; None where
            no noise is known.
    """

    pairs: int
    joint: tuple[float, float]
    alone: tuple[float, float]
    disturbed_trial: str
    is_set_aside: bool
    whole_ratio: float
    whole: tuple[float, float]
    wants_more: bool
    is_own: bool = False
    told_trial: str = ""
    log_sd: float | None = None
    degrees: float | None = None

    @property
    def aside(self) -> frozenset[str]:
        """The trials of pairs that do not count which made them stand out."""
        by_others = self.disturbed_trial if self.is_set_aside else ""
        return frozenset({by_others, self.told_trial}) - {""}


@dataclass(frozen=True)
class CarryOver:
    """Carry-over from the preceding trial, where it shows; the comparison's interval is widened by it.

    Attributes:
        behind: the metric behind a trial of the candidate / behind one of the reference, all else alike.
        low, high: 95 % interval of candidate / reference, each behind itself, as after it was left in place.
        in_trials: the interval there was without it.
    """

    behind: float
    low: float
    high: float
    in_trials: tuple[float, float]


@dataclass(frozen=True)
class Rivals:
    """Settings that may do better by the minimum effect or more than the one a comparison leaves in place.

    Attributes:
        against: the setting left in place: the candidate of a shown improvement, else the reference.
        settings: the others of which that is open, by level; at least one.
        trials_needed: trials of each of all these, in a run of their own, that show such a difference with 80 % power.
    """

    against: Setting
    settings: tuple[Setting, ...]
    trials_needed: int

    def values_of(self, parameter: str) -> tuple[Value, ...]:
        """Return the values of one parameter among them, all else as it is in the setting left in place."""
        rest = self.against.without((parameter,))
        return tuple(s[parameter] for s in self.settings if parameter in s and s.without((parameter,)) == rest)


@dataclass(frozen=True)
class Comparison:
    """One setting against another, under equal conditions.

    Attributes:
        reference, candidate: the settings; `ratio` is metric(candidate) / metric(reference).
        factor: the varied parameter, or several joined by " × ".
        low, high: simultaneous 95 % interval of the ratio; (0, inf) where nothing can be said.
        p_adjusted: two-sided p, adjusted as the interval is: below 0.05 exactly where that excludes 1; 1.0 where it
            cannot be computed.
        reference_trials, candidate_trials: ids of the trials behind each side; a published mean stands there once for
            each of its runs.
        smallest_effect: the smallest change, as a share, these trials could have shown with 80 % power; inf where
            no noise level is known.
        trials_needed: trials per setting that show a difference as large as the minimum effect, or as the one observed
            where that is larger, with 80 % power (0 when settled); where `smallest_effect` is inf, those that first
            show the noise level.
        minimum_effect: the minimum worthwhile effect it was judged by, as a share.
        phase: `confirm` carries a claim; `explore` is a lead or, for measurements from elsewhere, all there is.
        confirmation: how it was judged, None for a lead and where every comparison was named beforehand.
        rivals: what may do better still, None where nothing does, and where that is not asked: for a lead, for one that
            is open itself.
        carry_over: how trials show what ran before them, None where that does not show.
    """

    family: str
    factor: str
    reference: Setting
    candidate: Setting
    conditions: Setting
    metric: str
    unit: str
    ratio: float
    low: float
    high: float
    p_adjusted: float
    reference_trials: tuple[str, ...]
    candidate_trials: tuple[str, ...]
    verdict: Verdict
    smallest_effect: float
    trials_needed: int
    minimum_effect: float
    phase: Phase = Phase.EXPLORE
    confirmation: Confirmation | None = None
    rivals: Rivals | None = None
    carry_over: CarryOver | None = None


@dataclass(frozen=True)
class Contrast:
    """The effect of one of several factors by itself, in the exploring trials.

    Attributes:
        level, reference: the level that did best, and the baseline's.
        other_levels: levels of the other factors, by name, at which this holds; () where they make no difference.
        ratio, low, high: of the metric, level / reference, with the interval that holds with those of its other levels.
        error, degrees: standard error of the log ratio, and degrees of freedom of its noise.
        comparisons: how many the interval holds together with, this one among them.
    """

    factor: str
    level: Value
    reference: Value
    other_levels: tuple[Value, ...]
    ratio: float
    low: float
    high: float
    error: float
    degrees: float
    comparisons: int


@dataclass(frozen=True)
class Forecast:
    """How long a backlog takes to be delivered at a measured rate.

    Attributes:
        setting, conditions: what the rate was measured under.
        backlog_commands: commands waiting.
        inflow_per_s: commands still arriving each second.
        hours, low_hours, high_hours: expected time and 95 % band; inf where the backlog grows.
        trials: ids of the trials behind the rate.
        basis: where the number of commands comes from, as the end of a sentence; "" where it was read or named.
    """

    family: str
    setting: Setting
    conditions: Setting
    backlog_commands: int
    inflow_per_s: float
    hours: float
    low_hours: float
    high_hours: float
    trials: tuple[str, ...]
    basis: str = ""


def turned(compared: Comparison) -> Comparison:
    """Return a comparison the other way round, with its candidate as the reference."""
    verdicts = {Verdict.IMPROVEMENT: Verdict.WORSE, Verdict.WORSE: Verdict.IMPROVEMENT}
    return replace(
        compared,
        reference=compared.candidate,
        candidate=compared.reference,
        ratio=1 / compared.ratio if compared.ratio else math.inf,
        low=0.0 if math.isinf(compared.high) else 1 / compared.high,
        high=math.inf if compared.low <= 0 else 1 / compared.low,
        reference_trials=compared.candidate_trials,
        candidate_trials=compared.reference_trials,
        verdict=verdicts.get(compared.verdict, compared.verdict),
    )


def are_leads(comparisons: Sequence[Comparison], *, is_imported: bool) -> bool:
    """Tell whether all comparisons are leads of a session's own exploring trials: none of them claims anything, and
    their verdicts are counted as what they suggest."""
    return not is_imported and bool(comparisons) and all(c.phase is Phase.EXPLORE for c in comparisons)


def verdict_counts(comparisons: Iterable[Comparison], *, is_imported: bool) -> dict[Verdict, int]:
    """Count the verdicts of experiments: of confirming comparisons, or of all where an experiment has none of these.

    What exploring trials of this program hint at is open until it is confirmed; measurements from elsewhere have no
    second phase, and claim as they are.
    """
    counts = dict.fromkeys(Verdict, 0)
    for _comparison, verdict in claimed(comparisons, is_imported=is_imported):
        counts[verdict] += 1
    return counts


def claimed(comparisons: Iterable[Comparison], *, is_imported: bool) -> list[tuple[Comparison, Verdict]]:
    """Return the comparisons that are counted, each with the verdict it may claim, as `verdict_counts` says."""
    asked: dict[tuple[str, str, Setting], list[Comparison]] = {}
    for comparison in comparisons:
        asked.setdefault((comparison.family, comparison.factor, comparison.conditions), []).append(comparison)
    told: list[tuple[Comparison, Verdict]] = []
    for of_experiment in asked.values():
        confirming = [comparison for comparison in of_experiment if comparison.phase is Phase.CONFIRM]
        for comparison in confirming or of_experiment:
            is_lead = not confirming and not is_imported and comparison.verdict in (Verdict.IMPROVEMENT, Verdict.WORSE)
            told.append((comparison, Verdict.CANNOT_TELL if is_lead else comparison.verdict))
    return told
