"""The noise of the difference of two settings: each pair has its own.

On real servers one setting scatters ten times as much as another, so one residual for all would claim too much of noisy
settings and too little of quiet ones. A pair's own blocks count; all other trials help with at most four degrees of
freedom, the less the noisier the pair is than they are.

Where nobody wrote down blocks, trials of a setting are repeats and the pair's variance is that of Welch's test. Where
a pair shares fewer than two blocks and was not repeated within one either, only the additive model links it, with the
noise of all trials.

A published mean that its own scatter does not tell from nothing has no logarithm to speak of: no interval then.

Source: analysis of one contrast per block, e.g. Cochran & Cox, Experimental Designs, section 4.2; Welch (1947),
Biometrika 34: 28-35. How much may be borrowed was chosen by simulation (`tests/prove/test_confirmation_worlds.py`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from app.analysis.confirmation import MOST_BORROWED
from app.analysis.estimate import Estimate, Floats, Indices
from app.analysis.noise import FLOOR_LOG_SD, JudgingNoise, Noise
from app.analysis.published_means import runs_behind
from app.analysis.student import CONFIDENCE, simultaneous_quantile
from app.domain.measurement import Measurement

# Blocks times pairs that are looked at in one go: 64 MB.
_MOST_AT_ONCE = 4_000_000


@dataclass(frozen=True, eq=False)
class PairNoise:
    """Differences of pairs of settings with their noise, one entry per pair.

    Attributes:
        log_ratio: log(candidate / reference).
        log_sd: noise of one trial, inf where nothing is known.
        error: standard error of the log ratio, inf where nothing is known.
        degrees: degrees of freedom of the noise.
        borrowed: those of them that other trials lent.
        resolution: how far both sides may be off together, on the log scale: by half the step of what was measured,
            or by half the range a document gives.
    """

    log_ratio: Floats
    log_sd: Floats
    error: Floats
    degrees: Floats
    borrowed: Floats
    resolution: Floats


@dataclass(frozen=True)
class _Lender:
    """The noise of all trials, and the least that any pair is judged by."""

    noise: Noise
    least_log_sd: float


@dataclass(frozen=True, eq=False)
class _Own:
    """Variance of one trial of each pair, with its degrees of freedom; shape (n,)."""

    variance: Floats
    degrees: Floats


@dataclass(frozen=True, eq=False)
class _Rest:
    """Degrees of freedom and squares of the trials that are not of a pair, for each; shape (n,)."""

    degrees: Floats
    squares: Floats


def pair_noise(
    measurements: Sequence[Measurement],
    fit: Estimate,
    candidates: Indices,
    references: Indices,
    noise: JudgingNoise,
    step: float = 0.0,
) -> PairNoise:
    """Return the estimate of each pair from the trials.

    Args:
        measurements: those behind the fit.
        candidates, references: shape (n,), positions among the fit's settings.
        noise: of one trial, from all of them or stated; a stated one counts alone.
        step: of the clock or count the values were measured with, in their unit.
    """
    made = _from_model(fit, candidates, references, noise.noise)
    made.resolution[:] = _resolution(measurements, fit, candidates, references, step)
    if noise.noise is not None and not noise.is_given:
        _by_own_trials(made, measurements, fit, candidates, references, _Lender(noise.noise, noise.least_log_sd))
    _leave_unknown_means_open(made, measurements, fit, candidates, references)
    return made


def _by_own_trials(
    made: PairNoise,
    measurements: Sequence[Measurement],
    fit: Estimate,
    candidates: Indices,
    references: Indices,
    lender: _Lender,
) -> None:
    """Replace pairs that shared blocks or were repeated by the estimate of their own trials."""
    cells, counts, squares = _cells(measurements, fit)
    if cells.shape[0] > 1:
        chunk = max(1, _MOST_AT_ONCE // cells.shape[0])
        for start in range(0, len(candidates), chunk):
            part = slice(start, start + chunk)
            _by_blocks(made, part, cells, candidates[part], references[part], lender)
    else:
        _by_repeats(made, counts[0], squares, candidates, references, lender)


def _leave_unknown_means_open(
    made: PairNoise, measurements: Sequence[Measurement], fit: Estimate, candidates: Indices, references: Indices
) -> None:
    """Take the standard error from pairs with a published mean whose own interval reaches zero.

    Source: Fieller (1954), Journal of the Royal Statistical Society B 16: 175-185: where g = (t · standard error /
    mean)² ≥ 1 no bounded set of ratios holds with confidence.
    """
    runs, arm = runs_behind(measurements), _arms(measurements, fit)
    squares = np.bincount(arm, weights=runs.counts**2 * runs.squared_errors) / (
        np.bincount(arm, weights=runs.counts) ** 2
    )
    worse = np.maximum(squares[candidates], squares[references])
    if not worse.any():
        return
    widest = simultaneous_quantile(CONFIDENCE, 1, float(made.degrees.min()))
    for pair in np.flatnonzero(widest**2 * worse >= 1):
        if simultaneous_quantile(CONFIDENCE, 1, float(made.degrees[pair])) ** 2 * worse[pair] >= 1:
            made.error[pair] = np.inf


def _from_model(fit: Estimate, candidates: Indices, references: Indices, noise: Noise | None) -> PairNoise:
    """Return every pair as the additive model sees it, with the noise of all trials."""
    count = len(candidates)
    i, j = candidates, references
    v = fit.variance
    linked = (fit.group[i] == fit.group[j]) & (noise is not None)
    log_sd, degrees = (noise.log_sd, noise.degrees_of_freedom) if noise is not None else (np.inf, 1.0)
    error = np.where(linked, log_sd * np.sqrt(v[i, i] + v[j, j] - 2 * v[i, j]), np.inf) if count else np.empty(0)
    return PairNoise(
        log_ratio=fit.log_means[i] - fit.log_means[j],
        log_sd=np.full(count, log_sd),
        error=error,
        degrees=np.full(count, float(degrees)),
        borrowed=np.zeros(count),
        resolution=np.zeros(count),
    )


def _resolution(
    measurements: Sequence[Measurement], fit: Estimate, candidates: Indices, references: Indices, step: float
) -> Floats:
    runs, arm = runs_behind(measurements), _arms(measurements, fit)
    ranges = np.bincount(arm, weights=runs.counts * runs.half_ranges) / np.bincount(arm, weights=runs.counts)
    off = np.maximum(0.5 * step * np.exp(-fit.log_means), ranges)
    return np.asarray(off[candidates] + off[references], dtype=float)


def _arms(measurements: Sequence[Measurement], fit: Estimate) -> Indices:
    """Return the position of each measurement's setting among the fit's."""
    positions = {setting: position for position, setting in enumerate(fit.settings)}
    return np.array([positions[m.setting] for m in measurements], dtype=np.intp)


def _cells(measurements: Sequence[Measurement], fit: Estimate) -> tuple[Floats, Floats, Floats]:
    """Return mean log and count by (block, setting), NaN where none ran, and each setting's squares within blocks."""
    arm, runs = _arms(measurements, fit), runs_behind(measurements)
    _, block = np.unique(np.array([m.block for m in measurements]), return_inverse=True)
    shape = (int(block.max()) + 1, len(fit.settings))
    counts, sums = np.zeros(shape), np.zeros(shape)
    np.add.at(counts, (block, arm), runs.counts)
    np.add.at(sums, (block, arm), runs.counts * runs.logs)
    cells = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    within = runs.counts * (runs.logs - cells[block, arm]) ** 2 + runs.squares
    squares = np.bincount(arm, weights=within, minlength=shape[1]).astype(float)
    return np.asarray(cells, dtype=float), counts, squares


