"""Comparisons of settings with simultaneous intervals and verdicts."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from app.analysis.distributions import two_sided_p
from app.analysis.estimate import Estimate, Indices, estimate
from app.analysis.noise import JudgingNoise, judging_noise
from app.analysis.pairing import PairNoise, pair_noise, shared_trials
from app.analysis.power import Question, smallest_effect, trials_needed
from app.analysis.settings_order import varied_parameters
from app.analysis.student import CONFIDENCE, exp_or_inf, simultaneous_p, simultaneous_quantile
from app.analysis.verdicts import judge
from app.domain.comparison import Comparison, Verdict
from app.domain.measurement import Better, Measurement
from app.domain.setting import Setting

Pair = tuple[int, int]
"""Positions of candidate and reference among the estimate's settings."""


TrialsOf = Callable[[Pair], tuple[tuple[str, ...], tuple[str, ...]]]
"""Returns the ids of the trials behind the candidate and the reference of a pair."""


@dataclass(frozen=True)
class Against:
    """Every other setting against a baseline that was named before anything was measured."""

    baseline: Setting


@dataclass(frozen=True)
class AgainstBest:
    """The best setting, picked from the same data, against every other one.

    Attributes:
        candidate: another setting picked from these data, the simplest that is not worse; None for the best.
    """

    candidate: Setting | None = None


ReferenceRule = Against | AgainstBest


@dataclass(frozen=True)
class Terms:
    """The terms that comparisons are judged by, beside the noise.

    Attributes:
        better: direction of an improvement.
        minimum_effect: smallest effect worth acting on, as a share, > 0.
        settings: how many were measured, ≥ 2.
        confidence: of all intervals together, 0–1, exclusive.
    """

    better: Better
    minimum_effect: float
    settings: int
    confidence: float = CONFIDENCE


def against(baseline: Setting) -> Against:
    """Compare every other setting (candidate) with `baseline` (reference): a family of k − 1 comparisons."""
    return Against(baseline)


def against_best() -> AgainstBest:
    """Compare the best setting (candidate) with every other one (reference).

    The best is picked from the data it is judged by, so any pair could have come up: the family that the simultaneous
    intervals count is all k(k − 1)/2 pairs.
    """
    return AgainstBest()


def compare(
    measurements: Sequence[Measurement],
    reference_rule: ReferenceRule,
    better: Better,
    minimum_effect: float,
    noise_cv: float | None,
    confidence: float = CONFIDENCE,
    *,
    step: float = 0.0,
) -> tuple[Comparison, ...]:
    """Compare the settings of one experiment.

    Ratios and their noise are those of the blocks in which both settings ran (`pair_noise`); intervals are Bonferroni t
    intervals that hold together with `confidence`; p values are adjusted in the same way (`simultaneous_p`), so that
    one below 0.05 stands beside an interval that excludes no difference, and only there. The verdict follows the
    interval.

    Two settings that no block links (each ran in blocks of its own) cannot be told from drift: ratio of means,
    interval (0, inf), p 1. The same holds where no noise level is known: one trial per setting, none given.

    Args:
        measurements: of ONE family, metric, unit, set of conditions and phase.
        reference_rule: `against(baseline)` or `against_best()`.
        better: direction of an improvement.
        minimum_effect: smallest effect worth acting on, as a share, > 0.
        noise_cv: run-to-run noise stated from outside, as a share, or None. It counts as known with 7 degrees of
            freedom, and for all pairs, unless these trials scatter more.
        confidence: of all intervals of the family together, 0-1, exclusive.
        step: of the clock or count the values were measured with, in their unit; 0 where it is finer than any noise.

    Returns:
        One comparison for each other setting, by level; empty where there is only one setting.

    Raises:
        ValueError: measurements that may not be compared, a value that is not finite and positive, a baseline that
            was not measured, or a minimum effect or noise level that is not positive.
    """
    check_effect(minimum_effect)
    fit = estimate(measurements)
    count = len(fit.settings)
    if count < 2:
        return ()
    positions = np.arange(count)
    best = None
    if isinstance(reference_rule, Against):
        baseline = fit.position_of(reference_rule.baseline)
        candidates = positions[positions != baseline]
        references = np.full(len(candidates), baseline)
    else:
        picked = reference_rule.candidate
        best = best_position(fit, better) if picked is None else fit.position_of(picked)
        candidates, references = np.tril_indices(count, -1)
        turned = references == best
        candidates, references = np.where(turned, references, candidates), np.where(turned, candidates, references)
    terms = Terms(better, minimum_effect, count, confidence)
    noise = judging_noise(fit.noise, noise_cv)
    pairs = pair_noise(measurements, fit, candidates, references, noise, step)
    trials = shared_trials(measurements, fit) if noise.noise is not None and not noise.is_given else None
    return judge_pairs(fit, noise, candidates, references, pairs, terms, measurements[0], only_of=best, trials=trials)


def check_effect(minimum_effect: float) -> None:
    """Raise ValueError for a minimum effect that would claim everything."""
    if not minimum_effect > 0:
        raise ValueError(f"the minimum effect must be positive, not {minimum_effect}")


