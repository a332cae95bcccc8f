"""Discovery: servers, groups, replicas, databases, trace flags and disks, as seen from one instance."""

from app.domain.errors import TargetError, Unsupported
from app.domain.server import ServerInfo
from app.drivers.sqlserver.session import Rows, Session
from app.foundation.rows import Row
from app.foundation.texts import _
from app.model.reading import read_as
from app.systems.availability_groups.enumerations import AVAILABILITY_MODE, NO_CLUSTER, ROLE
from app.systems.availability_groups.groups import (
    SQL_SERVER_2025,
    AvailabilityGroup,
    CommitMode,
    DiskVolume,
    GroupTopology,
    Replica,
    ReplicaDatabase,
    ServerDatabase,
    ServerOption,
)
from app.systems.availability_groups.server.null_cells import OF_DATABASES, OF_REPLICAS, OF_SERVER, told
from app.systems.availability_groups.server.options import read_options
from app.systems.availability_groups.server.replicas import master

_FIRST_VERSION = 11  # SQL Server 2012: MicrosoftDocs/sql-docs always-on-availability-groups-sql-server.md


def discover_groups(session: Session) -> GroupTopology:
    """Read everything; a replica that cannot be asked is told apart, not an error.

    Raises:
        Unsupported: a version without availability groups.
        TargetError: the server this target was opened with cannot be read.
    """
    own = session.own_server
    info = _server_row(session, own)
    _check_version(own, info)
    listeners = session.run("group_listeners", master(own))
    rows, untold = told(session.run("group_replicas", master(own)), OF_REPLICAS)
    members, unnamed = told(session.run("group_databases", master(own)), OF_DATABASES)
    groups = _groups(rows, members, listeners)
    reader = _ServersReader(session)
    reader.read(own, info, groups)
    return GroupTopology(
        connected_to=own,
        servers=tuple(reader.servers),
        groups=groups,
        databases=read_databases(session, own),
        trace_flags=tuple(reader.flags),
        volumes=tuple(reader.volumes),
        unreachable=tuple(reader.unreachable),
        options=tuple(reader.options),
        opened_through=_listener_used(own, listeners, groups),
        untold=untold + unnamed,
    )


def read_databases(session: Session, server: str) -> tuple[ServerDatabase, ...]:
    """Read the user databases of a server."""
    rows, _unnamed = told(session.run("server_databases", master(server)), OF_SERVER)
    return tuple(read_as(ServerDatabase, row) for row in rows)


def read_groups(session: Session, server: str) -> tuple[AvailabilityGroup, ...]:
    """Read the groups of a server with their replicas, not with their databases."""
    return _groups(told(session.run("group_replicas", master(server)), OF_REPLICAS)[0], (), ())


def read_volumes(session: Session, server: str) -> tuple[DiskVolume, ...]:
    """Read the volumes of a server that hold database files."""
    return tuple(read_as(DiskVolume, row, server=server) for row in session.run("server_volumes", master(server)))


def read_trace_flags(session: Session, server: str) -> tuple[int, ...]:
    """Read which of the flags this program knows are set globally."""
    return tuple(row.whole("flag") for row in session.run("trace_flags", master(server)))


class _ServersReader:
    """Reads each server of the groups: version, disks, trace flags and options; apart, those that cannot be asked."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.servers: list[ServerInfo] = []
        self.volumes: list[DiskVolume] = []
        self.flags: list[tuple[str, int]] = []
        self.options: list[tuple[str, ServerOption]] = []
        self.unreachable: list[tuple[str, str]] = []

    def read(self, own: str, own_info: Row, groups: tuple[AvailabilityGroup, ...]) -> None:
        """Read the server this target was opened with, and the other replicas."""
        others = sorted(frozenset[str]().union(*(group.servers() for group in groups)) - {own})
        primaries = {group.primary for group in groups}
        self._read_one(own, own_info, _role(own, primaries, bool(groups)))
        for server in others:
            try:
                self._read_one(server, _server_row(self._session, server), _role(server, primaries, True))
            except TargetError as error:
                self.unreachable.append((server, str(error)))

    def _read_one(self, server: str, info: Row, role: str) -> None:
        volumes = read_volumes(self._session, server)
        flags = read_trace_flags(self._session, server)
        options = read_options(self._session, server) if _is_from(SQL_SERVER_2025, info) else ()
        self.servers.append(read_as(ServerInfo, info, name=server, role=role))
        self.flags.extend((server, flag) for flag in flags)
        self.options.extend((server, option) for option in options)
        self.volumes.extend(volumes)


def _server_row(session: Session, server: str) -> Row:
    return session.run("server_info", master(server))[0]


def _role(server: str, primaries: set[str], in_group: bool) -> str:
    if server in primaries:
        return "Primary"
    return "Secondary" if in_group else ""


def _is_from(first: int, info: Row) -> bool:
    """Tell whether a server is of a major version or later; of a version nobody can read, it is not."""
    major = info.text("version").partition(".")[0]
    return major.isdigit() and int(major) >= first


def _check_version(server: str, info: Row) -> None:
    version = info.text("version")
    if version.partition(".")[0].isdigit() and not _is_from(_FIRST_VERSION, info):
        raise Unsupported(
            _(
                "{server} runs version {version}; availability groups begin with SQL Server 2012 (version 11), "
                "use a newer server"
            ).format(server=server, version=version)
        )


def _listener_used(own: str, listeners: Rows, groups: tuple[AvailabilityGroup, ...]) -> str:
    """Return the listener a failover would move to another server, and this connection's name with it; "" for none.

    In a group without a cluster nothing moves a listener, which usually has the address of the primary itself.
    """
    unmoved = {group.group_id for group in groups if group.cluster_type == NO_CLUSTER}
    for row in listeners:
        is_own = row.whole_or("is_own", 0) == 1 or row.text("dns_name").casefold() == own.partition(".")[0].casefold()
        if is_own and row.text("group_id") not in unmoved:
            return row.text("dns_name")
    return ""


def _groups(rows: Rows, members: Rows, listeners: Rows) -> tuple[AvailabilityGroup, ...]:
    ids = {row.text("group_id"): row for row in rows}
    return tuple(
        read_as(
            AvailabilityGroup,
            first,
            replicas=tuple(_replica(row) for row in rows if row.text("group_id") == group_id),
            databases=tuple(read_as(ReplicaDatabase, row) for row in members if row.text("group_id") == group_id),
            listeners=tuple(row.text("dns_name") for row in listeners if row.text("group_id") == group_id),
        )
        for group_id, first in ids.items()
    )


def _replica(row: Row) -> Replica:
    is_primary = row.text("replica_server") == row.text("primary_replica")
    # At a secondary the states of the others are unknown, but not who is primary.
    role = ROLE.of(row) or ("primary" if is_primary else "secondary")
    return read_as(Replica, row, role=role, mode=mode_of_replica(row))


def mode_of_replica(row: Row) -> CommitMode:
    """Return the availability mode a row tells of a replica."""
    word = AVAILABILITY_MODE.of(row)
    return CommitMode(word) if AVAILABILITY_MODE.knows(word) else CommitMode.UNKNOWN
