"""Whether a run moves on: the work left in the present step, by the window's clock."""

from typing import Final

from app.domain.events import Note, RunEvent, SamplesTaken, StepMoved, StepStarted, TrialStarted

STILL_FROM_S: Final = 30.0
_STILL_READINGS: Final = 2
"""So many readings in a row are to say the same: with readings half a minute apart, one alone tells nothing."""


class RunPulse:
    """Told events and totals; lives on one thread.

    Attributes:
        first, left: what the present step had before it at first and has now, None where it counts nothing.
        unit: of both.
    """

    def __init__(self) -> None:
        self._begin_step(0.0)

    def _begin_step(self, now_s: float) -> None:
        self.first: float | None = None
        self.left: float | None = None
        self.unit = ""
        self._seen: float | None = None
        self._moved_s = now_s
        self._same = 0

    def note(self, event: RunEvent, now_s: float) -> None:
        """Take note of an event of the run; what somebody notes down moves nothing."""
        if isinstance(event, Note):
            return
        if isinstance(event, StepStarted | TrialStarted):
            self._begin_step(now_s)
        elif isinstance(event, StepMoved):
            self.count_down(event.left, event.unit, now_s)
        elif not isinstance(event, SamplesTaken):
            self._moved_s, self._same = now_s, 0

    def count_down(self, left: float, unit: str, now_s: float) -> None:
        """Take note of the work the present step has still before it."""
        if self.first is None or unit != self.unit:
            self.first, self.unit = left, unit
        self.first, self.left = max(self.first, left), left
        self.look(left, now_s)

    def look(self, value: float, now_s: float) -> None:
        """Take note of a reading that changes as long as the work goes on."""
        if value == self._seen:
            self._same += 1
            return
        self._seen, self._moved_s, self._same = value, now_s, 0

    def still_s(self, now_s: float) -> float:
        """Return the seconds since anything moved in this step; 0 where it does, or where nothing tells it."""
        still_s = now_s - self._moved_s
        return still_s if self._same >= _STILL_READINGS and still_s >= STILL_FROM_S else 0.0
