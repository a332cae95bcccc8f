"""Availability groups: their topology, and the timing of commits."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from app.domain.naming import DatabaseName, FolderName, Sentence, ServerName, Word
from app.domain.server import ServerInfo
from app.domain.view import NO_VALUE
from app.foundation.texts import _
from app.model.reading import Column
from app.model.shown import Shown
from app.systems.availability_groups.enumerations import (
    AVAILABILITY_MODE,
    CLUSTER_TYPE,
    FAILOVER_MODE,
    READS,
    RECOVERY_MODEL,
    ROLE,
    SEEDING_MODE,
    SYNCHRONIZATION_STATE,
)
from app.systems.availability_groups.naming import GroupName


class CommitMode(StrEnum):
    """How the database under test is protected: the arms of the commit-mode experiment.

    The words are those of the factor `availability_mode` in plans and measurement files. The last two are replicas'
    alone: one that holds no database, and one whose mode this program does not know.
    """

    STANDALONE = "standalone"
    ASYNCHRONOUS = "async"
    SYNCHRONOUS = "sync"
    CONFIGURATION_ONLY = "configuration only"
    UNKNOWN = "unknown"


def mode_text(mode: CommitMode) -> str:
    """Return an availability mode as a person calls it."""
    return {
        CommitMode.ASYNCHRONOUS: _("asynchronous"),
        CommitMode.SYNCHRONOUS: _("synchronous"),
        CommitMode.STANDALONE: _("standalone"),
        CommitMode.CONFIGURATION_ONLY: _("configuration only"),
        CommitMode.UNKNOWN: _("unknown, left alone"),
    }[mode]


def role_text(role: str) -> str:
    """Return the role of a replica in words; another word of the server's as it is."""
    return {"primary": _("primary"), "secondary": _("secondary")}.get(role, role)


def automatic_text(mode: str) -> str:
    """Return whether a failover or a seeding needs a person in words; "–" where the version does not say."""
    return {"automatic": _("automatic"), "manual": _("manual")}.get(mode, mode) or NO_VALUE


def reads_text(reads: str) -> str:
    """Return who may read at a secondary in words; "–" where the server does not say."""
    words = {"no": _("nobody"), "read_only": _("connections with read intent"), "all": _("everybody")}
    return words.get(reads, reads) or NO_VALUE


def movement_text(is_suspended: bool) -> str:  # the value of a column
    """Return whether data movement runs in words."""
    return _("suspended") if is_suspended else _("running")


def name_or_none(group: str) -> str:
    """Return the name of a group, or that there is none."""
    return group or _("none")


@dataclass(frozen=True)
class Replica:
    """One replica of an availability group (sys.availability_replicas and sys.dm_hadr_availability_replica_states).

    Attributes:
        role: "primary", "secondary" or "resolving".
        mode: of the replica; `STANDALONE` never occurs here.
        failover_mode: "automatic", "manual" or "external".
        seeding_mode: "automatic" or "manual", "" before SQL Server 2016.
        is_connected: the primary has a session with it.
        reads: who may read there while it is a secondary: "no", "read_only" (those that say so) or "all".
        reads_routed_to: address that connections which only read are sent to for it; "" for none.
        writes_routed_to: address that the others are sent to while it is primary; "" before SQL Server 2019.
    """

    replica_id: Word
    server: Annotated[ServerName, Column("replica_server"), Shown(_("Replica"), width=1.6)]
    role: Annotated[Word, ROLE, Shown(_("Role"), width=1, text=role_text)]
    mode: Annotated[CommitMode, AVAILABILITY_MODE, Shown(_("Commits"), width=1.3, text=mode_text)]
    failover_mode: Annotated[Word, FAILOVER_MODE, Shown(_("Failover"), width=1, text=automatic_text)]
    seeding_mode: Annotated[Word, SEEDING_MODE, Shown(_("Seeding"), width=1, text=automatic_text)]
    is_connected: Annotated[bool, Column("connected_state"), Shown(_("Connected"))]
    reads: Annotated[Word, READS] = ""
    reads_routed_to: Annotated[ServerName, Column("read_only_routing_url")] = ""
    writes_routed_to: Annotated[ServerName, Column("read_write_routing_url")] = ""

    @property
    def left_alone(self) -> str:
        """Why no experiment has to do with it and nothing of it is changed, "" for a replica of a kind it knows."""
        if self.mode is CommitMode.CONFIGURATION_ONLY:
            return _("it is a configuration-only replica, which holds no database")
        is_known = self.mode is not CommitMode.UNKNOWN and FAILOVER_MODE.knows(self.failover_mode)
        if is_known and ROLE.knows(self.role) and (not self.seeding_mode or SEEDING_MODE.knows(self.seeding_mode)):
            return ""
        return _("this program does not know what its modes or its role mean")


