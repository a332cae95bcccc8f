"""The four published Streams tests on the simulated pipeline, and the published numbers they are compared with."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from app.systems.oracle_streams.lab.pipeline import StreamsLab, Workload
from app.systems.oracle_streams.lab.scenario import StreamsScenario, load_scenario, scenario_path

_FACTS: Final = Path(__file__).parents[1] / "facts" / "published.json"
_METRICS: Final = ("elapsed", "flow_control_pause", "spilled_source", "spilled_destination")
# "Little over" 100k and 500k in the source's words.
_THRESHOLDS: Final = {"100,000": 100_000, "little over 100k": 100_100, "little over 500k": 500_100}


@dataclass(frozen=True)
class TrialResult:
    """What one trial gives: times in seconds, spills in messages, pool use as a share of its size."""

    elapsed_s: float
    pause_s: float
    spilled_source: int
    spilled_destination: int
    staged: int
    source_pool_share: float
    destination_pool_share: float
    redo_bytes: tuple[float, float]


@dataclass(frozen=True)
class PublishedFigure:
    """One measured number of the four tests.

    Attributes:
        test: 1 to 4.
        metric: elapsed and flow_control_pause in minutes, spilled_source and spilled_destination in messages.
    """

    test: int
    metric: str
    value: float
    workload: Workload
    threshold: int


def published_figures() -> tuple[PublishedFigure, ...]:
    """Return the measured times, pauses and spills of the four tests."""
    points = json.loads(_FACTS.read_text(encoding="utf-8"))["points"]
    chosen = [p for p in points if p["seed"].startswith("004") and p["kind"] == "measured" and p["metric"] in _METRICS]
    figures = []
    for point in chosen:
        conditions = point["conditions"]
        workload = Workload(conditions["op"], conditions["rows"], conditions["rows_per_commit"])
        threshold = _THRESHOLDS[conditions["TXN_LCR_SPILL_THRESHOLD"]]
        figures.append(PublishedFigure(conditions["test"], point["metric"], float(point["value"]), workload, threshold))
    return tuple(figures)


@cache
def shipped_streams(name: str) -> StreamsScenario:
    """Return a shipped scenario."""
    return load_scenario(scenario_path(name))


def quiet_streams(name: str = "streams-2009") -> StreamsLab:
    """Return a pipeline without noise that has been running for half a minute."""
    lab = StreamsLab(shipped_streams(name), noise=False)
    lab.advance(30.0)
    return lab


def run_to_the_end(lab: StreamsLab, workload: Workload, tick_s: float = 1.0) -> int:
    """Write a workload, let time pass until all of it is applied, and return its number."""
    number = lab.write(workload)
    while lab.workload(number).applied_s is None:
        lab.advance(tick_s)
    return number


def streams_trial(
    scenario: StreamsScenario, workload: Workload, threshold: int, seed: int = 1, noise: bool = False
) -> TrialResult:
    """Run one published test on a fresh pipeline."""
    lab = StreamsLab(scenario, seed=seed, noise=noise)
    lab.set_apply_parameter("TXN_LCR_SPILL_THRESHOLD", str(threshold))
    lab.advance(30.0)
    state = lab.workload(run_to_the_end(lab, workload))
    elapsed_s = state.elapsed_s
    apply = lab.apply()
    assert elapsed_s is not None
    assert apply.reader is not None
    source, destination = lab.database("source"), lab.database("destination")
    return TrialResult(
        elapsed_s=elapsed_s,
        pause_s=lab.capture().elapsed_pause_s,
        spilled_source=lab.queue("source").cspill_msgs,
        spilled_destination=lab.queue("destination").cspill_msgs,
        staged=apply.reader.total_messages_spilled,
        source_pool_share=source.pool_peak_mb / source.pool_size_mb,
        destination_pool_share=destination.pool_peak_mb / destination.pool_size_mb,
        redo_bytes=(source.redo_bytes, destination.redo_bytes),
    )


def simulated(scenario: StreamsScenario, figure: PublishedFigure, known: dict[int, TrialResult]) -> float:
    """Return the simulation's number in the published unit; `known` keeps the trials already run."""
    if figure.test not in known:
        known[figure.test] = streams_trial(scenario, figure.workload, figure.threshold)
    result = known[figure.test]
    if figure.metric == "elapsed":
        return result.elapsed_s / 60.0
    if figure.metric == "flow_control_pause":
        return result.pause_s / 60.0
    return float(result.spilled_source if figure.metric == "spilled_source" else result.spilled_destination)
