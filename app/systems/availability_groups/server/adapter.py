"""Reading availability groups and planning their changes, over named statements."""

import math
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final

from app.domain.change import Change
from app.domain.errors import BadInput, FailedOver, StatementTimeout, TargetError
from app.domain.happening import PastReadings
from app.drivers.sqlserver.past_work import past_readings
from app.drivers.sqlserver.session import Rows, Session
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.model.reading import read_as
from app.systems.availability_groups.disturbances import disconnected, removed
from app.systems.availability_groups.groups import (
    AvailabilityGroup,
    CommitMode,
    GroupTopology,
    InsertLoop,
    ServerDatabase,
)
from app.systems.availability_groups.readings import GroupSample, ReplicaReading
from app.systems.availability_groups.server.checks import (
    check_connected,
    check_kind,
    check_known,
    check_primary,
    check_required_secondaries,
)
from app.systems.availability_groups.server.discovery import (
    discover_groups,
    mode_of_replica,
    read_databases,
    read_groups,
)
from app.systems.availability_groups.server.executor import GroupExecutor
from app.systems.availability_groups.server.leftovers import read_leftovers
from app.systems.availability_groups.server.mode_changes import POLL_S, plan_modes
from app.systems.availability_groups.server.options import plan_commit_time
from app.systems.availability_groups.server.own_tables import check_owner, plan_tables
from app.systems.availability_groups.server.replicas import ask_primary, failed_over, group_place, master
from app.systems.availability_groups.server.sampling import GroupSampler
from app.systems.availability_groups.server.spelling import OwnSpelling
from app.systems.availability_groups.server.trace_flags import plan_trace_flag

_MOST_SOURCE_ROWS: Final = 10_000_000
# A secondary that is cut off for so long does not come back by itself: its session timeout is 10 s.
CUT_OFF_LIMIT_S: Final = 30.0
# Less than this to be sent is what a server at work always has.
SENT_KB: Final = 1_024


class _Synchronization(Enum):
    """How a secondary stands."""

    SETTLED = auto()
    GOING_ON = auto()
    CUT_OFF = auto()
    GONE = auto()


