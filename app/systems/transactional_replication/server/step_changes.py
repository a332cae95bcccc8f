"""One numeric parameter of an agent's job step, changed on the server so that the step's text never leaves it."""

from dataclasses import dataclass
from typing import Final

from app.domain.change import Change
from app.domain.errors import ChangedByOthers, Unsupported, VerificationFailed
from app.drivers.sqlserver.scripts import statement_script
from app.drivers.sqlserver.session import Place, Session
from app.foundation.texts import _
from app.systems.transactional_replication.server.agent_changes import agent_details, title_of
from app.systems.transactional_replication.topology import Agent

JOB_STEP_TOKEN: Final = "job_step_token"


@dataclass(frozen=True)
class StepToken:
    """One parameter of a step: its digits or "", and the hash of the text around it."""

    value: str
    masked_hash: str


def read_step_token(session: Session, job_id: str, parameter: str, subject: str) -> StepToken:
    """Read one parameter of a job step.

    Raises:
        Unsupported: the job has no agent step here, or names the parameter twice or without a number.
    """
    rows = session.run("job_step_token", Place(session.distributor, "msdb"), job_id=job_id, parameter=parameter)
    if not rows:
        raise Unsupported(
            _("{subject}: this Distributor has no such job step (a pull subscription's is at its Subscriber)").format(
                subject=subject
            )
        )
    occurrences, value = rows[0].whole("occurrences"), rows[0].text("value")
    if occurrences > 1 or (occurrences == 1 and not value):
        raise Unsupported(
            _("{subject}: the job step names it twice or without a number; mend the step by hand first").format(
                subject=subject
            )
        )
    return StepToken(value, rows[0].text("masked_hash"))


def plan_step_token(session: Session, agent: Agent, distribution_db: str, parameter: str, new: str) -> Change:
    """Return the change of one parameter of an agent's job step; raises as `read_step_token`."""
    name = f"-{parameter}"
    subject = _("{parameter} in the job step of {agent}").format(parameter=name, agent=title_of(agent))
    present = read_step_token(session, agent.job_id, name, subject)
    server = session.distributor

    def script(title: str, value: str) -> str:
        values = {"job_id": agent.job_id, "parameter": name, "value": value}
        return statement_script(title, server, "msdb", "set_job_step_token", values)

    return Change(
        kind=JOB_STEP_TOKEN,
        subject=subject,
        original=present.value or _("not set"),
        new=new,
        details=(
            *agent_details(agent, distribution_db),
            ("parameter", name),
            ("original_value", present.value),
            ("new_value", new),
            ("masked_hash", present.masked_hash),
        ),
        apply_sql=script(_("Set {subject} to {value}").format(subject=subject, value=new), new),
        undo_sql=script(_("Put back {subject}").format(subject=subject), present.value),
        needs_consent=_("edits one parameter of the agent's job step; counts from the next start of the agent"),
    )


class JobStepToken:
    """Sets one parameter of a job step; undo sets or removes that one parameter."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def apply(self, change: Change) -> None:
        """Set the new value, read it back, and compare the hash of the rest of the text."""
        self._set(change, self._read(change), str(change.detail("new_value")))

    def undo(self, change: Change) -> None:
        """Put the original value back unless it is there.

        Raises:
            VerificationFailed: the value is not back; or it is, but someone else changed the step since it was planned.
            ChangedByOthers: the value is neither the original nor the one this change set; it is left as it is.
        """
        before, original = self._read(change), str(change.detail("original_value"))
        if before.value == original:
            return
        if before.value != str(change.detail("new_value")):
            raise ChangedByOthers(
                _(
                    '{subject} was changed to "{found}" by somebody else and is left so; put back {original}, '
                    "which it had before, and restore again, or keep it with `replitune restore --keep-others`"
                ).format(subject=change.subject, found=before.value or _("not set"), original=change.original)
            )
        self._set(change, before, original)
        if before.masked_hash != str(change.detail("masked_hash")):
            raise VerificationFailed(
                _(
                    "{subject} is back to {value}, but someone else changed the job step meanwhile; "
                    "compare it with your own copy, then restore again"
                ).format(subject=change.subject, value=change.original)
            )

    def is_applied(self, change: Change) -> bool:
        """Tell whether the job step has the new value."""
        return self._read(change).value == str(change.detail("new_value"))

    def is_undone(self, change: Change) -> bool:
        """Tell whether the job step has the original value, or lacks the parameter as before."""
        return self._read(change).value == str(change.detail("original_value"))

    def _set(self, change: Change, before: StepToken, value: str) -> None:
        self._session.run(
            "set_job_step_token",
            Place(self._session.distributor, "msdb"),
            job_id=str(change.detail("job_id")),
            parameter=str(change.detail("parameter")),
            value=value,
        )
        after = self._read(change)
        if after.value != value or after.masked_hash != before.masked_hash:
            raise VerificationFailed(
                _('{subject} reads "{found}" instead of "{wanted}", or more than it changed; look at the job').format(
                    subject=change.subject, found=after.value, wanted=value
                )
            )

    def _read(self, change: Change) -> StepToken:
        return read_step_token(
            self._session, str(change.detail("job_id")), str(change.detail("parameter")), change.subject
        )
