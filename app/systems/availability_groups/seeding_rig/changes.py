"""Changes of a run that seeds: those that stay until its end, and those each trial makes and takes back."""

import math

from app.domain.change import Change
from app.domain.rig import RigParts
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.seeding_rig.members import SeedingMembers


class RunChanges:
    """Makes changes through the changer and remembers which of them are a trial's own.

    A trial joins the database while seeding is held back, then lets it begin. Undone newest first, seeding is held back
    again before the database leaves: SEEDING_MODE MANUAL ends what is in flight (Microsoft Learn: "Automatic seeding").
    """

    def __init__(self, parts: RigParts, members: SeedingMembers) -> None:
        self._parts = parts
        self._members = members
        self._kept: set[str] = set()
        self._own: list[Change] = []
        self._flags: tuple[Change, ...] = ()
        self._flag_changed_s = -math.inf

    def forget(self) -> None:
        """Start afresh after a restore: everything is as it was found."""
        self._kept.clear()
        self._own.clear()
        self._flags = ()

    def make_test_database(self, size_mb: int, compressible_share: float) -> None:
        """Make the database that is seeded, once for the run."""
        seeding, members = group_ports(self._parts.target).seeding, self._members
        if "database" not in self._kept:
            self._kept.add("database")
            self._apply(seeding.plan_test_database(members.group.name, members.database, size_mb, compressible_share))

    def record_events(self) -> None:
        """Make and start the event session, once for the run."""
        if "events" not in self._kept:
            self._kept.add("events")
            self._apply(group_ports(self._parts.target).seeding.plan_event_session(self._parts.owner))

    def hold_seeding(self) -> None:
        """Give the secondary the seeding mode MANUAL, where it is not, until the run ends."""
        self._apply(self._mode("manual"))

    def allow_seeding(self) -> None:
        """Give the secondary the seeding mode AUTOMATIC for this trial."""
        self._apply(self._mode("automatic"), own=True)

    def set_flag(self, flag: int, *, on: bool) -> None:
        """Set or clear a trace flag at the primary for this trial."""
        planned = group_ports(self._parts.target).groups.plan_trace_flag(self._members.group.primary, flag, on=on)
        self._apply(planned, own=True)
        self._flags += planned
        if planned:
            self._flag_changed_s = self._parts.target.clock.monotonic_s()

    def since_flag_s(self, now_s: float) -> float:
        """Return the seconds since a trace flag was last set or cleared, infinite where none was."""
        return now_s - self._flag_changed_s

    def join(self) -> None:
        """Take the database into the group for this trial."""
        members = self._members
        planned = group_ports(self._parts.target).seeding.plan_membership(
            members.group.name, members.database, members.secondary.server
        )
        self._apply(planned, own=True)

    def end_trial(self) -> None:
        """Take back what this trial changed, newest first."""
        self._parts.changer.take_back(tuple(self._own))
        if any(change in self._flags for change in self._own):
            self._flag_changed_s = self._parts.target.clock.monotonic_s()
        self._own.clear()

    def _mode(self, mode: str) -> tuple[Change, ...]:
        members = self._members
        return group_ports(self._parts.target).seeding.plan_seeding_mode(
            members.group.name, members.secondary.server, mode
        )

    def _apply(self, planned: tuple[Change, ...], *, own: bool = False) -> None:
        for change in planned:
            if own:
                self._own.append(change)
            self._parts.changer.apply(change)
