"""One numeric parameter of an agent's job step, changed on the server so that the step's text never leaves it."""

from dataclasses import dataclass
from typing import Final

from app.domain.change import Change
from app.domain.declared_change import Call, Declaration, Declared, Details, Restart, Run, Scope, Words
from app.domain.errors import Unsupported
from app.drivers.sqlserver.executor import At, SqlServerExecutor
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.server.agent_changes import agent_details, title_of
from app.systems.transactional_replication.topology import Agent

JOB_STEP_TOKEN: Final = "job_step_token"
_MSDB: Final = At(database="msdb")


@dataclass(frozen=True)
class StepToken:
    """One parameter of a step: its digits or "", and the hash of the text around it."""

    value: str
    masked_hash: str


def _subject(details: Details) -> str:
    agent = title_of(AgentKind(str(details["agent_kind"])), str(details["agent_name"]))
    return _("{parameter} in the job step of {agent}").format(parameter=details["parameter"], agent=agent)


def _read(run: Run[At], details: Details) -> StepToken:
    """Read one parameter of a job step.

    Raises:
        Unsupported: the job has no agent step here, or names the parameter twice or without a number.
    """
    rows = run(Call("job_step_token", _MSDB, {"job_id": details["job_id"], "parameter": details["parameter"]}))
    if not rows:
        raise Unsupported(
            _("{subject}: this Distributor has no such job step (a pull subscription's is at its Subscriber)").format(
                subject=_subject(details)
            )
        )
    occurrences, value = rows[0].whole("occurrences"), rows[0].text("value")
    if occurrences > 1 or (occurrences == 1 and not value):
        raise Unsupported(
            _("{subject}: the job step names it twice or without a number; correct the step by hand first").format(
                subject=_subject(details)
            )
        )
    return StepToken(value, rows[0].text("masked_hash"))


def _set(_run: Run[At], details: Details, token: StepToken) -> tuple[Call[At], ...]:
    values = {"job_id": details["job_id"], "parameter": details["parameter"], "value": token.value}
    return (Call("set_job_step_token", _MSDB, values, compares=True),)


def _shown(token: StepToken) -> str:
    return token.value or _("not set")


def _others(change: Change, token: StepToken) -> str:
    return _(
        '{subject} was changed to "{found}" by somebody else and stays so; set it to {original}, its '
        "former value, and restore again, or keep it with `replitune restore --keep-others`"
    ).format(subject=change.subject, found=_shown(token), original=change.original)


def _unread(change: Change, token: StepToken, wanted: StepToken) -> str:
    return _('{subject} reads "{found}" instead of "{wanted}", or more than it changed; look at the job').format(
        subject=change.subject, found=token.value, wanted=wanted.value
    )


def _complaint(change: Change, token: StepToken) -> str:
    if token.masked_hash == change.detail("masked_hash"):
        return ""
    return _(
        "{subject} is back to {value}, but someone else changed the job step meanwhile; "
        "compare it with your own copy, then restore again"
    ).format(subject=change.subject, value=change.original)


DECLARED: Final = Declaration[At, StepToken](
    kind=JOB_STEP_TOKEN,
    scope=Scope.PROCESS,
    read=_read,
    set=_set,
    original=lambda details: StepToken(str(details["original_value"]), str(details["masked_hash"])),
    new=lambda details: StepToken(str(details["new_value"]), str(details["masked_hash"])),
    words=Words(
        subject=_subject,
        shown=_shown,
        making=lambda subject, value: _("Set {subject} to {value}").format(subject=subject, value=value),
        undoing=lambda subject, _value: _("Undo {subject}").format(subject=subject),
        unread=_unread,
        consent=lambda _details: _(
            "edits one parameter of the agent's job step; takes effect from the next start of the agent"
        ),
        others=_others,
    ),
    restarts=Restart.PROCESS,
    same=lambda reading, wanted: reading.value == wanted.value,
    verified=lambda before, reading, _wanted: reading.masked_hash == before.masked_hash,
    complaint=_complaint,
    expected=lambda token: token.value,
)


def plan_step_token(
    executor: SqlServerExecutor, agent: Agent, distribution_db: str, parameter: str, new: str
) -> Change:
    """Return the change of one parameter of an agent's job step.

    Raises:
        Unsupported: the job has no agent step here, or names the parameter twice or without a number.
    """
    declared = Declared(DECLARED, executor)
    details = (*agent_details(agent, distribution_db), ("parameter", f"-{parameter}"))
    present = declared.read(dict(details))
    values = (("original_value", present.value), ("new_value", new), ("masked_hash", present.masked_hash))
    return declared.plan((*details, *values))
