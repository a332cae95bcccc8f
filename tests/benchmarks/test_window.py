"""How quickly the window comes, and how quick it stays."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from app.store import create_session_file
from tests.benchmarks.figures import print_ratio
from tests.benchmarks.test_store import RUNS, large_session

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

CHECKOUT = Path(__file__).parents[2]
ROUNDS = 9
PAINT_BUDGET = 1.5
STALL_BUDGET_MS = 50.0
P99_BUDGET_MS = 30.0
LIST_BUDGET_S = 0.150

# Of one frame while a person moves the plot: 30 frames a second is what looks like moving, and a key repeats as often.
FRAME_BUDGET_MS = 33.0

# No server is as busy as the lab at full speed: fifteen trials end each second, each with its plots and tables, and all
# of it computes in this process. Before the run gave the window its turn, 110 ms and 156 ms were measured here.
LAB_P99_BUDGET_MS = 50.0
LAB_STALL_BUDGET_MS = 75.0


def measure(scene: str, folder: Path) -> dict[str, Any]:
    """Have a window in a process of its own do one thing; return what it measured."""
    folder.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(folder / "home")}
    environment |= {name: str(folder / "home") for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.window_child", scene, str(folder)],
        cwd=CHECKOUT,
        check=False,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _paint_s(scene: str, folder: Path) -> float:
    began_s = time.monotonic()  # one clock for all processes of a system
    return float(measure(scene, folder)["painted_s"]) - began_s


def test_the_window_is_painted_soon(tmp_path: Path) -> None:
    """From the start of the process to the first paint: at most 1.5 times a bare window with a plot, interleaved."""
    bare, window = [], []
    for number in range(ROUNDS):
        bare.append(_paint_s("paint-bare", tmp_path / f"bare{number}"))
        window.append(_paint_s("paint-window", tmp_path / f"window{number}"))
    assert print_ratio("first paint of the window", window, bare, f"≤ {PAINT_BUDGET}") <= PAINT_BUDGET


def _check_beats(name: str, found: dict[str, Any], p99_budget_ms: float, stall_budget_ms: float) -> None:
    print(
        f"{name}: {found['beats']} beats of 10 ms, median {found['median_ms']:.1f} ms, p99 {found['p99_ms']:.1f} ms "
        f"(budget {p99_budget_ms:.0f} ms), longest {found['longest_ms']:.1f} ms (budget {stall_budget_ms:.0f} ms)"
    )
    assert found["p99_ms"] <= p99_budget_ms
    assert found["longest_ms"] <= stall_budget_ms


def test_the_window_keeps_beating_under_a_thousand_readings_a_second(tmp_path: Path) -> None:
    """A beat of 10 ms on the main thread: 99 of 100 within 30 ms, none over 50 ms, while both plots are drawn."""
    found = measure("samples", tmp_path)
    assert found["points"] > 1_000
    _check_beats("1,000 readings/s", found, P99_BUDGET_MS, STALL_BUDGET_MS)


def test_the_window_keeps_beating_while_the_lab_runs_at_full_speed(tmp_path: Path) -> None:
    """The lab of this process leaves the window its turn: no beat over 75 ms."""
    found = measure("lab", tmp_path)
    name = f"lab at full speed, a run of {found['run_s']:.1f} s"
    _check_beats(name, found, LAB_P99_BUDGET_MS, LAB_STALL_BUDGET_MS)


def test_ten_thousand_runs_are_listed_at_once(tmp_path: Path) -> None:
    """From the wish to the painted list of an engagement of 10,000 runs it takes at most 150 ms."""
    with create_session_file(tmp_path / "large.replitune") as store:
        store.add_session(large_session())
    found = measure("runs", tmp_path)
    quickest_s = min(found["opened_s"])
    print(f"{RUNS:,} runs listed in the window: {quickest_s * 1000:.0f} ms (quickest of 7), budget 150 ms")
    assert found["listed"] == RUNS
    assert quickest_s <= LIST_BUDGET_S


def test_a_plot_of_a_million_readings_is_moved_smoothly(tmp_path: Path) -> None:
    """Each frame is drawn within 33 ms, whole or close up, and the highest reading stays in sight."""
    found = measure("pan", tmp_path)
    for name, frames in found["frames_ms"].items():
        ordered = sorted(frames)
        p95_ms = ordered[int(len(ordered) * 0.95)]
        print(
            f"1,000,000 readings moved, {name}: median {ordered[len(ordered) // 2]:.1f} ms a frame, "
            f"p95 {p95_ms:.1f} ms, budget {FRAME_BUDGET_MS:.0f} ms"
        )
        assert p95_ms <= FRAME_BUDGET_MS
    assert found["peak"] == 5_000.0
