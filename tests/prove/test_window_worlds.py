"""Claims of windows on one backlog keep their promise in every world: false ones, coverage, power and cost, simulated.

Every session reads its pairs and looks for a rhythm with what a run uses, and every one confirms something, which is
harsher than counting all. The figures are printed (`pytest -rP` shows them) and recorded as properties of the tests.
"""

from collections.abc import Callable

import numpy as np
import pytest

from app.analysis.distributions import two_sided_p
from app.analysis.window_pairs import ERROR_IN_ALL, error_in_all, look_error
from app.domain.plan import FEWEST_WINDOW_PAIRS, MOST_WINDOW_PAIRS
from tests.prove.kept_windows import GAINS, WINDOWS, with_gain
from tests.prove.shares import Share
from tests.prove.test_confirmation_worlds import upper_bound
from tests.prove.window_worlds import WORLDS

pytestmark = pytest.mark.prove

Record = Callable[[str, object], None]

MOST_FALSE = 0.065
LEAST_COVERED = 0.93
LEAST_SHOWN = {"quiet": 0.90, "site": 0.90, "rough": 0.75, "a rhythm of 4 windows": 0.60}
LEAST_WORTH_IT = {"quiet": 0.30, "site": 0.80, "rough": 0.60, "a rhythm of 4 windows": 0.40}
"""Where the pairs end at the first claim it is 2, 35, 40 and 27 %."""
MOST_PAIRS_FOR_NOTHING = 7.0


def line_of(series: str) -> str:
    """Return the figures of a series."""
    count = WINDOWS.count(series, "sessions")
    counted = ("false", "claiming", "worth it", "covering")
    false, claims, worth, covers = (WINDOWS.count(series, what) / count for what in counted)
    pairs, minutes = (WINDOWS.sum(series, what) / count for what in ("pairs", "minutes"))
    most = upper_bound(WINDOWS.count(series, "false"), count)
    return (
        f"{series}: false {false:.2%}, at most {most:.2%}, claims {claims:.1%}, worth it {worth:.1%}, "
        f"covers {covers:.1%}, {pairs:.2f} pairs, {minutes:.1f} min, {count} sessions"
    )


@pytest.mark.parametrize("series", WINDOWS.series)
def test_the_sessions_kept_are_what_the_worlds_make(series: str, share: Share) -> None:
    """To each limit; after a change of the analysis `python -m tests.prove.kept_windows` writes them anew."""
    WINDOWS.check_again(share, series)


@pytest.mark.parametrize("world", WORLDS)
def test_no_world_makes_false_claims(world: str, record_property: Record) -> None:
    """No effect anywhere: claims in at most 6.5 % of 2,000 sessions by their upper bound, and intervals that cover."""
    line = line_of(world)
    record_property(world, line)
    print(line)
    count = WINDOWS.count(world, "sessions")
    assert count >= 2_000, line
    assert upper_bound(WINDOWS.count(world, "false"), count) <= MOST_FALSE, line
    assert WINDOWS.count(world, "covering") / count >= LEAST_COVERED, line


@pytest.mark.parametrize("world", ["quiet", "site", "rough"])
def test_where_nothing_gains_the_pairs_end_early(world: str) -> None:
    """What twelve pairs would not settle either is not run to the end."""
    assert WINDOWS.sum(world, "pairs") / WINDOWS.count(world, "sessions") <= MOST_PAIRS_FOR_NOTHING, line_of(world)


@pytest.mark.parametrize("world", GAINS)
def test_a_gain_is_shown(world: str, record_property: Record) -> None:
    """And that it is worth acting on, by an interval that holds it."""
    series = with_gain(world)
    line = line_of(series)
    record_property(series, line)
    print(line)
    count = WINDOWS.count(series, "sessions")
    assert WINDOWS.count(series, "claiming") / count >= LEAST_SHOWN[world], line
    assert WINDOWS.count(series, "worth it") / count >= LEAST_WORTH_IT[world], line
    assert WINDOWS.count(series, "covering") / count >= LEAST_COVERED, line


@pytest.mark.parametrize("most_pairs", range(FEWEST_WINDOW_PAIRS, MOST_WINDOW_PAIRS + 1))
def test_the_levels_of_the_looks_pay_for_all_of_them(most_pairs: int) -> None:
    """Normal pairs without any difference: what is claimed at some look, and how often a p value as small comes up."""
    random, count = np.random.default_rng(most_pairs), 60_000
    pairs = random.standard_normal((count, most_pairs))
    smallest = np.ones(count)
    for looks in range(FEWEST_WINDOW_PAIRS, most_pairs + 1):
        seen = pairs[:, :looks]
        t = seen.mean(1) * np.sqrt(looks) / seen.std(1, ddof=1)
        smallest = np.minimum(smallest, two_sided_p(t, looks - 1))
    claimed = float((smallest <= look_error(most_pairs)).mean())
    assert claimed == pytest.approx(ERROR_IN_ALL, abs=0.0035)
    for p_value in (0.1, 0.001):  # of the small ones it promises no more than there are
        assert float((smallest <= p_value).mean()) <= error_in_all(p_value, most_pairs) * 1.1 + 0.0005