class SqlServerGroups:
    """Availability groups as the server this target was opened with sees them; every call may raise TargetError."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = OwnSpelling(session)
        self._clock = clock
        self._executor = GroupExecutor(session, clock)
        self._sampler = GroupSampler(self._session)

    def discover(self) -> GroupTopology:
        """Read servers, groups, replicas, databases, trace flags and disks.

        Raises:
            TargetError: the server cannot be read, or is older than SQL Server 2012 (Unsupported).
        """
        self._sampler.forget_silent()
        return discover_groups(self._session)

    def read_leftovers(self, topology: GroupTopology) -> tuple[str, ...]:
        """Return one sentence for each thing an earlier session left."""
        return read_leftovers(self._session, topology)

    def sample(self, group: str, database: str) -> GroupSample:
        """Read one database; `group` is "" for a standalone one. One round trip per server."""
        return self._sampler.sample(group, database)

    def past_readings(self, server: str, elapsed_s: float) -> PastReadings:
        """Return a server's readings about its other work within the last seconds."""
        return past_readings(self._session, server, elapsed_s)

    def plan_mode(self, group: AvailabilityGroup, server: str, mode: CommitMode) -> tuple[Change, ...]:
        """Return the changes that give the replica at `server` this mode, in order; () where it has it.

        Commits wait for a secondary only where it and the primary replica are both synchronous: the primary is made
        synchronous with it. On the way to asynchronous an automatic failover mode is made manual first; undo goes the
        other way round (availability mode before failover mode) and is verified only once a synchronous replica is
        synchronized again.

        Raises:
            BadInput: not such a replica, a group experiments leave alone, a replica that is down, or fewer synchronized
                secondaries would be left than the group requires to commit.
        """
        replica, primary = group.replica_at(server), group.replica_at(group.primary)
        if replica is None or primary is None or mode is CommitMode.STANDALONE:
            raise BadInput(
                _("{server} cannot be made {mode} in group {group}; its replicas are {known}").format(
                    server=server, mode=mode, group=group.name, known=", ".join(r.server for r in group.replicas)
                )
            )
        check_kind(group)
        check_primary(group, self._session.own_server)
        for concerned in (replica, primary):
            check_known(group, concerned)
        check_connected(group, replica)
        if mode is CommitMode.ASYNCHRONOUS and replica.mode is CommitMode.SYNCHRONOUS:
            check_required_secondaries(group, server)
        with_primary = mode is CommitMode.SYNCHRONOUS and server != group.primary
        return (
            *(plan_modes(self._executor, group, primary, mode) if with_primary else ()),
            *plan_modes(self._executor, group, replica, mode),
        )

    def plan_trace_flag(self, server: str, flag: int, *, on: bool) -> tuple[Change, ...]:
        """Return the change that sets or clears a trace flag globally at one server; () where it is so already."""
        return plan_trace_flag(self._executor, server, flag, on=on)

    def plan_commit_time(self, server: str, commit_ms: int) -> Iterator[Change]:
        """Yield the changes that let one server group commits for so long, 0 for its own choice; see `options`."""
        return plan_commit_time(self._executor, server, commit_ms)

    def plan_test_tables(self, database: str, source_rows: int, owner: str) -> tuple[Change, ...]:
        """Return the change that makes the source (filled), destination and tracer tables; undo drops them.

        Raises:
            BadInput: no such database, it is not open for writing here, or tables of this owner exist.
        """
        own = self._session.own_server
        check_owner(owner)
        if not 1 <= source_rows <= _MOST_SOURCE_ROWS:
            raise BadInput(
                _("a source table cannot have {rows:,} rows; use 1 to {most:,}").format(
                    rows=source_rows, most=_MOST_SOURCE_ROWS
                )
            )
        group = self._database(database).group
        found = next((one for one in read_groups(self._session, own) if one.name == group), None) if group else None
        if found is not None and found.primary != own:
            raise BadInput(
                _("{server} is a secondary replica for database {database}; connect to the primary, {primary}").format(
                    server=own, database=database, primary=found.primary
                )
            )
        tables = self._session.run("test_tables", master(own), database_name=database, owner=owner)[0]
        if tables.whole("tables") > 0:
            raise BadInput(
                _("database {database} already has test tables of {owner}; undo what created them first").format(
                    database=database, owner=owner
                )
            )
        place = group_place(group, own, () if found is None else (replica.server for replica in found.replicas))
        return (plan_tables(self._executor, place, database, source_rows, owner),)

    def wait_synchronized(self, group: str, database: str, server: str, limit_s: float) -> None:
        """Wait until a database at a secondary is SYNCHRONIZED (synchronous) or SYNCHRONIZING with its queue sent.

        Raises:
            StatementTimeout: not within the limit.
            FailedOver: another server is primary now.
            Disturbed: the secondary is disconnected, or the database has none there any more.
        """
        until_s, cut_off_since_s = self._clock.monotonic_s() + limit_s, math.inf
        while True:
            state = self._synchronization(group, database, server)
            if state is _Synchronization.SETTLED:
                return
            cut_off_since_s = (
                min(cut_off_since_s, self._clock.monotonic_s()) if state is not _Synchronization.GOING_ON else math.inf
            )
            if self._clock.monotonic_s() - cut_off_since_s >= CUT_OFF_LIMIT_S:
                raise removed(database, group) if state is _Synchronization.GONE else disconnected(server, database)
            if self._clock.monotonic_s() >= until_s:
                raise StatementTimeout(
                    _(
                        "database {database} is not synchronized at {server} after {limit:.0f} s; look at its state"
                    ).format(database=database, server=server, limit=limit_s)
                )
            self._clock.sleep(POLL_S)

    def insert_loop(self, database: str, inserts: int, rows_per_insert: int, owner: str) -> InsertLoop:
        """Run one portion of the insert loop at the primary, server-side, each insert its own transaction.

        Raises:
            FailedOver: another server is primary now.
        """
        row = self._at_primary(
            "run_insert_loop", database, owner=owner, inserts=inserts, rows_per_insert=rows_per_insert
        )[0]
        rows = row.whole("rows_inserted")
        if rows != inserts * rows_per_insert:
            raise TargetError(
                _("the insert loop in {database} inserted {rows:,} rows instead of {wanted:,}").format(
                    database=database, rows=rows, wanted=inserts * rows_per_insert
                )
            )
        return InsertLoop(inserts, rows, row.whole("elapsed_us") / 1000.0)

    def clear_destination(self, database: str, owner: str) -> None:
        """Empty the destination table before a loop; raises FailedOver as `insert_loop` does."""
        self._at_primary("clear_test_destination", database, owner=owner)

    def _at_primary(self, name: str, database: str, **values: str | int) -> Rows:
        """Run a statement in a database; where it failed, ask whether that is because of a failover."""
        own = self._session.own_server
        try:
            return self._session.run(name, master(own), database_name=database, **values)
        except FailedOver:
            raise
        except TargetError as error:
            moved = self._moved_to(database, own)
            if moved is not None:
                group, primary = moved
                raise failed_over(group, own, primary) from error
            raise

    def _moved_to(self, database: str, own: str) -> tuple[str, str] | None:
        """Return the group of a database and its primary where that is another server, None where it is not."""
        try:
            group = next((row.group for row in read_databases(self._session, own) if row.name == database), "")
            primary = ask_primary(self._session, group, own) if group else own
        except TargetError:
            return None  # the first error says more
        return None if primary == own else (group, primary)

    def _synchronization(self, group: str, database: str, server: str) -> _Synchronization:
        own = self._session.own_server
        mode = self._session.run("replica_mode", master(own), group_name=group, replica_server=server)
        if not mode or mode[0].text("primary_replica") != own:
            raise failed_over(group, own, mode[0].text("primary_replica") if mode else "")
        rows = self._sampler.primary_rows(group, database, own)
        now = next((read_as(ReplicaReading, row) for row in rows if row.text("replica_server") == server), None)
        if now is None:
            return _Synchronization.GONE
        if _is_settled(now, mode_of_replica(mode[0])):
            return _Synchronization.SETTLED
        is_connected = mode[0].whole_or("connected_state", 1) == 1
        return _Synchronization.GOING_ON if is_connected else _Synchronization.CUT_OFF

    def _database(self, name: str) -> ServerDatabase:
        own = self._session.own_server
        databases = read_databases(self._session, own)
        named = next((database for database in databases if database.name == name), None)
        if named is None or named.state != "ONLINE":
            raise BadInput(
                _("{server} has no database {database} that is online; it has {known}").format(
                    server=own,
                    database=name,
                    known=", ".join(database.name for database in databases if database.state == "ONLINE") or _("none"),
                )
            )
        return named


def _is_settled(now: ReplicaReading, mode: CommitMode) -> bool:
    if mode is CommitMode.SYNCHRONOUS:
        return now.synchronization_state == "SYNCHRONIZED"
    # where others write, something always waits: no more than a second's log is what has just been written
    within_a_second_kb = max(SENT_KB, now.send_rate_kb_per_s or 0.0)
    is_sent = (now.send_queue_kb or 0.0) <= within_a_second_kb
    return mode is CommitMode.ASYNCHRONOUS and now.synchronization_state == "SYNCHRONIZING" and is_sent
