"""Factors varied together: the effect of each by itself, and the setting in which only helpful ones are changed.

A factor is changed only where its own contrast shows that its level helps, so that a parameter without any effect does
not ride along with one that has some. Each contrast has a noise of its own: one value per block.
Trials in which combinations are missing are taken apart by `analysis.regression`.

Source: factorial in blocks with the test for interaction, e.g. Montgomery, Design and Analysis of Experiments, sections
5.3, 5.4 and 5.6; how much of the cells' residual a contrast may borrow, and the level at which an interaction counts,
were chosen by simulation.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.analysis.confirmation import MOST_BORROWED
from app.analysis.distributions import f_beyond
from app.analysis.estimate import Floats
from app.analysis.noise import FLOOR_LOG_SD
from app.analysis.settings_order import level_key, setting_key
from app.analysis.student import CONFIDENCE, exp_or_inf, simultaneous_quantile
from app.domain.comparison import Contrast
from app.domain.measurement import Better, Measurement
from app.domain.setting import Costly, Setting, Value

INTERACTION_ERROR: Final = 0.10
"""An interaction counts from here on: missing one costs more than looking at cells one by one."""


@dataclass(frozen=True)
class Sparing:
    """Of levels that do as well as the best one, the one that costs least is taken.

    Attributes:
        costly: the direction that costs, of the factors that declare one.
        margin: how much a level may lose against the best and do as well, a log.
    """

    costly: Mapping[str, Costly]
    margin: float

    def level(self, factor: str, logs: Mapping[Value, float], base: Value) -> Value:
        """Return a factor's level that did best, or a cheaper one that did as well; the baseline's only if it did best.

        Args:
            logs: what each level comes to over all others, less is better.
        """
        best, direction = min(logs, key=logs.__getitem__), self.costly.get(factor)
        as_good = [level for level, log in logs.items() if level == best or log - logs[best] <= self.margin]
        numbers = [level for level in as_good if not isinstance(level, str) and level != base]
        if best == base or direction is None or best not in numbers:
            return best
        return min(numbers) if direction is Costly.HIGHER else max(numbers)


THE_BEST: Final = Sparing({}, 0.0)
"""No level costs less than another."""


@dataclass(frozen=True)
class Factorial:
    """The effects of factors.

    Attributes:
        interacts: what one does depends on the others' levels, so contrasts are those of single cells.
        contrasts: of each factor whose best level is not the baseline's, by name.
        recommended: levels that help by their own contrast, the others at the baseline.
    """

    interacts: bool
    contrasts: tuple[Contrast, ...]
    recommended: Setting


def factorial_of(
    explored: Sequence[Measurement], baseline: Setting, better: Better, sparing: Sparing = THE_BEST
) -> Factorial | None:
    """Return the effect of each of several factors, None where these trials do not take them apart.

    They do where two blocks or more hold every combination of the levels, the baseline among them. Where all ran in
    one block, because nobody wrote blocks down, repeats take their place: the first of each combination, and so on.

    Args:
        explored: measurements of one metric; values positive.
        sparing: which level is taken where several do as well and factors do not interact.
    """
    cells = _cells(explored, baseline, 1 if better is Better.LOWER else -1)
    if cells is None:
        return None
    interacts = _interacts(cells.logs)
    contrasts = [_contrast(cells, axis, sparing, interacts=interacts) for axis in range(len(cells.names))]
    return decided_by(contrasts, baseline, better, interacts=interacts)


def decided_by(
    contrasts: Sequence[Contrast | None], baseline: Setting, better: Better, *, interacts: bool
) -> Factorial:
    """Return the setting decided by contrasts: levels that help by their own, the others at the baseline."""
    made = tuple(contrast for contrast in contrasts if contrast is not None)
    levels = {c.factor: c.level for c in made if (c.high < 1 if better is Better.LOWER else c.low > 1)}
    return Factorial(interacts, made, Setting.from_mapping({**baseline, **levels}))


@dataclass(frozen=True, eq=False)
class _Cells:
    """Logs by block and level of each factor, of the blocks in which every cell ran.

    Attributes:
        names, levels: of the factors.
        base: position of the baseline's level of each.
        sign: 1 where less of the measure is better, else -1.
        logs: times the sign, so that less is better; shape (blocks, levels of the first, of the second, ...).
    """

    names: tuple[str, ...]
    levels: tuple[tuple[Value, ...], ...]
    base: tuple[int, ...]
    sign: int
    logs: Floats


def _cells(explored: Sequence[Measurement], baseline: Setting, sign: int) -> _Cells | None:
    settings = {m.setting for m in explored}
    levels = levels_of(settings, baseline)
    if levels is None or len(settings) != math.prod(map(len, levels.values())):
        return None
    values = _by_block(explored, sign)
    whole = [block for _number, block in sorted(values.items()) if len(block) == len(settings)]
    if len(whole) < 2:
        return None
    ordered = sorted(settings, key=setting_key)  # by the first name, then the second
    logs = np.array([[block[s] for s in ordered] for block in whole]).reshape(
        len(whole), *(len(own) for own in levels.values())
    )
    base = tuple(own.index(baseline[name]) for name, own in levels.items())
    return _Cells(tuple(levels), tuple(levels.values()), base, sign, logs)


def levels_of(settings: AbstractSet[Setting], baseline: Setting) -> dict[str, tuple[Value, ...]] | None:
    """Return the levels of each of two factors or more, None where one has a single level or no baseline ran."""
    names = tuple(sorted(baseline))
    if len(names) < 2 or baseline not in settings or any(tuple(sorted(setting)) != names for setting in settings):
        return None
    levels = {name: tuple(sorted({s[name] for s in settings}, key=level_key)) for name in names}
    return levels if min(map(len, levels.values())) > 1 else None


def _by_block(explored: Sequence[Measurement], sign: int) -> dict[int, dict[Setting, float]]:
    """Return the logs by block and setting; without blocks by the place of a repeat among those of its setting.

    Repeats are exchangeable, so whichever of them stand together a contrast over them has the noise of its own cells.
    """
    has_blocks = len({m.block for m in explored}) > 1
    seen: dict[Setting, int] = {}
    values: dict[int, dict[Setting, float]] = {}
    for m in explored:
        seen[m.setting] = seen.get(m.setting, 0) + 1
        values.setdefault(m.block if has_blocks else seen[m.setting], {})[m.setting] = sign * math.log(m.value)
    return values


def _interacts(logs: Floats) -> bool:
    """Tell whether the interaction of the factors is significant against the residual of cells and blocks."""
    blocks, *shape = logs.shape
    means = logs.mean(axis=0)
    axes = range(len(shape))
    own = [means.mean(axis=tuple(other for other in axes if other != axis), keepdims=True) for axis in axes]
    apart = means - sum(own) + (len(shape) - 1) * means.mean()
    squares, degrees = _residual(logs)
    joint = math.prod(shape) - 1 - sum(count - 1 for count in shape)
    ratio = (blocks * float((apart**2).sum()) / joint) / max(squares / degrees, FLOOR_LOG_SD**2)
    return f_beyond(ratio, joint, degrees) < INTERACTION_ERROR


def _residual(logs: Floats) -> tuple[float, int]:
    """Return squares and degrees of freedom of the residual of cells and blocks."""
    flat = logs.reshape(len(logs), -1)
    left = flat - flat.mean(axis=0) - flat.mean(axis=1, keepdims=True) + flat.mean()
    return float((left**2).sum()), (flat.shape[0] - 1) * (flat.shape[1] - 1)


def _contrast(cells: _Cells, axis: int, sparing: Sparing, *, interacts: bool) -> Contrast | None:
    """Return the contrast of a factor's best level against the baseline's, None where that is the best."""
    base, levels = cells.base[axis], cells.levels[axis]
    others = list(itertools.product(*(own for place, own in enumerate(cells.levels) if place != axis)))
    logs = np.moveaxis(cells.logs, axis + 1, 1).reshape(len(cells.logs), len(levels), len(others))
    means = logs.mean(axis=0)
    if interacts:
        best, at = divmod(int(means.argmin()), len(others))
        differences = logs[:, best, at] - logs[:, base, at]
        alike, comparisons = 1, (len(levels) - 1) * len(others)
    else:
        by_level = dict(zip(levels, means.mean(axis=1).tolist(), strict=True))
        best, at = levels.index(sparing.level(cells.names[axis], by_level, levels[base])), None
        differences = (logs[:, best, :] - logs[:, base, :]).mean(axis=1)
        alike, comparisons = len(others), len(levels) - 1
    if best == base:
        return None
    middle = float(differences.mean())
    error, degrees = _error(differences, alike, _residual(logs))
    half_width = simultaneous_quantile(CONFIDENCE, comparisons, degrees) * error
    ends = sorted(cells.sign * end for end in (middle - half_width, middle + half_width))
    return Contrast(
        factor=cells.names[axis],
        level=levels[best],
        reference=levels[base],
        other_levels=() if at is None else others[at],
        ratio=exp_or_inf(cells.sign * middle),
        low=exp_or_inf(ends[0]),
        high=exp_or_inf(ends[1]),
        error=error,
        degrees=degrees,
        comparisons=comparisons,
    )


def _error(differences: Floats, alike: int, residual: tuple[float, int]) -> tuple[float, float]:
    """Return the standard error, and its degrees of freedom, of a mean over blocks of values that are each a mean.

    Args:
        differences: one for each block.
        alike: over how many cells each is the mean.
    """
    blocks = len(differences)
    own = float(differences.var(ddof=1)) * alike / 2
    rest = max(residual[0] / residual[1], FLOOR_LOG_SD**2)
    borrowed = min(MOST_BORROWED, residual[1]) * min(1.0, rest / max(own, FLOOR_LOG_SD**2))
    degrees = borrowed + blocks - 1
    variance = max((borrowed * rest + (blocks - 1) * own) / degrees, FLOOR_LOG_SD**2)
    return math.sqrt(variance * 2 / alike / blocks), degrees
