"""Durations: which clock measures them, and what it cannot tell."""

import ast
import math
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.drivers.sqlserver.session import Place
from app.foundation.clock import SystemClock
from app.foundation.rows import Row
from app.systems.transactional_replication.round_trip import RoundTrip
from app.systems.transactional_replication.server.network import SqlServerNetwork
from app.systems.transactional_replication.site import AgentSite, round_trip_facts
from tests.contract.families.lab_runs import FAMILIES
from tests.unit.analysis.observing import DELIVERER, site_of

ROOT = Path(__file__).resolve().parents[3]
STEP_S = 0.015625  # of Windows' tick count


class CoarseClock:
    """A clock that moves in steps, as one that counts Windows' ticks does."""

    def __init__(self, step_s: float) -> None:
        self.exact_s = 0.004
        self._step_s = step_s

    def now_utc(self) -> datetime:
        """Return a fixed day."""
        return datetime(2026, 11, 22, tzinfo=UTC)

    def monotonic_s(self) -> float:
        """Return the last step."""
        return math.floor(self.exact_s / self._step_s) * self._step_s if self._step_s else self.exact_s

    def resolution_s(self) -> float:
        """Return the step."""
        return self._step_s

    def sleep(self, seconds: float) -> None:
        """Let them pass."""
        self.exact_s += seconds


class Line:
    """A session over a link: each statement takes one of its round trips."""

    own_server = "PUB"
    database = ""

    def __init__(self, clock: CoarseClock, *round_trips_ms: float) -> None:
        self._clock = clock
        self._round_trips_ms = list(round_trips_ms)

    def run(self, name: str, place: Place, **parameters: object) -> tuple[Row, ...]:
        """Take the time of a round trip."""
        del name, place, parameters
        self._clock.sleep(self._round_trips_ms.pop(0) / 1000.0)
        return ()

    def close(self) -> None:
        """Nothing to close."""


def measured(step_s: float, *round_trips_ms: float) -> RoundTrip:
    """Return the round trips of a link as a clock with these steps tells them."""
    clock = CoarseClock(step_s)
    return SqlServerNetwork(Line(clock, *round_trips_ms), clock).read_round_trip(DELIVERER)


def site_over(round_trip: RoundTrip) -> AgentSite:
    """Return a site with such a link."""
    site = site_of(rtt_ms=round_trip.rtt_ms, network_kbps=512.0)
    return AgentSite(**{**vars(site), "round_trip": round_trip})


@pytest.mark.parametrize("rtt_ms", [0.5, 2.0, 8.0, 12.0])
def test_a_round_trip_shorter_than_the_clocks_steps_is_told_as_such(rtt_ms: float) -> None:
    """It is unknown and has an upper limit, which holds; it is never 0.0, and the family's check says so."""
    seen = measured(STEP_S, *[rtt_ms] * 5)
    assert seen.rtt_ms is None
    assert seen.most_ms >= rtt_ms
    site = site_over(seen)
    [(_title, value, unit)] = round_trip_facts(site)
    assert value == f"below {seen.most_ms:.1f}, the clock has steps of 15.6"
    assert unit == "ms"
    family = FAMILIES["wan_delivery"]
    assert "The round-trip time to the Subscriber is known" in [
        check.title for check in family.preflight(family.default_plan(), site) if not check.passed
    ]


@pytest.mark.parametrize("rtt_ms", [0.5, 2.0, 8.0, 20.0, 40.0])
def test_a_fine_clock_tells_the_median_with_its_spread(rtt_ms: float) -> None:
    """One slow probe moves the spread and not the median."""
    seen = measured(1e-7, rtt_ms, rtt_ms * 5, rtt_ms, rtt_ms * 1.5, rtt_ms)
    assert seen.rtt_ms == pytest.approx(rtt_ms, abs=2e-4)
    assert (seen.shortest_ms, seen.longest_ms) == pytest.approx((rtt_ms, rtt_ms * 5), abs=2e-4)
    facts = round_trip_facts(site_over(seen))
    assert [value for _title, value, _unit in facts] == [f"{rtt_ms:.1f}", f"{rtt_ms:.1f} to {rtt_ms * 5:.1f}"]


def test_this_computers_clock_moves_in_the_steps_it_tells() -> None:
    """Two readings that differ differ by a step at least, and the steps are far below a round trip of a LAN."""
    clock = SystemClock()
    assert 0 < clock.resolution_s() <= 1e-5
    first = clock.monotonic_s()
    while (second := clock.monotonic_s()) == first:
        pass
    assert second - first >= clock.resolution_s() * 0.99


def test_no_duration_is_measured_with_a_clock_of_coarse_steps() -> None:
    """`time.monotonic` and `time.time` have steps of 15.6 ms on Windows; nothing of the program reads them."""
    reading = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "app").rglob("*.py"))
        if re.search(r"\btime\b[^\w]*\.", source := path.read_text(encoding="utf-8"))  # else it asks none of its clocks
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "time"
        and node.attr in ("monotonic", "time", "monotonic_ns", "time_ns")
    ]
    assert reading == []
