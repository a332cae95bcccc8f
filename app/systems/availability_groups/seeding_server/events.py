"""The extended events session on seeding: made and started as one change, dropped by its undo."""

from typing import Final

from app.domain.change import Change
from app.domain.declared_change import Call, Declaration, Details, Run, Scope, Words
from app.drivers.sqlserver.executor import At
from app.foundation.texts import _

EVENT_SESSION: Final = "event_session"


def _read(run: Run[At], details: Details) -> bool | None:
    """Tell whether an event session runs, None where it does not exist."""
    rows = run(Call("event_session", At(str(details["server"])), {"session_name": details["session_name"]}))
    return rows[0].whole("is_running") == 1 if rows else None


def _set(_run: Run[At], details: Details, is_running: bool | None) -> tuple[Call[At], ...]:
    statement = "start_event_session" if is_running else "drop_event_session"
    return (Call(statement, At(str(details["server"])), {"session_name": details["session_name"]}),)


def _unread(change: Change, _found: bool | None, wanted: bool | None) -> str:
    if wanted is None:
        return _("{subject} is still there; drop it by hand").format(subject=change.subject)
    return _("{subject} does not run after it was started; undo it and look at it").format(subject=change.subject)


DECLARED: Final = Declaration[At, bool | None](
    kind=EVENT_SESSION,
    scope=Scope.OBJECT,
    read=_read,
    set=_set,
    original=lambda _details: None,
    new=lambda _details: True,
    words=Words(
        subject=lambda details: _("extended events session {name} at {server}").format(
            name=details["session_name"], server=details["server"]
        ),
        shown=lambda is_running: _("running") if is_running else _("none"),
        making=lambda subject, _value: _("Create and start the {subject}").format(subject=subject),
        undoing=lambda subject, _value: _("Drop the {subject}").format(subject=subject),
        unread=_unread,
        consent=lambda _details: _("keeps up to 4 MB of events in memory; no file is written"),
    ),
)
