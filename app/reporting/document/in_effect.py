"""The value in effect when the session began, where it is not the baseline a recommendation was measured against."""

from collections.abc import Callable, Sequence

from app.domain.finding import Finding
from app.domain.hand_over import ScriptWriter
from app.domain.session import SessionRecord
from app.domain.setting import Value, value_text
from app.foundation.texts import _
from app.reporting.wording import change_of, is_change


class InEffect:
    """Compares a session's values in effect with the measured ones, in words."""

    def __init__(
        self,
        session: SessionRecord,
        writers: Sequence[ScriptWriter],
        write: Callable[[Value], str] = value_text,
    ) -> None:
        """Tell of a session.

        Args:
            write: how values are written.
        """
        self._session = session
        self._writers = writers
        self._write = write

    def other_than_baseline(self, finding: Finding) -> str:
        """Return the value in effect of the finding's parameter, "" where that is the baseline or is not known.

        Several places may have had several values; then all are named.
        """
        base = self._baseline(finding)
        values = self._values(finding)
        return "" if not base or set(values) <= {base} else ", ".join(values)

    def note(self, finding: Finding) -> str:
        """Return how the value in effect compares with the measured ones, "" where it is the baseline or is not
        known."""
        values, base = self.other_than_baseline(finding), self._baseline(finding)
        if not values:
            return ""
        target = "" if finding.to_value is None or not is_change(finding) else self._write(finding.to_value)
        is_measured = set(values.split(", ")) <= self._measured(finding)
        return _note_text(values, base, target, is_measured=is_measured)

    def change(self, finding: Finding) -> str:
        """Return a change as it is carried out, from the value in effect; how it was measured where that differs."""
        values = self.other_than_baseline(finding)
        if not values or finding.to_value is None:
            return change_of(finding, self._write)
        base, target = self._baseline(finding), self._write(finding.to_value)
        text = _("{parameter} {found} → {target} (measured: {base} → {target})")
        if base == target:
            text = _("{parameter} {found} → {target} (measured with {target} only)")
        return text.format(parameter=finding.parameter, found=values, target=target, base=base)

    def _values(self, finding: Finding) -> tuple[str, ...]:
        values_of_writers = (
            writer.values_in_effect(finding, self._session) for writer in self._writers if finding.parameter
        )
        return tuple(map(self._write, next((values for values in values_of_writers if values), ())))

    def _baseline(self, finding: Finding) -> str:
        if finding.from_value is not None:
            return self._write(finding.from_value)
        fact_values = {name: value for name, value, _unit in finding.facts}
        named = ("baseline_value", "baseline_level", "baseline_choice")
        value = next((fact_values[name] for name in named if name in fact_values), None)
        return "" if value is None or isinstance(value, bool) else self._write(value)

    def _measured(self, finding: Finding) -> set[str]:
        """Return the values of the parameter that trials of the same experiments had."""
        return {
            self._write(trial.setting[finding.parameter])
            for run in self._session.runs_behind(finding)
            for trial in run.trials
            if finding.parameter in trial.setting
        }


def _note_text(values: str, base: str, target: str, *, is_measured: bool) -> str:
    if base == target:
        return _("In effect when the session began: {found}; all that was compared ran with {target}.").format(
            found=values, target=target
        )
    if values == target:
        text = _(
            "In effect when the session began: {found}, which is the recommended value; it was measured "
            "against {base}, which was not in effect. There is nothing to change."
        )
    elif not is_measured:
        text = (
            _("In effect when the session began: {found}; measured from {base} to {target}; {found} was not measured.")
            if target
            else _("In effect when the session began: {found}; measured against {base}; {found} was not measured.")
        )
    else:
        text = (
            _(
                "In effect when the session began: {found}; measured from {base} to {target}. {found} was tried as "
                "well, and compared with {base}, not with {target}."
            )
            if target
            else _("In effect when the session began: {found}; it was tried and compared with the baseline, {base}.")
        )
    return text.format(found=values, base=base, target=target)