def _by_blocks(
    made: PairNoise, part: slice, cells: Floats, candidates: Indices, references: Indices, lender: _Lender
) -> None:
    """Replace pairs that ran together in two blocks or more by the estimate of those blocks."""
    differences = cells[:, candidates] - cells[:, references]
    both = np.isfinite(differences)
    blocks = both.sum(axis=0)
    enough = blocks > 1
    safe = np.maximum(blocks, 2)
    middle = np.where(both, differences, 0.0).sum(axis=0) / safe
    own = np.where(both, (differences - middle) ** 2, 0.0).sum(axis=0) / (safe - 1) / 2
    degrees = safe - 1.0
    rest = _Rest(
        lender.noise.degrees_of_freedom - degrees,
        lender.noise.degrees_of_freedom * lender.noise.log_sd**2 - degrees * own,
    )
    _blend(made, part, enough, _Own(own, degrees), rest, lender, 2.0 / safe)
    made.log_ratio[part] = np.where(enough, middle, made.log_ratio[part])


def _by_repeats(
    made: PairNoise, counts: Floats, squares: Floats, candidates: Indices, references: Indices, lender: _Lender
) -> None:
    """Replace pairs of settings that were both repeated by the estimate of their repeats, as in Welch's test."""
    own_i, own_j = (squares[side] / np.maximum(counts[side] - 1, 1) for side in (candidates, references))
    n_i, n_j = counts[candidates], counts[references]
    both = (n_i > 1) & (n_j > 1)
    total = own_i / np.maximum(n_i, 1) + own_j / np.maximum(n_j, 1)
    parts = (own_i / np.maximum(n_i, 1)) ** 2 / np.maximum(n_i - 1, 1)
    parts += (own_j / np.maximum(n_j, 1)) ** 2 / np.maximum(n_j - 1, 1)
    degrees = np.where(parts > 0, total**2 / np.where(parts > 0, parts, 1.0), n_i + n_j - 2)
    spread = 1 / np.maximum(n_i, 1) + 1 / np.maximum(n_j, 1)
    # what others lend is theirs alone: Welch's degrees are fewer than the pair's own, whose squares would be left in it
    own_degrees = np.maximum(n_i - 1, 0) + np.maximum(n_j - 1, 0)
    rest = _Rest(
        lender.noise.degrees_of_freedom - own_degrees,
        lender.noise.degrees_of_freedom * lender.noise.log_sd**2 - squares[candidates] - squares[references],
    )
    _blend(made, slice(None), both, _Own(total / spread, np.maximum(degrees, 1.0)), rest, lender, spread)


