"""The published numbers of the availability group tests, and the same trials on the lab."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.systems.availability_groups.lab.lab import AvailabilityLab
from app.systems.availability_groups.lab.readings import LoadStatus, OperationReading, OperationStatus, SeedingMode
from app.systems.availability_groups.lab.scenario import (
    AvailabilityScenario,
    availability_scenario_path,
    load_availability_scenario,
)

THIRD_SESSION_FACTOR = 1.0964
"""How much slower everything was in the session of the third table, its asynchronous half included; fitted."""

_FACTS = Path(__file__).parents[1] / "facts" / "published.json"


@dataclass(frozen=True)
class PublishedValue:
    """One measured number and the same quantity on the lab.

    Attributes:
        label: conditions, for a person.
        scenario: name of the shipped scenario.
        simulate: returns it in the unit of `value`.
    """

    label: str
    scenario: str
    value: float
    simulate: Callable[[AvailabilityScenario], float]


@cache
def shipped(name: str) -> AvailabilityScenario:
    """Return a shipped availability scenario."""
    return load_availability_scenario(availability_scenario_path(name))


def changed(scenario: AvailabilityScenario, values: Mapping[str, float]) -> AvailabilityScenario:
    """Return a scenario with some constants replaced, by names such as "line.rtt_ms".

    Of the tables that a file has several of (servers, groups, databases), the first one is changed.
    """
    for name, value in values.items():
        section, key = name.split(".")
        part = getattr(scenario, section)
        if isinstance(part, tuple):
            new: object = (part[0].model_copy(update={key: value}), *part[1:])
        else:
            new = part.model_copy(update={key: value})
        scenario = scenario.model_copy(update={section: new})
    return scenario


def insert_cells() -> tuple[PublishedValue, ...]:
    """Return the 42 run times of inserts × rows per insert, milliseconds."""
    points = json.loads(_FACTS.read_text(encoding="utf-8"))["points"]
    cells = [p for p in points if p["seed"].startswith("002") and p["metric"] == "run_time" and p["kind"] == "measured"]
    return tuple(_insert_cell(point) for point in cells)


def _insert_cell(point: dict[str, object]) -> PublishedValue:
    conditions, value = point["conditions"], point["value"]
    assert isinstance(conditions, dict)
    assert isinstance(value, int)
    table, mode, inserts = str(conditions["version"]), str(conditions["mode"]), int(conditions["inserts"])
    version, is_third = table[:4], "TF9592" in table
    label = f"{version}{' + TF 9592' if is_third else ''} {mode} n = {inserts}"
    return PublishedValue(
        label, f"ag-{version}", float(value), lambda site: insert_run_time_ms(site, mode, inserts, is_third)
    )


def insert_run_time_ms(scenario: AvailabilityScenario, mode: str, inserts: int, is_third_session: bool) -> float:
    """Return what a loop takes that inserts a million rows, noise off.

    Args:
        mode: "async", "sync" or "alone".
        is_third_session: trace flag 9592 on, and the machine as slow as it was then.
    """
    if is_third_session and scenario.noise.session_factor == 1.0:
        scenario = changed(scenario, {"noise.session_factor": THIRD_SESSION_FACTOR})
    lab = AvailabilityLab(scenario, noise=False)
    if is_third_session:
        lab.set_trace_flag("SQLNODE1", 9592, True)
        lab.advance(10.0)
    load = lab.run_inserts(f"Load{mode.capitalize()}", inserts, 1_000_000 // inserts)
    assert load.status is LoadStatus.FINISHED
    return load.elapsed_s * 1e3


@dataclass(frozen=True)
class CopyLevels:
    """What one operation showed: its duration, and means over it."""

    duration_s: float
    source_cpu_percent: float
    target_cpu_percent: float
    network_mbps: float
    written_mb_per_s: float


def seeding_values() -> tuple[PublishedValue, ...]:
    """Return steps, totals, network and processor levels of the seeding test; the disk level of seeding is not there.

    350 to 450 MB/s over eight minutes would be 168 to 216 GB of a database of 100 GB: a burst, no level.
    """
    table: tuple[tuple[str, float, Callable[[AvailabilityScenario], float]], ...] = (
        ("backup, s", 415.0, lambda site: backup_and_restore(site)[0].duration_s),
        ("restore, s", 1030.0, lambda site: backup_and_restore(site)[1].duration_s),
        ("join, s", 1.0, lambda site: backup_and_restore(site)[2].duration_s),
        ("backup + restore + join, s", 1446.0, lambda site: sum(step.duration_s for step in backup_and_restore(site))),
        ("direct seeding, s", 480.0, lambda site: direct_seeding(site, False).duration_s),
        ("direct seeding + TF 9567, s", 480.0, lambda site: direct_seeding(site, True).duration_s),
        ("network of the restore, Mb/s", 154.5, lambda site: backup_and_restore(site)[1].network_mbps),
        ("network of direct seeding, Mb/s", 2200.0, lambda site: direct_seeding(site, False).network_mbps),
        ("network with TF 9567, Mb/s", 880.0, lambda site: direct_seeding(site, True).network_mbps),
        ("disk writes of the restore, MB/s", 130.0, lambda site: backup_and_restore(site)[1].written_mb_per_s),
        ("CPU of the backup, %", 35.0, lambda site: backup_and_restore(site)[0].source_cpu_percent),
        ("CPU of the restore, %", 35.0, lambda site: backup_and_restore(site)[1].target_cpu_percent),
        ("CPU of direct seeding, %", 70.0, lambda site: direct_seeding(site, False).source_cpu_percent),
        ("CPU with TF 9567, %", 100.0, lambda site: direct_seeding(site, True).source_cpu_percent),
    )
    return tuple(PublishedValue(label, "ag-seeding", value, simulate) for label, value, simulate in table)


def follow(lab: AvailabilityLab, operation_id: int) -> CopyLevels:
    """Let an operation run to its end and return its levels."""
    start = lab.operation(operation_id)
    source, target = lab.server(start.source), lab.server(start.target)
    end: OperationReading = lab.run_operation(operation_id)
    assert end.status is OperationStatus.COMPLETED, end
    assert end.end_s is not None
    duration_s = end.end_s - end.start_s
    source_after, target_after = lab.server(start.source), lab.server(start.target)
    return CopyLevels(
        duration_s=duration_s,
        source_cpu_percent=(source_after.cpu_busy_core_s - source.cpu_busy_core_s) / duration_s / source.cpus * 100,
        target_cpu_percent=(target_after.cpu_busy_core_s - target.cpu_busy_core_s) / duration_s / target.cpus * 100,
        network_mbps=(source_after.network_bytes_sent - source.network_bytes_sent) * 8e-6 / duration_s,
        written_mb_per_s=end.written_mb / duration_s,
    )


@cache
def backup_and_restore(scenario: AvailabilityScenario) -> tuple[CopyLevels, CopyLevels, CopyLevels]:
    """Return the levels of backup, restore and join as the wizard does them, noise off."""
    lab = AvailabilityLab(scenario, noise=False)
    backup = lab.start_backup("Archive")
    backing_up = follow(lab, backup)
    restoring = follow(lab, lab.start_restore(backup, "SQLNODE2"))
    lab.add_database("AG_ARCHIVE", "Archive")
    return backing_up, restoring, follow(lab, lab.start_join("Archive", "SQLNODE2"))


@cache
def direct_seeding(scenario: AvailabilityScenario, is_compressed: bool) -> CopyLevels:
    """Return the levels of direct seeding, noise off."""
    lab = AvailabilityLab(scenario, noise=False)
    if is_compressed:
        lab.set_trace_flag("SQLNODE1", 9567, True)
        lab.advance(10.0)
    lab.set_seeding_mode("AG_ARCHIVE", "SQLNODE2", SeedingMode.AUTOMATIC)
    lab.add_database("AG_ARCHIVE", "Archive")
    return follow(lab, lab.operations()[-1].operation_id)
