"""Effort, interruption and prerequisites of changing a parameter of a replication agent."""

from app.domain.decision import ChangeEffort, Level, Prerequisite
from app.domain.finding import Finding
from app.domain.hand_over import Recommendation
from app.domain.session import SessionRecord
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.hand_over.recommended import (
    Means,
    agent_kind,
    plan_agent_changes,
)
from app.systems.transactional_replication.server.documented import may_fall_back, needs_server_state


def change_effort_of(finding: Finding, session: SessionRecord) -> ChangeEffort:
    """Return effort, interruption, check, levels and prerequisites of one change."""
    kind = agent_kind(finding)
    if kind is None:
        return ChangeEffort((), _("1 setting, by hand"), _("Not known."), _("Check the value."))
    changes = plan_agent_changes([Recommendation(finding, str(finding.to_value), "")], session)
    known = [change for change in changes if change.agent is not None]
    places = tuple(f"{change.agent.name} ({change.target})" for change in known if change.agent)
    by_step = any(change.by(Means.JOB_STEP) for change in changes)
    is_streams = may_fall_back(finding.parameter)
    return ChangeEffort(
        places=places,
        effort=_effort(len(known) or 1, by_step=by_step),
        interruption=_interruption(kind),
        interruption_of_several=_interruption_of_several(kind),
        check=_check(finding, is_streams=is_streams),
        to_expect=_to_expect(finding),
        risk_level=Level.MEDIUM if is_streams else Level.LOW,
        prerequisites=_prerequisites(finding),
    )


def _effort(agents: int, *, by_step: bool) -> str:
    one = _("1 setting, in the job step of 1 agent") if by_step else _("1 setting, in a profile of its own for 1 agent")
    if agents == 1:
        return one
    many = (
        _("1 setting, in the job steps of {count} agents")
        if by_step
        else _("1 setting, in profiles of their own for {count} agents")
    )
    return many.format(count=agents)


def _interruption(kind: AgentKind) -> str:
    if kind is AgentKind.LOG_READER:
        return _("The agent restarts once: all publications of its database wait, nothing is lost.")
    return _("The agent restarts once: commands wait at the Distributor, nothing is lost.")


def _interruption_of_several(kind: AgentKind) -> str:
    if kind is AgentKind.LOG_READER:
        return _("The agent restarts {count} times: all publications of its database wait, nothing is lost.")
    return _("The agent restarts {count} times: commands wait at the Distributor, nothing is lost.")


def _to_expect(finding: Finding) -> str:
    """Return how many trials of the recommended streams fell back to one, "" where none did or nobody counted."""
    counted = {name: value for name, value, _unit in finding.facts if name in ("best_fallbacks", "best_stream_trials")}
    if not may_fall_back(finding.parameter) or not counted.get("best_fallbacks"):
        return ""
    return _(
        "The agent fell back to one stream in {count} of {trials} trials of this setting; expect it again."
    ).format(count=counted["best_fallbacks"], trials=counted.get("best_stream_trials", "?"))


def _check(finding: Finding, *, is_streams: bool) -> str:
    if expected := _to_expect(finding):
        return _("The agent runs, and the backlog shrinks. {expected}").format(expected=expected)
    if is_streams:
        return _("The agent runs, its history shows no fall-back to one stream, and the backlog shrinks.")
    return _("The agent runs with {parameter} {value}, and its history shows no error.").format(
        parameter=finding.parameter, value=finding.to_value
    )


def _prerequisites(finding: Finding) -> tuple[Prerequisite, ...]:
    if not needs_server_state(finding.parameter, finding.to_value):
        return ()
    return (
        Prerequisite(
            _(
                "The agent's account needs VIEW SERVER STATE at the Subscriber; without it the agent stops with an "
                "error."
            ),
            step=_("Grant the agent's account VIEW SERVER STATE at the Subscriber"),
            seen=_("Run as that account, HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW SERVER STATE') returns 1"),
        ),
    )
