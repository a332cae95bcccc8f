"""Effort, interruption and prerequisites of changing a parameter of a replication agent."""

from collections.abc import Sequence
from typing import Final

from app.domain.decision import ChangeEffort, Later, Level, Prerequisite
from app.domain.finding import Finding
from app.domain.hand_over import Recommendation
from app.domain.session import SessionRecord
from app.foundation.texts import _
from app.reporting.stood import stood_text
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.hand_over.recommended import (
    AgentChange,
    Means,
    agent_kind,
    plan_agent_changes,
)
from app.systems.transactional_replication.server.documented import may_fall_back, needs_server_state
from app.systems.transactional_replication.site import kept_replication

_AGENT_STOP: Final = _("Undo it also where the agent's history shows an error that was not there before.")
_STREAMS_STOP: Final = _(
    "Undo more streams also where it shows a fall-back to a single connection that was not there before."
)
_ASKED: Final = ("job_activity", "agent_session", "job_failure")
_LATER: Final = (
    Later(
        _("next failover"),
        _(
            "Where the distribution database is in an availability group: jobs and their steps stand at each replica, "
            "so run the script at each of them"
        ),
        _("Run without the edited line it shows the value as set"),
        _("Apply it there"),
    ),
    Later(
        _("re-created"),
        _("Where a subscription or its publication is created anew, its agent is another one: run the script again"),
        _("Run without the edited line it shows the value as set"),
        _("Ask for a new script"),
    ),
)
"""After a failover the agents run by the jobs of the new primary, each with a step of its own:
https://learn.microsoft.com/en-us/sql/relational-databases/replication/configure-distribution-availability-group"""


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
        check=_check(finding, is_streams=is_streams),
        stood=stood_text(session, "stop_job", "start_job", _ASKED, _jobs(known)),
        to_expect=_to_expect(finding),
        held_back=_held_back(finding),
        counted=_counted(finding, known) if is_streams else "",
        stop_when=(_AGENT_STOP, _STREAMS_STOP) if is_streams else (_AGENT_STOP,),
        later=_LATER,
        risk_level=Level.MEDIUM if is_streams else Level.LOW,
        prerequisites=_prerequisites(finding),
    )


def _jobs(changes: Sequence[AgentChange]) -> list[str]:
    return [change.agent.job_id for change in changes if change.agent and change.agent.job_id]


def _counted(finding: Finding, changes: Sequence[AgentChange]) -> str:
    """Return the objects that may block streams and the fall-backs, as counted at this site; "" where nobody did."""
    facts = {name: value for name, value, _unit in finding.facts}
    told = [text for change in changes if (text := _objects_counted(change))]
    if not facts.get("best_fallbacks") and facts.get("best_stream_trials"):
        told.append(_("In {trials} trials here it fell back 0 times.").format(trials=facts["best_stream_trials"]))
    return " ".join(dict.fromkeys(told))


def _objects_counted(change: AgentChange) -> str:
    read = None if change.environment is None else kept_replication(change.environment)
    agent, objects = change.agent, None if read is None else read.subscriber_objects
    if agent is None or objects is None or read is None or read.looked_at != agent.name:
        return ""
    text = _(
        "Counted at {subscriber}: {keys} foreign keys, {indexes} unique indexes, {views} indexed views and "
        "{triggers} triggers that may make the agent fall back."
    )
    return text.format(
        subscriber=agent.subscriber,
        keys=objects.foreign_keys,
        indexes=objects.unique_nonclustered_indexes,
        views=objects.indexed_views,
        triggers=objects.triggers,
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


def _to_expect(finding: Finding) -> str:
    """Return how many trials of the recommended streams fell back to one, "" where none did or nobody counted."""
    counted = {name: value for name, value, _unit in finding.facts if name in ("best_fallbacks", "best_stream_trials")}
    if not may_fall_back(finding.parameter) or not counted.get("best_fallbacks"):
        return ""
    return _(
        "The agent fell back to one stream in {count} of {trials} trials of this setting; expect it again."
    ).format(count=counted["best_fallbacks"], trials=counted.get("best_stream_trials", "?"))


def _held_back(finding: Finding) -> str:
    """Return why several streams are not recommended although they gained: in most of their trials there was one.

    The gain is then that of falling back at some moment, which nobody sets and which may come earlier or later.
    """
    counted = {name: value for name, value, _unit in finding.facts if name in ("best_fallbacks", "best_stream_trials")}
    count, trials = (counted.get(name) for name in ("best_fallbacks", "best_stream_trials"))
    if not (isinstance(count, int) and isinstance(trials, int) and may_fall_back(finding.parameter)):
        return ""
    if count * 2 <= trials:
        return ""
    return _("with {value} the agent fell back to one stream in {count} of {trials} trials").format(
        value=finding.to_value, count=count, trials=trials
    )


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
