"""Steps of a trial that seeds a database to a secondary, and what such a trial shows."""

from dataclasses import dataclass
from typing import Final

from app.domain.measurement import Sample
from app.foundation.texts import _
from app.systems.availability_groups.copies import (
    BackupOptions,
    SeedingEvent,
    SeedingMethod,
    SeedingStep,
)
from app.systems.availability_groups.readings import SeedingSample

COMPRESS_SEEDING: Final = 9567
"""Trace flag that compresses the stream of direct seeding, set at the primary (Microsoft: "Tune compression")."""

SQL_SERVER_2016: Final = 13
"""Major version from which on there is direct seeding (Microsoft: "Automatic seeding for secondary replicas")."""

TEST_DATABASE: Final = "ReplituneSeeding"
"""The database a run makes where its plan names none."""


@dataclass(frozen=True)
class MakeTestDatabase:
    """Make a database to seed, of a size, a share of which compresses; it stays until the run ends."""

    database: str
    size_mb: int
    compressible_share: float

    def describe(self) -> str:
        """Return what it does, for a person."""
        return _("Create the test database {database} with {size:,} MB, of which {share:.0%} compress").format(
            database=self.database, size=self.size_mb, share=self.compressible_share
        )


@dataclass(frozen=True)
class RecordSeedingEvents:
    """Make and start the extended events session on seeding; it stays until the run ends."""

    def describe(self) -> str:
        """Return what it does, for a person."""
        return _("Record the events of seeding (an extended events session)")


@dataclass(frozen=True)
class HoldSeeding:
    """Give the secondary the seeding mode MANUAL, so that nothing is copied before the measuring begins."""

    def describe(self) -> str:
        """Return what it does, for a person."""
        return _("Hold seeding back (SEEDING_MODE MANUAL at the secondary)")


@dataclass(frozen=True)
class CompressSeeding:
    """Set or clear trace flag 9567 at the primary, and wait after a change of it.

    Attributes:
        settle_s: time since its last change; when a running server follows is not documented.
    """

    wanted: bool
    settle_s: float

    def describe(self) -> str:
        """Return what it does, for a person."""
        if self.wanted:
            return _("Compress the seeding stream (trace flag 9567 at the primary)")
        return _("Do not compress the seeding stream (no trace flag 9567 at the primary)")


@dataclass(frozen=True)
class JoinAtPrimary:
    """Take the database into the group at the primary."""

    database: str

    def describe(self) -> str:
        """Return what it does, for a person."""
        return _("Take {database} into the group at the primary").format(database=self.database)


@dataclass(frozen=True)
class AllowSeeding:
    """Give the secondary the seeding mode AUTOMATIC with the right to create databases; direct seeding begins."""

    def describe(self) -> str:
        """Return what it does, for a person."""
        return _("Let seeding begin (SEEDING_MODE AUTOMATIC at the secondary)")


@dataclass(frozen=True)
class SeedDatabase:
    """Start a method and measure until the copy has joined; then watch the redo of what was written meanwhile.

    Attributes:
        watch_s: longest time redo is watched; it ends when nothing is left to redo.
    """

    method: SeedingMethod
    database: str
    options: BackupOptions
    watch_s: float

    def describe(self) -> str:
        """Return what it does, for a person."""
        text = {
            SeedingMethod.BACKUP_RESTORE: _("Back up, restore and join {database}, and measure until it has joined"),
            SeedingMethod.DIRECT: _("Measure direct seeding of {database} until it has joined"),
            SeedingMethod.DIRECT_COMPRESSED: _("Measure compressed direct seeding of {database} until it has joined"),
        }[self.method]
        return text.format(database=self.database)


@dataclass(frozen=True)
class RemoveCopy:
    """Take the database out of the group again and drop the copy with the files that made it."""

    database: str

    def describe(self) -> str:
        """Return what it does, for a person."""
        return _("Take {database} out of the group and drop its copy, so that trials start alike").format(
            database=self.database
        )


@dataclass(frozen=True)
class SeedingObservation:
    """What a trial showed, before its family makes measures of it.

    Attributes:
        database_mb: data in use when the run began.
        primary, secondary: servers, as they stand in the readings.
        steps: as the servers timed them.
        readings: from the start to the moment the copy had joined, oldest first; totals count from the start.
        afterwards: while redo was watched.
        events: of the extended events session, of this trial.
        failure: the server's own words where it failed, else "".
        samples: time series at the sampling interval.
    """

    method: SeedingMethod
    database_mb: float
    primary: str
    secondary: str
    steps: tuple[SeedingStep, ...]
    readings: tuple[SeedingSample, ...]
    afterwards: tuple[SeedingSample, ...]
    events: tuple[SeedingEvent, ...]
    failure: str
    samples: tuple[Sample, ...]
