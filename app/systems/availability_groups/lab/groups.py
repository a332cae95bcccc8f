"""Changes to the state of servers, groups and databases: modes, trace flags, membership, and faults."""

from collections.abc import Callable, Mapping

from app.systems.availability_groups.lab.engine import Engine
from app.systems.availability_groups.lab.log import TransactionLog
from app.systems.availability_groups.lab.readings import AvailabilityMode, FailoverMode, SeedingMode
from app.systems.availability_groups.lab.state import Copy, Database


class GroupActions:
    """Actions on the state of a site; each takes effect at the present moment of the virtual clock."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._site = engine.site

    # Settings

    def set_trace_flag(self, server: str, flag: int, on: bool) -> None:
        """Set or clear a global trace flag; running connections feel it after the scenario's delay."""
        member = self._site.server(server)
        self._do(lambda: member.set_trace_flag(flag, on, self._engine.now_s))

    def set_option(self, server: str, option: str, value: int) -> None:
        """Set a server option and put it into effect."""
        self._do(lambda: self._site.server(server).options.update({option: value}))

    def options(self, server: str) -> Mapping[str, int]:
        """Return the server options of a server."""
        return self._site.server(server).options

    def set_availability_mode(self, group: str, server: str, mode: AvailabilityMode) -> None:
        """Set AVAILABILITY_MODE; a secondary that becomes synchronous is SYNCHRONIZED only after it caught up.

        Raises:
            ValueError: asynchronous, while the failover mode is automatic.
        """
        replica = self._site.replica(group, server)
        if mode is AvailabilityMode.ASYNCHRONOUS_COMMIT and replica.failover_mode is FailoverMode.AUTOMATIC:
            raise ValueError(f"{server} fails over automatically, so it must stay synchronous; make that manual first")
        self._do(lambda: setattr(replica, "availability_mode", mode))

    def set_failover_mode(self, group: str, server: str, mode: FailoverMode) -> None:
        """Set FAILOVER_MODE; raises ValueError for automatic at an asynchronous replica."""
        replica = self._site.replica(group, server)
        is_synchronous = replica.availability_mode is AvailabilityMode.SYNCHRONOUS_COMMIT
        if mode is FailoverMode.AUTOMATIC and not is_synchronous:
            raise ValueError(f"{server} is asynchronous, so it cannot fail over automatically")
        self._do(lambda: setattr(replica, "failover_mode", mode))

    def set_seeding_mode(self, group: str, server: str, mode: SeedingMode) -> None:
        """Set SEEDING_MODE; manual cancels seedings in flight, automatic starts those that are missing."""
        replica = self._site.replica(group, server)

        def change() -> None:
            replica.seeding_mode = mode
            if mode is SeedingMode.MANUAL:
                self._engine.copies.cancel_seedings(group, replica.server, self._engine.now_s)

        self._do(change)
        if mode is SeedingMode.AUTOMATIC:
            self._do(lambda: self._engine.copies.seed_where_due(self._engine.now_s, retry=True))

    def grant_create_any_database(self, group: str, server: str, granted: bool) -> None:
        """Give the group the right to create databases at a replica, or take it away."""
        replica = self._site.replica(group, server)
        self._do(lambda: setattr(replica, "may_create_any_database", granted))
        self._do(lambda: self._engine.copies.seed_where_due(self._engine.now_s))

    def set_required_synchronized_secondaries(self, group: str, count: int) -> None:
        """Set REQUIRED_SYNCHRONIZED_SECONDARIES_TO_COMMIT; with too few of them commits do not return."""
        group_state = self._site.group(group)
        self._do(lambda: setattr(group_state, "required_synchronized_secondaries", count))

    def set_suspended(self, database: str, server: str, suspended: bool) -> None:
        """Suspend or resume data movement to one secondary; at the primary's name, to all of them."""
        database_state = self._site.database(database)
        copies = [
            copy for copy in database_state.copies.values() if server in (copy.server.name, database_state.server.name)
        ]

        def change() -> None:
            for copy in copies:
                if copy.stream is not None:
                    copy.stream.is_suspended = suspended

        self._do(change)

    # Databases and membership

    def create_database(
        self, name: str, server: str, data_mb: float, compressible_share: float, log_size_mb: float
    ) -> None:
        """Make a standalone database in full recovery, without a backup; takes its space, no time.

        Raises:
            ValueError: the name is taken, or the data disk is too small.
        """
        member = self._site.server(server)
        if name in self._site.databases:
            raise ValueError(f"the database {name} exists")
        if member.data_disk.free_mb < data_mb + log_size_mb:
            raise ValueError(f"{server} has too little space for {name}")

        def change() -> None:
            member.data_disk.take(data_mb + log_size_mb)
            log = TransactionLog(log_size_mb, member.data_disk)
            created = Database(name, member, None, data_mb, compressible_share, "FULL", log, 0.0, 0.0)
            created.backup_taken = False
            self._site.databases[name] = created

        self._do(change)

    def drop_database(self, name: str, server: str) -> None:
        """Drop a standalone database, or the copy of one at a server that has left its group.

        Raises:
            ValueError: it belongs to a group there, or is in use.
        """
        database = self._site.database(name)
        copy = database.copies.get(server)
        if copy is None and database.server.name != server:
            raise ValueError(f"{server} has no database {name}")
        is_joined = copy.stream is not None if copy is not None else database.group is not None
        if is_joined or any(o.database is database for o in self._site.running_operations()):
            raise ValueError(f"{name} at {server} belongs to an availability group or is in use")

        def change() -> None:
            if copy is not None:
                copy.server.data_disk.take(-copy.taken_mb)
                del database.copies[server]
            else:
                database.server.data_disk.take(-(database.data_mb + database.log.size_mb))
                del self._site.databases[name]

        self._do(change)

    def add_database(self, group: str, name: str) -> None:
        """Add a database to a group at its primary; automatic replicas without a copy begin to be seeded.

        Raises:
            ValueError: it is in a group, elsewhere, in simple recovery or without a full backup.
        """
        group_state, database = self._site.group(group), self._site.database(name)
        is_fit = database.group is None and database.server is group_state.primary and database.backup_taken
        if not is_fit or database.recovery_model != "FULL":
            raise ValueError(f"{name} cannot join {group}: in a group, elsewhere, not in full recovery, or no backup")
        self._do(lambda: setattr(database, "group", group_state))
        self._do(lambda: self._engine.copies.seed_where_due(self._engine.now_s))

    def remove_database(self, group: str, name: str) -> None:
        """Take a database out of a group; its copies stay at the secondaries in restoring state."""
        database = self._site.database(name)
        if database.group is not self._site.group(group):
            raise ValueError(f"{name} is not in {group}")

        def change() -> None:
            for replica in self._site.group(group).replicas.values():
                self._engine.copies.cancel_seedings(group, replica.server, self._engine.now_s, database)
            database.group = None
            for copy in database.copies.values():
                _leave(copy)

        self._do(change)

    def remove_secondary(self, name: str, server: str) -> None:
        """Take the copy at one secondary out of the group (SET HADR OFF there); it stays in restoring state."""
        copy = self._site.database(name).copies.get(server)
        if copy is None or copy.stream is None:
            raise ValueError(f"{name} at {server} is not joined to a group")
        self._do(lambda: _leave(copy))

    # Faults

    def fail_over(self, group: str, server: str, force: bool = False) -> None:
        """Begin a failover now; loads at the old primary fail. Without `force` it must be ready.

        Raises:
            ValueError: the server cannot become primary, or not without losing commits.
        """
        group_state, heir = self._site.group(group), self._site.server(server)
        self._site.replica(group, server)
        self._do(lambda: self._engine.roles.fail_over(group_state, heir, force, self._engine.now_s))

    def replica_down(self, server: str) -> None:
        """Stop a server; synchronous commits wait for it until the session times out."""
        member = self._site.server(server)
        self._do(lambda: self._engine.roles.server_down(member, self._engine.now_s))

    def replica_up(self, server: str) -> None:
        """Start a server again; its copies catch up."""
        member = self._site.server(server)

        def change() -> None:
            member.is_up = True
            self._engine.start_background()

        self._do(change)

    def fill_disk(self, server: str, disk: str = "", free_mb: float = 0.0) -> None:
        """Make this the free space of a disk now; "" is the disk of the databases."""
        member = self._site.server(server)
        if disk and disk not in member.disks:
            raise LookupError(f"{server} has no disk {disk!r}; it has {', '.join(member.disks)}")
        filled = member.disks[disk] if disk else member.data_disk
        self._do(lambda: setattr(filled, "free_mb", free_mb))

    def schedule_fail_over(self, at_s: float, group: str, server: str, force: bool = False) -> None:
        """Let a failover happen at a moment of the virtual clock; one that cannot begin then does not."""

        def begin() -> None:
            try:
                self.fail_over(group, server, force)
            except ValueError:
                return  # the site refused it, as a cluster would

        self._engine.schedule(max(at_s, self._engine.now_s), begin)

    def _do(self, change: Callable[[], None]) -> None:
        """Settle the time so far, make a change, follow it up; also where it is refused half-way."""
        self._engine.settle()
        try:
            change()
        finally:
            self._engine.changed()


def _leave(copy: Copy) -> None:
    """End a copy's membership; where it stands is remembered, so that it can be joined again."""
    if copy.stream is not None:
        copy.restored_bytes = copy.stream.hardened_bytes
        copy.stream = None
    copy.awaits_join = False
