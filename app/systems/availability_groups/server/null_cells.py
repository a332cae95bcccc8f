"""Rows of the views on groups, any column of which may be NULL: at a secondary, while roles change, without a quorum.

Source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-availability-replicas-transact-sql.md,
which lists most columns as nullable, and …/system-dynamic-management-views/sys-dm-hadr-availability-replica-states-….
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.drivers.sqlserver.session import Rows
from app.foundation.rows import Cell, Row


@dataclass(frozen=True)
class NullCells:
    """The meaning of NULL in a result.

    Attributes:
        keys: columns without which a row says nothing.
        instead: the value a column is read as where it is NULL, by its name; others may be NULL.
    """

    keys: tuple[str, ...]
    instead: Mapping[str, Cell]


_NOT_TOLD: Final = -1
"""No mode of the vendor's: a replica of which it is not told is left alone."""
OF_REPLICAS: Final = NullCells(
    ("group_id", "group_name", "replica_server"),
    {
        "is_basic": 0,
        "is_contained": 0,
        "is_distributed": 0,
        "required_secondaries": 0,
        "cluster_type": "unknown",
        "availability_mode": _NOT_TOLD,
        "failover_mode_desc": "",
        "seeding_mode_desc": "",
        "secondary_connections": "",
        "read_only_routing_url": "",
        "read_write_routing_url": "",
        "replica_id": "",
    },
)
OF_MODE: Final = NullCells(
    (), {"availability_mode": _NOT_TOLD, "failover_mode_desc": "", "databases_not_synchronized": 0}
)
OF_DATABASES: Final = NullCells(
    ("group_id", "database_name", "replica_server"),
    {"synchronization_state": "NOT SYNCHRONIZING", "is_failover_ready": 0, "is_suspended": 0},
)
OF_SERVER: Final = NullCells(
    ("database_name",),
    {"state_desc": "unknown", "recovery_model_desc": "unknown", "data_kb": 0, "log_kb": 0, "is_encrypted": 0},
)


def told(rows: Sequence[Row], cells: NullCells) -> tuple[Rows, int]:
    """Return the rows that say something, with values instead of NULL, and how many say nothing."""
    kept = [row for row in rows if not any(row.is_null(key) for key in cells.keys)]
    return tuple(_filled(row, cells.instead) for row in kept), len(rows) - len(kept)


def _filled(row: Row, instead: Mapping[str, Cell]) -> Row:
    if not any(column in row.columns and row.is_null(column) for column in instead):
        return row
    columns = row.columns
    return Row(columns, [instead.get(c) if row.is_null(c) else row.cell(c) for c in columns])