def shared_trials(
    measurements: Sequence[Measurement], fit: Estimate
) -> Callable[[tuple[int, int]], tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the trials that make the estimate of a pair: those of the blocks both ran in, where these are two or more.

    The others have no part in it; where fewer are shared, or nobody wrote blocks down, all trials of either have.
    """
    by_block: list[dict[int, list[str]]] = [{} for _setting in fit.settings]
    for m, arm in zip(measurements, _arms(measurements, fit).tolist(), strict=True):
        by_block[arm].setdefault(m.block, []).extend([m.trial_id] * m.runs)

    def trials(pair: tuple[int, int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        shared = by_block[pair[0]].keys() & by_block[pair[1]].keys()
        if len(shared) < 2:
            return fit.trials[pair[0]], fit.trials[pair[1]]
        candidate, reference = (
            tuple(name for block, names in by_block[arm].items() if block in shared for name in names) for arm in pair
        )
        return candidate, reference

    return trials


def _blend(
    made: PairNoise, part: slice, chosen: np.ndarray, own: _Own, others: _Rest, lender: _Lender, spread: Floats
) -> None:
    """Enter the noise of the chosen pairs: their own variance of one trial, helped by that of all other trials.

    Args:
        lender: all trials, the pair's among them.
        spread: variance of the difference in units of that of one trial.
    """
    degrees = own.degrees
    rest = np.where(others.degrees > 0.5, np.maximum(others.squares, 0.0) / np.maximum(others.degrees, 0.5), 0.0)
    rest = np.maximum(rest, FLOOR_LOG_SD**2)
    agreement = np.minimum(1.0, rest / np.maximum(own.variance, FLOOR_LOG_SD**2))
    borrowed = np.where(others.degrees > 0.5, np.minimum(MOST_BORROWED, others.degrees) * agreement, 0.0)
    variance = (borrowed * rest + degrees * own.variance) / (borrowed + degrees)
    variance = np.maximum(variance, lender.least_log_sd**2)
    made.log_sd[part] = np.where(chosen, np.sqrt(variance), made.log_sd[part])
    made.error[part] = np.where(chosen, np.sqrt(variance * spread), made.error[part])
    made.degrees[part] = np.where(chosen, borrowed + degrees, made.degrees[part])
    made.borrowed[part] = np.where(chosen, borrowed, made.borrowed[part])