@dataclass(frozen=True)
class ReplicaDatabase:
    """One database at one replica (sys.dm_hadr_database_replica_states).

    Attributes:
        synchronization_state: "SYNCHRONIZED", "SYNCHRONIZING", "NOT SYNCHRONIZING", "REVERTING" or "INITIALIZING".
    """

    database: Annotated[DatabaseName, Column("database_name"), Shown(_("Database"))]
    server: Annotated[ServerName, Column("replica_server"), Shown(_("Replica"), before="database")]
    synchronization_state: Annotated[Word, SYNCHRONIZATION_STATE, Shown(_("Synchronization"))]
    is_failover_ready: Annotated[bool, Shown(_("Ready for failover"))]
    is_suspended: Annotated[bool, Shown(_("Data movement"), text=movement_text)]


@dataclass(frozen=True)
class AvailabilityGroup:
    """One availability group as its primary replica sees it.

    Attributes:
        primary: server of the primary replica.
        required_synchronized_secondaries: REQUIRED_SYNCHRONIZED_SECONDARIES_TO_COMMIT, 0 before SQL Server 2017.
        cluster_type: "wsfc", "external" or "none".
        listeners: DNS names.
    """

    group_id: Word
    name: Annotated[GroupName, Column("group_name")]
    primary: Annotated[ServerName, Column("primary_replica")]
    replicas: tuple[Replica, ...]
    databases: tuple[ReplicaDatabase, ...]
    is_basic: bool = False
    is_contained: bool = False
    is_distributed: bool = False
    required_synchronized_secondaries: Annotated[int, Column("required_secondaries")] = 0
    cluster_type: Annotated[Word, CLUSTER_TYPE] = "wsfc"
    listeners: tuple[ServerName, ...] = ()

    def servers(self) -> frozenset[str]:
        """Return the servers of its replicas; those of a distributed group are groups, and no server has their name."""
        return frozenset() if self.is_distributed else frozenset(replica.server for replica in self.replicas)

    def replica_at(self, server: str) -> Replica | None:
        """Return the replica at a server."""
        return next((replica for replica in self.replicas if replica.server == server), None)

    def secondaries(self) -> tuple[Replica, ...]:
        """Return the replicas that are not primary and hold its databases, by server; others are left alone."""
        others = (r for r in self.replicas if r.server != self.primary and not r.left_alone)
        return tuple(sorted(others, key=lambda r: r.server))

    def receives(self, database: str, server: str) -> bool:
        """Tell whether changes of a database are sent to its copy at a server."""
        return any((d.database, d.server) == (database, server) and not d.is_suspended for d in self.databases)

    def under_test(self) -> frozenset[str]:
        """Return the servers of the replicas an experiment has to do with."""
        return frozenset((self.primary, *(replica.server for replica in self.secondaries())))

    def database_names(self) -> tuple[str, ...]:
        """Return the names of its databases, sorted."""
        return tuple(sorted({database.database for database in self.databases}))


@dataclass(frozen=True)
class ServerDatabase:
    """One user database of the primary.

    Attributes:
        group: the availability group it belongs to, "" for a standalone one.
        recovery_model: "FULL", "BULK_LOGGED" or "SIMPLE".
        state: "ONLINE", "RESTORING", "OFFLINE", …
        size_mb, log_size_mb: of its files; log_used_share: 0–1, None where no counter tells.
    """

    name: Annotated[DatabaseName, Column("database_name"), Shown(_("Database"), width=1.6)]
    group: Annotated[GroupName, Column("group_name"), Shown(_("Availability group"), width=1.4, text=name_or_none)]
    state: Annotated[Word, Column("state_desc"), Shown(_("State"))]
    recovery_model: Annotated[Word, RECOVERY_MODEL, Shown(_("Recovery model"), width=1.2)]
    size_mb: Annotated[float, Column("data_kb"), Shown(_("Size"))]
    log_size_mb: Annotated[float, Column("log_kb"), Shown(_("Log"))]
    log_used_share: Annotated[float | None, Column("log_used_percent"), Shown(_("Log used"), "%")]
    is_encrypted: Annotated[bool, Shown(_("Encrypted"))]


