"""Changes "agent stopped" and "agent started", each the other's undo.

Only the first stop of an agent in a run is journalled, undone by starting it; later stops and starts of the run stay
under that open entry. A restore stops the agents concerned first, so that the originals are what they next start with.
"""

from datetime import datetime, timedelta
from functools import partial
from typing import Final

from app.domain.change import Change
from app.domain.change_kinds import Switch
from app.drivers.sqlserver.errors import JobProblem
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.server.job_control import AgentJob, JobControl
from app.systems.transactional_replication.server.job_scripts import restart_script, start_script, stop_script
from app.systems.transactional_replication.topology import Agent, Ending

AGENT_STOPPED: Final = "agent_stopped"
AGENT_STARTED: Final = "agent_started"
_SESSION: Final = "session_start"
_PLANNED: Final = "planned_utc"
# A start has begun a session within minutes, or is given up; one that arrives late is told apart by its connection.
_ARRIVES: Final = timedelta(hours=1)
_AGENT_DETAILS: Final = ("agent_kind", "agent_id", "agent_name", "job_id", "distribution_db")


def agent_details(agent: Agent, distribution_db: str) -> tuple[tuple[str, str | int], ...]:
    """Return an agent's identity for another process."""
    return (
        ("agent_kind", agent.kind.value),
        ("agent_id", agent.agent_id),
        ("agent_name", agent.name),
        ("job_id", agent.job_id),
        ("distribution_db", distribution_db),
    )


def job_of(change: Change) -> AgentJob:
    """Return the agent a change is about."""
    return AgentJob(
        kind=AgentKind(str(change.detail("agent_kind"))),
        agent_id=int(change.detail("agent_id")),
        name=str(change.detail("agent_name")),
        job_id=str(change.detail("job_id")),
        distribution_db=str(change.detail("distribution_db")),
    )


def title_of(kind: AgentKind, name: str) -> str:
    """Return an agent as a person calls it."""
    if kind is AgentKind.LOG_READER:
        return _("Log Reader Agent {name}").format(name=name)
    return _("Distribution Agent {name}").format(name=name)


def plan_agent_stopped(agent: Agent, distribution_db: str, server: str, session_start: datetime | None) -> Change:
    """Return the change that stops an agent that runs now, in a session that began then."""
    subject = title_of(agent.kind, agent.name)
    return Change(
        kind=AGENT_STOPPED,
        subject=subject,
        original=_("running"),
        new=_("stopped"),
        details=(
            *agent_details(agent, distribution_db),
            (_SESSION, "" if session_start is None else session_start.isoformat()),
        ),
        apply_sql=stop_script(_("Stop {agent}").format(agent=subject), server, agent.job_id),
        undo_sql=restart_script(
            _("Start {agent} again, stopping it first so that its original parameters take effect").format(
                agent=subject
            ),
            server,
            agent.job_id,
        ),
        needs_consent=_effect_of_stopping(agent),
    )


def plan_agent_started(agent: Agent, distribution_db: str, server: str, now_utc: datetime) -> Change:
    """Return the change that starts an agent that stands now, by the server's time of day."""
    subject = title_of(agent.kind, agent.name)
    return Change(
        kind=AGENT_STARTED,
        subject=subject,
        original=_("stopped"),
        new=_("running"),
        details=(*agent_details(agent, distribution_db), (_PLANNED, now_utc.isoformat())),
        apply_sql=start_script(_("Start {agent}").format(agent=subject), server, agent.job_id),
        undo_sql=stop_script(_("Stop {agent} again").format(agent=subject), server, agent.job_id),
        needs_consent=_("starts delivery with the parameters set before"),
    )


def stopped_like(change: Change, server: str) -> Change:
    """Return the change "agent stopped" of the agent another change is about."""
    job = job_of(change)
    subject = title_of(job.kind, job.name)
    details = tuple((name, change.detail(name)) for name, _value in change.details if name in _AGENT_DETAILS)
    return Change(
        kind=AGENT_STOPPED,
        subject=subject,
        original=_("running"),
        new=_("stopped"),
        details=details,
        apply_sql=stop_script(_("Stop {agent}").format(agent=subject), server, job.job_id),
        undo_sql=start_script(_("Start {agent}").format(agent=subject), server, job.job_id),
    )


def _effect_of_stopping(agent: Agent) -> str:
    if agent.kind is AgentKind.LOG_READER:
        return _(
            "stops every publication of {database} until it starts again; meanwhile the log of {database} grows"
        ).format(database=agent.publisher_db)
    return _("stops delivery to {subscriber} until it starts again; commands wait at the Distributor").format(
        subscriber=agent.subscriber
    )


def _began_later(jobs: JobControl, change: Change) -> bool:
    """Tell whether a session runs that cannot come from a start of which nobody knows whether it was sent."""
    planned = str(change.detail_or(_PLANNED, ""))
    if change.is_known_made or not planned:
        return False
    began = jobs.session_start(job_of(change))
    return began is not None and began > datetime.fromisoformat(planned) + _ARRIVES


def agent_switches(jobs: JobControl) -> dict[str, Switch]:
    """Return the switches that stop and start agents, each the other's undo."""

    def runs(change: Change) -> bool:
        return jobs.is_running(job_of(change))

    def stands(change: Change) -> bool:
        return not runs(change)

    def start(change: Change) -> bool:
        try:
            jobs.start(job_of(change))
        except JobProblem:
            if not runs(change):
                raise
            return False
        return True

    def stop(change: Change) -> bool:
        return jobs.stop(job_of(change))

    def was_stopped(change: Change) -> bool:
        """Tell whether somebody stopped it, or may have: one that failed or ended by itself is started again."""
        return jobs.ending(job_of(change)) in (Ending.STOPPED, Ending.UNKNOWN)

    def start_again(change: Change) -> None:
        """Start it unless it runs in another session than the one that was to end."""
        # journals of the first releases do not say which session ran
        if began := str(change.detail_or(_SESSION, "")):
            jobs.end_session_of(job_of(change), datetime.fromisoformat(began))
        start(change)

    return {
        AGENT_STOPPED: Switch(stop, start_again, stands, runs, was_stopped),
        AGENT_STARTED: Switch(start, stop, runs, stands, lambda _change: True, partial(_began_later, jobs)),
    }
