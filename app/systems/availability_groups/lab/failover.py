"""Role changes: planned, forced and automatic failover, and servers that go down."""

from collections.abc import Iterable

from app.systems.availability_groups.lab.readings import (
    AvailabilityMode,
    FailoverMode,
    Failure,
    LoadStatus,
    OperationStatus,
)
from app.systems.availability_groups.lab.servers import Server
from app.systems.availability_groups.lab.shipping import LogStream
from app.systems.availability_groups.lab.site import Site
from app.systems.availability_groups.lab.state import Copy, Database, Group


class RoleChanges:
    """Moves the primary role of groups."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def fail_over(self, group: Group, server: Server, force: bool, now_s: float, after_s: float = 0.0) -> None:
        """Begin a role change: writing stops now, and begins at the other server once redo is done there.

        Raises:
            ValueError: the server is primary or down, or would lose commits and `force` is not given.
        """
        if group.primary is server or group.opens_at_s is not None or not server.is_up:
            raise ValueError(f"{group.name} cannot fail over to {server.name}: it is primary, down, or on the move")
        databases = self._site.databases_of(group)
        if not force and not _holds_every_commit(databases, server):
            raise ValueError(f"{server.name} does not hold every commit of {group.name}; only a forced failover works")
        streams = (_stream_at(database, server) for database in databases)
        redo_s = max((stream.redo_left_s for stream in streams if stream is not None), default=0.0)
        for database in databases:
            self.interrupt(database, Failure.FAILED_OVER, now_s)
        group.primary, group.next_primary, group.is_forced = None, server, force
        group.opens_at_s = now_s + after_s + self._site.scenario.transport.role_change_s + redo_s

    def complete_due(self, now_s: float) -> bool:
        """Complete the role changes whose time has come and tell whether there were any."""
        due = [group for group in self._site.groups.values() if group.opens_at_s is not None]
        due = [group for group in due if group.opens_at_s is not None and now_s >= group.opens_at_s]
        for group in due:
            self._complete(group, now_s)
        return bool(due)

    def server_down(self, server: Server, now_s: float) -> None:
        """Stop a server; groups it led fail over where they can do so automatically."""
        server.is_up = False
        for database in self._site.databases.values():
            if database.server is server:
                self.interrupt(database, Failure.SERVER_DOWN, now_s)
        for operation in self._site.running_operations():
            if server in (operation.source, operation.target):
                operation.end(OperationStatus.FAILED, Failure.SERVER_DOWN, now_s)
        for group in self._site.groups.values():
            heir = self._heir(group) if group.primary is server else None
            if heir is not None:
                timeout_s = group.replicas[heir.name].session_timeout_s
                self.fail_over(group, heir, False, now_s, after_s=timeout_s)

    def interrupt(self, database: Database, failure: Failure, now_s: float) -> None:
        """End a database's running operations."""
        for load in self._site.running_loads():
            if load.database is database:
                load.stop(LoadStatus.FAILED, failure, now_s)
        for operation in self._site.running_operations():
            if operation.database is database:
                operation.end(OperationStatus.FAILED, failure, now_s)

    def _heir(self, group: Group) -> Server | None:
        """Return the server an automatic failover goes to, None where there is none."""
        assert group.primary is not None
        if group.replicas[group.primary.name].failover_mode is not FailoverMode.AUTOMATIC:
            return None
        databases = self._site.databases_of(group)
        for replica in group.replicas.values():
            is_automatic = replica.failover_mode is FailoverMode.AUTOMATIC
            is_synchronous = replica.availability_mode is AvailabilityMode.SYNCHRONOUS_COMMIT
            is_fit = is_automatic and is_synchronous and replica.server.is_up
            if is_fit and replica.server is not group.primary and _holds_every_commit(databases, replica.server):
                return replica.server
        return None

    def _complete(self, group: Group, now_s: float) -> None:
        server = group.next_primary
        assert server is not None
        group.primary, group.next_primary, group.opens_at_s = server, None, None
        for database in self._site.databases_of(group):
            if _stream_at(database, server) is None:
                database.group = None  # it was never at this server and stays behind as a standalone one
                database.copies.clear()
            else:
                self._move(database, server, group.is_forced, now_s)

    def _move(self, database: Database, server: Server, is_forced: bool, now_s: float) -> None:
        """Make a secondary copy the database, and the old one a copy; after a forced failover the others are suspended.

        Log that has not arrived is gone: of a synchronized copy that is only the statement that was interrupted.
        """
        stream = _stream_at(database, server)
        assert stream is not None
        old, old_copy = database.server, database.copies.pop(server.name)
        database.log.lose(stream.send_queue_mb * 1e6, now_s)
        database.log.disk = server.data_disk
        database.server = server
        database.held_until_s = 0.0
        others = {**database.copies, old.name: Copy(old, 0.0, old_copy.taken_mb)}
        database.copies = {}
        for copy in others.values():
            hardened = database.log.end_bytes if copy.stream is None else copy.stream.hardened_bytes
            position = min(hardened, database.log.end_bytes)
            follower = LogStream(database.log, server, copy.server, position)
            follower.is_suspended = is_forced
            database.copies[copy.server.name] = Copy(copy.server, position, copy.taken_mb, follower)


def _stream_at(database: Database, server: Server) -> LogStream | None:
    copy = database.copies.get(server.name)
    return None if copy is None else copy.stream


def _holds_every_commit(databases: Iterable[Database], server: Server) -> bool:
    streams = [_stream_at(database, server) for database in databases]
    return all(stream is not None and stream.is_synchronized for stream in streams)
