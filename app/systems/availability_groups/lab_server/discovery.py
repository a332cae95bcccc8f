"""What discovery and readings of state return."""

from collections.abc import Iterator

from app.domain.units import convert
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.answer import Answer, Parameters, Result
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
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


class GroupDiscoveryAnswers:
    """Servers, groups, replicas, databases, flags, disks."""

    def __init__(self, state: GroupState) -> None:
        self._state = state
        self._lab = state.lab

    def answers(self) -> dict[str, Answer]:
        """Return the answer of each statement by name."""
        return {
            "server_info": self._server_info,
            "server_addresses": self._server_addresses,
            "groups_enabled": lambda _place, _values: [(1,)],
            "group_replicas": self._group_replicas,
            "group_databases": self._group_databases,
            "group_listeners": self._group_listeners,
            "group_primary": self._group_primary,
            "server_databases": self._server_databases,
            "server_volumes": self._server_volumes,
            "trace_flags": self._trace_flags,
            "replica_mode": self._replica_mode,
        }

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
        kind = self._state.kinds[group.name]
        is_primary = group.primary == server
        same = (
            int(kind.is_basic),
            int(kind.is_contained),
            int(kind.is_distributed),
            group.required_synchronized_secondaries_to_commit,
            "WSFC",
            group.primary or None,
        )
        for witness in kind.configuration_only:
            ids = (id_of(group.name, witness), witness)
            yield (id_of(group.name), group.name, *same, *ids, "SECONDARY", 4, "MANUAL", "MANUAL", 1)
        for replica in sorted(group.replicas, key=lambda replica: replica.server):
            is_told = is_primary or replica.server == server
            yield (
                id_of(group.name),
                group.name,
                *same,
                id_of(group.name, replica.server),
                replica.server,
                replica.role.value if is_told else None,
                int(replica.availability_mode is AvailabilityMode.SYNCHRONOUS_COMMIT),
                replica.failover_mode.value,
                replica.seeding_mode.value if major >= _SEEDING_SINCE else "",
                int(replica.is_connected) if is_told else None,
            )

    def _group_databases(self, place: Place, _values: Parameters) -> Result:
        rows: Result = []
        for group in self._local_groups(place.server):
            for replica in self._lab.database_replicas(group.name):
                if replica.is_joined and (group.primary == place.server or replica.server == place.server):
                    rows.append(_member_row(group.name, replica))
            if group.primary == place.server:
                rows.extend(
                    (id_of(group.name), database, place.server, "SYNCHRONIZED", 1, 0) for database in group.databases
                )
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
        copies = self._lab.copies_at(place.server)
        for database in sorted(self._lab.databases(), key=lambda database: database.name):
            is_here = self._state.is_held(database, place.server)
            if not is_here and database.name not in copies:
                continue
            is_joined = is_here or self._state.is_joined(database.name, place.server)
            rows.append(
                (
                    database.name,
                    database.group if database.group and is_joined else None,
                    "ONLINE" if is_joined else "RESTORING",
                    database.recovery_model,
                    round(convert(database.data_mb, "MB", "KiB")),
                    round(convert(database.log_size_mb, "MB", "KiB")),
                    self._state.log_used_percent(database) if is_joined else None,
                    0,
                )
            )
        for name, made in self._state.test_databases.items():
            if made.server == place.server and self._state.database_of(name) is None:
                rows.append((name, None, "ONLINE", "FULL", 8192, 8192, 0, 0))
        return rows

    def _server_volumes(self, place: Place, _values: Parameters) -> Result:
        disk = self._lab.server(place.server).disks[0]
        return [(disk.name, *(round(convert(mb, "MB", "bytes")) for mb in (disk.free_mb, disk.size_mb)))]

    def _trace_flags(self, place: Place, _values: Parameters) -> Result:
        return [(flag,) for flag in sorted(self._lab.server(place.server).trace_flags) if flag in _KNOWN_FLAGS]

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


def _is_caught_up(replica: DatabaseReplicaReading) -> bool:
    return replica.is_failover_ready and replica.synchronization_state == "SYNCHRONIZED"


def _member_row(group: str, replica: DatabaseReplicaReading) -> tuple[Cell, ...]:
    return (
        id_of(group),
        replica.database,
        replica.server,
        replica.synchronization_state.value,
        int(replica.is_failover_ready),
        int(replica.is_suspended),
    )


def missing_group(group: str) -> SqlError:
    """Return what a server says of a group it does not have."""
    return SqlError(15151, f"Cannot find the availability group '{group}', because it does not exist.", "42000")
