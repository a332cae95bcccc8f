"""How long a change interrupts, as the run's own steps took, in words."""

from collections.abc import Sequence

from app.analysis.awaited import stood_s
from app.domain.session import SessionRecord
from app.foundation.texts import _
from app.reporting.numbers import duration, number


def stood_text(session: SessionRecord, stop: str, start: str, asked_by: Sequence[str], subjects: Sequence[str]) -> str:
    """Return how long processes stood in a session's runs, "" where it did not stop and start them itself.

    Args:
        stop, start, asked_by, subjects: as `stood_s`; every subject counts.
    """
    took = [s for one in dict.fromkeys(subjects) for s in stood_s(session.statements, stop, start, asked_by, one)]
    if not took:
        return ""
    text = _("Measured here: {low} to {high} from the request to stop until it ran again ({count} times).")
    if duration(min(took)) == duration(max(took)):
        text = _("Measured here: {high} from the request to stop until it ran again ({count} times).")
    return text.format(low=duration(min(took)), high=duration(max(took)), count=number(len(took)))
