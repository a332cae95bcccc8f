"""Seeding a database to a new replica: methods, what is timed, and the port to servers that can do it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Protocol

from app.domain.change import Change
from app.domain.happening import PastReadings
from app.domain.naming import Sentence, Word
from app.model.reading import Column
from app.systems.availability_groups.enumerations import RECOVERY_MODEL
from app.systems.availability_groups.readings import SeedingSample


class SeedingMethod(StrEnum):
    """How a database gets to the secondary; the words are those of the factor `seeding_method`."""

    BACKUP_RESTORE = "backup_restore"
    DIRECT = "direct"
    DIRECT_COMPRESSED = "direct_compressed"


@dataclass(frozen=True)
class BackupOptions:
    """Options of the backup path; 0 leaves the server's own choice.

    Attributes:
        stripes: files the backup is split over, 1–64.
        buffer_count: BUFFERCOUNT. max_transfer_kb: MAXTRANSFERSIZE, 64 to 4096, in steps of 64.
        folder: share or folder that both servers reach.
    """

    folder: str
    stripes: int = 1
    buffer_count: int = 0
    max_transfer_kb: int = 0


@dataclass(frozen=True)
class SeedingRequirements:
    """What must hold before a database can be seeded.

    Attributes:
        database_mb: data in use. free_primary_mb, free_secondary_mb, free_backup_mb: None where unknown.
        seeding_mode: of the secondary replica, "automatic" or "manual".
        may_create_any: the group may create databases at the secondary (GRANT CREATE ANY DATABASE).
        last_full_backup: of the database, which must exist before it may join a group; None for none.
        other_seedings: seedings in flight in the same group.
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


@dataclass(frozen=True)
class SeedingStep:
    """One step of a method, timed by the servers ("backup", "log backup", "restore", "join", "seeding")."""

    name: str
    started: datetime
    finished: datetime | None
    moved_mb: float

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


class DatabaseSeeding(Protocol):
    """Seeding one database to one secondary, again and again. All calls raise TargetError subclasses."""

    def requirements(self, group: str, database: str, secondary: str, folder: str) -> SeedingRequirements:
        """Read what must hold before a seeding."""
        ...

    def check(self, group: str, database: str, secondary: str, folder: str) -> None:
        """Do nothing where the database can be seeded to this secondary.

        Raises:
            BadInput: no such group or secondary, one that is down, a recovery model other than FULL, no full backup, or
                no room.
        """
        ...

    def plan_test_database(self, group: str, name: str, size_mb: int, compressible_share: float) -> tuple[Change, ...]:
        """Return the changes that make a database of this size to experiment with; undo drops it.

        Args:
            compressible_share: share of its pages filled with text that compresses, 0–1.
        """
        ...

    def plan_membership(self, group: str, database: str, secondary: str) -> tuple[Change, ...]:
        """Return the changes that take a test database into the group at the primary; undo takes it out again.

        A copy at the secondary that the experiment made is dropped by undo as well; one that was there before is
        refused.

        Raises:
            BadInput: the database belongs to a group already, or exists at the secondary.
        """
        ...

    def plan_seeding_mode(self, group: str, secondary: str, mode: str) -> tuple[Change, ...]:
        """Return the change of SEEDING_MODE ("automatic" or "manual") with the grant it needs; () where it is so."""
        ...

    def plan_event_session(self, owner: str) -> tuple[Change, ...]:
        """Return the change that makes and starts the extended events session on seeding; undo drops it."""
        ...

    def events(self, owner: str) -> tuple[SeedingEvent, ...]:
        """Read what that session has seen, oldest first."""
        ...

    def start(self, method: SeedingMethod, group: str, database: str, secondary: str, options: BackupOptions) -> None:
        """Begin to seed; returns as soon as the servers work on it. Backups are COPY_ONLY with CHECKSUM.

        The database is in the group. A direct method needs the seeding mode "automatic", and takes a seeding that has
        begun by itself (as the mode was set, or the database added) for its own; backup and restore need "manual".

        Raises:
            BadInput: the mode is the other one, a copy is there, no room, or options BACKUP does not take.
        """
        ...

    def past_readings(self, server: str, elapsed_s: float, database: str) -> PastReadings:
        """Return what a server can be asked of what else it did within the last seconds than seed this database."""
        ...

    def sample(self, group: str, database: str, secondary: str) -> SeedingSample:
        """Read how far it is."""
        ...

    def steps(self, group: str, database: str, secondary: str) -> tuple[SeedingStep, ...]:
        """Read the steps of the newest seeding, from backup and restore history or the seeding views."""
        ...
