"""Keeping an agent's schedules from starting its job while a run needs it to stand: the job is disabled meanwhile.

A job that is disabled can be started all the same, by a person or a program (`sp_start_job`): its schedules cannot.
"""

from typing import Final

from app.domain.change import Change
from app.domain.declared_change import (
    Call,
    Declaration,
    Declared,
    Details,
    Run,
    Scope,
    Words,
    changed_by_others,
    reads_otherwise,
)
from app.drivers.sqlserver.executor import At, SqlServerExecutor
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.server.agent_changes import agent_details, title_of
from app.systems.transactional_replication.topology import Agent

JOB_ENABLED: Final = "job_enabled"
_MSDB: Final = At(database="msdb")


def _subject(details: Details) -> str:
    agent = title_of(AgentKind(str(details["agent_kind"])), str(details["agent_name"]))
    return _("schedules of the job of {agent}").format(agent=agent)


def _read(run: Run[At], details: Details) -> bool | None:
    """Return whether the job's schedules start it, None where there is no such job."""
    rows = run(Call("job_activity", _MSDB, {"job_id": details["job_id"]}))
    return rows[0].whole("is_enabled") == 1 if rows else None


def _set(_run: Run[At], details: Details, value: bool | None) -> tuple[Call[At], ...]:
    return (Call("set_job_enabled", _MSDB, {"job_id": details["job_id"], "enabled": int(bool(value))}, compares=True),)


def _shown(value: bool | None) -> str:
    if value is None:
        return _("no job")
    return _("start it") if value else _("do not start it")


DECLARED: Final = Declaration[At, bool | None](
    kind=JOB_ENABLED,
    scope=Scope.PROCESS,
    read=_read,
    set=_set,
    original=lambda _details: True,
    new=lambda _details: False,
    words=Words(
        subject=_subject,
        shown=_shown,
        making=lambda subject, _value: _("Disable the job: {subject}").format(subject=subject),
        undoing=lambda subject, _value: _("Enable the job again: {subject}").format(subject=subject),
        unread=lambda change, value_now, wanted: reads_otherwise(change, _shown(value_now), _shown(wanted)),
        consent=lambda _details: _(
            "keeps SQL Server Agent from starting the agent while it must stand; enabled again at the end"
        ),
        others=lambda change, value_now: changed_by_others(change, _shown(value_now)),
    ),
    expected=lambda value: int(bool(value)),
    is_undone_if_gone=True,
)


def plan_job_disabled(executor: SqlServerExecutor, agent: Agent, distribution_db: str) -> Change:
    """Return the change that disables the job of an agent, which is enabled now."""
    return Declared(DECLARED, executor).plan(agent_details(agent, distribution_db))
