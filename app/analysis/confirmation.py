"""One confirmed comparison: pairs of fresh trials, winner and baseline in each block, and the claim they support.

The noise of a pair's trials is their own, helped by that of the exploring trials only as far as the two agree (J); a
claim needs the confirming blocks alone as well, at a level that pays for looking up to four times (C). A pair that the
others show to be disturbed is set aside; both readings are kept.

Source: repeated confidence intervals, Jennison & Turnbull (1984), Controlled Clinical Trials 5: 33-45, with Pocock's
constant boundary (1977), Biometrika 64: 191-199; externally studentized residuals, Cook & Weisberg (1982), Residuals
and Influence in Regression, section 2.2. The constants were chosen by simulation in worlds of uneven, disturbed and
recorded noise, which `tests/prove/test_confirmation_worlds.py` runs again.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from app.analysis.distributions import f_beyond, t_quantile, two_sided_p
from app.analysis.estimate import Floats
from app.analysis.noise import FLOOR_LOG_SD, Noise, given_noise
from app.analysis.student import CONFIDENCE, exp_or_inf, simultaneous_p

MOST_BORROWED: Final = 4.0
"""Degrees of freedom the exploring noise may lend; with more than six one disturbed trial could make a claim."""

TOO_WELL: Final = 0.1
"""Probability of an F test (one-sided) below which confirming pairs agree better than exploring lets expect, and one
more block is run before a claim: beside a load that comes and goes in step with the order few pairs may agree by it."""

MISSED: Final = 0.1
"""Probability that a setting which fails now and then fails in none of its trials, below which these are enough."""

SLOWED: Final = 3.0
"""How many times as long a trial is taken to last in which a setting fails in a way that nobody counts."""

MOST_TRIED: Final = 8
"""Trials of the candidate that are enough for any claim: one that fails in a quarter of them has failed once by then.

