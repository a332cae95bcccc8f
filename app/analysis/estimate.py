"""The additive model setting + block on log values: the effect of each setting, and the scatter of single trials.

The classical intra-block analysis: block effects are eliminated first, so the equations stay as small as the number of
settings, whatever the number of trials. Unequal numbers of trials and missing combinations need no special treatment.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.analysis.noise import Noise, noise_from_squares
from app.analysis.published_means import runs_behind
from app.analysis.settings_order import setting_key
from app.analysis.student import exp_or_inf, simultaneous_quantile
from app.domain.measurement import Measurement
from app.domain.setting import Setting

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Estimate:
    """A least-squares fit of log(value) = setting + block + noise.

    Attributes:
        settings: the k distinct settings, sorted as `setting_key` sorts.
        trials: ids of the trials behind each setting, in the order measured; a published mean stands there once for
            each of its runs.
        log_means: shape (k,), log of each setting's mean in the measure's unit, adjusted for blocks.
        variance: shape (k, k); noise variance × (variance[i,i] + variance[j,j] − 2·variance[i,j]) is the variance of
            the difference of settings i and j.
        group: shape (k,); only settings of the same group are linked by common blocks, directly or through others, so
            only their differences can be told from drift.
        noise: pooled residual, None without degrees of freedom.
    """

    settings: tuple[Setting, ...]
    trials: tuple[tuple[str, ...], ...]
    log_means: Floats
    variance: Floats
    group: Indices
    noise: Noise | None

    def log_ratio(self, candidate: int, reference: int) -> float:
        """Return log(candidate / reference), of settings given by position."""
        return float(self.log_means[candidate] - self.log_means[reference])

    def is_linked(self, candidate: int, reference: int) -> bool:
        """Tell whether the difference of two settings can be told from differences between blocks."""
        return bool(self.group[candidate] == self.group[reference])

    def standard_error(self, candidate: int, reference: int, log_sd: float) -> float:
        """Return the standard error of a log ratio at a noise level; inf where the two are not linked."""
        if not self.is_linked(candidate, reference):
            return math.inf
        v = self.variance
        spread = v[candidate, candidate] + v[reference, reference] - 2 * v[candidate, reference]
        return log_sd * float(np.sqrt(spread))

    def interval(
        self, candidate: int, reference: int, noise: Noise | None, confidence: float, comparisons: int
    ) -> tuple[float, float]:
        """Return the interval of the ratio candidate / reference, (0, inf) where nothing can be said.

        It holds with `confidence` together with those of all `comparisons`.
        """
        if noise is None or not self.is_linked(candidate, reference):
            return 0.0, math.inf
        quantile = simultaneous_quantile(confidence, comparisons, noise.degrees_of_freedom)
        half_width = quantile * self.standard_error(candidate, reference, noise.log_sd)
        middle = self.log_ratio(candidate, reference)
        return exp_or_inf(middle - half_width), exp_or_inf(middle + half_width)

    def position_of(self, setting: Setting) -> int:
        """Return the position of a setting; raises ValueError where it was not measured."""
        if setting not in self.settings:
            raise ValueError(f"there is no measurement of {setting.label()}")
        return self.settings.index(setting)


def estimate(measurements: Sequence[Measurement]) -> Estimate:
    """Fit setting + block to the logs of values of one measure under equal conditions (at least one).

    Source: least squares with blocks eliminated (intra-block analysis), e.g. Montgomery, Design and Analysis of
    Experiments, chapter "Balanced incomplete block designs"; the residual has n − blocks − settings + groups degrees
    of freedom.

    Raises:
        ValueError: no measurement, measurements that may not be compared, or a value that is not finite and positive.
    """
    check_comparable(measurements)
    settings = tuple(sorted({m.setting for m in measurements}, key=setting_key))
    positions = {setting: position for position, setting in enumerate(settings)}
    arm = np.array([positions[m.setting] for m in measurements], dtype=np.intp)
    blocks = {number: position for position, number in enumerate(sorted({m.block for m in measurements}))}
    block = np.array([blocks[m.block] for m in measurements], dtype=np.intp)
    runs = runs_behind(measurements)
    trials: list[list[str]] = [[] for _setting in settings]
    for position, measurement in zip(arm.tolist(), measurements, strict=True):
        trials[position] += [measurement.trial_id] * measurement.runs

    information, group = _information(arm, block, runs.counts, len(settings))
    variance = _invert(information, group)
    centre = float(runs.logs.mean())  # keeps digits where values agree closely
    centred = runs.logs - centre
    effects, residuals = _fit(arm, block, centred, runs.counts, variance)
    freedom = int(runs.counts.sum()) - int(block.max() + 1) - len(settings) + int(group.max() + 1)
    return Estimate(
        settings=settings,
        trials=tuple(tuple(ids) for ids in trials),
        log_means=centre + _anchor(effects, arm, centred, runs.counts, group),
        variance=variance,
        group=group,
        noise=noise_from_squares(float(runs.counts * residuals @ residuals + runs.squares.sum()), freedom),
    )


def check_comparable(measurements: Sequence[Measurement], *, mixed_phases: bool = False) -> None:
    """Raise ValueError unless all are of one family, metric, unit, set of conditions and phase, finite and positive."""
    if not measurements:
        raise ValueError("there is no measurement")
    first = measurements[0]
    kind = (first.family, first.metric, first.unit, first.conditions)
    for m in measurements:
        same_phase = mixed_phases or m.phase is first.phase
        if not same_phase or (m.family, m.metric, m.unit, m.conditions) != kind:
            raise ValueError(
                f"trials {first.trial_id} and {m.trial_id} differ in family, metric, unit, conditions or phase"
            )
    values = np.array([m.value for m in measurements], dtype=float)
    wrong = np.flatnonzero(~(np.isfinite(values) & (values > 0)))
    if wrong.size:
        bad = measurements[int(wrong[0])]
        raise ValueError(f"the value of trial {bad.trial_id} must be finite and positive, not {bad.value}")


def _information(arm: Indices, block: Indices, runs: Floats, settings: int) -> tuple[Floats, Indices]:
    """Return the (k, k) information on settings after blocks are eliminated, and each setting's group."""
    counts = np.zeros((settings, int(block.max()) + 1))
    np.add.at(counts, (arm, block), runs)
    together: Floats = (counts / counts.sum(axis=0)) @ counts.T
    information = np.diag(np.bincount(arm, weights=runs, minlength=settings)) - together
    return information, _groups(together > 0)


