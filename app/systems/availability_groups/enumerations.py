"""Columns of the catalogue views of availability groups, of sys.databases and of msdb that hold one of a few values."""

from typing import Final

from app.foundation.enumeration import Enumeration, in_small_letters, named_alike

_VIEWS: Final = "MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views"
_STATES: Final = "MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views"

AVAILABILITY_MODE: Final = Enumeration(
    "availability_mode",
    {0: "async", 1: "sync", 4: "configuration only"},
    f"{_VIEWS}/sys-availability-replicas-transact-sql.md",
)
FAILOVER_MODE: Final = in_small_letters(
    "failover_mode_desc", ("AUTOMATIC", "MANUAL", "EXTERNAL"), f"{_VIEWS}/sys-availability-replicas-transact-sql.md"
)
SEEDING_MODE: Final = in_small_letters(
    "seeding_mode_desc", ("AUTOMATIC", "MANUAL"), f"{_VIEWS}/sys-availability-replicas-transact-sql.md"
)
READS: Final = in_small_letters(
    "secondary_connections", ("NO", "READ_ONLY", "ALL"), f"{_VIEWS}/sys-availability-replicas-transact-sql.md"
)
ROLE: Final = in_small_letters(
    "role_desc",
    ("PRIMARY", "SECONDARY", "RESOLVING"),
    f"{_STATES}/sys-dm-hadr-availability-replica-states-transact-sql.md",
)
CLUSTER_TYPE: Final = in_small_letters(
    "cluster_type", ("WSFC", "EXTERNAL", "NONE"), f"{_VIEWS}/sys-availability-groups-transact-sql.md"
)
NO_CLUSTER: Final = "none"
SYNCHRONIZATION_STATE: Final = named_alike(
    "synchronization_state",
    ("SYNCHRONIZED", "SYNCHRONIZING", "NOT SYNCHRONIZING", "REVERTING", "INITIALIZING"),
    f"{_STATES}/sys-dm-hadr-database-replica-states-transact-sql.md",
)
RECOVERY_MODEL: Final = named_alike(
    "recovery_model_desc", ("FULL", "BULK_LOGGED", "SIMPLE"), f"{_VIEWS}/sys-databases-transact-sql.md"
)
LOGGED: Final = ("FULL", "BULK_LOGGED")
"""Recovery models whose log a group can send."""
BACKUP_TYPE: Final = Enumeration(
    "backup_type",
    {"D": "backup", "L": "log backup"},
    "MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/backupset-transact-sql.md",
)

ENUMERATIONS: Final = (
    AVAILABILITY_MODE,
    FAILOVER_MODE,
    SEEDING_MODE,
    READS,
    ROLE,
    CLUSTER_TYPE,
    SYNCHRONIZATION_STATE,
    RECOVERY_MODEL,
    BACKUP_TYPE,
)
