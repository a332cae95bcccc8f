"""The extended events session on seeding: made and started as one change, dropped by its undo."""

from typing import Final

from app.domain.change import Change
from app.domain.errors import VerificationFailed
from app.drivers.sqlserver.scripts import statement_script
from app.drivers.sqlserver.session import Session
from app.foundation.texts import _
from app.systems.availability_groups.server.replicas import master

EVENT_SESSION: Final = "event_session"


def is_running(session: Session, server: str, name: str) -> bool | None:
    """Tell whether an event session runs, None where it does not exist."""
    rows = session.run("event_session", master(server), session_name=name)
    return rows[0].whole("is_running") == 1 if rows else None


def plan_session(server: str, name: str) -> Change:
    """Return the change that makes and starts the session at a server."""
    subject = _("extended events session {name} at {server}").format(name=name, server=server)

    def script(title: str, statement: str) -> str:
        return statement_script(title, server, "master", statement, {"session_name": name})

    return Change(
        kind=EVENT_SESSION,
        subject=subject,
        original=_("none"),
        new=_("running"),
        details=(("server", server), ("session_name", name)),
        apply_sql=script(_("Make and start the {subject}").format(subject=subject), "start_event_session"),
        undo_sql=script(_("Drop the {subject}").format(subject=subject), "drop_event_session"),
        needs_consent=_("keeps up to 4 MB of events in memory; no file is written"),
    )


class EventSession:
    """Makes and starts the session; undo drops it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def apply(self, change: Change) -> None:
        """Make and start it, read back that it runs."""
        self._run("start_event_session", change)
        if not self.is_applied(change):
            raise VerificationFailed(
                _("{subject} does not run after it was started; undo and look at it").format(subject=change.subject)
            )

    def undo(self, change: Change) -> None:
        """Drop it, unless it is gone."""
        if self.is_undone(change):
            return
        self._run("drop_event_session", change)
        if not self.is_undone(change):
            raise VerificationFailed(_("{subject} is still there; drop it by hand").format(subject=change.subject))

    def is_applied(self, change: Change) -> bool:
        """Tell whether it runs."""
        return self._state(change) is True

    def is_undone(self, change: Change) -> bool:
        """Tell whether it is gone."""
        return self._state(change) is None

    def _state(self, change: Change) -> bool | None:
        return is_running(self._session, str(change.detail("server")), str(change.detail("session_name")))

    def _run(self, statement: str, change: Change) -> None:
        server = str(change.detail("server"))
        self._session.run(statement, master(server), session_name=str(change.detail("session_name")))