def _groups(is_linked: NDArray[np.bool_]) -> Indices:
    """Return the group of each setting, from 0: those that blocks link, directly or through others."""
    while (is_reached := is_linked @ is_linked).sum() > is_linked.sum():
        is_linked = is_reached
    first = is_linked.argmax(axis=1)
    is_first: NDArray[np.bool_] = first == np.arange(len(first))
    group: Indices = (np.cumsum(is_first) - 1)[first]
    return group


def _invert(information: Floats, group: Indices) -> Floats:
    """Invert the information for differences within groups.

    It is singular by one dimension per group (a constant added to all settings changes nothing); filling that dimension
    in makes it regular and leaves every difference as it is.
    """
    same_group = (group[:, None] == group[None, :]).astype(float)
    scale = max(1.0, float(np.trace(information)) / len(group))
    filled: Floats = information + scale * same_group / same_group.sum(axis=0)
    return np.asarray(np.linalg.inv(filled), dtype=np.float64)


def _fit(arm: Indices, block: Indices, logs: Floats, runs: Floats, variance: Floats) -> tuple[Floats, Floats]:
    """Return the effects of settings, up to a constant per group, and the residuals of all trials."""
    block_sizes = np.bincount(block, weights=runs)
    block_means = np.bincount(block, weights=runs * logs) / block_sizes
    adjusted_totals = np.bincount(arm, weights=runs * (logs - block_means[block]), minlength=len(variance))
    effects: Floats = variance @ adjusted_totals
    without_settings = logs - effects[arm]
    block_effects = np.bincount(block, weights=runs * without_settings) / block_sizes
    return effects, without_settings - block_effects[block]


def _anchor(effects: Floats, arm: Indices, logs: Floats, runs: Floats, group: Indices) -> Floats:
    """Shift the effects so that each group's mean over its trials is that of its values."""
    trial_group = group[arm]
    sizes = np.bincount(trial_group, weights=runs)
    shift = np.bincount(trial_group, weights=runs * (logs - effects[arm])) / sizes
    anchored: Floats = effects + shift[group]
    return anchored
