"""Abort rules of availability groups: when a trial must end because production could suffer."""

from dataclasses import dataclass

from app.domain.plan import Limits
from app.foundation.texts import _


@dataclass(frozen=True)
class Load:
    """What the rules look at.

    Attributes:
        commit_delay_ms: mean since the last reading.
        free_disk_mb: of the volume that fills first.
    """

    commit_delay_ms: float
    send_queue_kb: float
    redo_queue_kb: float
    log_used_share: float
    free_disk_mb: float
    elapsed_s: float


def exceeded_limit(limits: Limits, now: Load) -> str:
    """Return one sentence on the first limit exceeded, or ""."""
    readings: tuple[tuple[str, float, float | None, str], ...] = (
        (_("mean commit delay"), now.commit_delay_ms, limits.commit_delay_ms, "ms"),
        (_("log not yet sent to the secondary"), now.send_queue_kb / 1024, limits.send_queue_mb, "MB"),
        (_("log not yet redone at the secondary"), now.redo_queue_kb / 1024, limits.redo_queue_mb, "MB"),
        (_("used share of the database's log"), now.log_used_share, limits.log_used_share, ""),
        (_("duration of the trial"), now.elapsed_s, limits.trial_duration_s, "s"),
    )
    for name, value, limit, unit in readings:
        if limit is not None and value > limit:
            sentence = _("{name} reached {value:,.6g} {unit}, the plan's limit is {limit:,.6g} {unit}")
            filled = sentence.format(name=name, value=value, limit=limit, unit=unit)
            return filled.replace(" ,", ",").strip()
    free_gb = now.free_disk_mb / 1024
    if limits.free_disk_gb is not None and free_gb < limits.free_disk_gb:
        return _("free disk fell to {value:.2f} GB, the plan's limit is {limit:.2f} GB").format(
            value=free_gb, limit=limits.free_disk_gb
        )
    return ""
