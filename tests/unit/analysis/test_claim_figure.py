"""The figure of a claim: all its trials in one unit on one axis, and the proposed value where the claim puts it."""

from collections.abc import Mapping, Sequence

import pytest

from app.charts.plot_item import drawn_points
from app.domain.comparison import Comparison
from app.domain.plan import Phase
from app.domain.plot import Mark, PlotSpec
from tests.shipped_rules import ADVISOR
from tests.unit.analysis.observing import plan_of
from tests.unit.services.test_advising import measured

EXPLORED = {1: (536.9, 575.7, 547.7), 8: (300.7, 300.1, 321.1), 16: (433.1, 438.9, 438.2)}
CONFIRMED = {1: (537.1, 527.0, 539.6), 8: (303.3, 320.8, 314.9)}


def drawn(
    explored: Mapping[int, Sequence[float]], confirmed: Mapping[int, Sequence[float]] | None
) -> tuple[list[PlotSpec], list[Comparison]]:
    """Return the figures of the claim of a run, and what was confirmed."""
    plan = plan_of("distribution_agent", SubscriptionStreams=tuple(sorted(explored)))
    advice = ADVISOR.advise(measured(plan, explored, confirmed))
    plots = [plot for plot in advice.plots if plot.plot_id.endswith("/trials")]
    return plots, [c for c in advice.comparisons if c.phase is Phase.CONFIRM and c.metric == "run_time"]


def test_every_trial_and_the_claim_stand_in_minutes_on_one_axis() -> None:
    """Each value once, exploring and fresh ones apart; the bar is the baseline's mean times the printed interval."""
    [plot], [claim] = drawn(EXPLORED, CONFIRMED)
    assert plot.y_label.endswith("(min)")
    explored, fresh, bar = plot.series
    assert sorted(explored.y) == pytest.approx(sorted(v / 60 for values in EXPLORED.values() for v in values))
    assert sorted(fresh.y) == pytest.approx(sorted(v / 60 for values in CONFIRMED.values() for v in values))
    before = (537.1 * 527.0 * 539.6) ** (1 / 3) / 60
    assert plot.reference_y == pytest.approx(before)
    assert bar.mark is Mark.INTERVALS
    told = (bar.y[0], bar.low[0], bar.high[0])
    assert told == pytest.approx((before * claim.ratio, before * claim.low, before * claim.high))
    assert bar.y[0] == pytest.approx((303.3 * 320.8 * 314.9) ** (1 / 3) / 60)


def test_trials_stand_in_the_order_they_ran_and_the_claim_behind_them() -> None:
    """Of each setting: exploring ones left, fresh ones right of them, then the interval, also where few ran again."""
    between = {2: (430.9, 438.9, 437.2), 4: (433.1, 438.9, 438.2)}
    [plot], _claims = drawn({**EXPLORED, **between}, CONFIRMED)
    explored, fresh, bar = (points.x for points in drawn_points(plot))
    for place in (0, 3):
        before = explored[abs(explored - place) < 0.5].max()
        assert before < fresh[abs(fresh - place) < 0.5].min()
    assert fresh.max() < bar[0]


def test_short_times_stay_in_seconds() -> None:
    """Nobody reads five seconds as a share of a minute."""
    [plot], _claims = drawn(*({n: [v / 100 for v in of.get(n, ())] for n in of} for of in (EXPLORED, CONFIRMED)))
    assert plot.y_label.endswith("(s)")


def test_without_fresh_trials_there_is_no_figure_of_a_claim() -> None:
    """Exploring claims nothing, so nothing is drawn as if it did."""
    assert drawn(EXPLORED, None)[0] == []
