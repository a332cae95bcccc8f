"""Readings declared once: what is read, what grows, which curves and limits follow."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Annotated

import pytest

from app.domain.limits import FREE_DISK, LOG_USED
from app.domain.measurement import Sample
from app.foundation.rows import Columns, Row
from app.model.reading import (
    Column,
    Counter,
    Gauge,
    Limited,
    Mean,
    curves,
    growth,
    limit_readings,
    limits_of,
    over_time,
    read_as,
    written_to,
)

NOW = datetime(2026, 1, 5, 8, tzinfo=UTC)


@dataclass(frozen=True)
class Gate:
    """One gate of a turnstile."""

    name: str
    waiting_kb: Annotated[float | None, Gauge("waiting", "MB")]
    cpu_ms: Annotated[float | None, Counter("{name}: processors", "share", among="cpu_count")]
    cpu_count: int


@dataclass(frozen=True)
class Turnstile:
    """A turnstile at one moment."""

    at: Annotated[datetime, Column("now_utc")]
    delay_ms: Annotated[float | None, Mean("delay", "ms", per="people")]
    people: Annotated[float | None, Counter()]
    sent_bytes: Annotated[float | None, Counter("sent", "MB/s")]
    used_share: Annotated[float | None, Column("used_percent"), Gauge("used", "share"), Limited(LOG_USED)]
    free_gb: Annotated[float | None, Column("free_bytes"), Limited(FREE_DISK)]
    is_open: bool = True
    gates: tuple[Gate, ...] = ()


FIRST = Turnstile(NOW, 100.0, 10.0, 1e6, 0.5, 20.0, gates=(Gate("A", 1_000.0, 0.0, 4), Gate("B", None, 0.0, 4)))
LATER = replace(
    FIRST,
    at=NOW + timedelta(seconds=10),
    delay_ms=160.0,
    people=40.0,
    sent_bytes=21e6,
    gates=(Gate("A", 2_000.0, 20_000.0, 4), Gate("B", 500.0, None, 4)),
)


def test_a_field_is_read_in_the_unit_its_name_ends_with() -> None:
    """The header's unit is converted, exactly; the first row that tells it counts, and a NULL of all is none."""
    names = ("now_utc", "delay_ms", "people", "used_percent", "free_bytes", "is_open")
    columns = Columns(names, ("", "s", "people", "%", "bytes", ""))
    row = Row(columns, (NOW, 2, None, 57, 30_000_000_000, 0))
    other = Row(Columns(("people", "sent_bytes"), ("", "KiB")), (7, 2))
    read = read_as(Turnstile, row, other, gates=())
    assert read == Turnstile(NOW, 2_000.0, 7.0, 2_048.0, 0.57, 30.0, is_open=False)
    assert read_as(Turnstile, row, sent_bytes=0.0).people is None


def test_a_null_a_record_does_not_take_is_a_fault() -> None:
    """A record takes no NULL where its field has no None, and no other type."""
    columns = Columns(("name", "waiting_kb", "cpu_ms", "cpu_count"))
    with pytest.raises(TypeError, match="column cpu_count holds NoneType"):
        read_as(Gate, Row(columns, ("A", None, None, None)))


def test_totals_grow_and_what_stands_is_the_later_one() -> None:
    """A total that was reset has not grown; one that is not known has no growth."""
    grown = growth(FIRST, LATER)
    assert (grown.delay_ms, grown.people, grown.sent_bytes, grown.used_share) == (60.0, 30.0, 20e6, 0.5)
    assert growth(LATER, FIRST).people == 0.0
    assert growth(replace(FIRST, people=None), LATER).people is None


def test_each_declared_curve_has_a_point_where_it_is_known() -> None:
    """Means over what was counted, rates, what stands; the largest of several, or one for each that its title names."""
    assert curves(FIRST, LATER, 3.0) == (
        Sample("delay", 3.0, 2.0, "ms"),
        Sample("sent", 3.0, 2.0, "MB/s"),
        Sample("used", 3.0, 0.5, "share"),
        Sample("waiting", 3.0, 2.048, "MB"),
        Sample("A: processors", 3.0, 0.5, "share"),
    )
    assert [sample.stream for sample in curves(FIRST, FIRST, 0.0)] == ["delay", "sent", "used", "waiting"]
    assert {sample.value for sample in curves(FIRST, FIRST, 0.0)[:2]} == {0.0}


def test_limits_are_held_against_what_they_are_declared_for() -> None:
    """Each in the limit's own unit, None where nothing tells it."""
    assert limit_readings(FIRST, LATER) == {LOG_USED.name: 0.5, FREE_DISK.name: 20.0}
    assert limit_readings(FIRST, replace(LATER, used_share=None))[LOG_USED.name] is None


@dataclass(frozen=True)
class Waits:
    """What a server waited for so far."""

    at: datetime
    lock_wait_s: Annotated[float, Gauge("lock waits", "s"), Counter(unit="share"), Limited(LOG_USED)]


def test_a_limit_on_a_total_is_held_against_its_growth() -> None:
    """A total shown as it stands is limited by its growth per second, 0 where no time passed."""
    first, later = Waits(NOW, 100.0), Waits(NOW + timedelta(seconds=10), 102.0)
    assert limit_readings(first, later) == {LOG_USED.name: 0.2}
    assert limit_readings(first, first) == {LOG_USED.name: 0.0}
    assert curves(first, later, 3.0) == (Sample("lock waits", 3.0, 102.0, "s"),)


@dataclass(frozen=True)
class Disk:
    """A disk of one server."""

    server: str
    free_mb: Annotated[float | None, Limited(FREE_DISK)]


@dataclass(frozen=True)
class Disks:
    """All disks at one moment."""

    at: datetime
    disks: tuple[Disk, ...]


def test_of_several_things_the_worst_is_held_against_a_limit() -> None:
    """The smallest where there must be so much at least; None where nothing tells it."""
    now = Disks(NOW, (Disk("A", 4_000.0), Disk("B", 500.0), Disk("C", None)))
    assert limit_readings(now, now) == {FREE_DISK.name: 0.5}
    assert limit_readings(now, Disks(NOW, ())) == {FREE_DISK.name: None}


def test_the_limits_of_a_record_are_those_of_its_fields() -> None:
    """In the order of the fields."""
    assert limits_of(Turnstile) == (LOG_USED, FREE_DISK)


def test_what_is_written_to_a_row_is_read_from_it() -> None:
    """A lab answers from the records that are read: in the units of the columns, and only what they have."""
    columns = Columns(("now_utc", "sent_bytes", "used_percent", "free_bytes", "weather"), ("", "KiB", "%", "bytes", ""))
    cells = written_to(columns, FIRST)
    assert cells == {"now_utc": NOW, "sent_bytes": 1e6 / 1024, "used_percent": 50.0, "free_bytes": 20e9}
    row = Row(columns, [cells.get(name) for name in columns])
    read = read_as(Turnstile, row, delay_ms=100.0, people=10.0, gates=FIRST.gates)
    assert read == FIRST


@dataclass(frozen=True)
class Seen:
    """A gate over several readings."""

    name: str
    waiting_kb: float | None
    longest_waiting_kb: float | None
    note: str


def test_readings_of_one_thing_come_to_the_newest_and_the_longest() -> None:
    """What is not known is left out of the longest."""
    readings = [Gate("A", 3.0, 0.0, 4), Gate("A", None, 0.0, 4), Gate("A", 2.0, 0.0, 4)]
    assert over_time(Seen, readings, note="calm") == Seen("A", 2.0, 3.0, "calm")
