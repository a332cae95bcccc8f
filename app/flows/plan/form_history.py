"""The states a plan's form had: a preset, a design, a loaded plan or an entry is taken back, and made again."""

from collections import deque
from typing import Final

from app.flows.plan.plan_form import PlanForm

_MOST_KEPT: Final = 100


class FormHistory:
    """Keeps the states of one form, the newest last; all typing into one field is one step."""

    def __init__(self) -> None:
        self._states: deque[PlanForm] = deque(maxlen=_MOST_KEPT)
        self._taken_back: list[PlanForm] = []
        self._entry = ("", "")

    def keep(self, form: PlanForm, entry: tuple[str, str] = ("", "")) -> None:
        """Keep a state; one of another family or site begins anew, and one like the newest changes nothing.

        Args:
            entry: field and text that were entered; more typed into that field takes the place of the state before.
        """
        newest = self._states[-1] if self._states else None
        if newest is not None and (newest.family is not form.family or newest.site is not form.site):
            self._states.clear()
            self._taken_back.clear()
        if newest != form:
            if self._goes_on_typing(entry):
                self._states.pop()
            self._states.append(form)
            self._taken_back.clear()
        self._entry = entry

    def undo(self) -> PlanForm | None:
        """Go back to the state before the present one; None where there is none."""
        if len(self._states) < 2:
            return None
        self._taken_back.append(self._states.pop())
        self._entry = ("", "")
        return self._states[-1]

    def redo(self) -> PlanForm | None:
        """Go forward to the state that was taken back last; None where there is none."""
        if not self._taken_back:
            return None
        self._states.append(self._taken_back.pop())
        self._entry = ("", "")
        return self._states[-1]

    def _goes_on_typing(self, entry: tuple[str, str]) -> bool:
        """Tell whether a letter was added to the last entry or taken off it."""
        (field_id, text), (last_id, last) = entry, self._entry
        is_longer_or_shorter = text.startswith(last) or last.startswith(text)
        return bool(field_id) and field_id == last_id and bool(self._states) and is_longer_or_shorter
