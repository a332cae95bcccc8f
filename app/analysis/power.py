"""How many trials it takes to see an effect, and how small an effect given trials can show."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from app.analysis.distributions import t_quantile
from app.analysis.student import CONFIDENCE, exp_or_inf, simultaneous_quantile

POWER: Final = 0.8
"""Chance of showing an effect that is there; the usual 80 % (Cohen 1988)."""

MOST_TRIALS: Final = 10_000
"""Answer where an effect is too small to be shown by any number of trials somebody would run."""


@dataclass(frozen=True)
class Question:
    """The question of an experiment, and prior knowledge of its noise.

    Attributes:
        settings: how many are measured, ≥ 2.
        comparisons: how many are judged together, ≥ 1.
        confidence: of all intervals together.
        borrowed_degrees: degrees of freedom of the noise that come from elsewhere, ≥ 0.
        noise_is_given: the noise comes from outside alone, so its degrees of freedom do not grow with the trials.
        look_error: level of each look at confirming pairs alone, where it is not the usual one.
    """

    settings: int
    comparisons: int
    confidence: float = CONFIDENCE
    borrowed_degrees: float = 0
    noise_is_given: bool = False
    look_error: float | None = None

    def degrees_after(self, trials: int) -> float:
        """Return the degrees of freedom of the noise after `trials` complete blocks."""
        own = 0 if self.noise_is_given else (self.settings - 1) * (trials - 1)
        return self.borrowed_degrees + own


def smallest_effect(
    standard_error: float, degrees_of_freedom: float, question: Question, power: float = POWER
) -> float:
    """Return the smallest change, as a share, that an interval with this standard error (log scale) shows so often.

    Args:
        power: chance of being shown, 0–1.

    Source: (t₁₋α/₂ + t_power) · standard error, e.g. Cochran & Cox, Experimental Designs, section 2.21.
    """
    return exp_or_inf(_quantile_sum(degrees_of_freedom, question, power) * standard_error) - 1


def trials_needed(log_effect: float, log_sd: float, question: Question) -> int:
    """Return the trials per setting, in complete blocks, that show an effect with 80 % power.

    Args:
        log_effect: |log(ratio)| to be shown, > 0.
        log_sd: noise of one trial on the log scale.
        question: what is judged together.

    Returns:
        The smallest sufficient number, at most `MOST_TRIALS`.
    """

    def shows(trials: int) -> bool:
        degrees = question.degrees_after(trials)
        return degrees > 0 and _quantile_sum(degrees, question) * log_sd * math.sqrt(2 / trials) <= log_effect

    return fewest(shows)


def fewest(shows: Callable[[int], bool]) -> int:
    """Return the smallest number of trials that is enough, at most `MOST_TRIALS`; more never show less."""
    most = 1
    while not shows(most):
        if most >= MOST_TRIALS:
            return MOST_TRIALS
        most = min(2 * most, MOST_TRIALS)
    too_few = most // 2
    while most - too_few > 1:
        middle = (too_few + most) // 2
        if shows(middle):
            most = middle
        else:
            too_few = middle
    return most


def _quantile_sum(degrees_of_freedom: float, question: Question, power: float = POWER) -> float:
    """Return t₁₋α/₂ + t_power, with the error shared by the comparisons."""
    shown = simultaneous_quantile(question.confidence, question.comparisons, degrees_of_freedom)
    return shown + t_quantile(power, degrees_of_freedom)
