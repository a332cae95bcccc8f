"""Watching a database being seeded: samples, abort rules, and whether the primary is still the same."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from app.domain.errors import FailedOver
from app.domain.happening import Happening
from app.domain.limits import Limits
from app.domain.measurement import Sample
from app.domain.rig import Control, LimitExceeded
from app.domain.target import Target
from app.domain.units import convert, convert_known
from app.foundation.texts import _
from app.runner.control import let_pass
from app.runner.limits import exceeded_limit
from app.runner.skipped import SkippedReadings
from app.systems.availability_groups.copies import SeedingSample
from app.systems.availability_groups.disturbances import RunStarts, check_restarts, removed
from app.systems.availability_groups.limits import SEEDING_LIMITS
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.seeding_rig.members import SeedingMembers

Emit = Callable[[tuple[Sample, ...], float], None]


@dataclass
class SeedingWatch:
    """Samples both servers during a trial; used by one thread.

    Attributes:
        tick_s: time between two samples.
        total_mb: what is to be copied, for the progress.
        on_happening: told what else runs, at each reading anew.
        starts: those of the run, shared by its trials. skipped: readings of the trial that were.
        on_unread_log: told at each reading that does not say how full the log is.
    """

    target: Target
    control: Control
    limits: Limits
    members: SeedingMembers
    tick_s: float
    total_mb: float
    on_samples: Emit
    on_server_time: Callable[[datetime, float], None]
    on_happening: Callable[[Happening], None]
    on_unread_log: Callable[[], None]
    starts: RunStarts
    skipped: SkippedReadings
    samples: list[Sample] = field(default_factory=list)
    last: SeedingSample | None = None
    began_s: float = 0.0

    def begin(self) -> SeedingSample:
        """Take the first reading; offsets count from here."""
        self.began_s = self.target.clock.monotonic_s()
        return self.read()

    def wait(self) -> SeedingSample:
        """Let a tick pass and read.

        Raises:
            RunCancelled, LimitExceeded, FailedOver: the trial must end.
        """
        let_pass(self.tick_s, self.target.clock, self.control)
        self.control.check()
        return self.read()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the first reading."""
        return self.target.clock.monotonic_s() - self.began_s

    def read(self) -> SeedingSample:
        """Read now, hand the readings on, and check limits and the primary.

        Raises:
            LimitExceeded: an abort rule struck.
            FailedOver: another replica is primary.
        """
        members = self.members
        now = self.skipped.read(self._sample, lambda: let_pass(self.tick_s, self.target.clock, self.control))
        for happening in now.work:
            self.on_happening(happening)
        self._check_primary(now)
        if now.log_used_share is None:
            self.on_unread_log()
        if self.last is None:
            self.starts.check(now.started_ms)
        else:
            check_restarts(self.last.started_ms, now.started_ms)
        if not now.is_in_group and (self.last is None or self.last.is_in_group):
            raise removed(members.database, members.group.name)
        taken = _samples_of(self.last or now, now, self.elapsed_s)
        self.samples.extend(taken)
        self.on_samples(taken, self._progress(now))
        self.last = now
        readings = {
            "redo_queue_mb": convert_known(now.redo_queue_kb, "KiB", "MB"),
            "log_used_share": now.log_used_share,
            "free_disk_gb": convert(now.free_disk_mb, "MB", "GB"),
            "trial_duration_s": self.elapsed_s,
        }
        sentence = exceeded_limit(SEEDING_LIMITS, self.limits, readings)
        if sentence:
            raise LimitExceeded(sentence)
        return now

    def _sample(self) -> SeedingSample:
        members, asked_s = self.members, self.elapsed_s
        now = group_ports(self.target).seeding.sample(members.group.name, members.database, members.secondary.server)
        self.on_server_time(now.at, self.elapsed_s - asked_s)
        return now

    def _progress(self, now: SeedingSample) -> float:
        done = 1.0 if now.state == "complete" else now.written_mb / self.total_mb if self.total_mb > 0 else 0.0
        return min(1.0, max(0.0, done))

    def _check_primary(self, now: SeedingSample) -> None:
        group = self.members.group
        if now.primary != group.primary:
            raise FailedOver(
                _("{new} is primary of {group} now, {old} was when the run began: the group failed over").format(
                    new=now.primary or _("nobody"), group=group.name, old=group.primary
                )
            )


def _samples_of(before: SeedingSample, now: SeedingSample, offset_s: float) -> tuple[Sample, ...]:
    elapsed_s = (now.at - before.at).total_seconds()
    per_s = 1 / elapsed_s if elapsed_s > 0 else 0.0
    taken = [
        Sample(_("read at the primary"), offset_s, now.read_mb, "MB"),
        Sample(_("sent"), offset_s, now.sent_mb, "MB"),
        Sample(_("written at the secondary"), offset_s, now.written_mb, "MB"),
        Sample(_("network"), offset_s, max(0.0, now.sent_mb - before.sent_mb) * 8 * per_s, "Mbps"),
        Sample(_("free disk"), offset_s, convert(now.free_disk_mb, "MB", "GB"), "GB"),
        Sample(_("parallel redo threads"), offset_s, float(now.parallel_redo_threads), "count"),
    ]
    if now.redo_queue_kb is not None:
        taken.append(Sample(_("redo queue"), offset_s, convert(now.redo_queue_kb, "KiB", "MB"), "MB"))
    if now.redo_rate_kb_per_s is not None:
        taken.append(Sample(_("redo"), offset_s, convert(now.redo_rate_kb_per_s, "KiB/s", "MB/s"), "MB/s"))
    if now.log_used_share is not None:
        taken.append(Sample(_("log used"), offset_s, now.log_used_share, "share"))
    taken += [_cpu(server, offset_s, share) for server, share in now.cpu_share]
    for title, earlier, later in (
        (_("{server}: disk read"), before.disk_read_mb, now.disk_read_mb),
        (_("{server}: disk written"), before.disk_written_mb, now.disk_written_mb),
    ):
        was = dict(earlier)
        taken += [
            Sample(title.format(server=server), offset_s, max(0.0, total - was.get(server, total)) * per_s, "MB/s")
            for server, total in later
        ]
    return tuple(taken)


def _cpu(server: str, offset_s: float, share: float) -> Sample:
    return Sample(_("{server}: processors").format(server=server), offset_s, share, "share")
