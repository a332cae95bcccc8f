"""Trace flags, always with the scope -1 of the whole instance, and left exactly as they were found."""

from typing import Final

from app.domain.change import Change
from app.domain.errors import BadInput, VerificationFailed
from app.drivers.sqlserver.scripts import statement_script
from app.drivers.sqlserver.session import Session
from app.foundation.texts import _
from app.systems.availability_groups.server.discovery import read_trace_flags
from app.systems.availability_groups.server.replicas import master

TRACE_FLAG: Final = "trace_flag"

# MicrosoftDocs/sql-docs tune-compression-for-availability-group.md
SETTABLE: Final = (1462, 9567, 9591, 9592)


def plan_trace_flag(session: Session, server: str, flag: int, *, on: bool) -> tuple[Change, ...]:
    """Return the change of one flag, () where it is so already.

    Raises:
        BadInput: a flag this program does not set.
    """
    if flag not in SETTABLE:
        raise BadInput(
            _("trace flag {flag} is never set by this program; it sets {known} only").format(
                flag=flag, known=", ".join(str(known) for known in SETTABLE)
            )
        )
    is_on = flag in read_trace_flags(session, server)
    if is_on is on:
        return ()
    subject = _("trace flag {flag} at {server}").format(flag=flag, server=server)

    def script(title: str, turn_on: bool) -> str:
        values = {"flag": flag, "turn_on": int(turn_on)}
        return statement_script(title, server, "master", "set_trace_flag", values)

    return (
        Change(
            kind=TRACE_FLAG,
            subject=subject,
            original=_state(is_on),
            new=_state(on),
            details=(("server", server), ("flag", flag), ("original_on", int(is_on)), ("new_on", int(on))),
            apply_sql=script(_("Change {subject}").format(subject=subject), on),
            undo_sql=script(_("Put back {subject}").format(subject=subject), is_on),
            needs_consent=_("counts for every availability group of the instance, at once, until it restarts"),
        ),
    )


def _state(is_on: bool) -> str:
    return _("set globally") if is_on else _("not set")


class TraceFlag:
    """Sets or clears one flag at one server; undo does the opposite, wherever the primary is by then."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def apply(self, change: Change) -> None:
        """Change it and read it back."""
        self._set(change, int(change.detail("new_on")))

    def undo(self, change: Change) -> None:
        """Put the original back, unless it is there."""
        original = int(change.detail("original_on"))
        if self._read(change) != original:
            self._set(change, original)

    def is_applied(self, change: Change) -> bool:
        """Tell whether the flag is as the change makes it."""
        return self._read(change) == int(change.detail("new_on"))

    def is_undone(self, change: Change) -> bool:
        """Tell whether the flag is as it was found."""
        return self._read(change) == int(change.detail("original_on"))

    def _set(self, change: Change, turn_on: int) -> None:
        server = str(change.detail("server"))
        self._session.run("set_trace_flag", master(server), flag=int(change.detail("flag")), turn_on=turn_on)
        if self._read(change) != turn_on:
            raise VerificationFailed(
                _("{subject} reads {found} after it was changed; look at DBCC TRACESTATUS there").format(
                    subject=change.subject, found=_state(not turn_on)
                )
            )

    def _read(self, change: Change) -> int:
        return int(int(change.detail("flag")) in read_trace_flags(self._session, str(change.detail("server"))))
