"""Lets time pass: everything goes in straight lines between events, and after every event gets its new rate."""

from collections.abc import Callable

from app.lab.clock import Event, EventQueue
from app.systems.availability_groups.lab import synchronization
from app.systems.availability_groups.lab.copies import Copies
from app.systems.availability_groups.lab.failover import RoleChanges
from app.systems.availability_groups.lab.load import InsertLoop
from app.systems.availability_groups.lab.rates import Rates
from app.systems.availability_groups.lab.readings import Failure, LoadStatus, OperationStatus
from app.systems.availability_groups.lab.site import Site
from app.systems.availability_groups.lab.state import Database

# Drift changes a few per cent an hour; following it twice a minute is close enough.
_DRIFT_EVERY_S = 30.0
# The client's applications are followed this often, and write no less than this.
_CLIENT_EVERY_S = 10.0
_LEAST_RATE_PER_S = 1e-3
# Two events never come closer than this, so that rounding cannot stop the clock.
_SHORTEST_S = 1e-9


class Engine:
    """The virtual clock of one site."""

    def __init__(self, site: Site, is_noisy: bool) -> None:
        self.site = site
        self.events = EventQueue()
        self.rates = Rates(site)
        self.copies = Copies(site)
        self.roles = RoleChanges(site)
        self._is_noisy = is_noisy
        self._settled_s = 0.0
        self._wake: Event | None = None
        self._wake_s: float | None = None
        self._scheduled_s: list[float] = []
        self.start_background()
        self.changed()
        if any(database.client is not None for database in site.databases.values()):
            self.events.after(_CLIENT_EVERY_S, self._vary_client_load)

    @property
    def now_s(self) -> float:
        """Virtual time."""
        return self.events.now_s

    def settle(self) -> None:
        """Bring every counter up to now, at the rates that held since the last event."""
        now_s = self.now_s
        dt_s = now_s - self._settled_s
        if dt_s <= 0.0:
            return
        self._settled_s = now_s
        site = self.site
        cpu_share = site.scenario.insert.cpu_share
        for database in site.databases.values():
            self._write_log(database, dt_s, now_s)
        for load in site.running_loads():
            load.database.server.cpu_busy_core_s += load.cores(cpu_share) * dt_s
            load.pass_time(dt_s, now_s)
        for _database, stream in site.streams():
            stream.pass_time(dt_s, now_s)
        for operation in site.running_operations():
            operation.pass_time(dt_s)
        for database in site.databases.values():
            database.truncate_log()

    def changed(self) -> None:
        """Follow up a change of state: completed operations, turned modes, every rate, and the time of the next event.

        The caller has settled before making the change.
        """
        now_s = self.now_s
        self._end_what_is_done(now_s)
        for database in self.site.databases.values():
            synchronization.settle_states(database, self.site.scenario.transport.resynchronize_s, now_s)
        self.rates.set_all(now_s)
        self._plan_next(now_s)

    def advance_to_next(self, limit_s: float) -> bool:
        """Let time pass to the next event, or to `limit_s` where that is sooner.

        Returns:
            False: nothing more will happen before the limit.
        """
        if self._wake_s is None or self._wake_s > limit_s:
            self.events.run_until(limit_s)
            self.settle()
            return False
        self.events.run_until(self._wake_s)
        return True

    def schedule(self, time_s: float, action: Callable[[], None]) -> None:
        """Let something happen at a moment that is not in the past; whoever waits meanwhile sees it at that moment."""
        self._scheduled_s.append(time_s)
        self.events.at(time_s, action)
        self._plan_next(self.now_s)

    def start_load(self, database: Database, statements: int | None, rows: int, every_s: float = 0.0) -> InsertLoop:
        """Start an insert loop; the caller settles before and calls `changed` after."""
        load = InsertLoop(len(self.site.loads) + 1, database, statements, rows, every_s, self.now_s)
        self.site.add_load(load)
        return load

    def start_background(self) -> None:
        """Start the standing load of every database that has one, is available, and lacks it."""
        busy = {load.database.name for load in self.site.running_loads() if load.is_background}
        for database in self.site.databases.values():
            if database.background_every_s > 0.0 and database.is_available and database.name not in busy:
                load = self.start_load(database, None, database.background_rows, database.background_every_s)
                load.is_background = True

    def _vary_client_load(self) -> None:
        """Let the client's applications write as much as they do at this time of day."""
        self.settle()
        for load in self.site.running_loads():
            if load.is_background and load.database.client is not None:
                rate = load.database.client.per_s(self.now_s)
                load.database.background_every_s = 1.0 / max(rate, _LEAST_RATE_PER_S)
                load.pace(load.database.background_every_s)
        self.changed()
        self.events.after(_CLIENT_EVERY_S, self._vary_client_load)

    def _write_log(self, database: Database, dt_s: float, now_s: float) -> None:
        written = sum(load.log_mb_per_s() for load in self.site.running_loads() if load.database is database)
        if written > 0.0:
            database.log.write(written * 1e6 * dt_s, now_s)
        else:
            database.log.stood_still(now_s)

    def _end_what_is_done(self, now_s: float) -> None:
        for operation in self.site.running_operations():
            if operation.is_done:
                self.copies.complete(operation, now_s)
            elif operation.is_out_of_space:
                operation.end(OperationStatus.FAILED, Failure.DISK_FULL, now_s)
        for load in self.site.running_loads():
            if load.log_mb_per_s() > 0.0 and load.database.log.room_mb <= _SHORTEST_S:
                load.stop(LoadStatus.FAILED, Failure.LOG_FULL, now_s)
        self._back_up_due_logs(now_s)
        if self.roles.complete_due(now_s):
            self.start_background()

    def _back_up_due_logs(self, now_s: float) -> None:
        for database in self.site.databases.values():
            if database.log_backup_every_s > 0.0 and now_s >= database.next_log_backup_s:
                self._back_up_log(database, now_s)

    def _back_up_log(self, database: Database, now_s: float) -> None:
        """Do the site's own log backup; its schedule is suspended while a secondary copy is made from backups.

        Microsoft recommends that suspension ("Prepare a secondary database for an Always On availability group"):
        a log backup in between would have to be restored, too.
        """
        database.next_log_backup_s = now_s + database.log_backup_every_s
        if not self.copies.is_preparing(database):
            database.log.backed_up_bytes = database.log.end_bytes
            database.truncate_log()

    def _plan_next(self, now_s: float) -> None:
        if self._wake is not None:
            self._wake.cancelled = True
        moments = [moment for moment in self._moments(now_s) if moment is not None]
        self._wake, self._wake_s = None, None
        if moments:
            self._wake_s = max(min(moments), now_s + _SHORTEST_S)
            self._wake = self.events.at(self._wake_s, self._happen)

    def _happen(self) -> None:
        self._wake = None
        self.settle()
        self.changed()

    def _moments(self, now_s: float) -> list[float | None]:
        """Return when each part next changes by itself."""
        site = self.site
        delays = [load.next_change_s() for load in site.running_loads()]
        delays += [operation.next_change_s() for operation in site.running_operations()]
        delays += [stream.empty_in_s() for _database, stream in site.streams()]
        moments = [None if delay is None else now_s + delay for delay in delays]
        moments += [server.next_flag_s(now_s) for server in site.servers.values()]
        moments += [moment for moment in self._scheduled_s if moment > now_s]
        moments += [group.opens_at_s for group in site.groups.values()]
        for database in site.databases.values():
            moments.append(synchronization.next_change_s(database))
            moments += self._log_moments(database, now_s)
        if self._is_noisy and site.running_loads():
            moments.append(now_s + _DRIFT_EVERY_S)
        return moments

    def _log_moments(self, database: Database, now_s: float) -> list[float | None]:
        written = sum(load.log_mb_per_s() for load in self.site.running_loads() if load.database is database)
        return [
            now_s + max(0.0, database.log.room_mb) / written if written > 0.0 else None,
            database.held_until_s if database.held_until_s > now_s else None,
            database.next_log_backup_s if database.log_backup_every_s > 0.0 else None,
        ]
