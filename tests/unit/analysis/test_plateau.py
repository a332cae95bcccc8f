"""Where a sweep levels off."""

from app.analysis.estimate import estimate
from app.analysis.plateau import plateau_of
from app.domain.setting import Setting
from tests.unit.analysis.making import level, measured, table


def test_plateau_starts_where_nothing_differs_any_more() -> None:
    """From 400 on all levels lie within 5 % of each other."""
    assert plateau_of(estimate(table({1000: 100.0, 100: 150.0, 400: 103.0, 800: 101.0, 200: 120.0})), 0.05) == level(
        400
    )


def test_slow_slope_is_no_plateau() -> None:
    """Neighbours 4 % apart that lead further and further away do not make a plateau of all."""
    assert plateau_of(estimate(table({1: 100.0, 2: 96.0, 4: 92.2, 8: 88.5})), 0.05) == level(4)


def test_sweep_that_still_changes_at_its_end_has_no_plateau() -> None:
    """Where the two largest levels differ, no plateau was reached."""
    assert plateau_of(estimate(table({1: 100.0, 2: 100.0, 4: 80.0})), 0.05) is None


def test_flat_sweep_is_a_plateau_from_its_smallest_level() -> None:
    """A parameter without effect levels off at once; the smallest difference worth acting on just ends it."""
    assert plateau_of(estimate(table({1: 100.0, 2: 101.0, 4: 100.5})), 0.05) == level(1)
    assert plateau_of(estimate(table({1: 100.0, 2: 105.1})), 0.05) is None


def test_plateau_needs_one_numeric_parameter() -> None:
    """Texts, several parameters or a single level have no order to level off in."""
    assert plateau_of(estimate(table({"SYNC": 1.0, "ASYNC": 1.0})), 0.05) is None
    assert plateau_of(estimate(table({1: [1.0, 1.0]})), 0.05) is None
    joint = [measured(1.0, Setting.of(CommitBatchSize=c, SubscriptionStreams=s)) for c, s in ((100, 1), (200, 8))]
    assert plateau_of(estimate(joint), 0.05) is None


def test_plateau_is_found_beside_a_parameter_that_is_held() -> None:
    """A second parameter with one value only does not matter."""
    rows = [
        measured(v, Setting.of(CommitBatchSize=c, SubscriptionStreams=8))
        for c, v in ((100, 9.0), (500, 5.0), (1000, 5.1))
    ]
    assert plateau_of(estimate(rows), 0.05) == Setting.of(CommitBatchSize=500, SubscriptionStreams=8)
