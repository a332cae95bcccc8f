"""Comparisons over a condition that varies within each trial, such as the shape of a workload.

Every comparison is named beforehand: settings are compared at each value of the swept condition. One model serves all
of them, (setting, value) + block on logs, and so does one residual; the comparisons count together for the simultaneous
intervals.

The values of one trial share that trial's own luck, so the residual has two parts, as in a split plot with settings on
the whole plots: between trials (settings × blocks) and within them. The noise of one value is
(between + (m - 1) within) / m for m values per trial, with Satterthwaite's degrees of freedom.

Source: Montgomery, Design and Analysis of Experiments, "The split-plot design": standard error of the difference of two
whole-plot treatments at the same subplot treatment.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.analysis.compare import Terms, judge_pairs
from app.analysis.estimate import Estimate, estimate
from app.analysis.noise import JudgingNoise, Noise, judging_noise, noise_from_squares
from app.analysis.pairing import pair_noise
from app.analysis.settings_order import setting_key, varied_parameters
from app.analysis.student import CONFIDENCE
from app.domain.comparison import Comparison
from app.domain.measurement import Better, Measurement
from app.domain.setting import Setting


@dataclass(frozen=True, eq=False)
class SweptFit:
    """The common fit of all settings at all values of the swept conditions.

    Attributes:
        places: the distinct values of the swept conditions, in order.
        settings: the distinct settings, in order.
        fit: its settings are settings joined with places.
        measurements: those behind the fit.
        judged_by: the noise of one value; it is not known where trials were not repeated.
        example: one of the measurements, with the swept conditions taken out of its conditions.
    """

    places: tuple[Setting, ...]
    settings: tuple[Setting, ...]
    fit: Estimate
    measurements: tuple[Measurement, ...]
    judged_by: JudgingNoise
    example: Measurement

    @property
    def noise(self) -> Noise | None:
        """The noise of one value, None where it is not known."""
        return self.judged_by.noise

    def position(self, setting: Setting, place: Setting) -> int | None:
        """Return where a setting at a place stands in the fit, None where it was not measured."""
        joined = _joined(setting, place)
        return self.fit.settings.index(joined) if joined in self.fit.settings else None


def fit_swept(measurements: Sequence[Measurement], swept: Iterable[str], noise_cv: float | None) -> SweptFit:
    """Fit (setting, value) + block to the measurements of one metric.

    Args:
        measurements: of one family, metric, unit and phase; equal conditions but for the swept ones. At least one.
        swept: names of the swept conditions.
        noise_cv: run-to-run noise stated from outside, as a share; it counts unless the trials scatter more.

    Raises:
        ValueError: measurements that may not be compared.
    """
    names = frozenset(swept)
    places = {m.conditions: _only(m.conditions, names) for m in measurements}
    rest = {m.conditions: m.conditions.without(names) for m in measurements}
    joined = [
        replace(m, setting=_joined(m.setting, places[m.conditions]), conditions=rest[m.conditions])
        for m in measurements
    ]
    fit = estimate(joined)
    arms = {(m.trial_id, m.block): m.setting for m in measurements}
    residual = _trial_noise(joined, fit, arms)
    return SweptFit(
        places=tuple(sorted(set(places.values()), key=setting_key)),
        settings=tuple(sorted({m.setting for m in measurements}, key=setting_key)),
        fit=fit,
        measurements=tuple(joined),
        judged_by=judging_noise(residual, noise_cv),
        example=joined[0],
    )


def compare_swept(
    fit: SweptFit,
    pairs: Sequence[tuple[Setting, Setting]],
    better: Better,
    minimum_effect: float,
    step: float = 0.0,
    confidence: float = CONFIDENCE,
) -> tuple[Comparison, ...]:
    """Compare pairs of settings (reference, candidate) at every place both were measured at.

    Args:
        confidence: of all intervals together, 0-1, exclusive.

    Returns:
        Comparisons by place, then by pair; the swept conditions stand in their `conditions`.
    """
    asked = [
        (reference, candidate, place, (c, r))
        for place in fit.places
        for reference, candidate in pairs
        if (c := fit.position(candidate, place)) is not None and (r := fit.position(reference, place)) is not None
    ]
    if not asked:
        return ()
    candidates, references = (np.array(side) for side in zip(*(pair for *_rest, pair in asked), strict=True))
    terms = Terms(better, minimum_effect, len(fit.settings), confidence)
    noise = pair_noise(fit.measurements, fit.fit, candidates, references, fit.judged_by, step)
    made = judge_pairs(fit.fit, fit.judged_by, candidates, references, noise, terms, fit.example)
    return tuple(
        replace(
            comparison,
            factor=" × ".join(varied_parameters((reference, candidate))),
            reference=reference,
            candidate=candidate,
            conditions=Setting.from_mapping({**comparison.conditions, **place}),
        )
        for comparison, (reference, candidate, place, _pair) in zip(made, asked, strict=True)
    )


def _trial_noise(joined: Sequence[Measurement], fit: Estimate, arms: dict[tuple[str, int], Setting]) -> Noise | None:
    """Return the noise of one value, between and within trials put together, None where trials were not repeated."""
    if fit.noise is None:
        return None
    if any(m.runs > 1 for m in joined):  # means of runs do not tell what their values at several places have in common
        places = len(fit.settings) / len(set(arms.values()))
        return Noise(fit.noise.log_sd, max(1.0, fit.noise.degrees_of_freedom / places))
    residuals = _residuals(joined, fit)
    trials = sorted(arms)
    of_trial = np.array([trials.index((m.trial_id, m.block)) for m in joined])
    sizes = np.bincount(of_trial)
    between = float(np.sum(np.bincount(of_trial, weights=residuals) ** 2 / sizes))
    # the trials by themselves: how often settings were repeated over blocks
    example = joined[0]
    whole = estimate(
        [replace(example, trial_id=t, block=b, setting=arms[t, b], conditions=Setting(), value=1.0) for t, b in trials]
    ).noise
    if whole is None:
        return None
    values = float(sizes.mean())
    freedom_within = fit.noise.degrees_of_freedom - whole.degrees_of_freedom
    if freedom_within < 1:
        return noise_from_squares(between / values, whole.degrees_of_freedom)
    between_mean = between / whole.degrees_of_freedom
    within_mean = max(0.0, float(residuals @ residuals) - between) / freedom_within
    parts = (between_mean / values, (values - 1) / values * within_mean)
    variance = sum(parts)
    if variance <= 0:
        return noise_from_squares(0.0, whole.degrees_of_freedom)
    freedom = variance**2 / (parts[0] ** 2 / whole.degrees_of_freedom + parts[1] ** 2 / freedom_within)
    degrees = max(1, int(freedom))
    return noise_from_squares(variance * degrees, degrees)


def _residuals(joined: Sequence[Measurement], fit: Estimate) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the residual of each value's logarithm after setting, place and block."""
    positions = {setting: position for position, setting in enumerate(fit.settings)}
    logs = np.log(np.array([m.value for m in joined], dtype=float))
    rest = logs - fit.log_means[[positions[m.setting] for m in joined]]
    _, block = np.unique(np.array([m.block for m in joined]), return_inverse=True)
    left: np.ndarray[tuple[int], np.dtype[np.float64]] = (
        rest - (np.bincount(block, weights=rest) / np.bincount(block))[block]
    )
    return left


def _joined(setting: Setting, place: Setting) -> Setting:
    return Setting.from_mapping({**setting, **place})


def _only(conditions: Setting, names: frozenset[str]) -> Setting:
    return Setting.from_mapping({name: value for name, value in conditions.items() if name in names})
