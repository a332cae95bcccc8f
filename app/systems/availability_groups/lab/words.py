"""The words of availability groups, seeding and insert loops, as the server's views spell them."""

from enum import StrEnum


class AvailabilityMode(StrEnum):
    """AVAILABILITY_MODE of a replica."""

    ASYNCHRONOUS_COMMIT = "ASYNCHRONOUS_COMMIT"
    SYNCHRONOUS_COMMIT = "SYNCHRONOUS_COMMIT"


class FailoverMode(StrEnum):
    """FAILOVER_MODE of a replica."""

    AUTOMATIC = "AUTOMATIC"
    MANUAL = "MANUAL"


class SeedingMode(StrEnum):
    """SEEDING_MODE of a replica."""

    AUTOMATIC = "AUTOMATIC"
    MANUAL = "MANUAL"


class ReplicaRole(StrEnum):
    """Role of a replica now."""

    PRIMARY = "PRIMARY"
    SECONDARY = "SECONDARY"
    RESOLVING = "RESOLVING"


class SynchronizationState(StrEnum):
    """Data-movement state of one database at one replica, in the words of synchronization_state_desc."""

    NOT_SYNCHRONIZING = "NOT SYNCHRONIZING"
    SYNCHRONIZING = "SYNCHRONIZING"
    SYNCHRONIZED = "SYNCHRONIZED"
    REVERTING = "REVERTING"
    INITIALIZING = "INITIALIZING"


class LogReuseWait(StrEnum):
    """The reason that holds back truncation of a log, in the words of log_reuse_wait_desc."""

    NOTHING = "NOTHING"
    LOG_BACKUP = "LOG_BACKUP"
    ACTIVE_BACKUP_OR_RESTORE = "ACTIVE_BACKUP_OR_RESTORE"
    AVAILABILITY_REPLICA = "AVAILABILITY_REPLICA"


class LoadStatus(StrEnum):
    """Where an insert loop stands."""

    RUNNING = "RUNNING"
    FINISHED = "FINISHED"
    CANCELLED = "CANCELLED"
    FAILED = "FAILED"


class OperationKind(StrEnum):
    """The kind of an operation."""

    BACKUP = "BACKUP"
    LOG_BACKUP = "LOG_BACKUP"
    RESTORE = "RESTORE"
    LOG_RESTORE = "LOG_RESTORE"
    JOIN = "JOIN"
    SEEDING = "SEEDING"


class OperationStatus(StrEnum):
    """Where an operation stands."""

    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    CANCELLED = "CANCELLED"
    FAILED = "FAILED"


class Failure(StrEnum):
    """Why a load or an operation ended early; "" where it did not."""

    NONE = ""
    FAILED_OVER = "FAILED_OVER"
    SERVER_DOWN = "SERVER_DOWN"
    LOG_FULL = "LOG_FULL"
    DISK_FULL = "DISK_FULL"
    DISK_TOO_SMALL = "DISK_TOO_SMALL"
    CANCELLED = "CANCELLED"
