"""Watching a group while inserts run: samples, abort rules, and whether the primary is still the same."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
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
from app.systems.availability_groups.commit_steps import CounterGrowth, growth_between
from app.systems.availability_groups.disturbances import RunStarts, check_restarts, disconnected, removed
from app.systems.availability_groups.groups import GroupSample, ReplicaReading, largest_known
from app.systems.availability_groups.limits import COMMIT_LIMITS
from app.systems.availability_groups.offer import group_ports

Emit = Callable[[tuple[Sample, ...], float], None]


@dataclass
class GroupWatch:
    """Samples one database of a group during a trial; used by one thread.

    Attributes:
        group: "" for a standalone database.
        primary: who must be primary, "" where there is no group.
        tick_s: shortest time between two samples.
        on_happening: told what else runs, at each reading anew.
        starts: those of the run, shared by its trials. skipped: readings of the trial that were.
        on_unread_log: told at each reading that does not say how full the log is.
        on_unread_delay: told at each that does not say how long commits wait.
        secondary: the one under test, "" where there is no group.
    """

    target: Target
    control: Control
    limits: Limits
    group: str
    database: str
    primary: str
    tick_s: float
    on_samples: Emit
    on_server_time: Callable[[datetime, float], None]
    on_happening: Callable[[Happening], None]
    on_unread_log: Callable[[], None]
    on_unread_delay: Callable[[], None]
    starts: RunStarts
    skipped: SkippedReadings
    secondary: str = ""
    samples: list[Sample] = field(default_factory=list)
    last: GroupSample | None = None
    is_synchronized: bool = True
    began_s: float = 0.0
    last_s: float = 0.0
    growths: list[CounterGrowth] = field(default_factory=list)

    def begin(self) -> None:
        """Take the first reading; offsets count from here."""
        self.began_s = self.target.clock.monotonic_s()
        self.read(0.0)

    def begin_shape(self, progress: float) -> GroupSample:
        """Read, and count what is seen from here on."""
        self.growths.clear()
        return self.read(progress)

    def end_shape(self, before: GroupSample, progress: float) -> CounterGrowth:
        """Read, and return what grew since `before`, with the longest queues and the highest load seen meanwhile.

        Of the redo queue only what came on top counts: a shape that writes little inherits what the one before left.
        """
        grown = growth_between(before, self.read(progress))
        return replace(
            grown,
            send_queue_kb=largest_known(entry.send_queue_kb for entry in self.growths),
            redo_queue_kb=_built_up_kb([entry.redo_queue_kb for entry in self.growths]),
            cpu_share=max(entry.cpu_share for entry in self.growths),
        )

    def tick(self, progress: float) -> None:
        """Between two portions: honour a cancel, and read when it is time again.

        Raises:
            RunCancelled, LimitExceeded, FailedOver: the trial must end.
        """
        self.control.check()
        if self.target.clock.monotonic_s() - self.last_s >= self.tick_s:
            self.read(progress)

    def read(self, progress: float) -> GroupSample:
        """Read now, hand the readings on, and check limits and the primary.

        Raises:
            LimitExceeded: an abort rule struck.
            FailedOver: another replica is primary.
        """
        now = self.skipped.read(self._sample, lambda: let_pass(self.tick_s, self.target.clock, self.control))
        for happening in now.work:
            self.on_happening(happening)
        self._check_undisturbed(now)
        if now.log_used_share is None:
            self.on_unread_log()
        if not now.has_counters:
            self.on_unread_delay()
        grown = growth_between(self.last or now, now)
        self.growths.append(grown)
        taken = _samples_of(now, grown, self.last_s - self.began_s)
        self.samples.extend(taken)
        self.on_samples(taken, min(1.0, progress))
        self.is_synchronized = all(r.synchronization_state == "SYNCHRONIZED" for r in now.readings)
        self.last = now
        readings = {
            "commit_delay_ms": _delay_ms(grown) if grown.has_counters else None,
            "send_queue_mb": convert_known(grown.send_queue_kb, "KiB", "MB"),
            "redo_queue_mb": convert_known(grown.redo_queue_kb, "KiB", "MB"),
            "log_used_share": now.log_used_share,
            "free_disk_gb": convert(now.free_disk_mb, "MB", "GB"),
            "trial_duration_s": self.last_s - self.began_s,
        }
        sentence = exceeded_limit(COMMIT_LIMITS, self.limits, readings)
        if sentence:
            raise LimitExceeded(sentence)
        return now

    def _sample(self) -> GroupSample:
        asked_s = self.target.clock.monotonic_s()
        now = group_ports(self.target).groups.sample(self.group, self.database)
        self.last_s = self.target.clock.monotonic_s()
        self.on_server_time(now.at, self.last_s - asked_s)
        return now

    def _check_undisturbed(self, now: GroupSample) -> None:
        if self.primary and now.primary != self.primary:
            raise failed_over(self.group, now.primary, self.primary)
        if self.last is None:
            self.starts.check(now.started_ms)
            return
        check_restarts(self.last.started_ms, now.started_ms)
        if {one.server for one in self.last.readings} - {one.server for one in now.readings}:
            raise removed(self.database, self.group)
        self._check_connected(self.last, now)

    def _check_connected(self, last: GroupSample, now: GroupSample) -> None:
        for before, after in itertools.product(last.readings, now.readings):
            if before.server == after.server == self.secondary and _stands(after) and not _stands(before):
                raise disconnected(self.secondary, self.database)


def _stands(reading: ReplicaReading) -> bool:
    return reading.synchronization_state == "NOT SYNCHRONIZING"


def failed_over(group: str, new: str, old: str) -> FailedOver:
    """Return the error for another primary than the one the run began with."""
    return FailedOver(
        _("{group} failed over during the run: {new} is its primary now, {old} was when the run began").format(
            group=group, new=new or _("nobody"), old=old
        )
    )


def _delay_ms(grown: CounterGrowth) -> float:
    return grown.commit_delay_ms / grown.transactions if grown.transactions > 0 else 0.0


def _built_up_kb(queues_kb: Sequence[float | None]) -> float | None:
    """Return by how much the queue was longer than at first, None where either is not known."""
    longest_kb = largest_known(queues_kb)
    return None if longest_kb is None or queues_kb[0] is None else longest_kb - queues_kb[0]


def _queue(title: str, offset_s: float, queue_kb: float | None) -> tuple[Sample, ...]:
    return () if queue_kb is None else (Sample(title, offset_s, convert(queue_kb, "KiB", "MB"), "MB"),)


def _samples_of(now: GroupSample, grown: CounterGrowth, offset_s: float) -> tuple[Sample, ...]:
    per_s = 1 / grown.elapsed_s if grown.elapsed_s > 0 else 0.0
    taken = [
        Sample(_("commit delay"), offset_s, _delay_ms(grown), "ms") if grown.has_counters else None,
        *_queue(_("log send queue"), offset_s, grown.send_queue_kb),
        *_queue(_("redo queue"), offset_s, grown.redo_queue_kb),
        Sample(_("HADR_SYNC_COMMIT waits"), offset_s, grown.sync_commit_wait_ms * per_s / 1000, "share"),
        Sample(_("WRITELOG waits"), offset_s, grown.writelog_wait_ms * per_s / 1000, "share"),
        Sample(_("flow control"), offset_s, grown.flow_control_ms * per_s / 1000, "share")
        if grown.has_counters
        else None,
        Sample(_("log written"), offset_s, convert(grown.log_bytes * per_s, "bytes", "MB"), "MB/s")
        if grown.has_counters
        else None,
    ]
    taken += [
        Sample(_("{server}: processors").format(server=s), offset_s, share, "share") for s, share in now.cpu_share
    ]
    return tuple(sample for sample in taken if sample is not None)
