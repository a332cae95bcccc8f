"""From a value a trial showed to a measurement of its setting."""

from app.domain.measurement import Measurement, Metric
from app.domain.plan import Plan, TrialSpec
from app.domain.setting import Setting


def as_measurement(plan: Plan, spec: TrialSpec, metric: Metric, value: float, conditions: Setting) -> Measurement:
    """Return one value of a trial as a measurement of its setting."""
    return Measurement(
        family=plan.family,
        trial_id=spec.trial_id,
        block=spec.block,
        metric=metric.name,
        value=value,
        unit=metric.unit,
        setting=spec.setting,
        conditions=conditions,
        phase=spec.phase,
    )