def judge_pairs(
    fit: Estimate,
    noise: JudgingNoise,
    candidates: Indices,
    references: Indices,
    pairs: PairNoise,
    terms: Terms,
    example: Measurement,
    *,
    only_of: int | None = None,
    trials: TrialsOf | None = None,
) -> tuple[Comparison, ...]:
    """Judge pairs of settings; the simultaneous intervals count exactly these.

    Args:
        noise: of one trial, from all of them or stated.
        candidates, references: shape (n,), positions among the estimate's settings; none of them twice.
        pairs: what is known of each.
        example: any of the measurements, for family, metric, unit, conditions and phase.
        only_of: the candidate whose comparisons are returned, None for all.
        trials: those behind a pair, None for all of either setting.
    """
    judging = _Judging(
        fit, noise, pairs, terms, example, trials or (lambda pair: (fit.trials[pair[0]], fit.trials[pair[1]]))
    )
    beyond = np.sqrt(np.maximum(pairs.log_ratio**2 - pairs.resolution**2, 0.0))
    raw = two_sided_p(beyond / pairs.error, pairs.degrees).tolist()
    adjusted = [simultaneous_p(p, len(raw), terms.confidence) for p in raw]
    chosen = zip(range(len(candidates)), candidates.tolist(), references.tolist(), adjusted, strict=True)
    return tuple(judging.comparison(n, (c, r), p) for n, c, r, p in chosen if only_of in (None, c))


def best_position(fit: Estimate, better: Better, among: Sequence[int] | None = None) -> int:
    """Return the position of the setting with the best mean, all or `among` some; of equal ones the lowest level."""
    positions = range(len(fit.settings)) if among is None else sorted(among)
    sign = 1 if better is Better.LOWER else -1
    return min(positions, key=lambda position: sign * fit.log_means[position])


@dataclass(frozen=True, eq=False)
class _Judging:
    """All that the comparisons of one experiment share."""

    fit: Estimate
    noise: JudgingNoise
    pairs: PairNoise
    terms: Terms
    example: Measurement
    trials: TrialsOf

    def comparison(self, number: int, pair: Pair, p_adjusted: float) -> Comparison:
        """Judge one pair, the `number`th."""
        candidate, reference = pair
        fit, example, pairs = self.fit, self.example, self.pairs
        low, high = self._interval(number)
        candidate_trials, reference_trials = self.trials(pair)
        verdict = judge(low, high, self.terms.better, self.terms.minimum_effect)
        return Comparison(
            family=example.family,
            factor=" × ".join(varied_parameters(fit.settings)),
            reference=fit.settings[reference],
            candidate=fit.settings[candidate],
            conditions=example.conditions,
            metric=example.metric,
            unit=example.unit,
            ratio=exp_or_inf(float(pairs.log_ratio[number])),
            low=low,
            high=high,
            p_adjusted=p_adjusted,
            reference_trials=reference_trials,
            candidate_trials=candidate_trials,
            verdict=verdict,
            smallest_effect=self._smallest_effect(number),
            trials_needed=self._trials_needed(number, pair) if verdict is Verdict.CANNOT_TELL else 0,
            minimum_effect=self.terms.minimum_effect,
            phase=example.phase,
        )

    def _interval(self, number: int) -> tuple[float, float]:
        """Return the interval of the ratio, (0, inf) where nothing can be said."""
        pairs = self.pairs
        if not np.isfinite(pairs.error[number]):
            return 0.0, math.inf
        quantile = simultaneous_quantile(self.terms.confidence, len(pairs.error), float(pairs.degrees[number]))
        half_width = math.hypot(quantile * pairs.error[number], pairs.resolution[number])
        middle = float(pairs.log_ratio[number])
        return exp_or_inf(middle - half_width), exp_or_inf(middle + half_width)

    def _question(self, number: int) -> Question:
        """Return the question about one pair: its own blocks count, and noise lent by other trials."""
        comparisons, confidence = len(self.pairs.error), self.terms.confidence
        borrowed = float(self.pairs.borrowed[number])
        if self.noise.is_given or self.pairs.degrees[number] == borrowed:
            settings, borrowed = self.terms.settings, self.noise.borrowed_degrees
        else:
            settings = 2
        return Question(settings, comparisons, confidence, borrowed, noise_is_given=self.noise.is_given)

    def _smallest_effect(self, number: int) -> float:
        """Return the smallest effect these trials could show, inf where they can show none."""
        error = float(self.pairs.error[number])
        if not math.isfinite(error):
            return math.inf
        return smallest_effect(error, float(self.pairs.degrees[number]), self._question(number))

    def _trials_needed(self, number: int, pair: Pair) -> int:
        """Return the trials per setting that show a difference with 80 % power: more than the side with fewer has now.

        The difference is the minimum effect, or the observed one where that is larger; an observed effect flatters
        itself, so this is a lower bound. Nothing is promised about settings that do not differ: as many trials may
        leave them open. Without a noise level two of each show it; how many it takes then is not known before.
        """
        now = min(len(self.fit.trials[position]) for position in pair)
        log_sd = float(self.pairs.log_sd[number])
        if not math.isfinite(log_sd):
            return max(2, now + 1)
        effect = max(math.log1p(self.terms.minimum_effect), abs(float(self.pairs.log_ratio[number])))
        return max(trials_needed(effect, log_sd, self._question(number)), now + 1)
