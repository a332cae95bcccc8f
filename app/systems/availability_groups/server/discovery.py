"""Discovery: servers, groups, replicas, databases, trace flags and disks, as seen from one instance."""

from app.domain.errors import BadInput, TargetError, Unsupported
from app.domain.server import ServerInfo
from app.drivers.sqlserver.session import Rows, Session
from app.foundation.rows import Row
from app.foundation.texts import _
from app.model.reading import read_as
from app.systems.availability_groups.enumerations import AVAILABILITY_MODE, ROLE
from app.systems.availability_groups.groups import (
    AvailabilityGroup,
    CommitMode,
    DiskVolume,
    GroupTopology,
    Replica,
    ReplicaDatabase,
    ServerDatabase,
)
from app.systems.availability_groups.server.replicas import master

_FIRST_VERSION = 11  # SQL Server 2012: MicrosoftDocs/sql-docs always-on-availability-groups-sql-server.md


def discover_groups(session: Session) -> GroupTopology:
    """Read everything; a replica that cannot be asked is told apart, not an error.

    Raises:
        BadInput: the target was opened through a listener.
        Unsupported: a version without availability groups.
        TargetError: the server this target was opened with cannot be read.
    """
    own = session.own_server
    info = _server_row(session, own)
    _check_version(own, info)
    listeners = session.run("group_listeners", master(own))
    _refuse_listener(own, info.text("server_name"), listeners)
    rows = session.run("group_replicas", master(own))
    members = session.run("group_databases", master(own))
    groups = _groups(rows, members, listeners)
    servers, volumes, flags, unreachable = _ServersReader(session).read(own, info, groups)
    return GroupTopology(
        connected_to=own,
        servers=servers,
        groups=groups,
        databases=read_databases(session, own),
        trace_flags=flags,
        volumes=volumes,
        unreachable=unreachable,
    )


def read_databases(session: Session, server: str) -> tuple[ServerDatabase, ...]:
    """Read the user databases of a server."""
    return tuple(read_as(ServerDatabase, row) for row in session.run("server_databases", master(server)))


def read_groups(session: Session, server: str) -> tuple[AvailabilityGroup, ...]:
    """Read the groups of a server with their replicas, not with their databases."""
    return _groups(session.run("group_replicas", master(server)), (), ())


def read_volumes(session: Session, server: str) -> tuple[DiskVolume, ...]:
    """Read the volumes of a server that hold database files."""
    return tuple(read_as(DiskVolume, row, server=server) for row in session.run("server_volumes", master(server)))


def read_trace_flags(session: Session, server: str) -> tuple[int, ...]:
    """Read which of the flags this program knows are set globally."""
    return tuple(row.whole("flag") for row in session.run("trace_flags", master(server)))


class _ServersReader:
    """Reads each server of the groups: version, disks and trace flags."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._servers: list[ServerInfo] = []
        self._volumes: list[DiskVolume] = []
        self._flags: list[tuple[str, int]] = []
        self._unreachable: list[tuple[str, str]] = []

    def read(
        self, own: str, own_info: Row, groups: tuple[AvailabilityGroup, ...]
    ) -> tuple[
        tuple[ServerInfo, ...], tuple[DiskVolume, ...], tuple[tuple[str, int], ...], tuple[tuple[str, str], ...]
    ]:
        """Return servers, volumes, trace flags and the replicas that could not be asked."""
        others = sorted({replica.server for group in groups for replica in group.replicas} - {own})
        primaries = {group.primary for group in groups}
        self._read_one(own, own_info, _role(own, primaries, bool(groups)))
        for server in others:
            try:
                self._read_one(server, _server_row(self._session, server), _role(server, primaries, True))
            except TargetError as error:
                self._unreachable.append((server, str(error)))
        return tuple(self._servers), tuple(self._volumes), tuple(self._flags), tuple(self._unreachable)

    def _read_one(self, server: str, info: Row, role: str) -> None:
        volumes = read_volumes(self._session, server)
        flags = read_trace_flags(self._session, server)
        self._servers.append(read_as(ServerInfo, info, name=server, role=role))
        self._flags.extend((server, flag) for flag in flags)
        self._volumes.extend(volumes)


def _server_row(session: Session, server: str) -> Row:
    return session.run("server_info", master(server))[0]


def _role(server: str, primaries: set[str], in_group: bool) -> str:
    if server in primaries:
        return "Primary"
    return "Secondary" if in_group else ""


def _check_version(server: str, info: Row) -> None:
    version = info.text("version")
    major = version.partition(".")[0]
    if major.isdigit() and int(major) < _FIRST_VERSION:
        raise Unsupported(
            _(
                "{server} runs version {version}; availability groups begin with SQL Server 2012 (version 11), "
                "use a newer server"
            ).format(server=server, version=version)
        )


def _refuse_listener(own: str, instance: str, listeners: Rows) -> None:
    """A failover would move a listener's name to another server, and changes with it to the wrong one."""
    for row in listeners:
        if row.whole("is_own") == 1 or row.text("dns_name").casefold() == own.partition(".")[0].casefold():
            raise BadInput(
                _(
                    "{listener} is the listener of an availability group and may lead to any of its replicas, also by "
                    "read-only routing; connect to the server of the primary replica by its own name, {server}"
                ).format(listener=row.text("dns_name"), server=instance)
            )


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
