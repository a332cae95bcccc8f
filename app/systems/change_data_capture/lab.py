"""A captured database, simulated: its log, the rounds of its capture job, and what the view of the log scan keeps.

One scan reads at most maxtrans transactions; a round ends after maxscans of them, or with one that reaches the end of
the log, and is followed by a wait (administer-and-monitor-change-data-capture: continuous mode). Time of a scan: a part
of its own, one for each log record read and one for each command written; each constant is assumed.
"""

import math
import random
from collections import deque
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from app.domain.units import convert
from app.lab.clock import EventQueue
from app.lab.scenario_file import Section, TitledScenario

KEPT: Final = 1_000
"""Sessions the view keeps; how many a server keeps is not documented."""
TICK_S: Final = 1 / 300
"""A datetime counts in steps of 3.33 ms."""


class JobValues(Section):
    """The values of a capture job in one server's msdb; a value left out is NULL there.

    Attributes:
        stands: it does not run at first. is_own_step: the client runs a step of its own. is_enabled: the Agent may
            start it by itself.
    """

    maxtrans: PositiveInt | None = 500
    maxscans: PositiveInt | None = 10
    continuous: Annotated[int, Field(ge=0, le=1)] | None = 1
    pollinginterval: NonNegativeInt | None = 5
    stands: bool = False
    is_own_step: bool = False
    is_enabled: bool = True


class CaptureScenario(TitledScenario):
    """The constants of one captured database.

    Attributes:
        backlog: transactions in the log at first. rate_per_s: transactions that arrive.
        records_per_command: log records read for each command, those of tables that are not captured among them.
        scan_ms, read_us, write_us: of a scan, of each record it reads, of each command it writes.
        noise: standard deviation of the logarithm of a scan's time.
        log_mb: size of the log; kb_per_transaction: what one holds of it until it is captured.
        is_published: the Log Reader Agent captures, and there is no job.
        replica: values of the job at a second replica; replica_lacks_job: it has none.
        unanswered: every so manieth reading of the view runs into its time limit; 0 for none.
        has_nulls: what a server may leave NULL is.
        counters: what the objects of performance counters begin with, MSSQL$NAME at named instances.
    """

    kind: Literal["capture"]
    database: str = "Orders"
    version: str = "16.0.4135.4"
    backlog: NonNegativeInt = 0
    rate_per_s: NonNegativeFloat
    commands_per_transaction: PositiveFloat = 4.0
    records_per_command: PositiveFloat = 3.0
    scan_ms: PositiveFloat
    read_us: NonNegativeFloat
    write_us: NonNegativeFloat
    noise: NonNegativeFloat = 0.0
    log_mb: PositiveFloat = 20_000.0
    kb_per_transaction: PositiveFloat = 4.0
    is_published: bool = False
    is_change_feed: bool = False
    has_adr: bool = False
    job: JobValues = JobValues()
    replica: JobValues | None = None
    replica_lacks_job: bool = False
    unanswered: NonNegativeInt = 0
    has_nulls: bool = False
    counters: str = "SQLServer"


@dataclass
class Scan:
    """One row of the view; empty scans behind it are counted in it."""

    number: int
    begun_s: float
    ended_s: float
    transactions: int
    commands: int
    records: int
    last_commit_s: float
    empty: int = 0

    @property
    def whole_s(self) -> int:
        """Its duration as the view shows it."""
        return int(self.ended_s - self.begun_s)

    @property
    def latency_s(self) -> int:
        """From its last commit to its end, whole seconds."""
        return int(self.ended_s - self.last_commit_s)


@dataclass
class Totals:
    """Session 0: the sums since the instance started."""

    transactions: int = 0
    commands: int = 0
    records: int = 0
    whole_s: int = 0
    empty: int = 0
    failed: int = 0
    has_scanned: bool = False


