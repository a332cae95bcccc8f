"""From an interval of a ratio to a verdict."""

from app.domain.comparison import Verdict
from app.domain.measurement import Better


def judge(low: float, high: float, better: Better, minimum_effect: float) -> Verdict:
    """Return the verdict on candidate / reference with the simultaneous interval `low`–`high`.

    In this order: an interval that excludes 1 is an improvement or worse, even one that lies wholly within ± the
    minimum effect (shown, though perhaps not worth acting on; the interval says so); one within ± the minimum effect,
    that is from 1 / (1 + e) to 1 + e so that swapping the sides changes nothing, is no difference; else nothing can be
    told yet.
    """
    if high < 1:
        return Verdict.IMPROVEMENT if better is Better.LOWER else Verdict.WORSE
    if low > 1:
        return Verdict.IMPROVEMENT if better is Better.HIGHER else Verdict.WORSE
    if low >= 1 / (1 + minimum_effect) and high <= 1 + minimum_effect:
        return Verdict.NO_DIFFERENCE
    return Verdict.CANNOT_TELL
