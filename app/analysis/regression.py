"""Factors varied together, taken apart by one regression where not every block holds every combination of them.

A race drops settings, a model tries few of them, rows of a file are missing. Then what each factor does is estimated
from all trials at once, blocks left out, and judged by the noise the regression leaves.

Source: unbalanced factorial by the general linear model with the extra sum of squares for interaction, e.g.
Montgomery, Design and Analysis of Experiments, sections 10.3 and 15.2.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.analysis.distributions import f_beyond
from app.analysis.estimate import Floats
from app.analysis.factorial import INTERACTION_ERROR, THE_BEST, Factorial, Sparing, decided_by, factorial_of, levels_of
from app.analysis.least_squares import FEWEST_DEGREES, Fit, fit_terms
from app.analysis.noise import FLOOR_LOG_SD, Noise, judging_noise
from app.analysis.settings_order import setting_key
from app.analysis.student import CONFIDENCE, exp_or_inf, simultaneous_quantile
from app.domain.comparison import Contrast
from app.domain.measurement import Better, Measurement
from app.domain.setting import Setting, Value


def taken_apart(
    explored: Sequence[Measurement],
    baseline: Setting,
    better: Better,
    noise_cv: float | None = None,
    best: Setting | None = None,
    sparing: Sparing = THE_BEST,
) -> Factorial | None:
    """Return the effect of each of several factors, None where these trials do not take them apart.

    Args:
        explored: measurements of one metric; values positive.
        noise_cv: run-to-run noise stated from outside, as a share, or None; the larger counts.
        best: whose levels are spoken about where combinations are missing; None for those that did best.
        sparing: as in `factorial_of`.
    """
    whole = factorial_of(explored, baseline, better, sparing)
    levels = levels_of({m.setting for m in explored}, baseline)
    if whole is not None or levels is None:
        return whole
    trials = _Trials.of(explored, baseline, levels, 1 if better is Better.LOWER else -1)
    fit, interacts = _fitted(trials, noise_cv)
    noise = judging_noise(fit.of.noise, noise_cv).noise
    if noise is None or noise.degrees_of_freedom < FEWEST_DEGREES:
        return None
    at = trials.best(fit, sparing) if best is None else best
    contrasts = [_contrast(trials, fit, noise, name, at) for name in levels if at[name] != baseline[name]]
    if None in contrasts:
        return None
    return decided_by(contrasts, baseline, better, interacts=interacts)


@dataclass(frozen=True, eq=False)
class _Fit:
    """A regression of logs on blocks and on the factors told apart.

    Attributes:
        terms: what is told apart, one for each column: (factor, level), or a whole setting; the baseline has none.
        of: the fit of these terms.
    """

    terms: tuple[Setting | tuple[str, Value], ...]
    of: Fit

    def difference(
        self, plus: Setting | tuple[str, Value], minus: Setting | tuple[str, Value], log_sd: float
    ) -> tuple[float, float]:
        """Return a difference of two terms and its standard error, inf where it is not determined.

        Args:
            log_sd: noise of one trial, which counts unless the trials behind the difference are noisier.
        """
        weights = [float(term == plus) - float(term == minus) for term in self.terms]
        middle, variance = self.of.combined(weights)
        if not math.isfinite(variance):
            return middle, math.inf
        return middle, math.sqrt(max(log_sd**2 * variance, self.of.own_variance(weights)))


@dataclass(frozen=True, eq=False)
class _Trials:
    """Logs of trials (less is better, by the sign), with their settings and the blocks they ran in."""

    sign: int
    baseline: Setting
    levels: dict[str, tuple[Value, ...]]
    settings: tuple[Setting, ...]
    logs: Floats
    blocks: tuple[int, ...]

    @staticmethod
    def of(
        explored: Sequence[Measurement], baseline: Setting, levels: dict[str, tuple[Value, ...]], sign: int
    ) -> "_Trials":
        logs = sign * np.log([m.value for m in explored])
        blocks = tuple(m.block for m in explored)
        return _Trials(sign, baseline, levels, tuple(m.setting for m in explored), logs, blocks)

    def by_level(self) -> _Fit:
        """Regress on the level of each factor: the effect of each by itself."""
        terms = [(name, level) for name, own in self.levels.items() for level in own if level != self.baseline[name]]
        return self._fit(terms, [[setting[name] == level for name, level in terms] for setting in self.settings])

    def by_cell(self) -> _Fit:
        """Regress on whole settings."""
        cells = sorted({*self.settings} - {self.baseline}, key=setting_key)
        return self._fit(cells, [[setting == cell for cell in cells] for setting in self.settings])

    def best(self, fit: _Fit, sparing: Sparing) -> Setting:
        """Return the setting of the levels, or the cell, that did best."""
        effects = dict(zip(fit.terms, fit.of.effects, strict=True))
        cells = {term: effect for term, effect in effects.items() if isinstance(term, Setting)}
        if cells:
            return min({self.baseline: 0.0, **cells}.items(), key=lambda each: (each[1], setting_key(each[0])))[0]
        return Setting.from_mapping(
            {
                name: sparing.level(
                    name, {level: effects.get((name, level), 0.0) for level in own}, self.baseline[name]
                )
                for name, own in self.levels.items()
            }
        )

    def _fit(self, terms: Sequence[Setting | tuple[str, Value]], columns: Sequence[Sequence[bool]]) -> _Fit:
        table = np.array(columns, dtype=float).reshape(len(self.settings), len(terms))
        return _Fit(tuple(terms), fit_terms(table, self.blocks, self.logs))


def _fitted(trials: _Trials, noise_cv: float | None) -> tuple[_Fit, bool]:
    """Return the regression that fits these trials, on whole settings where factors interact, and whether they do."""
    by_level, by_cell = trials.by_level(), trials.by_cell()
    noise = judging_noise(by_cell.of.noise, noise_cv).noise
    interacts = noise is not None and _interacts(by_level, by_cell, noise)
    return by_cell if interacts else by_level, interacts


def _interacts(by_level: _Fit, by_cell: _Fit, noise: Noise) -> bool:
    """Tell whether the interaction of the factors is significant."""
    joint = by_level.of.degrees - by_cell.of.degrees
    if joint < 1:
        return False
    ratio = (by_level.of.squares - by_cell.of.squares) / joint / max(noise.log_sd, FLOOR_LOG_SD) ** 2
    return f_beyond(max(ratio, 0.0), joint, noise.degrees_of_freedom) < INTERACTION_ERROR


def _contrast(trials: _Trials, fit: _Fit, noise: Noise, name: str, at: Setting) -> Contrast | None:
    """Return the contrast of a factor's level against the baseline's, None where the trials do not determine it."""
    is_of_cells = not fit.terms or isinstance(fit.terms[0], Setting)
    base, others = trials.baseline[name], [other for other in trials.levels if other != name]
    without = Setting.from_mapping({**at, name: base})
    log_sd = max(noise.log_sd, FLOOR_LOG_SD)
    middle, error = (
        fit.difference(at, without, log_sd) if is_of_cells else fit.difference((name, at[name]), (name, base), log_sd)
    )
    if not math.isfinite(error):
        return None
    comparisons = len(trials.levels[name]) - 1
    if is_of_cells:
        comparisons *= math.prod(len(trials.levels[other]) for other in others)
    half_width = simultaneous_quantile(CONFIDENCE, comparisons, noise.degrees_of_freedom) * error
    ends = sorted(trials.sign * end for end in (middle - half_width, middle + half_width))
    return Contrast(
        factor=name,
        level=at[name],
        reference=base,
        other_levels=tuple(at[other] for other in others) if is_of_cells else (),
        ratio=exp_or_inf(trials.sign * middle),
        low=exp_or_inf(ends[0]),
        high=exp_or_inf(ends[1]),
        error=error,
        degrees=noise.degrees_of_freedom,
        comparisons=comparisons,
    )
