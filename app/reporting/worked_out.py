"""Run times that were worked out from a part of the inserts, because the time allowed for a shape was over."""

from collections.abc import Iterable

from app.domain.measurement import Measurement
from app.domain.session import RunRecord
from app.domain.setting import Setting
from app.foundation.texts import _
from app.reporting.numbers import number

_INSERTS = "inserts"
_DONE = "inserts_done"
MARK = "≈"


def worked_out_conditions(measurements: Iterable[Measurement]) -> dict[tuple[str, str], set[Setting]]:
    """Return the conditions whose run times were worked out from fewer inserts than planned, by family and trial."""
    by_trial: dict[tuple[str, str], set[Setting]] = {}
    for m in filter(_is_part, measurements):
        by_trial.setdefault((m.family, m.trial_id), set()).add(m.conditions)
    return by_trial


def worked_out_text(run: RunRecord) -> str:
    """Return per shape how many inserts its run times were worked out from, "" where all were done."""
    done: dict[Setting, list[float]] = {}
    for trial in run.trials:
        for m in filter(_is_part, trial.measurements):
            done.setdefault(m.conditions, []).append(m.value)
    parts = []
    for conditions, values in sorted(done.items(), key=lambda item: str(item[0][_INSERTS]).rjust(20)):
        least, most = (number(round(value)) for value in (min(values), max(values)))
        text = _("{done} of {planned} inserts")
        span = least if least == most else _("{low} to {high}").format(low=least, high=most)
        parts.append(text.format(planned=number(conditions[_INSERTS]), done=span))
    if not parts:
        return ""
    return _("from the inserts that one loop did in the time allowed: {shapes}").format(shapes="; ".join(parts))


def worked_out_note() -> str:
    """Return the meaning of the mark at a run time."""
    return _(
        "{mark} Run times worked out from the inserts done in the time allowed: “Method” and measurements.csv "
        "(inserts_done) say how many."
    ).format(mark=MARK)


def _is_part(measurement: Measurement) -> bool:
    if measurement.metric != _DONE:  # as nearly every one
        return False
    planned = measurement.conditions.get(_INSERTS)
    return isinstance(planned, int | float) and measurement.value < planned
