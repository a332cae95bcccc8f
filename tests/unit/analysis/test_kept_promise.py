"""A promise held against hours of a history: which hours tell it, how surely, and what may not be claimed."""

import math
from datetime import UTC, datetime, timedelta

import pytest

from app.analysis.forecast import CaughtUp
from app.analysis.kept_promise import (
    LATENCY,
    Came,
    CameBetween,
    Outcome,
    Promised,
    came,
    came_between,
    hours_before,
    hours_since,
    is_other_load,
    outcome_of,
    span_of,
    with_kept,
)
from app.domain.metrics import THROUGHPUT
from app.domain.past import PastHour

NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def hour(at: int, commands: int = 3_600_000, *, late: bool = True, size: int = 4) -> PastHour:
    """Return an hour, so many after noon, all of it busy."""
    latency_ms = 600_000.0 if late else 2_000.0
    return PastHour(NOON + at * HOUR, commands // size, commands, 3_600.0, latency_ms, late, late)


def test_a_rate_is_told_by_hours_all_through_which_work_waited() -> None:
    """Not by the one in which the backlog was caught up, nor by an hour on time: its rate is that of new work."""
    hours = [hour(0), hour(1, 7_200_000), hour(2, 900_000), hour(3, 400_000, late=False)]
    span = span_of(hours, THROUGHPUT.name)
    assert (span.hours, span.values) == (4, (1_000.0, 2_000.0))
    assert span.mean == pytest.approx(math.sqrt(2e6))
    assert span.commands_per_transaction == 4.0
    assert span_of(hours, LATENCY).values == (2_000.0,)


def test_hours_of_the_run_and_hours_cut_by_the_change_count_for_neither_side() -> None:
    """A run sets other values; of an hour in which the value was set nobody knows which part is whose."""
    hours = [hour(at) for at in range(8)]
    started, finished, since = NOON + 1.5 * HOUR, NOON + 2.5 * HOUR, NOON + 4.5 * HOUR
    assert [h.hour_utc.hour for h in hours_before(hours, started, finished, since)] == [12, 15]
    assert [h.hour_utc.hour for h in hours_since(hours, since, NOON + 7.5 * HOUR)] == [17, 18]


def test_what_clean_up_took_is_filled_up_from_what_was_kept() -> None:
    """Hours that stand in both are the server's; the others come before them, in order."""
    kept = [hour(0, 100), hour(1, 100), hour(2, 100)]
    whole = with_kept([hour(2, 50), hour(3, 50)], kept)
    assert [(h.hour_utc.hour, h.commands) for h in whole] == [(12, 100), (13, 100), (14, 50), (15, 50)]
    assert with_kept([], ()) == ()


def test_the_ratio_has_welchs_interval() -> None:
    """By hand: logs 0, 2 before and 3, 5 since; each variance 2, error 2, two degrees of freedom, t 4.3027."""
    found = came([1.0, math.exp(2)], [math.exp(3), math.exp(5)])
    assert found is not None
    assert math.log(found.ratio) == pytest.approx(3.0)
    half = 4.302653 * math.sqrt(2.0)
    assert (math.log(found.low), math.log(found.high)) == pytest.approx((3 - half, 3 + half), rel=1e-6)
    assert came([1.0], [2.0, 3.0]) is None


@pytest.mark.parametrize(
    ("measure", "found", "outcome"),
    [
        (THROUGHPUT.name, Came(1.4, 1.25, 1.6), Outcome.AS_PROMISED),
        (THROUGHPUT.name, Came(1.4, 0.9, 2.0), Outcome.OPEN),
        (THROUGHPUT.name, Came(1.1, 1.05, 1.2), Outcome.LESS),
        (THROUGHPUT.name, Came(2.0, 1.8, 2.2), Outcome.MORE),
        (LATENCY, Came(0.5, 0.4, 0.6), Outcome.MORE),
        (LATENCY, Came(1.9, 1.7, 2.1), Outcome.LESS),
    ],
)
def test_what_came_is_called_by_where_the_intervals_lie(measure: str, found: Came, outcome: Outcome) -> None:
    """Meeting is as promised where no change is excluded; beyond, a lower latency is more and a lower rate is less."""
    assert outcome_of(Promised(measure, 1.4, 1.3, 1.5), found) is outcome


@pytest.mark.parametrize(("size", "other"), [(4, False), (5, False), (7, True), (2, True)])
def test_transactions_of_another_size_are_another_load(size: int, *, other: bool) -> None:
    """By half as much again, or by a third less."""
    before, since = (span_of([hour(0, 2_520_000, size=each)], THROUGHPUT.name) for each in (4, size))
    assert is_other_load(before, since) is other


def test_a_backlog_was_caught_up_in_the_last_hour_in_a_row_with_late_work() -> None:
    """An hour later it may be late again; while nothing follows it is not known yet."""
    hours = [hour(0), hour(1), hour(2, late=False), hour(5), hour(6, late=False)]
    found = came_between(hours, NOON + 0.25 * HOUR)
    assert found == CameBetween(NOON + HOUR, NOON + 2 * HOUR)
    assert came_between(hours[:2], NOON) == CameBetween(None, None)
    assert came_between(hours[3:], NOON) is None, "clean-up took the hours since"
    in_time, early = (
        CaughtUp(NOON + at * HOUR, NOON + (at - 0.5) * HOUR, NOON + (at + 0.5) * HOUR) for at in (1.2, 4.0)
    )
    assert (found.fits(in_time), found.fits(early)) == (True, False)
