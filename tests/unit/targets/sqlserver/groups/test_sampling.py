"""Shares of processors from totals."""

from datetime import timedelta

import pytest

from app.foundation.rows import Row, index_of
from app.systems.availability_groups.server.sampling import CpuShares
from tests.unit.targets.sqlserver.scripted import MOMENT


def row(cpu_ms: int | None) -> Row:
    """Return a reading of a server with four processors."""
    return Row(index_of(("cpu_ms", "cpu_count")), (cpu_ms, 4))


def test_share_comes_from_growth_over_time_and_processors() -> None:
    """2 of 4 processors for 10 s are 20 s of processor time, a half; the first reading gives none."""
    shares = CpuShares()
    assert shares.share("A", MOMENT, row(1_000)) == ()
    ((server, share),) = shares.share("A", MOMENT + timedelta(seconds=10), row(21_000))
    assert server == "A"
    assert share == pytest.approx(0.5)


def test_time_that_stands_still_and_reset_statistics_give_no_nonsense() -> None:
    """Two readings of the same moment give none; a total that fell gives 0, more than all processors gives 1."""
    shares = CpuShares()
    shares.share("A", MOMENT, row(50_000))
    assert shares.share("A", MOMENT, row(60_000)) == ()
    assert shares.share("A", MOMENT + timedelta(seconds=1), row(None)) == (("A", 0.0),)
    assert shares.share("A", MOMENT + timedelta(seconds=2), row(50_000)) == (("A", 1.0),)
