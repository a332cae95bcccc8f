"""Seeding a database to a new replica: methods, and timed phases."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Final

from app.domain.naming import FolderName, Sentence, Word
from app.model.reading import Column
from app.systems.availability_groups.enumerations import BACKUP_TYPE, RECOVERY_MODEL


class SeedingMethod(StrEnum):
    """How a database gets to the secondary; the words are those of the factor `seeding_method`."""

    BACKUP_RESTORE = "backup_restore"
    DIRECT = "direct"
    DIRECT_COMPRESSED = "direct_compressed"


SERVER_DEFAULT: Final = "default"
MS_XPRESS, ZSTD_LOW = "MS_XPRESS", "ZSTD_LOW"
COMPRESSIONS: Final = (MS_XPRESS, ZSTD_LOW, "ZSTD_MEDIUM", "ZSTD_HIGH")
"""Algorithms and levels of backup compression that SQL Server 2025 is told by name (Microsoft Learn: "Backup
compression"); before it there is one only that matters."""


@dataclass(frozen=True)
class BackupOptions:
    """Options of the backup path; 0 leaves the server's own choice.

    Attributes:
        stripes: files the backup is split over, 1–64.
        buffer_count: BUFFERCOUNT. max_transfer_kb: MAXTRANSFERSIZE, 64 to 4096, in steps of 64.
        folder: share or folder that both servers reach.
        compression: "default", or one of COMPRESSIONS.
    """

    folder: str
    stripes: int = 1
    buffer_count: int = 0
    max_transfer_kb: int = 0
    compression: str = SERVER_DEFAULT


@dataclass(frozen=True)
class SeedingRequirements:
    """The requirements for seeding a database.

    Attributes:
        database_mb: data in use. free_primary_mb, free_secondary_mb, free_backup_mb: None where unknown.
        seeding_mode: of the secondary replica, "automatic" or "manual".
        may_create_any: the group may create databases at the secondary (GRANT CREATE ANY DATABASE).
        last_full_backup: of the database, which must exist before it may join a group; None for none.
        other_seedings: seedings in flight in the same group.
        unknown_folders: of the database's files, that the secondary has no file in; a restore moves those files.
    """

    database_mb: float
    free_primary_mb: Annotated[float | None, Column("free_bytes")]
    free_secondary_mb: float | None
    free_backup_mb: float | None
    seeding_mode: Word
    may_create_any: bool
    recovery_model: Annotated[Word, RECOVERY_MODEL]
    last_full_backup: Annotated[datetime | None, Column("last_full_backup_utc")]
    other_seedings: int
    unknown_folders: tuple[FolderName, ...] = ()


@dataclass(frozen=True)
class SeedingStep:
    """One step of a method, timed by the servers ("backup", "log backup", "restore", "join", "seeding")."""

    name: Annotated[Word, BACKUP_TYPE]
    started: Annotated[datetime, Column("started_utc")]
    finished: Annotated[datetime | None, Column("finished_utc")]
    moved_mb: Annotated[float, Column("backup_bytes")]

    @property
    def duration_s(self) -> float | None:
        """Seconds from start to end, None while it runs."""
        return None if self.finished is None else (self.finished - self.started).total_seconds()


@dataclass(frozen=True)
class SeedingEvent:
    """One event of the extended events session on seeding; `detail` is its new state or its failure."""

    at: Annotated[datetime, Column("at_utc")]
    name: Annotated[Word, Column("event_name")]
    detail: Sentence
