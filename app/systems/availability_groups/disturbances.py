"""Disturbances of a group's trial by others, seen in the readings of each tick."""

from dataclasses import dataclass

from app.domain.errors import Disturbed, FailedOver
from app.foundation.texts import _
from app.systems.availability_groups.readings import GroupSample, SeedingSample


class RunStarts:
    """The start of each server that a run began with: trials are compared, and settings go with a restart."""

    def __init__(self) -> None:
        self._started_ms: dict[str, int] = {}

    def forget(self) -> None:
        """Begin anew after a restore: servers may have been restarted since."""
        self._started_ms.clear()

    def check(self, now: GroupSample | SeedingSample, *, is_first: bool) -> None:
        """Raise Disturbed where a server was restarted in this trial or since the one before; others are noted."""
        words = _(
            "{server} was restarted during the trial, and its trace flags and counters with it; the run ends, and what "
            "it changed is undone"
        )
        if is_first:
            words = _(
                "{server} was restarted since the previous trial, which reset its trace flags and counters; the run "
                "ends, and what it changed is undone"
            )
        for one in now.servers:
            if self._started_ms.setdefault(one.server, one.server_started_ms) != one.server_started_ms:
                raise Disturbed(words.format(server=one.server))


@dataclass(frozen=True)
class Undisturbed:
    """Holds each reading of a trial against the one before, and against the run's beginning.

    Attributes:
        group, primary, secondary: "" where there is no group; secondary: the one under test.
    """

    starts: RunStarts
    database: str
    group: str = ""
    primary: str = ""
    secondary: str = ""

    def check_commits(self, before: GroupSample | None, now: GroupSample) -> None:
        """Raise Disturbed or FailedOver for interference by others while inserts ran."""
        self._check_servers(before, now)
        if before is None:
            return
        if {one.server for one in before.readings} - {one.server for one in now.readings}:
            raise removed(self.database, self.group)
        if self._stands(now) and not self._stands(before):
            raise disconnected(self.secondary, self.database)

    def check_seeding(self, before: SeedingSample | None, now: SeedingSample) -> None:
        """Raise Disturbed or FailedOver for interference by others while a database was seeded."""
        self._check_servers(before, now)
        if not now.is_in_group and (before is None or before.is_in_group):
            raise removed(self.database, self.group)

    def _check_servers(self, before: GroupSample | SeedingSample | None, now: GroupSample | SeedingSample) -> None:
        if self.primary and now.primary != self.primary:
            raise failed_over(self.group, now.primary, self.primary)
        self.starts.check(now, is_first=before is None)

    def _stands(self, sample: GroupSample) -> bool:
        states = {one.server: one.synchronization_state for one in sample.readings}
        return states.get(self.secondary) == "NOT SYNCHRONIZING"


def failed_over(group: str, new: str, old: str) -> FailedOver:
    """Return the error for another primary than the one the run began with."""
    return FailedOver(
        _("{group} failed over during the run: {new} is its primary now, {old} was when the run began").format(
            group=group, new=new or _("nobody"), old=old
        )
    )


def removed(database: str, group: str) -> Disturbed:
    """Return the error for a database that is no longer in its group, or has no secondary there any more."""
    return Disturbed(
        _("{database} was taken out of {group}, or its secondary was, during the trial; the run ends").format(
            database=database, group=group
        )
    )


def disconnected(server: str, database: str) -> Disturbed:
    """Return the error for a secondary that receives nothing."""
    return Disturbed(
        _("{server} receives nothing of {database} any more: disconnected, or its data movement suspended").format(
            server=server, database=database
        )
    )
