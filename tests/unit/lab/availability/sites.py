"""Small labs to try things on."""

from app.systems.availability_groups.lab.lab import AvailabilityLab
from app.systems.availability_groups.lab.readings import OperationKind, SeedingMode
from tests.calibration.availability import changed, shipped

PRIMARY = "SQLNODE1"
SECONDARY = "SQLNODE2"


def quiet_lab(name: str = "ag-2016", **values: float) -> AvailabilityLab:
    """Return a lab without noise; keyword `line__rtt_ms` replaces the constant line.rtt_ms."""
    constants = {key.replace("__", "."): value for key, value in values.items()}
    return AvailabilityLab(changed(shipped(name), constants), noise=False)


def insert_s(lab: AvailabilityLab, database: str, inserts: int, rows: int) -> float:
    """Return what a loop takes, seconds."""
    return lab.run_inserts(database, inserts, rows).elapsed_s


def penalty(lab: AvailabilityLab, inserts: int, rows: int) -> float:
    """Return by which share a synchronous loop takes longer than an asynchronous one."""
    return insert_s(lab, "LoadSync", inserts, rows) / insert_s(lab, "LoadAsync", inserts, rows) - 1


def start_seeding(lab: AvailabilityLab, is_compressed: bool = False) -> int:
    """Begin to seed the archive and return the operation."""
    if is_compressed:
        lab.set_trace_flag(PRIMARY, 9567, True)
        lab.advance(5.0)
    lab.set_seeding_mode("AG_ARCHIVE", SECONDARY, SeedingMode.AUTOMATIC)
    lab.add_database("AG_ARCHIVE", "Archive")
    operation = lab.operations()[-1]
    assert operation.kind is OperationKind.SEEDING
    return operation.operation_id