@dataclass
class Capture:
    """The log and its scans; time passes through `clock`."""

    scenario: CaptureScenario
    seed: int
    has_noise: bool
    clock: EventQueue = field(default_factory=EventQueue)
    totals: Totals = field(default_factory=Totals)
    rows: deque[Scan] = field(default_factory=lambda: deque(maxlen=KEPT))
    captured: int = 0
    numbered: int = 0
    busy_s: float = 0.0
    errors: list[tuple[float, int, str]] = field(default_factory=list)
    in_effect: tuple[int, int, int] | None = None
    is_scanning: bool = False
    is_stopping: bool = False
    is_continuous: bool = True
    _run: int = 0
    _in_round: int = 0

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def committed(self, time_s: float) -> int:
        """Return the transactions that had committed at a time."""
        return self.scenario.backlog + math.floor(self.scenario.rate_per_s * max(0.0, time_s))

    def commit_s(self, number: int) -> float:
        """Return when a transaction committed, counted from 1: those of the backlog evenly over the time before."""
        own, rate = number - self.scenario.backlog, self.scenario.rate_per_s or 100.0
        return own / rate

    @property
    def waiting(self) -> int:
        """Transactions in the log that are not captured."""
        return self.committed(self.clock.now_s) - self.captured

    @property
    def log_share(self) -> float:
        """Used share of the log."""
        held_mb = convert(self.waiting * self.scenario.kb_per_transaction, "KiB", "MB")
        return min(1.0, 0.02 + held_mb / self.scenario.log_mb)

    @property
    def is_running(self) -> bool:
        """Whether the job runs, also while it ends its scan."""
        return self.in_effect is not None

    def start(self, maxtrans: int, maxscans: int, polling_s: int, after_s: float = 0.4) -> None:
        """Start the job with the values it finds."""
        self.in_effect, self.is_stopping, self._in_round = (maxtrans, maxscans, polling_s), False, 0
        self._run += 1
        run = self._run
        self.clock.after(after_s, lambda: self._scan(run))

    def stop(self) -> None:
        """Stop the job: at once while it waits, else after the scan in hand."""
        if self.is_scanning:
            self.is_stopping = True
        else:
            self.in_effect = None

    def fail(self, number: int, message: str) -> None:
        """Let the scan meet an error, which ends the job."""
        self.errors.append((self.clock.now_s, number, message))
        self.totals.failed += 1
        self.in_effect, self.is_scanning, self._run = None, False, self._run + 1

    def reset(self) -> None:
        """Restart the instance: its view is empty."""
        self.totals, self.numbered = Totals(), 0
        self.rows.clear()
        self.in_effect, self.is_scanning, self._run = None, False, self._run + 1

    def scan_time_s(self, transactions: int) -> float:
        """Return how long a scan of so many transactions takes."""
        commands = transactions * self.scenario.commands_per_transaction
        records = commands * self.scenario.records_per_command
        took_us = records * self.scenario.read_us + commands * self.scenario.write_us
        took_s = convert(self.scenario.scan_ms, "ms", "s") + convert(took_us, "us", "s")
        return took_s * (math.exp(self._random.gauss(0.0, self.scenario.noise)) if self.has_noise else 1.0)

    def _scan(self, run: int) -> None:
        if run != self._run or self.in_effect is None:
            return
        found = min(self.in_effect[0], self.waiting)
        begun_s, self.is_scanning = self.clock.now_s, True
        self.clock.after(self.scan_time_s(found), lambda: self._scanned(run, begun_s, found))

    def _scanned(self, run: int, begun_s: float, found: int) -> None:
        if run != self._run or self.in_effect is None:
            return
        self.is_scanning = False
        self.note(begun_s, found)
        maxtrans, maxscans, polling_s = self.in_effect
        self._in_round += 1
        is_over = found < maxtrans or self._in_round >= maxscans
        if self.is_stopping or (is_over and not self.is_continuous):
            self.in_effect = None
            return
        self._in_round = 0 if is_over else self._in_round
        # without an interval an empty log is looked at again at once, which is the time of an empty scan
        self.clock.after(polling_s if is_over else 0.0, lambda: self._scan(run))

    def note(self, begun_s: float, found: int) -> None:
        """Keep a scan that has ended now: an empty one makes no row."""
        now_s = self.clock.now_s
        self.totals.has_scanned, self.busy_s = True, self.busy_s + now_s - begun_s
        if not found:
            self.totals.empty += 1
            if self.rows:
                self.rows[-1].empty += 1
            return
        commands = round(found * self.scenario.commands_per_transaction)
        records = round(commands * self.scenario.records_per_command)
        self.captured, self.numbered = self.captured + found, self.numbered + 1
        row = Scan(self.numbered, begun_s, now_s, found, commands, records, self.commit_s(self.captured))
        self.rows.append(row)
        self.totals.transactions += found
        self.totals.commands += commands
        self.totals.records += records
        self.totals.whole_s += row.whole_s
