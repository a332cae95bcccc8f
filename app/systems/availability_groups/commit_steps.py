"""Changes of a commit-mode trial before it measures, and the trace flags that decide what is compressed."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from app.domain.change import Change
from app.domain.errors import TargetError
from app.foundation.texts import _
from app.runner.bench.rig import Bench, BenchStep, StepRig
from app.systems.availability_groups.commit_members import Member, Members, group_site, major_version
from app.systems.availability_groups.disturbances import failed_over
from app.systems.availability_groups.groups import AvailabilityGroup, CommitMode
from app.systems.availability_groups.offer import group_ports

# Trace flags of log stream compression (Microsoft: "Tune compression for availability group", "DBCC TRACEON - Trace
# Flags"): 9592 compresses for synchronous replicas, 1462 stops it for asynchronous ones, 9591 stops it altogether.
COMPRESS_SYNCHRONOUS: Final = 9592
STOP_ASYNCHRONOUS: Final = 1462
STOP_ALL: Final = 9591
COMPRESSION_FLAGS: Final = (STOP_ASYNCHRONOUS, STOP_ALL, COMPRESS_SYNCHRONOUS)

SQL_SERVER_2016: Final = 13
"""Major version from which on the log for synchronous replicas is no longer compressed by default."""

DEFAULT, ON, OFF = "default", "on", "off"

# A secondary that has not caught up after this long has another problem than the trial.
CATCH_UP_LIMIT_S: Final = 1_800.0


def compresses_by_default(major: int, mode: CommitMode) -> bool:
    """Tell whether a version (13 is SQL Server 2016) compresses the log stream to a replica of this mode by itself."""
    return mode is CommitMode.ASYNCHRONOUS or major < SQL_SERVER_2016


def compression_in_effect(major: int, mode: CommitMode, wanted: str) -> str:
    """Return "on" or "off" for a value of the factor, by its effect on this version."""
    if wanted in (ON, OFF):
        return wanted
    return ON if compresses_by_default(major, mode) else OFF


def compression_found(major: int, mode: CommitMode, flags: Collection[int]) -> str:
    """Return "on" or "off": a version's compression for a replica of this mode with these trace flags set."""
    if STOP_ALL in flags:
        return OFF
    if major >= SQL_SERVER_2016 and mode is CommitMode.SYNCHRONOUS:
        return ON if COMPRESS_SYNCHRONOUS in flags else OFF
    if major >= SQL_SERVER_2016 and STOP_ASYNCHRONOUS in flags:
        return OFF
    return ON


def compression_flags(major: int, mode: CommitMode, wanted: str) -> Mapping[int, bool]:
    """Return which trace flag must be set, and which must not, so that the log stream is (not) compressed.

    Before SQL Server 2016 only 9591 is known.

    Args:
        wanted: "default", "on" or "off".
    """
    flag = {STOP_ALL: False}
    if major < SQL_SERVER_2016:
        return {STOP_ALL: wanted == OFF}
    flag[STOP_ASYNCHRONOUS] = mode is CommitMode.ASYNCHRONOUS and wanted == OFF
    flag[COMPRESS_SYNCHRONOUS] = mode is CommitMode.SYNCHRONOUS and wanted == ON
    return flag


@dataclass(frozen=True)
class MakeTestTables(BenchStep[Members]):
    """Make source, destination and tracer table in a database, the source filled; they stay until the run ends."""

    database: str
    source_rows: int

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Create the test tables in {database}, the source with {rows:,} rows").format(
            database=self.database, rows=self.source_rows
        )

    def changes(self, at: Bench[Members]) -> tuple[Change, ...]:
        """Return the change that makes them."""
        return group_ports(at.target).groups.plan_test_tables(self.database, self.source_rows, at.owner)

    def do(self, rig: StepRig[Members]) -> None:
        """Make them, once for the run."""
        rig.board.make_once(("test tables", self.database), lambda: self.changes(rig.at))


