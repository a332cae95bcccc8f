"""Disturbances of a Streams pipeline by others during a trial, seen in the readings of each tick."""

from typing import Final

from app.domain.errors import Disturbed
from app.foundation.texts import _
from app.systems.oracle_streams.pipeline import StreamsPath
from app.systems.oracle_streams.readings import StreamsSample

ENABLED: Final = "ENABLED"
DISABLED: Final = "DISABLED"
ABORTED: Final = "ABORTED"


def disturbance(before: StreamsSample, now: StreamsSample, path: StreamsPath) -> Disturbed | None:
    """Return the error for a disturbance up to a reading, None for none.

    While rows are on their way every process of the path must be enabled. Redo is counted from the start of an
    instance: less of it than before means that the instance was started anew.
    """
    for name, status in (
        (path.capture, now.capture_status),
        (path.propagation, now.propagation_status),
        (path.apply, now.apply_status),
    ):
        if name and status != ENABLED:
            return ended(name, status)
    if now.source_redo_mb < before.source_redo_mb:
        return _restarted(_("the source database"))
    if now.destination_redo_mb < before.destination_redo_mb:
        return _restarted(_("the destination database"))
    return None


def started(name: str) -> Disturbed:
    """Return the error for a process that runs, though this run holds it."""
    return Disturbed(
        _("{process} was started by somebody else while this run held it, and is left running; the run ends").format(
            process=name
        )
    )


def new_errors(before: StreamsSample, now: StreamsSample) -> str:
    """Return one sentence on transactions that went to the error queue between two readings, "" for none."""
    count = now.apply_errors - before.apply_errors
    if count <= 0:
        return ""
    return _("{count} transactions went to the error queue of the apply process (DBA_APPLY_ERROR)").format(count=count)


def ended(name: str, status: str) -> Disturbed:
    """Return the error for a process that is not enabled any more; `status` as its view says, "" where it is gone."""
    if status == ABORTED:
        return Disturbed(
            _("{process} was aborted by an error during the trial, which its view shows; the run ends").format(
                process=name
            )
        )
    if status == DISABLED:
        return Disturbed(
            _("{process} was stopped by somebody else during the trial and is left stopped; the run ends").format(
                process=name
            )
        )
    return Disturbed(_("{process} was dropped during the trial; the run ends").format(process=name))


def _restarted(database: str) -> Disturbed:
    return Disturbed(
        _("{database} was restarted during the trial; the run ends, and what it changed is undone").format(
            database=database
        )
    )
