"""Pairs of windows on one backlog: one interval that may be looked at after each pair, and its p value.

A window is short, so its pairs are many and each costs a minute or two: a look after each from the third on, at a level
that pays for all of them. The pairs count alone. What exploring shows of the noise is not borrowed: windows of one
setting are close to each other there, and those of others minutes away.

Source: repeated confidence intervals, Jennison & Turnbull (1984), Controlled Clinical Trials 5: 33-45, with Pocock's
constant boundary (1977), Biometrika 64: 191-199.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.analysis.confirmation import Confirmed, Known, Reading
from app.analysis.distributions import t_quantile, two_sided_p
from app.analysis.estimate import Floats
from app.analysis.noise import FLOOR_LOG_SD, Noise
from app.analysis.verdicts import judge
from app.domain.comparison import Verdict
from app.domain.measurement import Better
from app.domain.plan import FEWEST_WINDOW_PAIRS, MOST_WINDOW_PAIRS

ERROR_IN_ALL: Final = 0.045
"""Of all looks together where the noise of the pairs is normal; a twentieth with what other noise adds to it."""

_STATED_ERROR: Final = 0.05
_LEVELS: Final[tuple[tuple[float, float, float], ...]] = (
    (0.0450, 0.100, 0.50),
    (0.0271, 0.150, 0.63),
    (0.0203, 0.186, 0.72),
    (0.0166, 0.215, 0.78),
    (0.0143, 0.238, 0.82),
    (0.0127, 0.258, 0.85),
    (0.0115, 0.276, 0.87),
    (0.0106, 0.291, 0.89),
    (0.0099, 0.305, 0.90),
    (0.0093, 0.317, 0.92),
    (0.0088, 0.328, 0.93),
    (0.0084, 0.339, 0.94),
    (0.0081, 0.348, 0.94),
    (0.0077, 0.357, 0.95),
)
"""By the most pairs there may be, from 3 to 16: the level of each look that errs 4.5 % in all, and the errors in all of
levels of 10 and 50 % (4,000,000 sequences of normal pairs; `tests/prove/test_window_worlds.py` makes some again)."""

ORDER_LEVEL: Final = 0.016
"""Level of a claim by the order alone, where a rhythm is suspected: it takes seven pairs. By simulation 2 to 5 % are
false then at all looks, at every period from 2 to 8 windows (`tests/prove/test_window_worlds.py`)."""

LEAST_HOPE: Final = 0.1
"""Chance of settling it with all pairs there may be, below which no further one is run: with 12 of them a site where
nothing gains takes 5.8 pairs instead of 11.8, and gains are shown as often; one of 10 % on a quiet site, of which no
twelve pairs may show 5 %, takes 9.2 instead of 10.4 (`tests/prove/window_worlds.py`)."""

_TINY: Final = 1e-9


def look_error(most_pairs: int) -> float:
    """Return the two-sided level of each look where there may be so many pairs (3 to 16)."""
    return _LEVELS[_place(most_pairs)][0]


def error_in_all(p_value: float, most_pairs: int) -> float:
    """Return the p value that accounts for every look, from that of one: 5 % where the interval just excludes 1.

    Between the levels that were simulated it follows a power; far below them each look adds its own.
    """
    level, at_ten, at_fifty = _LEVELS[_place(most_pairs)]
    looks = max(1, most_pairs - FEWEST_WINDOW_PAIRS + 1)
    of_one = np.log([_TINY, level, max(0.1, level * 1.01), 0.5, 1.0])
    of_all = np.log([looks * _TINY, _STATED_ERROR, max(at_ten, _STATED_ERROR), at_fifty, 1.0])
    if p_value <= _TINY:
        return looks * p_value
    return float(np.exp(np.interp(math.log(p_value), of_one, of_all)))


def _place(most_pairs: int) -> int:
    return min(max(most_pairs, FEWEST_WINDOW_PAIRS), MOST_WINDOW_PAIRS) - FEWEST_WINDOW_PAIRS


@dataclass(frozen=True)
class WindowTerms:
    """The terms that pairs of windows are judged by.

    Attributes:
        most_pairs: how many there may be.
        better, minimum_effect: as in `compare`.
        in_step_log: how far a rhythm of the site may move the windows of a pair apart, as a log, 0 for none; a claim
            that it might have made has to stand by the order of the pairs alone as well.
    """

    most_pairs: int
    better: Better
    minimum_effect: float
    in_step_log: float = 0.0


def confirm_windows(log_differences: Sequence[float], known: Known, terms: WindowTerms) -> Confirmed:
    """Read pairs of windows: log(candidate) - log(reference) of each pair in which both can be used (≥ 1).

    Another pair is wanted until the interval lies wholly beyond the minimum effect or within it, or shows a loss, or
    until the pairs left are hardly expected to bring this about. The level of each look allows any reason to go on:
    what counts is the interval of the last one, whatever those before it showed.

    Args:
        known: only its resolution and its number of comparisons count.
    """
    reading = _read(np.asarray(log_differences, dtype=float), known, terms)
    open_log = _open_beyond(reading, terms)
    is_open = open_log is not None and _hope(reading, terms, open_log) >= LEAST_HOPE
    wants_more = reading.pairs < FEWEST_WINDOW_PAIRS or is_open
    return Confirmed(reading, reading, flagged=None, is_set_aside=False, wants_more=wants_more)


def _open_beyond(reading: Reading, terms: WindowTerms) -> float | None:
    """Return the effect, a log, that the interval has to lie beyond to settle it: any, or of a gain that is shown the
    smallest that is worth acting on. None where it is settled."""
    low, high = reading.interval
    verdict, worth = judge(low, high, terms.better, terms.minimum_effect), 1 + terms.minimum_effect
    if verdict is Verdict.IMPROVEMENT:
        near, far = (low, high) if low > 1 else (1 / high, 1 / low)
        return math.log(worth) if near < worth < far else None
    return 0.0 if verdict is Verdict.CANNOT_TELL else None


def _hope(reading: Reading, terms: WindowTerms, open_log: float) -> float:
    """Return the chance that all pairs there may be settle it, as those so far predict: beyond this, or no difference.

    The mean of all of them scatters around that of these by what is still to come.

    Source: predictive power, Spiegelhalter, Freedman & Blackburn (1986), Controlled Clinical Trials 7: 8-17.
    """
    if reading.own_log_sd is None or reading.pairs >= terms.most_pairs:
        return 1.0
    spread = reading.own_log_sd * math.sqrt(2)
    moves = spread * math.sqrt(1 / reading.pairs - 1 / terms.most_pairs)
    quantile = t_quantile(1 - look_error(terms.most_pairs) / 2, terms.most_pairs - 1)
    width, effect = quantile * spread / math.sqrt(terms.most_pairs), math.log1p(terms.minimum_effect)

    def beyond(bound: float) -> float:
        return float(two_sided_p(np.array([bound / moves]), reading.pairs - 1)[0]) / 2

    middle, least = abs(reading.log_ratio), width + open_log
    shows = beyond(least - middle) if middle < least else 1 - beyond(middle - least)
    within = 1 - 2 * beyond(effect - width) if middle < effect - width else 0.0
    return shows + within


def _read(differences: Floats, known: Known, terms: WindowTerms) -> Reading:
    pairs, middle = len(differences), float(differences.mean())
    if pairs < FEWEST_WINDOW_PAIRS:  # no look is paid for yet
        return Reading(pairs, middle, math.inf, math.inf, math.inf, 1.0, None)
    spread = max(float(differences.std(ddof=1)), math.sqrt(2) * FLOOR_LOG_SD)
    error, freedom = spread / math.sqrt(pairs), pairs - 1
    level = look_error(terms.most_pairs) / known.comparisons
    half_width = math.hypot(t_quantile(1 - level / 2, freedom) * error, known.resolution)
    beyond = math.sqrt(max(middle**2 - known.resolution**2, 0.0)) / error
    p_of_look = float(two_sided_p(np.array([beyond]), freedom)[0]) * known.comparisons
    p_value, alone = error_in_all(min(1.0, p_of_look), terms.most_pairs), half_width
    may_be_step = abs(middle) - half_width < terms.in_step_log
    if may_be_step and (p_by_order := order_p(differences) * known.comparisons) > ORDER_LEVEL:
        p_value = max(p_value, min(1.0, _STATED_ERROR * p_by_order / ORDER_LEVEL))
        alone = max(half_width, abs(middle))  # the interval is stretched to no difference
    log_sd = spread / math.sqrt(2)
    return Reading(pairs, middle, half_width, alone, half_width, p_value, Noise(log_sd, freedom), log_sd)


def order_p(differences: Floats) -> float:
    """Return the share of all orders the pairs could have run in whose mean is at least as far from none as theirs.

    Without an effect the order alone decides which window of a pair counts as which, whatever made them differ.

    Source: Fisher (1935), The Design of Experiments, section 21.
    """
    count = len(differences)
    signs = 1 - 2 * ((np.arange(2**count)[:, None] >> np.arange(count)) & 1)
    sums = np.abs(signs @ differences)
    return float((sums >= abs(differences.sum()) * (1 - 1e-12)).mean())
