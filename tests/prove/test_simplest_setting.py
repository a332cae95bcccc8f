"""The setting that goes on is the simplest that is not worse than the best, and hardly costs trials, by simulation.

The figures are printed (`pytest -rP` shows them) and recorded as properties of the tests.
"""

from collections.abc import Callable
from typing import Final

import pytest

from tests.prove.kept_answers import ANSWERS, CURVES, CVS, DISTURBED, Disturbed, answers_of, good_levels
from tests.prove.shares import Share

pytestmark = pytest.mark.prove

Record = Callable[[str, object], None]

MOST_MORE: Final = 0.15 * 21
"""Trials that it may cost on average, of the 21 of a usual session."""


@pytest.mark.parametrize("name", ANSWERS.series)
def test_the_sessions_kept_are_what_a_run_does(name: str, share: Share) -> None:
    """To each count; after a change of the analysis `python -m tests.prove.kept_answers` writes them anew."""
    ANSWERS.check_again(share, name)


def test_of_equal_levels_the_smallest_is_chosen(record_property: Record) -> None:
    """4 = 8 = 16 at 3 % noise: 4 in nine of ten sessions, for three trials more."""
    sessions = ANSWERS.count("plateau", "sessions")
    smallest = ANSWERS.count("plateau", "level 4") / sessions
    more = ANSWERS.count("plateau", "trials") / sessions - 15
    line = f"plateau: smallest {smallest:.1%}, {more:.2f} trials more, {sessions} sessions"
    record_property("plateau", line)
    print(line)
    assert sessions == 1_500
    assert smallest >= 0.90, line
    assert more <= MOST_MORE, line


@pytest.mark.parametrize("name", ["13 %", "25 %", "45 %", "edge", "neighbour"])
def test_what_goes_on_is_within_two_percent_of_the_best(name: str, record_property: Record) -> None:
    """Gains of 13 % and more at 3 % noise: hardly ever is more than 2 % given away for the simpler setting."""
    sessions = ANSWERS.count(name, "sessions")
    within = sum(ANSWERS.count(name, f"level {level}") for level in good_levels(CURVES[name])) / sessions
    more = ANSWERS.count(name, "trials") / sessions - 15
    line = f"within 2 % of the best: {within:.1%}, {more:.2f} trials more, {sessions} sessions"
    record_property("within 2 %", line)
    print(line)
    assert sessions == 600
    assert within >= 0.90, line
    assert more <= MOST_MORE, line


LEAST_RIGHT: Final = 0.90
LEAST_WITHIN: Final = 0.90
LEAST_WITHIN_DISTURBED: Final = {
    "13 %": 0.62,
    "25 %": 0.66,
    "45 %": 0.82,
    "edge": 0.80,
    "neighbour": 0.61,
    "plateau": 0.81,
}
MOST_COST: Final = 1.1
MEAN_TO_TELL: Final = {False: 22.8, True: 24.0}
"""Trials that tell the settings apart, with a tenth of the trials disturbed (True) or without, over all curves at 3 %
noise, before anything is asked of a candidate that now and then fails or of a load in step with the order."""


@pytest.mark.parametrize("disturbed", DISTURBED, ids=str)
@pytest.mark.parametrize("cv", CVS, ids=["3 %", "9 %"])
def test_what_a_session_answers_is_right(cv: float, disturbed: Disturbed, record_property: Record) -> None:
    """A recommendation within 2 % of the best, or what is open is said: in each kind of response, at a bounded cost.

    "Within 2 %" by itself is held at 3 % noise for gains of 10 % and more, with drift or without. With a tenth of the
    trials disturbed no rule that was tried reaches it for each response; what is reached is held instead. At the edge
    the next value takes a tenth longer and is recommended instead in one session of seven: where only the best one had
    a slow trial and the server told of nothing, it counts, for a setting that now and then fails looks the same.
    """
    all_sessions = trials = 0
    for curve in CURVES:
        name = answers_of(curve, cv, disturbed)
        sessions = ANSWERS.count(name, "sessions")
        assert sessions == 300
        all_sessions, trials = all_sessions + sessions, trials + ANSWERS.count(name, "trials")
        right, within, recommended, is_open, named = (
            ANSWERS.count(name, what) / sessions for what in ("right", "within", "recommended", "open", "named")
        )
        line = (
            f"{curve}, noise {cv:.0%}: right {right:.1%}, within 2 % {within:.1%}, recommended {recommended:.1%}, "
            f"cannot tell {is_open:.1%}, rivals named {named:.1%}, {sessions} sessions"
        )
        record_property(curve, line)
        print(line)
        assert right >= LEAST_RIGHT, line
        if cv == 0.03 and curve != "6 %":
            assert within >= (LEAST_WITHIN_DISTURBED[curve] if disturbed.has_outliers else LEAST_WITHIN), line
    mean = trials / all_sessions
    line = (
        f"noise {cv:.0%}: mean cost {mean:.1f} trials, {mean / MEAN_TO_TELL[disturbed.has_outliers]:.3f} of what tells"
    )
    record_property("mean cost", line)
    print(line)
    assert mean <= MOST_COST * MEAN_TO_TELL[disturbed.has_outliers], line
