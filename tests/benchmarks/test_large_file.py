"""How long a measurement file of a million rows takes, and how much memory."""

import csv
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.flows.explain.import_view import look_at, understand
from app.services.explain.imported_session import accepted_columns
from app.services.explain.importing import read_measurements

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


def _floor_s(path: Path, rows: int = ROWS) -> float:
    """Return how long `csv` alone takes to read the file, in processor time."""
    began_s = time.process_time()
    with path.open(encoding="utf-8", newline="") as file:
        found = sum(1 for _row in csv.reader(file))
    assert found == rows + 1
    return time.process_time() - began_s


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


def test_a_hundred_thousand_rows_are_read_and_a_choice_tried_within_their_budgets(tmp_path: Path) -> None:
    """As ratios to what the csv module alone takes: 60 to read the file, 5 for each choice in the window."""
    program, path = build_program(), tmp_path / "large.csv"
    path.write_text(
        "family,run,block,metric,value,unit,CommitBatchSize,SubscriptionStreams\n"
        + "\n".join(
            f"distribution_agent,T{at},{at // 30 + 1},run_time,{500 + at / 997:.4f},s,{at % 6 * 50 + 100},{1 + at % 5}"
            for at in range(100_000)
        )
    )
    floor_s = min(_floor_s(path, rows=100_000) for _again in range(3))
    read_s = min(_took_s(partial(read_measurements, path, accepted_columns(program.families))) for _again in range(2))
    looked = look_at(str(path), program)
    choice_s = _took_s(partial(understand, path, looked.raw, looked.mapping, program))
    print(f"csv {floor_s:.2f} s; read {read_s:.1f} s, ratio {read_s / floor_s:.0f}; choice {choice_s:.2f} s")
    assert read_s <= 60 * floor_s
    assert choice_s <= 5 * floor_s


@pytest.mark.parametrize("factors", [1, 2])
def test_a_hundred_thousand_rows_are_handed_over_within_their_budget(tmp_path: Path, factors: int) -> None:
    """The whole of `advise`, reading to report, second process and start included: at most 300 times the csv module."""
    path = tmp_path / "large.csv"
    names = ("SubscriptionStreams", "CommitBatchSize")[:factors]
    rows = (
        (
            *("distribution_agent", f"T{at}", at // 30 + 1, "run_time", f"{500 + at / 997:.4f}", "s"),
            *(1 + at % 5, at % 6 * 50 + 100)[:factors],
        )
        for at in range(100_000)
    )
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows((("family", "run", "block", "metric", "value", "unit", *names), *rows))
    floor_s = min(_floor_s(path, rows=100_000) for _again in range(3))
    command = [sys.executable, "-m", "app", "advise", str(path), "--out", str(tmp_path / "out")]
    began = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole_s = ended.ru_utime - began.ru_utime + ended.ru_stime - began.ru_stime
    print(f"{factors} factors: csv {floor_s:.3f} s; whole {whole_s:.1f} s, ratio {whole_s / floor_s:.0f}, budget 300")
    assert whole_s <= 300 * floor_s


def _took_s(work: Callable[[], object]) -> float:
    began_s = time.process_time()
    work()
    return time.process_time() - began_s