Of candidates 10 % worse by their mean that take twice as long in a quarter of their trials 12 % are claimed with them
instead of 24 %, and of those that do in a third 5 instead of 10 %. They cost one pair where a gain of 10 % is shown,
two where one of 20 % is, none from 40 % on and without an effect (by simulation, `tests/prove/noise_worlds.py`)."""

LOOK_ERROR: Final = 0.016
"""Error of the interval of the confirming blocks alone at each of up to four looks: together at most 5 %."""

FLAG_ERROR: Final = 0.01
SET_ASIDE_ERROR: Final = 0.005
FEWEST_TO_SET_ASIDE: Final = 4

PROMISING: Final = 0.90
"""One-sided level: where the interval at 80 % excludes no difference, one more block may well settle it."""


@dataclass(frozen=True)
class Reading:
    """The result of a number of pairs.

    Attributes:
        pairs: how many, ≥ 1.
        log_ratio: mean of log(candidate / reference).
        joint: half width of J on the log scale, inf where no noise is known.
        alone: half width of C, inf for a single pair.
        promising: half width of J at 80 %.
        p_value: two-sided, of the printed interval: J's where that holds no difference, else the larger of J's and
            C's, so below 0.05 exactly where the printed interval excludes it; 1 where no noise is known.
        noise: of one trial, as J takes it; None where no noise is known.
        own_log_sd: of one trial by these pairs alone, at least the floor; None for a single pair.
    """

    pairs: int
    log_ratio: float
    joint: float
    alone: float
    promising: float
    p_value: float
    noise: Noise | None
    own_log_sd: float | None = None

    @property
    def claims(self) -> bool:
        """Both intervals exclude no difference."""
        return abs(self.log_ratio) > max(self.joint, self.alone)

    @property
    def half_width(self) -> float:
        """Return the half width of the printed interval: J, or the one a claim needs where J alone would make one."""
        if abs(self.log_ratio) <= self.joint:
            return self.joint
        return max(self.joint, self.alone)

    @property
    def interval(self) -> tuple[float, float]:
        """The printed interval of the ratio; stretched to no difference where J claims and C does not."""
        low, high = self.log_ratio - self.half_width, self.log_ratio + self.half_width
        if abs(self.log_ratio) > self.joint and not self.claims:
            low, high = min(self.log_ratio - self.joint, 0.0), max(self.log_ratio + self.joint, 0.0)
        return exp_or_inf(low), exp_or_inf(high)


@dataclass(frozen=True)
class Confirmed:
    """The pairs read, with any that was found disturbed.

    Attributes:
        reading: what counts: without the pair that was set aside, if one was.
        whole: with the pair that was set aside, by the others if two were; the same where none was.
        flagged: position of the pair that stands out, None for none.
        is_set_aside: the confirming blocks alone show it to be disturbed.
        wants_more: one more block may well settle the question, as far as the plan allows one.
        is_own: a setting itself may have made the flagged pair stand out, so it counts however far it lies.
        told: position of a pair that was set aside because the server tells what ran in it, None for none.
    """

    reading: Reading
    whole: Reading
    flagged: int | None
    is_set_aside: bool
    wants_more: bool
    is_own: bool = False
    told: int | None = None

    @property
    def aside(self) -> frozenset[int]:
        """Positions of the pairs that do not count."""
        by_others = self.flagged if self.is_set_aside else None
        return frozenset(position for position in (by_others, self.told) if position is not None)


@dataclass(frozen=True)
class Known:
    """Prior knowledge, from before the pairs are read.

    Attributes:
        exploring: residual of the exploring trials, flagged ones left out; None where nothing was explored.
        stated_cv: run-to-run noise stated from outside, as a share, or None; it counts unless the pairs show more.
        resolution: half the step of the clock or count relative to both sides, on the log scale: rounding is not
            averaged out, so it does not shrink with more pairs.
        comparisons: how many are confirmed together, ≥ 1.
        outcomes: positions of pairs whose slowness a setting itself brought about; these are never set aside.
        own: positions of pairs that a setting itself may have made stand out: they are shown, and never set aside.
        met: positions of pairs whose farther trial met what hardly any other did.
        tried: exploring trials of the candidate.
        is_in_doubt: exploring trials of the candidate stood out by what may be its own doing, so a claim needs every
            block there may be: what now and then befalls a setting shows in many of its trials only.
        orders: of each pair whether its candidate ran first, () where that is not known: a pair that alone ran in its
            order is never set aside, as the order may have made it.
    """

    exploring: Noise | None = None
    stated_cv: float | None = None
    resolution: float = 0.0
    comparisons: int = 1
    outcomes: frozenset[int] = frozenset()
    own: frozenset[int] = frozenset()
    met: frozenset[int] = frozenset()
    tried: int = 0
    is_in_doubt: bool = False
    orders: tuple[bool, ...] = ()

    @property
    def lent(self) -> tuple[float, float]:
        """Degrees of freedom that exploring may lend at most, and its variance of one trial."""
        if self.exploring is None:
            return 0.0, 0.0
        return min(MOST_BORROWED, self.exploring.degrees_of_freedom), max(self.exploring.log_sd, FLOOR_LOG_SD) ** 2

    def without(self, place: int) -> "Known":
        """Return the knowledge of the other pairs, where the server's word set one aside; it does so but once."""

        def left(positions: frozenset[int]) -> frozenset[int]:
            return frozenset(position - (position > place) for position in positions if position != place)

        return replace(
            self,
            outcomes=left(self.outcomes),
            own=left(self.own),
            met=frozenset(),
            tried=self.tried + 1,
            orders=self.orders[:place] + self.orders[place + 1 :],
        )


@dataclass(frozen=True)
class Apart:
    """The pair, or trial, that lies farthest from where the others put it.

    Attributes:
        position: among the pairs or trials.
        t: its externally studentized distance from there.
        limit: beyond it it was disturbed.
    """

    position: int
    t: float
    limit: float

    @property
    def is_disturbed(self) -> bool:
        """It stands out."""
        return self.t > self.limit


def confirm(log_differences: Sequence[float], known: Known) -> Confirmed:
    """Read the pairs of a confirmation: log(candidate) - log(reference) of each block in which both ran (≥ 1).

    A stated noise is a single look at what was planned: it asks for no further block.
    """
    differences = np.asarray(log_differences, dtype=float)
    told = told_apart(differences, known)
    if told is not None and told.is_disturbed:
        return _confirm_without(differences, known, told.position)
    whole = read(differences, known)
    flagged, aside = _standing_out(differences, known)
    is_open = flagged is not None and aside is None
    if aside in known.own:
        reading, flagged, aside = whole, aside, None
    elif aside is not None:
        reading, flagged = read(np.delete(differences, aside), known), aside
    else:
        reading = whole
    return Confirmed(
        reading=reading,
        whole=whole,
        flagged=flagged,
        is_set_aside=aside is not None,
        wants_more=_wants_more(reading, known, is_open=is_open)
        or _agrees_too_well(reading, known)
        or _is_tried_too_little(reading, known.tried + len(differences), known),
        is_own=flagged in known.own,
    )


