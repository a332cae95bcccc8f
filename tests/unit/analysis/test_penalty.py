"""What one mode costs against another: the published derived values follow from the published run times."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.systems.availability_groups.analysis.penalty import PenaltyRow, Spread, penalty_row
from tests.rows import every_row

FACTS = Path(__file__).parents[2] / "facts" / "published.json"
POINTS: list[dict[str, Any]] = [
    point for point in json.loads(FACTS.read_text(encoding="utf-8"))["points"] if point["seed"].startswith("002")
]
MEASURED = {
    (p["conditions"]["version"], p["conditions"]["inserts"], p["conditions"]["mode"]): (
        float(p["value"]),
        int(p["conditions"]["rows_per_insert"]),
    )
    for p in POINTS
    if p["kind"] == "measured"
}
DERIVED = [p for p in POINTS if p["kind"] == "derived"]
VALUES: dict[str, Callable[[PenaltyRow], float]] = {
    "penalty": lambda row: row.penalty_ms.value,
    "penalty_per_insert": lambda row: row.penalty_per_insert_ms.value,
    "penalty_pct": lambda row: row.penalty_percent.value,
    "async_inserts_per_s": lambda row: row.reference_rate.value,
    "sync_inserts_per_s": lambda row: row.other_rate.value,
    "penalty_inserts_per_s": lambda row: row.lost_rate.value,
}


def row_of(version: str, inserts: int, shift_async: float = 0.0, shift_sync: float = 0.0) -> PenaltyRow:
    """Return the row of one published shape, its two run times shifted by what they were rounded by."""
    slow, rows = MEASURED[version, inserts, "async"]
    fast, _rows = MEASURED[version, inserts, "sync"]
    reference, other = slow + shift_async, fast + shift_sync
    return penalty_row(inserts, rows, Spread(reference), Spread(other), Spread(other / reference))


def decimals(metric: str, version: str) -> int:
    """Return with how many decimals a value is printed."""
    if metric in ("penalty", "penalty_pct"):
        return 0
    return 0 if metric == "penalty_per_insert" and version == "2016+TF9592" else 2


def test_all_printed_values_are_there() -> None:
    """Six derived columns for seven shapes in three tables."""
    assert len(DERIVED) == 126
    assert len(MEASURED) == 42
    assert {p["metric"] for p in DERIVED} == set(VALUES)


@every_row("point", DERIVED, ids=[f"{p['id']}-{p['metric']}" for p in DERIVED])
def test_a_printed_value_follows_from_the_two_run_times(point: dict[str, Any]) -> None:
    """Run times printed to a whole ms stand for anything that rounds to them; one such pair gives the printed value."""
    version, inserts = point["conditions"]["version"], point["conditions"]["inserts"]
    shifts = (-0.5, 0.0, 0.5)
    possible = [VALUES[point["metric"]](row_of(version, inserts, a, s)) for a in shifts for s in shifts]
    half_unit = 0.5 * 10.0 ** -decimals(point["metric"], version) + 1e-9
    assert min(possible) - half_unit <= point["value"] <= max(possible) + half_unit


def test_intervals_follow_the_ratio() -> None:
    """The ends of the penalty are those of the ratio, at the measured time of the reference."""
    row = penalty_row(100, 10_000, Spread(1_000.0, 950.0, 1_050.0), Spread(1_500.0), Spread(1.5, 1.4, 1.6))
    assert (row.penalty_ms.low, row.penalty_ms.high) == pytest.approx((400.0, 600.0))
    assert (row.penalty_per_insert_ms.low, row.penalty_per_insert_ms.high) == pytest.approx((4.0, 6.0))
    assert (row.penalty_percent.low, row.penalty_percent.high) == pytest.approx((40.0, 60.0))
    assert row.reference_rate.low == pytest.approx(100 / 1.05)
    assert row.reference_rate.high == pytest.approx(100 / 0.95)
    assert row.lost_rate.value == pytest.approx(100.0 - 100 / 1.5)
    assert (row.other_rate.low, row.other_rate.high) == (None, None)
