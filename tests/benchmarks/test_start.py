"""How quickly the command line answers, and what it loads to do so."""

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.benchmarks.figures import print_ratio

pytestmark = pytest.mark.bench

resource = pytest.importorskip("resource", reason="Windows tells no processor time of children")

ROUNDS = 21
CHECKOUT = Path(__file__).parents[2]
NOTHING = ("-c", "pass")
VERSION = ("-m", "app", "--version")
HEAVY = frozenset({"numpy", "scipy", "PySide6", "shiboken6", "pyqtgraph", "sqlite3", "typst", "pyodbc", "oracledb"})


def _run_s(arguments: Sequence[str]) -> tuple[float, float]:
    """Return wall time and processor time of one Python process."""
    before, began_s = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=CHECKOUT, check=True, capture_output=True)
    wall_s, after = time.perf_counter() - began_s, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_version_answers_in_twice_the_time_of_an_empty_program() -> None:
    """`replitune --version` takes at most twice the time of `python -c pass`, medians of interleaved runs.

    Processor time is held against the budget: wall time of a process of 20 ms says more about what else the machine
    does. Both are printed.
    """
    nothing, version = [], []
    for _round in range(ROUNDS):
        nothing.append(_run_s(NOTHING))
        version.append(_run_s(VERSION))
    walls = [[wall_s for wall_s, _cpu_s in runs] for runs in (version, nothing)]
    print_ratio("replitune --version, wall time", walls[0], walls[1], "≤ 2")
    cpus = [[cpu_s for _wall_s, cpu_s in runs] for runs in (version, nothing)]
    assert print_ratio("replitune --version, processor time", cpus[0], cpus[1], "≤ 2") <= 2.0


@pytest.mark.parametrize(
    "arguments", [("--version",), ("rules", "check"), ("rules", "test"), ("restore", "--help")], ids=" ".join
)
def test_a_command_loads_nothing_heavy_that_it_does_not_need(arguments: Sequence[str]) -> None:
    """Numbers, Qt, database and drivers are not imported by commands that do without; restoring needs its journal."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "app", *arguments],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
        text=True,
    )
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines() if "|" in line}
    heavy = HEAVY & loaded
    print(f"replitune {' '.join(arguments)}: {len(loaded)} packages, heavy ones: {', '.join(sorted(heavy)) or 'none'}")
    assert "app" in loaded
    assert heavy <= ({"sqlite3"} if arguments[0] == "restore" else set())
