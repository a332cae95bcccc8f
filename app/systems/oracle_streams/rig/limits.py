"""Abort rules of a Streams pipeline: when a trial must end because production could suffer."""

from app.domain.limits import TRIAL_DURATION, Limits
from app.foundation.texts import _
from app.model.reading import limit_readings
from app.runner import limits as rules
from app.systems.oracle_streams.limits import STREAMS_LIMITS
from app.systems.oracle_streams.readings import LATENCY, StreamsSample


def exceeded_limit(limits: Limits, first: StreamsSample, now: StreamsSample, latency_s: float, elapsed_s: float) -> str:
    """Return one sentence on the first limit exceeded, or "".

    An apply process that stopped, and new errors in its error queue, end a trial whatever the plan says.

    Args:
        first: the reading before the load.
        latency_s: from source commit to apply, of this load.
        elapsed_s: since the trial began.
    """
    if now.apply_status != "ENABLED":
        return _("the apply process is {status}; look at its error in DBA_APPLY").format(
            status=now.apply_status or _("gone")
        )
    new_errors = now.apply_errors - first.apply_errors
    if new_errors > 0:
        return _("{count} transactions went to the error queue of the apply process (DBA_APPLY_ERROR)").format(
            count=new_errors
        )
    readings = {**limit_readings(now, now), LATENCY.name: latency_s, TRIAL_DURATION.name: elapsed_s}
    return rules.exceeded_limit(STREAMS_LIMITS, limits, readings)
