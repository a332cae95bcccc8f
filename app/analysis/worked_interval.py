"""The arithmetic of one confirmed interval, step by step, so that a reader can do it again with a calculator.

The steps are those of `confirmation.read` and `window_pairs`, written out; where they do not lead to the interval that
is printed (a clock too coarse, carry-over, a stated noise), there is nothing to show.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from app.analysis.confirmation import LOOK_ERROR
from app.analysis.distributions import t_quantile
from app.analysis.noise import FLOOR_LOG_SD
from app.analysis.student import CONFIDENCE
from app.analysis.window_pairs import look_error
from app.domain.comparison import Comparison

_AS_PRINTED = 1e-6


@dataclass(frozen=True)
class WorkedInterval:
    """The steps from the pairs to an interval; all on the natural log scale.

    Attributes:
        mean: of the differences, log(candidate / reference).
        sd: of one difference; at least that of the least noise a claim may rest on.
        degrees: degrees of freedom of `sd`.
        lends: whether exploring trials lend to `sd`; otherwise it is that of these differences alone.
        error: two-sided error of one look.
        quantile: of Student's t at it.
        half_width: quantile · sd / √pairs.
    """

    mean: float
    sd: float
    degrees: float
    lends: bool
    error: float
    quantile: float
    half_width: float


def worked_interval(
    comparison: Comparison, differences: Sequence[float], most_pairs: int | None
) -> WorkedInterval | None:
    """Return the steps that lead to the printed interval of a confirmed comparison, None where these do not.

    Args:
        differences: log(candidate / reference) of each pair that counts.
        most_pairs: of windows, as in `Design`; None where trials are none.
    """
    if len(differences) < 2 or comparison.confirmation is None:
        return None
    error = LOOK_ERROR if most_pairs is None else look_error(most_pairs)
    least = math.sqrt(2) * FLOOR_LOG_SD
    own = max(stdev(differences), least)
    tried = [_made(differences, own, len(differences) - 1, error, lends=False)]
    told = comparison.confirmation
    if told.log_sd is not None and told.degrees is not None:
        tried.append(_made(differences, math.sqrt(2) * told.log_sd, told.degrees, 1 - CONFIDENCE, lends=True))
    return next((one for one in tried if _is_printed(comparison, one)), None)


def _made(differences: Sequence[float], sd: float, degrees: float, error: float, *, lends: bool) -> WorkedInterval:
    quantile = t_quantile(1 - error / 2, degrees)
    half_width = quantile * sd / math.sqrt(len(differences))
    return WorkedInterval(fmean(differences), sd, degrees, lends, error, quantile, half_width)


def _is_printed(comparison: Comparison, worked: WorkedInterval) -> bool:
    ends = math.exp(worked.mean - worked.half_width), math.exp(worked.mean + worked.half_width)
    printed = comparison.low, comparison.high
    return all(math.isclose(one, other, rel_tol=_AS_PRINTED) for one, other in zip(ends, printed, strict=True))
