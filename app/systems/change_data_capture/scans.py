"""Rows of the log scan, read together: how full scans are, how long they take, how old a change is when it is captured,
and which of the job's three values holds it up.

A row counts as one scan, as long as none holds more transactions than maxtrans: the page calls a session one execution
of sp_cdc_scan, and tools that read it treat rows as scans (datazip-inc/olake pull request 843).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

from app.foundation.texts import _
from app.systems.change_data_capture.readings import CaptureJob, CaptureSample, ScanSession

BUSY_SHARE: Final = 0.9
"""From here on a job scans all the time, so that the scans themselves are the limit. Our choice."""
OFTEN_SHARE: Final = 0.5
"""From here on scans are cut short by maxtrans as a rule. Our choice."""


class Limit(StrEnum):
    """Which of the three values of a job holds it up."""

    MAXTRANS = "maxtrans"
    MAXSCANS = "maxscans"
    POLLING = "pollinginterval"
    NONE = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Pace:
    """The rows of a stretch of time together; a share or time is None where they do not tell it.

    Attributes:
        seconds: from the beginning of the first to the end of the last.
        full_share: of the scans, those cut short by maxtrans.
        scan_share: of the time, that spent scanning.
        latency_s: mean time from a commit until it stands in a change table.
    """

    scans: int
    seconds: float
    transactions: int
    commands: int
    full_share: float | None
    scan_share: float | None
    latency_s: float | None

    @property
    def transactions_per_s(self) -> float | None:
        """Return the rate over the stretch, None for a stretch without length."""
        return self.transactions / self.seconds if self.seconds > 0 else None


def are_scans(rows: Sequence[ScanSession], maxtrans: int | None) -> bool:
    """Tell whether rows can be single scans: none holds more transactions than one may."""
    return bool(rows) and maxtrans is not None and all(row.transactions <= maxtrans for row in rows)


def pace_of(rows: Sequence[ScanSession], maxtrans: int | None, polling_s: float | None) -> Pace:
    """Return the pace of rows, oldest first."""
    seconds = (rows[-1].ended_utc - rows[0].begun_utc).total_seconds() if rows else 0.0
    is_told = are_scans(rows, maxtrans)
    full = sum(row.transactions >= (maxtrans or 0) for row in rows)
    return Pace(
        scans=len(rows),
        seconds=seconds,
        transactions=sum(row.transactions for row in rows),
        commands=sum(row.commands for row in rows),
        full_share=full / len(rows) if is_told else None,
        scan_share=_share_of(rows, seconds) if is_told else None,
        latency_s=mean_latency_s(rows, maxtrans, polling_s) if is_told else None,
    )


def _share_of(rows: Sequence[ScanSession], seconds: float) -> float | None:
    return min(1.0, sum(row.seconds for row in rows) / seconds) if seconds > 0 else None


def mean_latency_s(rows: Sequence[ScanSession], maxtrans: int | None, polling_s: float | None) -> float | None:
    """Return the mean time from a commit until its scan has ended, with commits even between two rows' newest ones.

    The view's own latency is that of the newest commit of a scan, which waited least: under dense traffic it is the
    scan's own time, whatever the polling interval. What the scan before left no row for, as it found nothing, committed
    later than that scan: no commit waited longer than the interval and this scan, where the one before was not full.
    """
    waited, counted = 0.0, 0
    for before, row in pairwise(rows):
        if row.last_commit_utc is None or before.last_commit_utc is None or not row.transactions:
            continue
        newest_s = (row.ended_utc - row.last_commit_utc).total_seconds()
        oldest_s = (row.ended_utc - before.last_commit_utc).total_seconds()
        if polling_s is not None and before.transactions < (maxtrans or 0):
            oldest_s = min(oldest_s, max(newest_s, polling_s + before.seconds + row.seconds))
        waited += row.transactions * (max(0.0, newest_s) + max(0.0, oldest_s)) / 2
        counted += row.transactions
    return waited / counted if counted else None


def limit_of(pace: Pace, job: CaptureJob) -> Limit:
    """Return which value holds a job up, by how it works now: no experiment is needed for that.

    Scans that are full as a rule, without a pause, are too small (maxtrans). Full ones with pauses between rounds end
    though more waits (maxscans, with pollinginterval the pause). Where they are not full, all is captured that is
    there, and only the pause makes a change wait (pollinginterval).
    """
    if pace.full_share is None or pace.scan_share is None:
        return Limit.UNKNOWN
    if pace.full_share >= OFTEN_SHARE:
        return Limit.MAXTRANS if pace.scan_share >= BUSY_SHARE else Limit.MAXSCANS
    return Limit.POLLING if job.pollinginterval_s else Limit.NONE


def limit_by_totals(before: CaptureSample, after: CaptureSample, job: CaptureJob) -> Limit:
    """Return the same from two readings of the totals, where rows are no scans: the bound of the values is reached."""
    seconds, bound = (after.at - before.at).total_seconds(), job.bound_per_s
    if None in (before.transactions, after.transactions) or bound is None or seconds <= 0:
        return Limit.UNKNOWN
    grown = (after.transactions or 0.0) - (before.transactions or 0.0)
    return Limit.MAXSCANS if grown / seconds >= BUSY_SHARE * bound else Limit.UNKNOWN


def limit_words(limit: Limit, job: CaptureJob) -> str:
    """Return the limit of a job, and a help against it, as a sentence."""
    return {
        Limit.MAXTRANS: _(
            "maxtrans {maxtrans} is the limit: scan follows scan, each of them full; larger scans cost less per "
            "transaction"
        ),
        Limit.MAXSCANS: _(
            "maxscans {maxscans} is the limit: after {maxscans} full scans the job waits {polling} s although more is "
            "in the log; more scans, larger scans or a shorter pollinginterval let it catch up"
        ),
        Limit.POLLING: _(
            "pollinginterval {polling} s is the limit: the job captures all there is and then waits, and so do new "
            "changes"
        ),
        Limit.NONE: _("none of the three values is a limit: the job captures all there is, without a pause"),
        Limit.UNKNOWN: _("these scans do not show which value is the limit"),
    }[limit].format(maxtrans=job.maxtrans, maxscans=job.maxscans, polling=job.pollinginterval_s)


def rounds_of(rows: Sequence[ScanSession], maxtrans: int, maxscans: int) -> tuple[int, float]:
    """Return commands and seconds of whole rounds of full scans, waits included; (0, 0.0) where there is none.

    From the beginning of a scan to that of a later one, so that each wait counts with the scans before it; whole
    rounds, so that none is cut in the middle, unless there was not one.
    """
    full = next((n for n, row in enumerate(rows) if row.transactions < maxtrans), len(rows) - 1)
    whole = full - full % maxscans if full >= maxscans else full
    if whole <= 0:
        return 0, 0.0
    seconds = (rows[whole].begun_utc - rows[0].begun_utc).total_seconds()
    return sum(row.commands for row in rows[:whole]), seconds
