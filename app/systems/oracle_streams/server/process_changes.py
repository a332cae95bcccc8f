"""Changes "apply stopped" and "apply server traced": each undone from what it holds alone."""

from typing import Final

from app.domain.change import Change
from app.domain.errors import Unsupported, VerificationFailed
from app.drivers.oracle.scripts import Where, block_script, start_script, stop_script
from app.drivers.oracle.session import End, Session
from app.foundation.texts import _
from app.systems.oracle_streams.pipeline import StreamsProcess, Technology
from app.systems.oracle_streams.server.process_control import ApplyControl
from app.systems.oracle_streams.server.views import variant

APPLY_STOPPED: Final = "apply_stopped"
SERVER_TRACED: Final = "apply_server_traced"


def plan_apply_stopped(where: Where, apply: StreamsProcess) -> Change:
    """Return the change that stops an apply that runs now."""
    subject = _("apply {name}").format(name=apply.name)
    return Change(
        kind=APPLY_STOPPED,
        subject=subject,
        original=_("running"),
        new=_("stopped"),
        details=(("apply", apply.name), ("technology", apply.technology.value)),
        apply_sql=stop_script(_("Stop {subject}").format(subject=subject), where, apply.name),
        undo_sql=start_script(_("Start {subject} again").format(subject=subject), where, apply.name),
        needs_consent=_(
            "stops replication into {database} until it starts again; a transaction being applied is rolled back and "
            "messages wait at the source"
        ).format(database=apply.database),
    )


class ApplyStopped:
    """Stops an apply; undo starts it unless it runs."""

    def __init__(self, control: ApplyControl) -> None:
        self._control = control

    def is_applied(self, change: Change) -> bool:
        """Tell whether it is stopped and its coordinator gone."""
        return self._control.status(str(change.detail("apply")), _technology(change)).is_stopped

    def is_undone(self, change: Change) -> bool:
        """Tell whether it is enabled and its coordinator runs."""
        return self._control.status(str(change.detail("apply")), _technology(change)).is_running

    def apply(self, change: Change) -> None:
        """Stop it and wait until its coordinator is gone."""
        self._control.stop(str(change.detail("apply")), _technology(change))

    def undo(self, change: Change) -> None:
        """Start it and wait until its coordinator runs."""
        self._control.start(str(change.detail("apply")), _technology(change))


def plan_traced(session: Session, where: Where, apply: StreamsProcess) -> Change:
    """Return the change that traces the first apply server with event 10046.

    Raises:
        Unsupported: the apply has no servers now.
    """
    rows = session.run(variant("apply_sessions", apply.technology), End.DESTINATION, apply_name=apply.name)
    if not rows:
        raise Unsupported(_("apply {name} has no servers to trace; start it first").format(name=apply.name))
    row = rows[0]
    sid, serial_number = row.whole("sid"), row.whole("serial_number")
    subject = _("trace of server {number} of apply {name}").format(number=row.whole("server_id"), name=apply.name)
    values = {"sid": sid, "serial_number": serial_number}
    return Change(
        kind=SERVER_TRACED,
        subject=subject,
        original=_("off"),
        new=_("on, with waits and bind values"),
        details=(("sid", sid), ("serial_number", serial_number), ("apply", apply.name)),
        apply_sql=block_script(_("Begin the {subject}").format(subject=subject), where, "trace_on", values),
        undo_sql=block_script(_("End the {subject}").format(subject=subject), where, "trace_off", values, is_undo=True),
        needs_consent=_("writes every statement of this session with its values into a trace file of the server"),
    )


class ServerTraced:
    """Traces one session; undo ends it, where that session still exists."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def is_applied(self, change: Change) -> bool:
        """Tell whether the session is traced."""
        rows = self._session.run("trace_state", End.DESTINATION, **_session_of(change))
        return bool(rows) and rows[0].text("sql_trace") == "ENABLED"

    def is_undone(self, change: Change) -> bool:
        """Tell whether the session is traced no more, or gone."""
        return not self.is_applied(change)

    def apply(self, change: Change) -> None:
        """Begin the trace and read back that it runs."""
        self._session.run("trace_on", End.DESTINATION, **_session_of(change))
        if not self.is_applied(change):
            raise VerificationFailed(
                _("{subject} did not begin; the apply may have restarted its servers").format(subject=change.subject)
            )

    def undo(self, change: Change) -> None:
        """End the trace and read back that it has ended, unless it has."""
        if self.is_undone(change):
            return
        self._session.run("trace_off", End.DESTINATION, **_session_of(change))
        if not self.is_undone(change):
            raise VerificationFailed(_("{subject} still runs").format(subject=change.subject))


def _session_of(change: Change) -> dict[str, int]:
    return {"sid": int(change.detail("sid")), "serial_number": int(change.detail("serial_number"))}


def _technology(change: Change) -> Technology:
    return Technology(str(change.detail("technology")))