def _confirm_without(differences: Floats, known: Known, told: int) -> Confirmed:
    """Read the pairs without one that the server reports as disturbed."""
    made = confirm([float(one) for one in np.delete(differences, told)], known.without(told))
    return replace(
        made,
        whole=made.whole if made.is_set_aside else read(differences, known),
        flagged=None if made.flagged is None else made.flagged + (made.flagged >= told),
        told=told,
    )


def _standing_out(differences: Floats, known: Known) -> tuple[int | None, int | None]:
    """Return the positions of the pair that stands out and of the one to set aside, None for none.

    A pair that alone ran in its order is never set aside, as the order may have made it.
    """
    flagged = _disturbed(flag(differences, known), known)
    aside = _disturbed(set_aside(differences), known)
    if aside is not None and known.orders and known.orders.count(known.orders[aside]) == 1:
        return aside, None
    return flagged, aside


def _disturbed(apart: Apart | None, known: Known) -> int | None:
    """Return the position of a pair that stands out, unless a setting itself made it do so."""
    return None if apart is None or not apart.is_disturbed or apart.position in known.outcomes else apart.position


def read(differences: Floats, known: Known) -> Reading:
    """Return the result of pairs, all of them counted."""
    pairs = len(differences)
    own_squares = float(differences.var(ddof=1)) / 2 if pairs > 1 else None
    noise = _joint_noise(own_squares, pairs, known)
    middle = float(differences.mean())
    if noise is None:
        return Reading(pairs, middle, math.inf, math.inf, math.inf, 1.0, None)
    error = noise.log_sd * math.sqrt(2 / pairs)
    freedom, count = noise.degrees_of_freedom, known.comparisons

    def half_width(probability: float) -> float:
        return math.hypot(t_quantile(probability, freedom) * error, known.resolution)

    beyond = math.sqrt(max(middle**2 - known.resolution**2, 0.0))
    joint, p_joint = half_width(1 - (1 - CONFIDENCE) / (2 * count)), _p(beyond, error, freedom)
    p_value = simultaneous_p(p_joint, count)
    alone, p_alone = (joint, 0.0) if known.stated_cv is not None else _alone(own_squares, pairs, known, beyond)
    return Reading(
        pairs=pairs,
        log_ratio=middle,
        joint=joint,
        alone=alone,
        promising=half_width(PROMISING),
        p_value=p_value if abs(middle) <= joint else max(p_value, simultaneous_p(p_alone, count, 1 - LOOK_ERROR)),
        noise=noise,
        own_log_sd=None if own_squares is None else max(math.sqrt(own_squares), FLOOR_LOG_SD),
    )


def _joint_noise(own_squares: float | None, pairs: int, known: Known) -> Noise | None:
    """Return the noise of one trial for J: the pairs' own and that lent by exploring, or the stated one if larger."""
    most, lent_squares = known.lent
    agreement = 1.0 if not own_squares else min(1.0, lent_squares / own_squares)
    freedom = most * agreement + pairs - 1
    observed = None
    if freedom > 0:
        squares = most * agreement * lent_squares + (pairs - 1) * (own_squares or 0.0)
        observed = Noise(max(math.sqrt(squares / freedom), FLOOR_LOG_SD), freedom)
    if known.stated_cv is None:
        return observed
    stated = given_noise(known.stated_cv)
    return observed if observed is not None and observed.log_sd > stated.log_sd else stated


def _alone(own_squares: float | None, pairs: int, known: Known, beyond: float) -> tuple[float, float]:
    """Return the half width of C, the confirming blocks alone for up to four looks, and the p of one look.

    Args:
        beyond: how far the log ratio lies beyond the resolution.
    """
    if own_squares is None:
        return math.inf, 1.0
    quantile = t_quantile(1 - LOOK_ERROR / (2 * known.comparisons), pairs - 1)
    error = math.sqrt(2 * max(own_squares, FLOOR_LOG_SD**2) / pairs)
    return math.hypot(quantile * error, known.resolution), _p(beyond, error, pairs - 1)


