"""The published numbers of the two replication tests, as the lab's trials can be compared with them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.systems.transactional_replication.lab.replication import DistributionSettings, LogReaderSettings
from app.systems.transactional_replication.lab.scenario import Scenario
from tests.calibration.trials import distribution_run_time_s, log_reader_run_time_s, wan_commands_per_s

_FACTS = Path(__file__).parents[1] / "facts" / "published.json"


@dataclass(frozen=True)
class PublishedPoint:
    """One measured number and the trial that repeats it.

    Attributes:
        label: conditions, for a person.
        sweep: points of one sweep compete for the best setting.
        scenario: name of the shipped scenario.
        value: as published.
        is_run_time: smaller is better; else a throughput.
        simulate: the same trial on the lab, in the same unit.
    """

    label: str
    sweep: str
    scenario: str
    value: float
    is_run_time: bool
    simulate: Callable[[Scenario], float]


def published_points() -> tuple[PublishedPoint, ...]:
    """Return every measured run time and throughput of the two documents, the one printed twice included."""
    points = json.loads(_FACTS.read_text(encoding="utf-8"))["points"]
    measured = [p for p in points if p["kind"] == "measured" and p["seed"][:3] in ("000", "001")]
    return tuple(_lan_point(p) if p["seed"].startswith("000") else _wan_point(p) for p in measured)


def _lan_point(point: dict[str, object]) -> PublishedPoint:
    conditions = point["conditions"]
    assert isinstance(conditions, dict)
    if conditions["agent"] == "LogReader":
        read = LogReaderSettings(read_batch_size=conditions["ReadBatchSize"])
        return _point(point, "lan", "ReadBatchSize", lambda site: log_reader_run_time_s(site, read))
    settings = DistributionSettings(
        commit_batch_size=conditions["CommitBatchSize"], subscription_streams=conditions["SubscriptionStreams"]
    )
    return _point(point, "lan", str(point["table"]), lambda site: distribution_run_time_s(site, settings))


def _wan_point(point: dict[str, object]) -> PublishedPoint:
    conditions = point["conditions"]
    assert isinstance(conditions, dict)
    scenario = f"wan-{conditions['bandwidth_kbps']}k"
    streams = conditions["SubscriptionStreams"]
    return _point(point, scenario, scenario, lambda site: wan_commands_per_s(site, streams))


def _point(
    point: dict[str, object], scenario: str, sweep: str, simulate: Callable[[Scenario], float]
) -> PublishedPoint:
    value = point["value"]
    assert isinstance(value, float)
    label = f"{sweep} {point['conditions']}"
    return PublishedPoint(label, sweep, scenario, value, point["metric"] == "run_time", simulate)
