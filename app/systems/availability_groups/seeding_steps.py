"""Changes of a seeding trial before it measures, and their undo.

A trial joins the database while seeding is held back, then lets it begin. Undone newest first, seeding is held back
again before the database leaves: SEEDING_MODE MANUAL ends what is in flight (Microsoft Learn: "Automatic seeding").
"""

import math
from dataclasses import dataclass
from typing import Final

from app.domain.change import Change
from app.domain.errors import BadInput
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.runner.bench.rig import Bench, BenchStep, StepRig
from app.runner.bench.watch import SHORTEST_TICK_S
from app.runner.control import let_pass
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.seeding_members import SeedingMembers

COMPRESS_SEEDING: Final = 9567
"""Trace flag that compresses the stream of direct seeding, set at the primary (Microsoft: "Tune compression")."""

_OF_TRIAL: Final = "trial"
# A rest of nothing but rounding moves no clock on.
_LEAST_PAUSE_S: Final = 0.001


@dataclass(frozen=True)
class MakeTestDatabase(BenchStep[SeedingMembers]):
    """Make a database to seed, of a size, a share of which compresses; it stays until the run ends."""

    database: str
    size_mb: int
    compressible_share: float

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Create the test database {database} with {size:,} MB, of which {share:.0%} compress").format(
            database=self.database, size=self.size_mb, share=self.compressible_share
        )

    def changes(self, at: Bench[SeedingMembers]) -> tuple[Change, ...]:
        """Return the change that makes it."""
        group, seeding = at.members.group.name, group_ports(at.target).seeding
        return seeding.plan_test_database(group, self.database, self.size_mb, self.compressible_share)

    def do(self, rig: StepRig[SeedingMembers]) -> None:
        """Make it, once for the run."""
        rig.board.make_once("test database", lambda: self.changes(rig.at))


@dataclass(frozen=True)
class RecordSeedingEvents(BenchStep[SeedingMembers]):
    """Make and start the extended events session on seeding; it stays until the run ends."""

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Record the events of seeding (an extended events session)")

    def changes(self, at: Bench[SeedingMembers]) -> tuple[Change, ...]:
        """Return the change that makes and starts it."""
        return group_ports(at.target).seeding.plan_event_session(at.owner)

    def do(self, rig: StepRig[SeedingMembers]) -> None:
        """Make and start it, once for the run."""
        rig.board.make_once("event session", lambda: self.changes(rig.at))


@dataclass(frozen=True)
class HoldSeeding(BenchStep[SeedingMembers]):
    """Give the secondary the seeding mode MANUAL, so that nothing is copied before the measuring begins."""

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Hold seeding back (SEEDING_MODE MANUAL at the secondary)")

    def changes(self, at: Bench[SeedingMembers]) -> tuple[Change, ...]:
        """Return the change of the seeding mode."""
        return _seeding_mode(at, "manual")

    def do(self, rig: StepRig[SeedingMembers]) -> None:
        """Change it until the run ends, where it is otherwise."""
        rig.board.make("seeding held", self.changes(rig.at))


@dataclass(frozen=True)
class CompressSeeding(BenchStep[SeedingMembers]):
    """Set or clear trace flag 9567 at the primary, and wait after a change of it.

    Attributes:
        settle_s: time since its last change; when a running server follows is not documented.
    """

    wanted: bool
    settle_s: float

    def describe(self) -> str:
        """Describe the step for a person."""
        if self.wanted:
            return _("Compress the seeding stream (trace flag 9567 at the primary)")
        return _("Do not compress the seeding stream (no trace flag 9567 at the primary)")

    def changes(self, at: Bench[SeedingMembers]) -> tuple[Change, ...]:
        """Return the change of the trace flag."""
        primary = at.members.group.primary
        return group_ports(at.target).groups.plan_trace_flag(primary, COMPRESS_SEEDING, on=self.wanted)

    def do(self, rig: StepRig[SeedingMembers]) -> None:
        """Make the change for this trial, and let the rest of the time after its last change pass."""
        settling = _settling(rig)
        if planned := self.changes(rig.at):
            rig.board.make(_OF_TRIAL, planned)
            settling.begin()
        while (left_s := self.settle_s - settling.lasted_s()) > 0:
            let_pass(min(SHORTEST_TICK_S, max(left_s, _LEAST_PAUSE_S)), rig.at.target.clock, rig.parts.control)


@dataclass(frozen=True)
class JoinAtPrimary(BenchStep[SeedingMembers]):
    """Take the database into the group at the primary."""

    database: str

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Take {database} into the group at the primary").format(database=self.database)

    def changes(self, at: Bench[SeedingMembers]) -> tuple[Change, ...]:
        """Return the change that joins it; of a database the run is still to make, which a step tells, none."""
        try:
            return self._planned(at)
        except BadInput:
            if at.members.is_test:
                return ()
            raise

    def do(self, rig: StepRig[SeedingMembers]) -> None:
        """Join it for this trial."""
        rig.board.make(_OF_TRIAL, self._planned(rig.at))

    def _planned(self, at: Bench[SeedingMembers]) -> tuple[Change, ...]:
        members, seeding = at.members, group_ports(at.target).seeding
        return seeding.plan_membership(members.group.name, self.database, members.secondary.server)


@dataclass(frozen=True)
class AllowSeeding(BenchStep[SeedingMembers]):
    """Give the secondary the seeding mode AUTOMATIC with the right to create databases; direct seeding begins."""

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Let seeding begin (SEEDING_MODE AUTOMATIC at the secondary)")

    def changes(self, at: Bench[SeedingMembers]) -> tuple[Change, ...]:
        """Return the change of the seeding mode."""
        return _seeding_mode(at, "automatic")

    def do(self, rig: StepRig[SeedingMembers]) -> None:
        """Change it for this trial."""
        rig.board.make(_OF_TRIAL, self.changes(rig.at))


@dataclass(frozen=True)
class RemoveCopy(BenchStep[SeedingMembers]):
    """Take the database out of the group again and drop the copy with the files that made it."""

    database: str

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Take {database} out of the group and drop its copy, so that trials start alike").format(
            database=self.database
        )

    def do(self, rig: StepRig[SeedingMembers]) -> None:
        """Undo this trial's changes, newest first."""
        rig.board.take_back(_OF_TRIAL)
        _settling(rig).forget()


class _Settling:
    """How long ago the trace flag was last set or cleared, and whether the change of a trial is still open."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since_s = -math.inf
        self._is_open = False

    def begin(self) -> None:
        """Begin anew, as a trial has just changed the flag."""
        self._since_s, self._is_open = self._clock.monotonic_s(), True

    def forget(self) -> None:
        """Begin anew where the change of a trial was open: it has just been undone."""
        if self._is_open:
            self._since_s, self._is_open = self._clock.monotonic_s(), False

    def lasted_s(self) -> float:
        """Return the seconds since the last change, infinite where there was none."""
        return self._clock.monotonic_s() - self._since_s


def _settling(rig: StepRig[SeedingMembers]) -> _Settling:
    return rig.kept(_Settling, lambda: _Settling(rig.at.target.clock))


def _seeding_mode(at: Bench[SeedingMembers], mode: str) -> tuple[Change, ...]:
    members = at.members
    return group_ports(at.target).seeding.plan_seeding_mode(members.group.name, members.secondary.server, mode)
