"""How long a measurement file of a million rows takes, and how much memory."""

import csv
import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

ROWS = 1_000_000
STREAMS = (1, 2, 4, 8, 16)
CHECKOUT = Path(__file__).parents[2]


def _write_file(path: Path) -> None:
    """Write run times of five settings over two hundred thousand blocks."""
    draw = random.Random(1)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("family,run,block,metric,value,unit,SubscriptionStreams\n")
        for row in range(ROWS):
            streams = STREAMS[row % len(STREAMS)]
            value_s = 540 / streams**0.5 * draw.uniform(0.95, 1.05)
            block = row // len(STREAMS) + 1
            file.write(f"distribution_agent,r{row},{block},run_time,{value_s:.3f},s,{streams}\n")


def _floor_s(path: Path) -> float:
    """Return how long `csv` alone takes to read the file."""
    began_s = time.perf_counter()
    with path.open(encoding="utf-8", newline="") as file:
        rows = sum(1 for _row in csv.reader(file))
    assert rows == ROWS + 1
    return time.perf_counter() - began_s


def test_a_million_rows_are_read_and_compared(tmp_path: Path) -> None:
    """A file of a million measurements is read and judged; time and memory are printed, there is no budget yet."""
    path = tmp_path / "large.csv"
    _write_file(path)
    floor_s = _floor_s(path)
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.read_large_file", str(path)],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
        text=True,
    )
    found = json.loads(done.stdout)
    total_s = found["read_s"] + found["advise_s"]
    print(
        f"{ROWS:,} rows, {path.stat().st_size / 1e6:.0f} MB: read {found['read_s']:.1f} s, compared "
        f"{found['advise_s']:.1f} s; floor {floor_s:.1f} s (csv alone), ratio {total_s / floor_s:.1f}, no budget"
    )
    print(f"  peak memory {found['peak_mb']:,.0f} MB, of which {found['idle_mb']:,.0f} MB before reading")
    assert found["rows"] == ROWS
    assert found["comparisons"] == len(STREAMS) - 1
