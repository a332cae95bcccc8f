"""The effect that confirming blocks can show, by both intervals a claim needs; a stated noise level has no second
one."""

import math

from app.analysis.confirmation import LOOK_ERROR
from app.analysis.distributions import t_quantile
from app.analysis.power import POWER, Question, fewest, smallest_effect, trials_needed
from app.analysis.student import exp_or_inf


def confirmed_effect(log_sd: float, pairs: int, question: Question, power: float = POWER) -> float:
    """Return the smallest effect, as a share, that so many pairs show that often; inf where they can show none.

    Args:
        log_sd: noise of one trial on the log scale.
        question: with the degrees of freedom that the exploring trials lend.
        power: chance of being shown, 0–1.
    """
    degrees = question.degrees_after(pairs)
    if degrees <= 0:
        return math.inf
    error = log_sd * math.sqrt(2 / pairs)
    joint = smallest_effect(error, degrees, question, power)
    if question.noise_is_given:
        return joint
    return math.inf if pairs < 2 else max(joint, exp_or_inf(_alone(pairs, question, power) * error) - 1)


def pairs_needed(log_effect: float, log_sd: float, question: Question) -> int:
    """Return how many pairs show an effect (|log ratio| > 0) with 80 % power, at most `MOST_TRIALS`."""
    needed = trials_needed(log_effect, log_sd, question)
    if question.noise_is_given:
        return needed

    def shows(pairs: int) -> bool:
        return pairs > 1 and _alone(pairs, question) * log_sd * math.sqrt(2 / pairs) <= log_effect

    return max(needed, fewest(shows))


def _alone(pairs: int, question: Question, power: float = POWER) -> float:
    """Return the quantiles of the confirming blocks alone: to exclude no difference, and often enough."""
    level = LOOK_ERROR if question.look_error is None else question.look_error
    return t_quantile(1 - level / (2 * question.comparisons), pairs - 1) + t_quantile(power, pairs - 1)