@dataclass(frozen=True)
class DiskVolume:
    """Free space of one volume that holds database files (sys.dm_os_volume_stats)."""

    server: ServerName
    volume: FolderName
    free_mb: Annotated[float, Column("free_bytes")]
    total_mb: Annotated[float, Column("total_bytes")]


SQL_SERVER_2025: Final = 17
SHOW_ADVANCED: Final = "show advanced options"
COMMIT_TIME: Final = "availability group commit time (ms)"
"""The first version with the second of these server options; they are called as sys.configurations does."""


@dataclass(frozen=True)
class ServerOption:
    """One server option (sys.configurations); `in_use` differs from `value` until RECONFIGURE."""

    name: Annotated[Word, Column("option_name")]
    value: int
    in_use: Annotated[int, Column("value_in_use")]
    low: Annotated[int, Column("lowest")]
    high: Annotated[int, Column("highest")]


@dataclass(frozen=True)
class GroupTopology:
    """The topology of an instance with availability groups.

    Attributes:
        connected_to: the server this target was opened with.
        servers: it and the replicas that could be reached; role "Primary", "Secondary" or "".
        trace_flags: (server, flag) of those set globally, among 1448, 1462, 3459, 9567, 9591 and 9592.
        unreachable: replicas that could not be asked, with one sentence each.
        options: (server, option) of servers from SQL Server 2025 on: those on grouping commits, and any other that
            waits for RECONFIGURE.
        opened_through: the listener whose address the target was opened with, "" for none, and for one that is the
            server's own address, as in a group without a cluster.
        untold: how many rows of the views name no group, replica or database and are left out.
    """

    connected_to: ServerName
    servers: tuple[ServerInfo, ...]
    groups: tuple[AvailabilityGroup, ...]
    databases: tuple[ServerDatabase, ...]
    trace_flags: tuple[tuple[ServerName, int], ...]
    volumes: tuple[DiskVolume, ...]
    unreachable: tuple[tuple[ServerName, Sentence], ...] = ()
    options: tuple[tuple[ServerName, ServerOption], ...] = ()
    opened_through: ServerName = ""
    untold: int = 0

    def option(self, server: str, name: str) -> ServerOption | None:
        """Return an option of a server, None where it does not have it."""
        return next((option for at, option in self.options if (at, option.name) == (server, name)), None)

    def cautions(self) -> tuple[str, ...]:
        """Return a sentence on each thing that is not as elsewhere."""
        said = [
            _(
                "{group} is a distributed group, whose replicas are the groups {members}: look at each of them at its "
                "own primary"
            ).format(group=group.name, members=", ".join(replica.server for replica in group.replicas))
            for group in self.groups
            if group.is_distributed
        ]
        if self.opened_through:
            said.append(through_listener(self.opened_through, self.connected_to))
        if self.untold:
            said.append(
                _("rows of the group's views that name no group, replica or database and are left out: {count}").format(
                    count=self.untold
                )
            )
        return tuple(said)

    def group_named(self, name: str) -> AvailabilityGroup | None:
        """Return a group by name."""
        return next((group for group in self.groups if group.name == name), None)

    def led_here(self) -> tuple[AvailabilityGroup, ...]:
        """Return the groups whose primary replica is the server this target was opened with."""
        return tuple(group for group in self.groups if group.primary == self.connected_to)

    def server_named(self, name: str) -> ServerInfo | None:
        """Return a server by name."""
        return next((server for server in self.servers if server.name == name), None)


def through_listener(listener: str, server: str) -> str:
    """Return the sentence on a target that was opened through a listener."""
    return _(
        "{listener} is the listener of an availability group and may lead to any of its replicas, also by read-only "
        "routing: it can be observed so; for an experiment connect to the server of the primary replica by its own "
        "name, {server}"
    ).format(listener=listener, server=server)


@dataclass(frozen=True)
class InsertLoop:
    """One call of the insert loop, timed by the server.

    Attributes:
        inserts: statements executed, each its own transaction; rows: rows inserted by them.
        elapsed_ms: server time from the first statement to the last commit.
    """

    inserts: int
    rows: int
    elapsed_ms: float
