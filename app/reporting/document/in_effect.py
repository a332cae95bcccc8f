"""The value in effect when the session began, where it is not the baseline a recommendation was measured against."""

from app.domain.finding import Finding
from app.domain.session import SessionRecord
from app.foundation.texts import _
from app.reporting.document.wording import change_of, is_change, plain
from app.systems.oracle_streams.hand_over.changes import FAMILY as STREAMS_FAMILY
from app.systems.oracle_streams.hand_over.changes import streams_values
from app.systems.transactional_replication.hand_over.changes import agent_kind, agent_values


def other_than_baseline(finding: Finding, session: SessionRecord) -> str:
    """Return what was in effect of the finding's parameter, "" where that is the baseline or is not known.

    Several agents may have had several values; then all are named.
    """
    base = _baseline(finding)
    found = _values(finding, session)
    return "" if not base or set(found) <= {base} else ", ".join(found)


def in_effect_note(finding: Finding, session: SessionRecord) -> str:
    """Return how the value in effect stands to what was measured, "" where it is the baseline or is not known."""
    found, base = other_than_baseline(finding, session), _baseline(finding)
    if not found:
        return ""
    target = "" if finding.to_value is None or not is_change(finding) else plain(finding.to_value)
    if found == target:
        text = _(
            "In effect when the session began: {found}, which is the recommended value; it was measured against "
            "{base}, which was not in effect. Nothing is to be changed."
        )
    elif not set(found.split(", ")) <= _measured(finding, session):
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


def change_from_effect(finding: Finding, session: SessionRecord) -> str:
    """Return a change as it is carried out, from the value in effect, and how it was measured where that differs."""
    found = other_than_baseline(finding, session)
    if not found or finding.to_value is None:
        return change_of(finding)
    text = _("{parameter} {found} → {target} (measured: {base} → {target})")
    return text.format(
        parameter=finding.parameter, found=found, target=plain(finding.to_value), base=_baseline(finding)
    )


def _baseline(finding: Finding) -> str:
    if finding.from_value is not None:
        return plain(finding.from_value)
    known = {name: value for name, value, _unit in finding.facts}
    value = known.get("baseline_value", known.get("baseline_choice"))
    return "" if value is None or isinstance(value, bool) else plain(value)


def _values(finding: Finding, session: SessionRecord) -> tuple[str, ...]:
    if not finding.parameter:
        return ()
    if finding.family == STREAMS_FAMILY:
        return streams_values(finding, session)
    return agent_values(finding, session) if agent_kind(finding) else ()


def _measured(finding: Finding, session: SessionRecord) -> set[str]:
    """Return the values of the parameter that trials of the same experiments had."""
    evidence = set(finding.evidence)
    runs = [run for run in session.runs if run.plan.family == finding.family]
    behind = [run for run in runs if evidence & {trial.trial_id for trial in run.trials}] or runs
    return {
        plain(trial.setting[finding.parameter])
        for run in behind
        for trial in run.trials
        if finding.parameter in trial.setting
    }
