"""The simplest setting that is not worse than the best one: more connections or longer holds have to earn their cost.

Only parameters count that declare which of their values cost more. A simpler setting is not worse where it is within
0.6 of the minimum effect of the best (3 % of 5 %); while the trials leave that open, the settings concerned run again.
The baseline stays where it is among those not worse: a change that gains nothing is not made.

Source: test of non-inferiority with a margin below the effect worth acting on; margin, level and number of blocks were
chosen by simulation (`tests/prove/test_simplest_setting.py`). With the whole minimum effect as margin up to 5 % would
be given away; with the best mean alone the smallest of three equal settings is found in a third of the sessions.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.analysis.distributions import t_quantile
from app.analysis.disturbed import undisturbed
from app.analysis.estimate import estimate
from app.analysis.noise import FLOOR_LOG_SD, Noise, judging_noise
from app.analysis.outcomes import NOTHING_KNOWN, Circumstances
from app.analysis.settings_order import setting_key
from app.analysis.winner import winner_of
from app.domain.comparison import Comparison, Verdict
from app.domain.measurement import Better, Measurement
from app.domain.setting import Costly, Parameter, Setting

MARGIN_SHARE: Final = 0.6
"""Of the minimum effect: a setting that loses less than this against the best is not worse."""

OPEN_LEVEL: Final = 0.80
"""One-sided level: where the interval at 60 % holds the margin, one more block may well settle it."""

MOST_FURTHER_BLOCKS: Final = 5

WORTH_SHARE: Final = 0.75
"""Of the margin: where not even all further blocks bring what is open below this, the noise is too large to settle it;
none is run, and what is open is said instead. At 5.5 % noise it saves about two trials of a session, and the smallest
of three equal settings is found in 62 instead of 67 % of sessions; at 3 % it changes nothing (by simulation)."""


@dataclass(frozen=True)
class Judging:
    """The terms by which settings are chosen.

    Attributes:
        costly: the direction that costs, of the parameters that declare one, by name.
        better, minimum_effect, noise_cv: as in `compare`.
        circumstances: as in `disturbed.undisturbed`.
    """

    baseline: Setting
    costly: Mapping[str, Costly]
    better: Better
    minimum_effect: float
    noise_cv: float | None = None
    circumstances: Circumstances = NOTHING_KNOWN


@dataclass(frozen=True)
class Choice:
    """Which setting goes on, and which have to run once more before that is settled.

    Attributes:
        setting: the baseline or else the simplest among those not worse than the best.
        contenders: those of which it is open, with the best; () where it is settled, or no further block would do it.
        best: the one that did best.
    """

    setting: Setting
    contenders: tuple[Setting, ...]
    best: Setting


def costly_of(parameters: Sequence[Parameter]) -> dict[str, Costly]:
    """Return which direction costs, of the parameters that declare it."""
    return {parameter.name: parameter.costly for parameter in parameters if parameter.costly is not None}


def margin_of(minimum_effect: float) -> float:
    """Return how much a setting may lose against the best and not be worse, a log."""
    return math.log1p(MARGIN_SHARE * minimum_effect)


def choose(explored: Sequence[Measurement], judging: Judging, best: Setting | None = None) -> Choice:
    """Return which setting goes on.

    Args:
        explored: measurements of one metric; at least one.
        best: the one that did best, where that is not for the trials alone to say; a race drops settings.

    Raises:
        ValueError: as in `estimate`.
    """
    best = winner_of(explored, judging.better, judging.baseline, judging.circumstances) if best is None else best
    others = sorted({m.setting for m in explored} - {best}, key=lambda setting: _cost(setting, judging))
    simpler = [setting for setting in others if _is_simpler(setting, best, judging)]
    if best == judging.baseline or not simpler:
        return Choice(best, (), best)
    margin = margin_of(judging.minimum_effect)
    losses = _losses(explored, simpler, best, judging)
    beyond = {setting: loss.log - margin for setting, loss in losses.items()}
    not_worse = [setting for setting in simpler if beyond[setting] <= 0]
    chosen = judging.baseline if judging.baseline in not_worse else next(iter(not_worse), best)
    # what costs more than a setting that is clearly not worse need not be known any better
    settled = next(
        (n for n, setting in enumerate(simpler) if beyond[setting] < -losses[setting].half_width), len(simpler)
    )
    is_open = [s for s in simpler[: settled + 1] if abs(beyond[s]) <= losses[s].half_width]
    is_worth_it = bool(is_open) and all(losses[setting].least_half_width <= WORTH_SHARE * margin for setting in is_open)
    return Choice(chosen, (*is_open, best) if is_worth_it else (), best)


def simplest_shown(comparisons: Sequence[Comparison], judging: Judging) -> Setting | None:
    """Return the simplest setting that measurements from elsewhere show to do as well as the best, None for the best.

    As well does what came to the same number, and what was shown not to differ by the minimum effect; the baseline
    only if it came to the same number, for what is not told apart from it recommends nothing as it is.

    Args:
        comparisons: of the best (candidate) with every other setting.
    """
    equal = [
        c.reference
        for c in comparisons
        if _is_simpler(c.reference, c.candidate, judging)
        and (c.ratio == 1.0 or (c.verdict is Verdict.NO_DIFFERENCE and c.reference != judging.baseline))
    ]
    return min(equal, key=lambda setting: _cost(setting, judging), default=None)


def simplest_of(log_losses: Mapping[Setting, float], best: Setting, judging: Judging, most: float) -> Setting:
    """Return the simplest setting that loses no more than so much against the best; the best where none does.

    Args:
        log_losses: against the best, of the settings that may be chosen.
        most: a log, used where it is below the margin.
    """
    margin = min(margin_of(judging.minimum_effect), most)
    not_worse = [s for s, loss in log_losses.items() if loss <= margin and _is_simpler(s, best, judging)]
    return min(not_worse, key=lambda setting: _cost(setting, judging), default=best)


def _is_simpler(setting: Setting, best: Setting, judging: Judging) -> bool:
    """Tell whether a setting costs less than the best in some changed parameter, and equals it in all others.

    What the best leaves at the baseline stays there: nothing showed that changing it helps.
    """
    differing = [name for name in best if setting[name] != best[name]]
    return all(
        best[name] != judging.baseline[name] and _costs_less(setting, best, name, judging.costly) for name in differing
    )


def _costs_less(setting: Setting, best: Setting, name: str, costly: Mapping[str, Costly]) -> bool:
    value, other, direction = setting[name], best[name], costly.get(name)
    if direction is None or isinstance(value, str) or isinstance(other, str):
        return False
    return value < other if direction is Costly.HIGHER else value > other


def _cost(setting: Setting, judging: Judging) -> tuple[object, ...]:
    """Return a key that sorts settings by cost, the baseline first."""
    signed = tuple(
        -float(value) if judging.costly.get(name) is Costly.LOWER else float(value)
        for name, value in setting.values_by_name
        if not isinstance(value, str)
    )
    return setting != judging.baseline, signed, setting_key(setting)


@dataclass(frozen=True)
class _Loss:
    """A setting's loss against the best.

    Attributes:
        log: the loss.
        half_width: how far from the margin that leaves it open.
        least_half_width: how far it would after all the further blocks there may be.
    """

    log: float
    half_width: float
    least_half_width: float


def _losses(
    explored: Sequence[Measurement], settings: Sequence[Setting], best: Setting, judging: Judging
) -> dict[Setting, _Loss]:
    """Return the losses of settings in the blocks they share with the best, of the trials that nothing disturbed."""
    told = undisturbed(explored, judging.circumstances)
    # a trial that stands out and counts all the same is a part of the noise that these losses have
    noise = judging_noise(estimate(told.clear).noise if told.own else told.noise, judging.noise_cv).noise
    sign = 1 if judging.better is Better.LOWER else -1
    logs: dict[Setting, dict[int, float]] = {setting: {} for setting in (*settings, best)}
    for m in told.clear:
        logs.setdefault(m.setting, {})[m.block] = sign * math.log(m.value)
    made = {}
    for setting in settings:
        differences = [log - logs[best][block] for block, log in logs[setting].items() if block in logs[best]]
        loss = float(np.mean(differences)) if differences else math.inf
        blocks = len(differences)
        made[setting] = _Loss(loss, _half_width(noise, blocks), _half_width(noise, blocks + MOST_FURTHER_BLOCKS))
    return made


def _half_width(noise: Noise | None, blocks: int) -> float:
    """Return the half width of a loss over so many blocks; nothing is open where no noise is known."""
    if noise is None or not blocks:
        return 0.0
    error = max(noise.log_sd, FLOOR_LOG_SD) * math.sqrt(2 / blocks)
    return t_quantile(OPEN_LEVEL, noise.degrees_of_freedom) * error
