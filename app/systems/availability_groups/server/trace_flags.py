"""Trace flags, always with the scope -1 of the whole instance, and left exactly as they were found."""

from typing import Final

from app.domain.change import Change
from app.domain.declared_change import Call, Declaration, Declared, Details, Run, Scope, Words
from app.domain.errors import BadInput
from app.drivers.sqlserver.executor import At
from app.foundation.texts import _
from app.systems.availability_groups.server.executor import GroupExecutor

TRACE_FLAG: Final = "trace_flag"

# MicrosoftDocs/sql-docs tune-compression-for-availability-group.md
SETTABLE: Final = (1462, 9567, 9591, 9592)


def _read(run: Run[At], details: Details) -> bool:
    rows = run(Call("trace_flags", At(str(details["server"])), {}))
    return details["flag"] in [row.whole("flag") for row in rows]


def _set(_run: Run[At], details: Details, is_on: bool) -> tuple[Call[At], ...]:
    values = {"flag": details["flag"], "turn_on": int(is_on)}
    return (Call("set_trace_flag", At(str(details["server"])), values, compares=True),)


def _unread(change: Change, is_on: bool, _wanted: bool) -> str:
    return _("{subject} reads {found} after it was changed; look at DBCC TRACESTATUS there").format(
        subject=change.subject, found=_state(is_on)
    )


def _state(is_on: bool) -> str:
    return _("set globally") if is_on else _("not set")


DECLARED: Final = Declaration[At, bool](
    kind=TRACE_FLAG,
    scope=Scope.INSTANCE,
    read=_read,
    set=_set,
    original=lambda details: bool(details["original_on"]),
    new=lambda details: bool(details["new_on"]),
    words=Words(
        subject=lambda details: _("trace flag {flag} at {server}").format(**details),
        shown=_state,
        making=lambda subject, _value: _("Change {subject}").format(subject=subject),
        undoing=lambda subject, _value: _("Undo {subject}").format(subject=subject),
        unread=_unread,
        consent=lambda _details: _(
            "takes effect at once for every availability group of the instance, until it restarts"
        ),
    ),
    expected=int,
)


def plan_trace_flag(executor: GroupExecutor, server: str, flag: int, *, on: bool) -> tuple[Change, ...]:
    """Return the change of one flag, () where it is so already.

    Raises:
        BadInput: a flag this program does not set.
    """
    if flag not in SETTABLE:
        raise BadInput(
            _("trace flag {flag} is never set by this program; it sets {known} only").format(
                flag=flag, known=", ".join(str(settable) for settable in SETTABLE)
            )
        )
    declared = Declared(DECLARED, executor)
    is_on = declared.read({"server": server, "flag": flag})
    if is_on is on:
        return ()
    return (declared.plan((("server", server), ("flag", flag), ("original_on", int(is_on)), ("new_on", int(on)))),)
