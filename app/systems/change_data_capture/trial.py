"""Trials of the capture job: single scans while the job stands, or the job itself, on the client's own log.

No rows are written for a trial. Exploring trials on a log that waits time single scans, for which no stored value is
touched, and add the job's waits between rounds; confirming ones set the values and let the job itself read on.
"""

from dataclasses import dataclass, field
from typing import Final

from app.domain.limits import DATA_AGE, HELD_SHARE
from app.domain.measurement import Sample
from app.domain.rig import LimitExceeded
from app.domain.setting import Setting
from app.domain.work_source import WorkSource
from app.foundation.texts import _
from app.model.reading import elapsed_s, grown_by
from app.runner.bench.rig import BenchStep, StepRig
from app.runner.bench.watch import Watch
from app.runner.limits import exceeded_limit
from app.systems.change_data_capture.members import Member, capture_port
from app.systems.change_data_capture.readings import CaptureJob, CaptureSample, ScanSession
from app.systems.change_data_capture.scans import are_scans, pace_of, rounds_of
from app.systems.change_data_capture.server import CaptureServer
from app.systems.change_data_capture.steps import check_runs, switch
from app.systems.change_data_capture.subjects import MAXSCANS, MAXTRANS, POLLING
from app.systems.change_data_capture.watching import JobState, watch_of

# What single scans need: their times are read to 3.33 ms, and the first warms the log's pages.
_FEWEST_SCANS: Final = 3
_SHORTEST_SCANS_S: Final = 2.0
# A job that captures nothing for so long has nothing to capture.
_WAIT_LIMIT_S: Final = 300.0
_FEWEST_ROWS: Final = 4


@dataclass(frozen=True)
class CaptureSeen:
    """The observation of a trial.

    Attributes:
        by_job: the job itself was measured, else single scans.
        scans, transactions, commands, seconds: those the rate is of; seconds include the job's waits, those of single
            scans as its values make them: maxscans scans, then pollinginterval.
        scan_s: mean of one of them. full_share, scan_share, latency_s: as of `Pace`.
        cpu_share: of the server's processors, by all that ran.
        problem: why the trial cannot be used, "" where it can.
    """

    by_job: bool
    scans: int
    transactions: int
    commands: int
    seconds: float
    scan_s: float | None
    full_share: float | None
    scan_share: float | None
    latency_s: float | None
    cpu_share: float | None
    readings: tuple[CaptureSample, ...]
    samples: tuple[Sample, ...]
    problem: str = ""


@dataclass(frozen=True)
class MeasureCapture(BenchStep[Member]):
    """Measure how a setting captures: by single scans, or by the job itself."""

    source: WorkSource
    setting: Setting
    window_s: float

    def describe(self) -> str:
        """Describe the step for a person."""
        if self.source is WorkSource.OWN_BACKLOG:
            return _("Capture the log that waits, scan by scan; in confirming trials by the job itself")
        if self.source is WorkSource.HELD:
            return _("Start the capture job and measure how fast it reads what has gathered")
        return _("Start the capture job and measure how soon it captures what arrives")

    def do(self, rig: StepRig[Member]) -> CaptureSeen:
        """Measure; raises LimitExceeded where nothing waits, Disturbed."""
        trial = _Trial(self, rig, watch_of(rig))
        # what gathered before was the first half of the trial
        trial.begun = 0.5 if self.source is WorkSource.HELD else 0.0
        by_scans = self.source is WorkSource.OWN_BACKLOG and not rig.call.is_confirming
        seen = trial.scan() if by_scans else trial.run_job()
        job_id = rig.at.members.job.job_id
        trial.watch.tell_past_work(capture_port(rig.at.target).past_readings(job_id, trial.watch.elapsed_s))
        return seen

    def value(self, name: str, job: CaptureJob) -> int:
        """Return the value of a parameter in a trial: that of its setting, else the job's own."""
        own = {MAXTRANS.name: job.maxtrans, MAXSCANS.name: job.maxscans, POLLING.name: job.pollinginterval_s}[name]
        return int(self.setting.get(name, own or 0))


