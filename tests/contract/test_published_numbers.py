"""Every published number of the agent profile tests and of the slow-line tests, against the lab."""

import statistics
from functools import cache
from pathlib import Path

import pytest

from tests.calibration.published import PublishedPoint, published_points
from tests.calibration.trials import shipped

APP = Path(__file__).parents[2] / "app"
LABS = (APP / "lab", APP / "systems" / "transactional_replication" / "lab")
SWEEPS = ("ReadBatchSize", "CommitBatchSize", "SubscriptionStreams", "wan-512k", "wan-128k")


@cache
def _simulated() -> tuple[tuple[PublishedPoint, float], ...]:
    return tuple((point, point.simulate(shipped(point.scenario))) for point in published_points())


def _error(point: PublishedPoint, simulated: float) -> float:
    return simulated / point.value - 1.0


def _table() -> str:
    return "\n".join(f"{p.value:9.2f} {s:9.2f} {_error(p, s):+7.2%}  {p.label}" for p, s in _simulated())


def test_every_measured_number_is_compared() -> None:
    """All 22 measured values count: 5 of the Log Reader Agent, 11 of the Distribution Agent, 6 of the slow lines."""
    points = published_points()
    assert len(points) == 22
    assert [sum(p.sweep == sweep for p in points) for sweep in SWEEPS] == [5, 6, 5, 3, 3]


def test_each_published_number_is_met_within_ten_percent() -> None:
    """The lab repeats each published trial within 10 %."""
    assert max(abs(_error(p, s)) for p, s in _simulated()) <= 0.10, _table()


def test_half_of_the_published_numbers_are_met_within_five_percent() -> None:
    """The median error of the lab is at most 5 %."""
    assert statistics.median(abs(_error(p, s)) for p, s in _simulated()) <= 0.05, _table()


@pytest.mark.parametrize("sweep", SWEEPS)
def test_the_published_best_setting_is_the_best_of_the_lab(sweep: str) -> None:
    """In each sweep the setting published as best is within 1 % of the lab's best."""
    trials = [(p, s) for p, s in _simulated() if p.sweep == sweep]
    sign = 1.0 if trials[0][0].is_run_time else -1.0
    published_best = min(trials, key=lambda trial: sign * trial[0].value)[1]
    best = min(sign * s for _p, s in trials) * sign
    assert abs(published_best / best - 1.0) <= 0.01, _table()


def test_the_lab_reads_no_published_value() -> None:
    """The simulation knows constants only: no module of it names the published results or reads files but scenarios."""
    paths = [path for lab in LABS for path in sorted(lab.glob("*.py"))]
    sources = {path.relative_to(APP).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    assert len(sources) > 5
    assert [name for name, text in sources.items() if "published" in text.replace("published_s", "")] == []
    assert [name for name, text in sources.items() if "read_text" in text or "open(" in text] == [
        "lab/scenario_file.py"
    ]