def _p(beyond: float, error: float, freedom: float) -> float:
    return float(two_sided_p(np.array([beyond / error]), freedom)[0])


def flag(differences: Floats, known: Known) -> Apart | None:
    """Hold the farthest pair against the others and the exploring noise; None where that says nothing."""
    if len(differences) < 2:
        return None
    degrees, variance = known.lent
    return _farthest(differences, 2 * degrees * variance, degrees, FLAG_ERROR)


def set_aside(differences: Floats) -> Apart | None:
    """Hold the farthest pair against the other confirming pairs alone; None where these are too few."""
    if len(differences) < FEWEST_TO_SET_ASIDE:
        return None
    return _farthest(differences, 0.0, 0.0, SET_ASIDE_ERROR)


def told_apart(differences: Floats, known: Known) -> Apart | None:
    """Hold the farthest of the pairs that met something against the middle of all and the exploring noise.

    Two disturbed pairs hide each other; where the server's word points to one, the other confirming pairs need not.
    """
    if not known.met or known.exploring is None or len(differences) < FEWEST_TO_SET_ASIDE:
        return None
    apart = np.abs(differences - np.median(differences))
    position = max(known.met, key=lambda place: float(apart[place]))
    spread = math.sqrt(2 * known.lent[1])
    limit = t_quantile(1 - SET_ASIDE_ERROR / (2 * len(differences)), known.exploring.degrees_of_freedom)
    return Apart(position, float(apart[position]) / spread, limit)


def _farthest(differences: Floats, lent_squares: float, lent_freedom: float, error: float) -> Apart | None:
    """Return the pair farthest from the mean, externally studentized; None without degrees of freedom."""
    count = len(differences)
    freedom = lent_freedom + count - 2
    if freedom <= 0:
        return None
    apart = np.abs(differences - differences.mean())
    position = int(apart.argmax())
    own = float(apart[position]) ** 2 * count / (count - 1)
    rest = max(float(apart @ apart) - own, 0.0)
    variance = max((lent_squares + rest) / freedom, 2 * FLOOR_LOG_SD**2)
    return Apart(position, math.sqrt(own / variance), t_quantile(1 - error / (2 * count), freedom))


def _agrees_too_well(reading: Reading, known: Known) -> bool:
    """Tell whether a claim rests on pairs that agree better than exploring lets expect.

    Where a load comes and goes in step with the order of the trials, few pairs show the same difference by that alone;
    another one, in an order of its own, hardly does.
    """
    if not reading.claims or reading.own_log_sd is None or known.exploring is None or known.stated_cv is not None:
        return False
    ratio = (reading.own_log_sd / max(known.exploring.log_sd, FLOOR_LOG_SD)) ** 2
    return 1 - f_beyond(ratio, reading.pairs - 1, known.exploring.degrees_of_freedom) < TOO_WELL


def trials_to_claim(log_ratio: float) -> int:
    """Return how many trials of the candidate a claim of this ratio needs, `MOST_TRIED` at most.

    So many that one which fails often enough to be no better in the mean would have failed in one of them.
    """
    harmful = (math.exp(abs(log_ratio)) - 1) / (SLOWED - 1)  # share of failing trials that takes up the whole gain
    if harmful >= 1 - MISSED:
        return 1
    needed = math.log(MISSED) / math.log1p(-harmful) if harmful > 0 else math.inf
    return math.ceil(min(needed, MOST_TRIED))


def _is_tried_too_little(reading: Reading, tried: int, known: Known) -> bool:
    """Tell whether a claim rests on so few trials of the candidate that it may just not have failed in any of them."""
    if not reading.claims or known.stated_cv is not None:
        return False
    return known.is_in_doubt or tried < trials_to_claim(reading.log_ratio)


def _wants_more(reading: Reading, known: Known, *, is_open: bool) -> bool:
    """Tell whether one more block may settle an open comparison; no number of blocks mends a coarse clock."""
    size = abs(reading.log_ratio)
    if known.stated_cv is not None or reading.claims or known.resolution > size:
        return is_open and known.stated_cv is None and known.resolution <= size
    return is_open or size > reading.joint or size > reading.promising