@dataclass
class _Trial:
    step: MeasureCapture
    rig: StepRig[Member]
    watch: Watch[CaptureSample]
    rows: dict[int, ScanSession] = field(default_factory=dict)
    begun: float = 0.0

    @property
    def port(self) -> CaptureServer:
        return capture_port(self.rig.at.target)

    @property
    def member(self) -> Member:
        return self.rig.at.members

    def value(self, name: str) -> int:
        return self.step.value(name, self.member.job)

    def scan(self) -> CaptureSeen:
        """Time full scans one by one, until their time is over; the last that is not full ends it."""
        times_s: list[float] = []
        maxtrans, transactions, commands = self.value(MAXTRANS.name), 0, 0
        self.watch.read(lambda _now: 0.0)
        while sum(times_s) < self.step.window_s or len(times_s) < _FEWEST_SCANS:
            self.rig.parts.control.check()
            done = self.port.scan_once(self.member.database, maxtrans)
            if done.transactions is None or done.transactions < maxtrans:
                break
            times_s.append(done.elapsed_ms / 1000.0)
            transactions, commands = transactions + done.transactions, commands + (done.commands or 0)
            self.watch.tick(sum(times_s) / self.step.window_s)
        if len(times_s) < _FEWEST_SCANS or sum(times_s) < min(_SHORTEST_SCANS_S, self.step.window_s):
            raise LimitExceeded(_nothing_left(self.member.database, maxtrans, len(times_s)))
        self.watch.read(lambda _now: 1.0)
        return self._seen(
            by_job=False,
            scans=len(times_s),
            transactions=transactions,
            commands=commands,
            # the job waits after each round of such scans, so that this is the rate confirming trials can show
            seconds=sum(times_s) + self.value(POLLING.name) * len(times_s) / max(1, self.value(MAXSCANS.name)),
            scan_s=sum(times_s) / len(times_s),
            full_share=1.0,
            scan_share=None,
            latency_s=None,
        )

    def run_job(self) -> CaptureSeen:
        """Start the job and read its rows until they are enough."""
        self._read_rows()
        maxtrans, ordered = self.value(MAXTRANS.name), self._ordered()
        pace = pace_of(ordered, maxtrans, float(self.value(POLLING.name)))
        commands, seconds = pace.commands, pace.seconds
        if self.step.source.shows_capacity:
            commands, seconds = self._full_rounds(ordered)
        return self._seen(
            by_job=True,
            scans=pace.scans,
            transactions=pace.transactions,
            commands=commands,
            seconds=seconds,
            scan_s=sum(row.seconds for row in ordered) / len(ordered) if ordered else None,
            full_share=pace.full_share,
            scan_share=pace.scan_share,
            latency_s=None if self.step.source.shows_capacity else pace.latency_s,
            problem=self._problem(ordered, commands, seconds, pace.latency_s),
        )

    def _read_rows(self) -> None:
        """Start the job and gather its rows; raises Disturbed, LimitExceeded."""
        newest = self.watch.read(lambda _now: self.begun).newest_session or 0
        switch(self.rig, running=True)
        moved_s = self.watch.elapsed_s
        while not self._is_enough() and self.watch.elapsed_s - moved_s < _WAIT_LIMIT_S:
            self.watch.wait()
            self.watch.read(lambda _now: self._progress())
            found = self.port.sessions(self.member.database, newest)
            if found:
                newest, moved_s = found[-1].number, self.watch.elapsed_s
                self.rows.update((row.number, row) for row in found)
            self._check_job(has_begun=bool(self.rows))
        self.watch.read(lambda _now: 1.0)

    def _full_rounds(self, rows: list[ScanSession]) -> tuple[int, float]:
        """Return commands and seconds of the full rounds; raises LimitExceeded where a log that waited held none."""
        maxtrans = self.value(MAXTRANS.name)
        commands, seconds = rounds_of(rows, maxtrans, self.value(MAXSCANS.name)) if rows else (0, 0.0)
        if self.step.source is WorkSource.OWN_BACKLOG and not commands:
            raise LimitExceeded(_nothing_left(self.member.database, maxtrans, len(rows)))
        return commands, seconds

    def _ordered(self) -> list[ScanSession]:
        """Return the rows that count, oldest first: of traffic those from when the job has caught up."""
        rows = [self.rows[number] for number in sorted(self.rows)]
        if self.step.source.shows_capacity:
            return rows
        caught_up = (n for n, row in enumerate(rows) if row.transactions < self.value(MAXTRANS.name))
        return rows[next(caught_up, len(rows)) :]

    def _span_s(self) -> float:
        rows = self._ordered()
        return (rows[-1].ended_utc - rows[0].begun_utc).total_seconds() if rows else 0.0

    def _progress(self) -> float:
        return self.begun + (1.0 - self.begun) * min(1.0, self._span_s() / self.step.window_s)

    def _is_enough(self) -> bool:
        rows = self._ordered()
        if self.step.source.shows_capacity and any(row.transactions < self.value(MAXTRANS.name) for row in rows):
            return True  # the end of the log was reached
        return len(rows) >= _FEWEST_ROWS and self._span_s() >= self.step.window_s

    def _check_job(self, *, has_begun: bool) -> None:
        """Raise Disturbed where the job ended, LimitExceeded where the data became older than is allowed."""
        state = self.rig.kept(JobState)
        check_runs(self.rig)
        age_s = self.rig.at.target.clock.monotonic_s() - state.since_s
        if self.step.source is WorkSource.HELD and not has_begun:
            held_s = self.rig.at.plan.limits.get(DATA_AGE.name, 0.0) * HELD_SHARE + age_s
            if sentence := exceeded_limit((DATA_AGE,), self.rig.at.plan.limits, {DATA_AGE.name: held_s}):
                raise LimitExceeded(sentence)

    def _problem(self, rows: list[ScanSession], commands: int, seconds: float, latency_s: float | None) -> str:
        grown = grown_by(self.watch.readings[0], self.watch.readings[-1], "transactions")
        if not rows and grown:
            return _("the view of the log scan shows no row for each scan here, so that rates cannot be told")
        if rows and not are_scans(rows, self.value(MAXTRANS.name)):
            return _("rows of the log scan hold more transactions than one scan may, so that they are no single scans")
        if self.step.source.shows_capacity:
            return "" if commands and seconds > 0 else _("less than one full scan had gathered, too little for a rate")
        if len(rows) < _FEWEST_ROWS or latency_s is None:
            return _("the job did not catch up, or nothing arrived, so that there is no latency")
        return ""

    def _seen(self, *, problem: str = "", **values: float | int | bool | None) -> CaptureSeen:
        readings = tuple(self.watch.readings)
        first, last = readings[0], readings[-1]
        cpu_ms, seconds = grown_by(first, last, "cpu_ms"), elapsed_s(first, last)
        cpu = None if cpu_ms is None or seconds <= 0 else cpu_ms / 1000.0 / seconds / last.cpu_count
        samples = tuple(self.watch.samples)
        return CaptureSeen(cpu_share=cpu, readings=readings, samples=samples, problem=problem, **values)  # type: ignore[arg-type]  # given by name


def _nothing_left(database: str, maxtrans: int, scans: int) -> str:
    return _(
        "after {scans} full scans of {maxtrans} transactions nothing more waits in the log of {database}: the run ends "
        'with what was measured; source = "held" in [workload] lets work gather'
    ).format(scans=scans, maxtrans=maxtrans, database=database)
