"""Abort rules of replication agents: when a trial must end because production could suffer."""

from app.domain.plan import Limits
from app.foundation.texts import _
from app.systems.transactional_replication.topology import ReplicationSample


def exceeded_limit(
    limits: Limits,
    sample: ReplicationSample,
    worst_latency_s: float,
    planned_backlog: int,
    lock_wait_share: float,
    elapsed_s: float,
) -> str:
    """Return one sentence on the first limit exceeded, or "".

    Args:
        worst_latency_s: newest latency of the agents under test, the largest.
        planned_backlog: commands the experiment itself put in front of the agents; not counted against the limit.
        lock_wait_share: lock waits on the Distributor since the last tick, per second.
        elapsed_s: since the trial began.
    """
    pending = sample.distribution_pending_commands - planned_backlog
    readings: tuple[tuple[str, float, float | None, str], ...] = (
        (_("latency"), worst_latency_s, limits.latency_s, "s"),
        (_("pending commands beyond the planned backlog"), pending, limits.pending_commands, _("commands")),
        (_("used share of the publication database's log"), sample.log_used_share, limits.log_used_share, ""),
        (_("lock waits on the Distributor"), lock_wait_share, limits.lock_wait_share, _("s per second")),
        (_("duration of the trial"), elapsed_s, limits.trial_duration_s, "s"),
    )
    for name, value, limit, unit in readings:
        if limit is not None and value > limit:
            return (
                _("{name} reached {value:,.6g} {unit}, the plan's limit is {limit:,.6g} {unit}")
                .format(name=name, value=value, limit=limit, unit=unit)
                .replace("  ", " ")
                .strip()
            )
    if limits.free_disk_gb is not None and sample.free_disk_gb < limits.free_disk_gb:
        return _("free disk on the Distributor fell to {value:.2f} GB, the plan's limit is {limit:.2f} GB").format(
            value=sample.free_disk_gb, limit=limits.free_disk_gb
        )
    return ""
