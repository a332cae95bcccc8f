"""The value in effect when the session began, where it is not the baseline a recommendation was measured against."""

from collections.abc import Sequence

from app.domain.finding import Finding
from app.domain.hand_over import ScriptWriter
from app.domain.session import SessionRecord
from app.foundation.texts import _
from app.reporting.wording import change_of, is_change, plain


class InEffect:
    """Tells of one session how the values in effect stand to what was measured, in words."""

    def __init__(self, session: SessionRecord, writers: Sequence[ScriptWriter]) -> None:
        self._session = session
        self._writers = writers

    def other_than_baseline(self, finding: Finding) -> str:
        """Return what was in effect of the finding's parameter, "" where that is the baseline or is not known.

        Several places may have had several values; then all are named.
        """
        base = _baseline(finding)
        found = self._values(finding)
        return "" if not base or set(found) <= {base} else ", ".join(found)

    def note(self, finding: Finding) -> str:
        """Return how the value in effect stands to what was measured, "" where it is the baseline or is not known."""
        found, base = self.other_than_baseline(finding), _baseline(finding)
        if not found:
            return ""
        target = "" if finding.to_value is None or not is_change(finding) else plain(finding.to_value)
        return _note_text(found, base, target, is_measured=set(found.split(", ")) <= _measured(finding, self._session))

    def change(self, finding: Finding) -> str:
        """Return a change as it is carried out, from the value in effect; how it was measured where that differs."""
        found = self.other_than_baseline(finding)
        if not found or finding.to_value is None:
            return change_of(finding)
        text = _("{parameter} {found} → {target} (measured: {base} → {target})")
        return text.format(
            parameter=finding.parameter, found=found, target=plain(finding.to_value), base=_baseline(finding)
        )

    def _values(self, finding: Finding) -> tuple[str, ...]:
        known = (writer.values_in_effect(finding, self._session) for writer in self._writers if finding.parameter)
        return next((values for values in known if values), ())


def _note_text(found: str, base: str, target: str, *, is_measured: bool) -> str:
    if found == target:
        text = _(
            "In effect when the session began: {found}, which is the recommended value; it was measured against "
            "{base}, which was not in effect. Nothing is to be changed."
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
    return text.format(found=found, base=base, target=target)


def _baseline(finding: Finding) -> str:
    if finding.from_value is not None:
        return plain(finding.from_value)
    known = {name: value for name, value, _unit in finding.facts}
    value = known.get("baseline_value", known.get("baseline_choice"))
    return "" if value is None or isinstance(value, bool) else plain(value)


def _measured(finding: Finding, session: SessionRecord) -> set[str]:
    """Return the values of the parameter that trials of the same experiments had."""
    return {
        plain(trial.setting[finding.parameter])
        for run in session.runs_behind(finding)
        for trial in run.trials
        if finding.parameter in trial.setting
    }
