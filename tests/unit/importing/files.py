"""What the tests of the import share: families of their own, and files written in any dialect."""

import csv
import io
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import FrameType
from typing import Final, TypeVar

from hypothesis import settings

from app.domain.metrics import RUN_TIME, THROUGHPUT
from app.domain.setting import Parameter
from app.services.explain.importing import FamilyColumns
from app.services.explain.importing.columns import SERVER_CONDITIONS
from app.systems.transactional_replication.load import AGENT_CONDITIONS

T = TypeVar("T")

# The same examples every time, and no limit on the time of one: a busy machine is no failure.
REPEATABLE: Final = settings(deadline=None, database=None)


def parameter(name: str, default: int, low: int, high: int | None) -> Parameter:
    """Return a parameter with the given limits."""
    return Parameter(name, "count", default, low, high, (low, low + 1), "help", "source")


READ_BATCH_SIZE: Final = parameter("ReadBatchSize", 500, 1, 10_000)
COMMIT_BATCH_SIZE: Final = parameter("CommitBatchSize", 100, 1, 10_000)
SUBSCRIPTION_STREAMS: Final = parameter("SubscriptionStreams", 1, 1, 64)

CONDITIONS: Final = (*AGENT_CONDITIONS, *SERVER_CONDITIONS)

FAMILIES: Final = {
    "log_reader": FamilyColumns("log_reader", (RUN_TIME, THROUGHPUT), (READ_BATCH_SIZE,), CONDITIONS),
    "distribution_agent": FamilyColumns(
        "distribution_agent",
        (RUN_TIME, THROUGHPUT),
        (COMMIT_BATCH_SIZE, SUBSCRIPTION_STREAMS),
        CONDITIONS,
        title="Distribution Agent",
    ),
    "wan_delivery": FamilyColumns("wan_delivery", (THROUGHPUT,), (SUBSCRIPTION_STREAMS, COMMIT_BATCH_SIZE), CONDITIONS),
}

HEADINGS: Final = ("family", "run", "block", "metric", "value", "unit", "ReadBatchSize", "network_kbps", "scenario")
FIRST: Final = ("log_reader", "r1", "1", "run_time", "199.08", "s", "500", "512", "drained")
SECOND: Final = ("log_reader", "r2", "1", "run_time", "163.81", "s", "5000", "512", "drained")


def changed(row: Sequence[str], **cells: str) -> tuple[str, ...]:
    """Return a row of the standard headings with some cells replaced."""
    return tuple(cells.get(heading, cell) for heading, cell in zip(HEADINGS, row, strict=True))


def csv_text(rows: Iterable[Sequence[str]], delimiter: str = ",", line_end: str = "\n", quote_all: bool = False) -> str:
    """Return rows as CSV."""
    stream = io.StringIO()
    writer = csv.writer(
        stream,
        delimiter=delimiter,
        lineterminator=line_end,
        quoting=csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL,
    )
    writer.writerows(rows)
    return stream.getvalue()


def write_csv(folder: Path, *rows: Sequence[str], name: str = "site.csv") -> Path:
    """Write rows as a plain CSV file and return its path."""
    path = folder / name
    path.write_text(csv_text(rows), encoding="utf-8", newline="")
    return path


def calls_made(action: Callable[[], T]) -> tuple[int, T]:
    """Return how many calls an action makes, a measure of its work on any machine, and what it returns."""
    calls = 0

    def count(_frame: FrameType, _event: str, _argument: object) -> None:
        nonlocal calls
        calls += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        found = action()
    finally:
        sys.setprofile(before)
    return calls, found
