"""The lab's answers to discovery and readings of state."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.domain.units import convert
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.answer import Answers, Parameters, Result, row_of
from app.drivers.sqlserver.lab.tables import LookUp, LookUps
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.systems.availability_groups.groups import (
    COMMIT_TIME,
    SHOW_ADVANCED,
    AvailabilityGroup,
    CommitMode,
    DiskVolume,
    Replica,
    ReplicaDatabase,
    ServerDatabase,
)
from app.systems.availability_groups.lab.readings import (
    AvailabilityMode,
    DatabaseReplicaReading,
    GroupReading,
    ReplicaRole,
)
from app.systems.availability_groups.lab_server.site import id_of
from app.systems.availability_groups.lab_server.state import GroupState

_KNOWN_FLAGS = (1448, 1462, 3459, 9567, 9591, 9592)
_SEEDING_SINCE = 13
_WRITE_ROUTING_SINCE = 15


class GroupDiscoveryAnswers(Answers):
    """Servers, groups, replicas, databases, flags, disks."""

    def __init__(self, state: GroupState) -> None:
        self._state = state
        self._lab = state.lab

    def _groups_enabled(self, _place: Place, _values: Parameters) -> Result:
        return [(1,)]

    def _server_info(self, place: Place, _values: Parameters) -> Result:
        server = self._lab.server(place.server)
        return [(server.name, server.product_version, server.edition, server.cpus)]

    def _server_addresses(self, place: Place, _values: Parameters) -> Result:
        return [
            (server.name, self._state.addresses[server.name], int(server.name == place.server))
            for server in self._state.site.servers
        ]

    def _local_groups(self, server: str) -> Iterator[GroupReading]:
        for group in self._lab.groups():
            if any(replica.server == server for replica in group.replicas):
                yield group

    def _group_replicas(self, place: Place, _values: Parameters) -> Result:
        version = self._lab.server(place.server).product_version
        return [
            row
            for group in sorted(self._local_groups(place.server), key=lambda group: group.name)
            for row in self._replicas_of(group, place.server, int(version.split(".")[0]))
        ]

    def _replicas_of(self, group: GroupReading, server: str, major: int) -> Iterator[tuple[Cell, ...]]:
        kind, own = self._state.kinds[group.name], id_of(group.name)
        known = AvailabilityGroup(
            own,
            group.name,
            group.primary,
            (),
            (),
            kind.is_basic,
            kind.is_contained,
            kind.is_distributed,
            group.required_synchronized_secondaries_to_commit,
            cluster_type=kind.cluster,
        )
        if kind.is_distributed and kind.member_groups:
            yield from _of_distributed(replace(known, primary=kind.member_groups[0]), kind.member_groups)
            return
        for witness in kind.configuration_only:
            mode = CommitMode.CONFIGURATION_ONLY
            left_alone = Replica(id_of(group.name, witness), witness, "secondary", mode, "manual", "manual", True)
            yield row_of("group_replicas", known, left_alone)
        for replica in sorted(group.replicas, key=lambda replica: replica.server):
            is_told = server in (group.primary, replica.server)
            is_synchronous = replica.availability_mode is AvailabilityMode.SYNCHRONOUS_COMMIT
            told = Replica(
                id_of(group.name, replica.server),
                replica.server,
                replica.role.value.lower() if is_told else "",
                CommitMode.SYNCHRONOUS if is_synchronous else CommitMode.ASYNCHRONOUS,
                replica.failover_mode.value.lower(),
                replica.seeding_mode.value.lower() if major >= _SEEDING_SINCE else "",
                replica.is_connected,
                *self._routing(group.name, replica.server, major),
            )
            yield row_of("group_replicas", known, told, **({} if is_told else {"connected_state": None}))

    def _routing(self, group: str, server: str, major: int) -> tuple[str, str, str]:
        """Return who may read at a replica, and where connections are routed for it."""
        own = next(replica for replica in self._state.constants_of(group).replicas if replica.server == server)
        writes = own.read_write_routing_url if major >= _WRITE_ROUTING_SINCE else ""
        return own.secondary_connections.lower(), own.read_only_routing_url, writes

    def _group_databases(self, place: Place, _values: Parameters) -> Result:
        rows: Result = []
        for group in self._local_groups(place.server):
            for replica in self._lab.database_replicas(group.name):
                if replica.is_joined and (group.primary == place.server or replica.server == place.server):
                    rows.append(_member_row(group.name, replica))
            if group.primary == place.server:
                own = [ReplicaDatabase(name, place.server, "SYNCHRONIZED", True, False) for name in group.databases]
                rows.extend(row_of("group_databases", database, group_id=id_of(group.name)) for database in own)
        return sorted(rows, key=lambda row: (str(row[1]), str(row[2])))

    def _group_listeners(self, place: Place, _values: Parameters) -> Result:
        return [
            (id_of(group.name), kind.listener, int(kind.is_opened_by_listener))
            for group in self._local_groups(place.server)
            for kind in (self._state.kinds[group.name],)
            if kind.listener
        ]

    def _group_primary(self, place: Place, values: Parameters) -> Result:
        named = [group for group in self._local_groups(place.server) if group.name == values["group_name"]]
        return [(group.primary or None,) for group in named]

    def _server_databases(self, place: Place, _values: Parameters) -> Result:
        rows: Result = []
        is_told = self._state.shows_counters("server_databases")
        copies = self._lab.copies_at(place.server)
        for database in sorted(self._lab.databases(), key=lambda database: database.name):
            is_here = self._state.is_held(database, place.server)
            if not is_here and database.name not in copies:
                continue
            is_joined = is_here or self._state.is_joined(database.name, place.server)
            found = ServerDatabase(
                database.name,
                database.group if is_joined else "",
                "ONLINE" if is_joined else "RESTORING",
                database.recovery_model,
                database.data_mb,
                database.log_size_mb,
                database.log_used_share if is_joined and is_told else None,
                is_encrypted=False,
            )
            rows.append(row_of("server_databases", found))
        return [*rows, *self._test_databases(place.server)]

    def _test_databases(self, server: str) -> Iterator[tuple[Cell, ...]]:
        small_mb = convert(8.0, "MiB", "MB")
        for name, made in self._state.test_databases.items():
            if made.server == server and self._state.database_of(name) is None:
                found = ServerDatabase(name, "", "ONLINE", "FULL", small_mb, small_mb, 0.0, is_encrypted=False)
                yield row_of("server_databases", found)

    def _server_volumes(self, place: Place, _values: Parameters) -> Result:
        disk = self._lab.server(place.server).disks[0]
        return [row_of("server_volumes", DiskVolume(place.server, disk.name, disk.free_mb, disk.size_mb))]

    def _own_tables(self, place: Place) -> Result:
        """Return the test tables of a database that may be read here, all of them in its schema dbo."""
        return [
            (f"Replitune source {owner}", 1) for database, owner in self._state.tables if database == place.database
        ]

    def look_ups(self) -> LookUps:
        """Return what scripts for a DBA look into: groups, this server's part in each, options and trace flags."""
        states = ("group_id", "is_local", "role_desc")
        return {
            "sys.tables": LookUp(("name", "schema_id"), self._own_tables),
            "sys.availability_groups": LookUp(
                ("group_id", "name"), lambda _place: [(group.name, group.name) for group in self._lab.groups()]
            ),
            "sys.dm_hadr_availability_replica_states": LookUp(states, self._own_roles),
            "sys.availability_replicas": LookUp(
                ("group_id", "replica_id", "replica_server_name", "availability_mode"),
                lambda _place: [
                    (
                        group.name,
                        f"{group.name} {replica.server}",
                        replica.server,
                        int(replica.availability_mode is AvailabilityMode.SYNCHRONOUS_COMMIT),
                    )
                    for group in self._lab.groups()
                    for replica in group.replicas
                ],
            ),
            "sys.dm_hadr_database_replica_states": LookUp(
                ("replica_id", "is_suspended", "synchronization_state_desc"),
                lambda _place: [
                    (f"{group.name} {one.server}", int(one.is_suspended), one.synchronization_state.value)
                    for group in self._lab.groups()
                    for one in self._lab.database_replicas(group.name)
                ],
            ),
            "sys.configurations": LookUp(
                ("name", "value", "value_in_use"),
                lambda place: [(name, value, value) for name, value in sorted(self._lab.options(place.server).items())],
            ),
            "dbcc.tracestatus": LookUp(
                ("TraceFlag", "Status", "Global", "Session"),
                lambda place: [(flag, 1, 1, 0) for flag in sorted(self._lab.server(place.server).trace_flags)],
            ),
        }

    def _own_roles(self, place: Place) -> Result:
        return [
            (group.name, 1, "PRIMARY" if group.primary == place.server else "SECONDARY")
            for group in self._lab.groups()
            if any(replica.server == place.server for replica in group.replicas)
        ]

    def _trace_flags(self, place: Place, _values: Parameters) -> Result:
        return [(flag,) for flag in sorted(self._lab.server(place.server).trace_flags) if flag in _KNOWN_FLAGS]

    def _server_options(self, place: Place, _values: Parameters) -> Result:
        highest = {SHOW_ADVANCED: 1, COMMIT_TIME: 10}
        options = self._lab.options(place.server)
        return [(name, value, value, 0, highest[name]) for name, value in sorted(options.items())]

    def _lagging(self, group: str, server: str) -> int:
        """Return how many databases of a group a server still has to catch up with."""
        joined = [r for r in self._lab.database_replicas(group) if r.server == server and r.is_joined]
        return sum(not _is_caught_up(replica) for replica in joined)

    def _replica_mode(self, place: Place, values: Parameters) -> Result:
        group = self._state.group_of(str(values["group_name"]))
        replica = next((r for r in group.replicas if r.server == values["replica_server"]), None) if group else None
        if group is None or replica is None:
            return []
        lagging = 0 if replica.role is ReplicaRole.PRIMARY else self._lagging(group.name, replica.server)
        return [
            (
                group.primary or None,
                int(replica.availability_mode is AvailabilityMode.SYNCHRONOUS_COMMIT),
                replica.failover_mode.value,
                int(replica.is_connected) if group.primary == place.server else None,
                lagging,
            )
        ]


def _of_distributed(known: AvailabilityGroup, members: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows of a distributed group, whose replicas are groups."""
    for place, name in enumerate(members):
        role = "primary" if place == 0 else "secondary"
        told = Replica(id_of(known.name, name), name, role, CommitMode.ASYNCHRONOUS, "manual", "automatic", True)
        yield row_of("group_replicas", known, told)


def _is_caught_up(replica: DatabaseReplicaReading) -> bool:
    return replica.is_failover_ready and replica.synchronization_state == "SYNCHRONIZED"


def _member_row(group: str, replica: DatabaseReplicaReading) -> tuple[Cell, ...]:
    state, is_ready = replica.synchronization_state.value, replica.is_failover_ready
    member = ReplicaDatabase(replica.database, replica.server, state, is_ready, replica.is_suspended)
    return row_of("group_databases", member, group_id=id_of(group))


def missing_group(group: str) -> SqlError:
    """Return a server's error for a group it does not have."""
    return SqlError(15151, f"Cannot find the availability group '{group}', because it does not exist.", "42000")
