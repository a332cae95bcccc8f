"""Server options of SQL Server 2025 on grouping commits: read, set with RECONFIGURE, and put back as they were found.

RECONFIGURE puts into effect whatever anybody has set before; where another option waits for it, nothing is sent. The
option is an advanced one: it can be set while `show advanced options` is 1 only, which is a change of its own.
"""

from collections.abc import Iterator
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
from app.drivers.sqlserver.executor import At
from app.drivers.sqlserver.session import Session
from app.foundation.texts import _
from app.model.reading import read_as
from app.systems.availability_groups.groups import COMMIT_TIME, SHOW_ADVANCED, ServerOption
from app.systems.availability_groups.server.executor import GroupExecutor
from app.systems.availability_groups.server.replicas import master

SETTABLE: Final = (SHOW_ADVANCED, COMMIT_TIME)


def read_options(session: Session, server: str) -> tuple[ServerOption, ...]:
    """Read the options on grouping commits, and those of others that wait for RECONFIGURE; () where there are none."""
    return tuple(read_as(ServerOption, row) for row in session.run("server_options", master(server)))


def _read(run: Run[At], details: Details) -> int:
    rows = run(Call("server_options", At(str(details["server"])), {}))
    return next(row.whole("value") for row in rows if row.text("option_name") == details["option"])


def _set(_run: Run[At], details: Details, value: int) -> tuple[Call[At], ...]:
    values = {"option_name": details["option"], "value": value}
    return (Call("set_server_option", At(str(details["server"])), values, compares=True),)


def _consent(details: Details) -> str:
    if details["option"] == SHOW_ADVANCED:
        return _("changes what sp_configure shows and nothing else; the option of the trials cannot be set without it")
    return _("takes effect at once for every availability group of the instance")


DECLARED: Final = Declaration[At, int](
    kind="server_option",
    scope=Scope.INSTANCE,
    read=_read,
    set=_set,
    original=lambda details: int(details["original_value"]),
    new=lambda details: int(details["new_value"]),
    words=Words(
        subject=lambda details: _('the server option "{option}" at {server}').format(**details),
        shown=str,
        making=lambda subject, value: _("Set {subject} to {value}").format(subject=subject, value=value),
        undoing=lambda subject, value: _("Set {subject} back to {value}").format(subject=subject, value=value),
        unread=lambda change, found, wanted: reads_otherwise(change, str(found), str(wanted)),
        consent=_consent,
        others=lambda change, found: changed_by_others(change, str(found)),
    ),
    expected=int,
)


def plan_commit_time(executor: GroupExecutor, server: str, commit_ms: int) -> Iterator[Change]:
    """Yield the changes that let a server group commits for so long, 0 for its own choice; nothing where it does."""
    declared = Declared(DECLARED, executor)
    wanted = {COMMIT_TIME: commit_ms}
    if declared.read({"server": server, "option": COMMIT_TIME}) != commit_ms:
        wanted = {SHOW_ADVANCED: 1, **wanted}
    for option, value in wanted.items():
        original = declared.read({"server": server, "option": option})
        if original != value:
            about = (("server", server), ("option", option))
            yield declared.plan((*about, ("original_value", original), ("new_value", value)))
