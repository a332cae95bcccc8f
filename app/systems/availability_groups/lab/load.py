"""An insert loop: equal statements one after the other on one connection, each its own transaction."""

import math
from typing import Final

from app.systems.availability_groups.lab.commit_path import StatementTimes
from app.systems.availability_groups.lab.readings import Failure, LoadReading, LoadStatus
from app.systems.availability_groups.lab.state import Database

# A statement at least this long is followed phase by phase, writing log and then waiting; shorter ones by their mean.
_FOLLOWED_FROM_S: Final = 0.5
_EPSILON: Final = 1e-9


class InsertLoop:
    """One loop; its progress is a number of statements, fractions included, linear between events.

    Attributes:
        times: what one statement takes now, before `factor`.
        factor: slowness of the machine and of this loop.
        grouped_s: what each commit waits for others on top of it; connections wait side by side, so no fewer are made.
        held_since_s: since when its commits cannot return, None where they do.
        is_background: part of the site, started again by itself.
    """

    def __init__(
        self, load_id: int, database: Database, statements: int | None, rows: int, every_s: float, now_s: float
    ) -> None:
        self.load_id = load_id
        self.database = database
        self.rows = rows
        self.status = LoadStatus.RUNNING
        self.factor = 1.0
        self.times: StatementTimes | None = None
        self.grouped_s = 0.0
        self.held_since_s: float | None = None
        self.is_background = False
        self._statements = statements
        self._every_s = every_s
        self._failure = Failure.NONE
        self._start_s = now_s
        self._end_s: float | None = None
        self._done = 0
        self._phase = 0.0
        self._held_s = 0.0
        self._sync_wait_s = 0.0

    def pace(self, every_s: float) -> None:
        """Begin a statement every so often from now on; the caller settles before."""
        self._every_s = every_s

    @property
    def is_running(self) -> bool:
        """It has not ended."""
        return self.status is LoadStatus.RUNNING

    @property
    def is_moving(self) -> bool:
        """It runs and its commits return."""
        return self.is_running and self.held_since_s is None and self.times is not None

    def set_held(self, is_held: bool, now_s: float) -> None:
        """Note whether its commits can return."""
        if not is_held:
            self.held_since_s = None
        elif self.held_since_s is None:
            self.held_since_s = now_s

    def cycle_s(self) -> float:
        """Return the time from one statement to the next."""
        assert self.times is not None
        return max(self.times.total_s * self.factor, self._every_s)

    def _generating_share(self) -> float:
        assert self.times is not None
        return min(1.0, self.times.generated_s * self.factor / self.cycle_s())

    def _is_followed(self) -> bool:
        return self.cycle_s() >= _FOLLOWED_FROM_S

    def log_mb_per_s(self) -> float:
        """Return the log it writes now."""
        if not self.is_moving or self.times is None:
            return 0.0
        mean = self.times.log_bytes / 1e6 / self.cycle_s()
        if not self._is_followed():
            return mean
        share = self._generating_share()
        return mean / share if self._phase < share - _EPSILON else 0.0

    def cores(self, cpu_share: float) -> float:
        """Return the processors it keeps busy now; `cpu_share` is that of a statement while it writes log."""
        if not self.is_moving:
            return 0.0
        if not self._is_followed():
            return cpu_share * self._generating_share()
        return cpu_share if self._phase < self._generating_share() - _EPSILON else 0.0

    def wanted_cores(self, cpu_share: float) -> float:
        """Return the processors it would keep busy if nothing else did; one that paces itself wants less."""
        if self._every_s == 0.0 or self.times is None:
            return cpu_share
        return cpu_share * min(1.0, self.times.generated_s * self.factor / self._every_s)

    def next_change_s(self) -> float | None:
        """Return in how many seconds it ends or goes into another phase, None for not by itself."""
        if not self.is_moving:
            return None
        cycle_s = self.cycle_s()
        left_s = math.inf
        if self._statements is not None:
            left_s = (self._statements - self._done - self._phase) * cycle_s
        if self._is_followed():
            share = self._generating_share()
            boundary = share if self._phase < share - _EPSILON else 1.0
            left_s = min(left_s, (boundary - self._phase) * cycle_s)
        return None if math.isinf(left_s) else max(0.0, left_s)

    def pass_time(self, dt_s: float, now_s: float) -> None:
        """Let time pass at the present rate and count the commits in it."""
        if not self.is_running:
            return
        if not self.is_moving:
            self._held_s += dt_s
            return
        cycle_s = self.cycle_s()
        progress = self._phase + dt_s / cycle_s
        whole = math.floor(progress + _EPSILON)
        if self._statements is not None:
            whole = min(whole, self._statements - self._done)
        self._phase = max(0.0, progress - whole)
        if whole:
            self._done += whole
            self._count_commits(whole, now_s - self._phase * cycle_s)
        if self._done == self._statements:
            self._end(LoadStatus.FINISHED, Failure.NONE, now_s)

    def _count_commits(self, commits: int, last_s: float) -> None:
        assert self.times is not None
        times, database = self.times, self.database
        database.write_transactions += commits
        database.log_flushes += commits * times.blocks
        database.last_commit_s = last_s
        server = database.server
        server.add_waits("WRITELOG", commits, commits * times.local_wait_s * self.factor)
        if times.remote_s > 0.0:
            wait_s = commits * (times.sync_wait_s * self.factor + self.grouped_s) + self._held_s
            self._sync_wait_s += wait_s
            database.transaction_delay_s += wait_s
            database.mirrored_write_transactions += commits
            server.add_waits("HADR_SYNC_COMMIT", commits, wait_s)
        self._held_s = 0.0

    def stop(self, status: LoadStatus, failure: Failure, now_s: float) -> None:
        """End it early; its unfinished statement is rolled back."""
        if self.is_running:
            self._end(status, failure, now_s)

    def _end(self, status: LoadStatus, failure: Failure, now_s: float) -> None:
        self.status = status
        self._failure = failure
        self._end_s = now_s

    def reading(self, now_s: float) -> LoadReading:
        """Return it as it is now."""
        return LoadReading(
            load_id=self.load_id,
            database=self.database.name,
            status=self.status,
            failure=self._failure,
            statements=self._statements,
            done=self._done,
            start_s=self._start_s,
            end_s=self._end_s,
            elapsed_s=(now_s if self._end_s is None else self._end_s) - self._start_s,
            sync_commit_wait_s=self._sync_wait_s,
        )
