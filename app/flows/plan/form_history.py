"""The states a plan's form had, so that a preset, a design or a loaded plan can be taken back."""

from collections import deque
from typing import Final

from app.flows.plan.plan_form import PlanForm

_MOST_KEPT: Final = 100


class FormHistory:
    """Keeps the states of one form, the newest last."""

    def __init__(self) -> None:
        self._states: deque[PlanForm] = deque(maxlen=_MOST_KEPT)

    def keep(self, form: PlanForm) -> None:
        """Keep a state; one of another family or site begins anew, and one like the newest changes nothing."""
        newest = self._states[-1] if self._states else None
        if newest is not None and (newest.family is not form.family or newest.site is not form.site):
            self._states.clear()
        if newest != form:
            self._states.append(form)

    def undo(self) -> PlanForm | None:
        """Return the state before the present one, which is forgotten; None where there is none."""
        if len(self._states) < 2:
            return None
        self._states.pop()
        return self._states.pop()  # shown again, it is kept again