@dataclass(frozen=True)
class SetCommitMode(BenchStep[Members]):
    """Give the replicas of a database's group a mode: all secondaries asynchronous, or the one under test not.

    Attributes:
        secondary: server of the secondary replica under test, "" for the first one that is connected.
        leaves_others: further secondaries keep their mode where commits wait for this one.
    """

    database: str
    secondary: str
    mode: CommitMode
    leaves_others: bool = False
    joins = True

    def describe(self) -> str:
        """Describe the step for a person."""
        if self.mode is CommitMode.SYNCHRONOUS:
            text = _("Let the group of {database} commit synchronously with one secondary")
        else:
            text = _("Let the group of {database} commit asynchronously")
        return text.format(database=self.database)

    def changes(self, at: Bench[Members]) -> Iterator[Change]:
        """Yield the changes of modes, and of the failover modes in their way."""
        if (member := at.members.of(self.database)) is not None:
            for server, mode in self._wanted(member.group, member).items():
                yield from group_ports(at.target).groups.plan_mode(member.group, server, mode)

    def do(self, rig: StepRig[Members]) -> None:
        """Give each replica that has another mode the one it needs, as the group is now."""
        member = rig.at.members.of(self.database)
        if member is None:
            raise ValueError(f"{self.database} is in no group")
        group = _as_it_is(member, rig.at)
        for server, mode in self._wanted(group, member).items():
            replica = group.replica_at(server)
            if replica is not None and replica.mode is not mode:
                rig.board.to_and_fro((group.group_id, server), partial(_plan_now, member, rig.at, server, mode))

    def _wanted(self, group: AvailabilityGroup, member: Member) -> dict[str, CommitMode]:
        """Return the mode of each replica: commits wait only where the primary is synchronous as well."""
        is_synchronous = self.mode is CommitMode.SYNCHRONOUS
        asynchronous = {r.server: CommitMode.ASYNCHRONOUS for r in group.secondaries()}
        return {
            **({group.primary: self.mode} if is_synchronous else {}),
            **({} if is_synchronous and self.leaves_others else asynchronous),
            member.secondary.server: self.mode,
        }


def _as_it_is(member: Member, at: Bench[Members]) -> AvailabilityGroup:
    """Read the group now; raises TargetError where it is gone or has another primary replica."""
    group = group_ports(at.target).groups.discover().group_named(member.group.name)
    if group is None:
        raise TargetError(_("the group {group} is no longer as it was found").format(group=member.group.name))
    if group.primary != member.group.primary:
        raise failed_over(group.name, group.primary, member.group.primary)
    return group


def _plan_now(member: Member, at: Bench[Members], server: str, mode: CommitMode) -> tuple[Change, ...]:
    """Plan a mode from the present state: the primary replica may have been made synchronous just before."""
    return group_ports(at.target).groups.plan_mode(_as_it_is(member, at), server, mode)


@dataclass(frozen=True)
class SetLogCompression(BenchStep[Members]):
    """Set or clear the trace flags at the primary so that the log stream is compressed as wanted."""

    mode: CommitMode
    wanted: str
    joins = True

    def describe(self) -> str:
        """Describe the step for a person."""
        return {
            ON: _("Compress the log stream (trace flags at the primary)"),
            OFF: _("Do not compress the log stream (trace flags at the primary)"),
        }.get(self.wanted, _("Leave compression of the log stream to the version's default (no trace flags)"))

    def changes(self, at: Bench[Members]) -> Iterator[Change]:
        """Yield the change of each trace flag that is otherwise."""
        topology = group_site(at.site).topology
        for flag, is_on in compression_flags(major_version(topology), self.mode, self.wanted).items():
            yield from group_ports(at.target).groups.plan_trace_flag(topology.connected_to, flag, on=is_on)

    def do(self, rig: StepRig[Members]) -> None:
        """Set or clear them."""
        for change in self.changes(rig.at):
            rig.board.to_and_fro(change.object_key, partial(iter, (change,)))


@dataclass(frozen=True)
class SetGroupCommitTime(BenchStep[Members]):
    """Let the primary group the commits of several connections for so long before they are sent; 0 is its own choice.

    Source: MicrosoftDocs/sql-docs:docs/database-engine/configure-windows/
    availability-group-commit-time-server-configuration-options.md
    """

    wanted_ms: int
    joins = True

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Group commits for {time} ms (server option at the primary; 0 is the server's own 10 ms)").format(
            time=self.wanted_ms
        )

    def changes(self, at: Bench[Members]) -> Iterator[Change]:
        """Yield the change of the option, and ahead of it that it may be set."""
        server = group_site(at.site).topology.connected_to
        return group_ports(at.target).groups.plan_commit_time(server, self.wanted_ms)

    def do(self, rig: StepRig[Members]) -> None:
        """Set it, or put back what was found."""
        rig.board.set("group commit time", self.wanted_ms, lambda: self.changes(rig.at))


@dataclass(frozen=True)
class WaitSynchronized(BenchStep[Members]):
    """Wait until the database is synchronized (synchronous), or its log is sent (asynchronous)."""

    database: str
    secondary: str

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Wait until the secondary has caught up with {database}").format(database=self.database)

    def do(self, rig: StepRig[Members]) -> None:
        """Wait; a database in no group has nobody to wait for."""
        if (member := rig.at.members.of(self.database)) is not None:
            group_ports(rig.at.target).groups.wait_synchronized(
                member.group.name, self.database, member.secondary.server, CATCH_UP_LIMIT_S
            )
