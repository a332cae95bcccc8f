"""Changes of a replica's availability and failover mode, made at whichever server is primary."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.domain.change import Change
from app.domain.declared_change import Call, Declaration, Declared, Details, Run, Scope, Words
from app.domain.errors import VerificationFailed
from app.domain.setting import Value
from app.drivers.sqlserver.executor import At
from app.drivers.sqlserver.scripts import literal, stop
from app.foundation.rows import Row
from app.foundation.texts import _
from app.systems.availability_groups.enumerations import AVAILABILITY_MODE as AVAILABILITY_MODE_OF
from app.systems.availability_groups.groups import AvailabilityGroup, CommitMode, Replica
from app.systems.availability_groups.server.executor import AtPrimary, GroupExecutor
from app.systems.availability_groups.server.guards import only_at_primary
from app.systems.availability_groups.server.null_cells import OF_MODE, told
from app.systems.availability_groups.server.replicas import GroupPlace, group_place

AVAILABILITY_MODE: Final = "availability_mode"
FAILOVER_MODE: Final = "failover_mode"

SYNCHRONIZE_LIMIT_S: Final = 3_600.0
POLL_S: Final = 1.0

_SQL_MODES: Final = {
    CommitMode.ASYNCHRONOUS: "ASYNCHRONOUS_COMMIT",
    CommitMode.SYNCHRONOUS: "SYNCHRONOUS_COMMIT",
}
_SQL_WORDS: Final = {mode.value: word for mode, word in _SQL_MODES.items()}
_SYNCHRONOUS: Final = _SQL_MODES[CommitMode.SYNCHRONOUS]


@dataclass(frozen=True)
class _Mode:
    """A replica's availability mode, and how many of its databases are not synchronized, or may be that at most."""

    mode: str
    lagging: float


def _at(details: Details) -> At:
    return AtPrimary(place=GroupPlace.among(details))


def _row(run: Run[At], details: Details) -> Row:
    group, server = str(details["group"]), str(details["replica"])
    rows, _none = told(
        run(Call("replica_mode", _at(details), {"group_name": group, "replica_server": server})), OF_MODE
    )
    if not rows:
        raise VerificationFailed(
            _("group {group} no longer has the replica {server}; nothing is left to undo").format(
                group=group, server=server
            )
        )
    return rows[0]


def _call(statement: str, details: Details, mode: str) -> tuple[Call[At], ...]:
    values = {"group_name": details["group"], "replica_server": details["replica"], "mode": mode}
    return (Call(statement, _at(details), values, compares=True),)


def reads_mode(change: Change, mode_now: str, wanted: str) -> str:
    """Return the sentence on a mode that was set and does not read so."""
    return _("the {subject} reads {found} instead of {wanted}").format(
        subject=change.subject, found=mode_now, wanted=wanted
    )


def _making(subject: str, mode: str) -> str:
    return _("Set the {subject} to {mode}; it takes effect at the primary replica only").format(
        subject=subject, mode=mode
    )


def _undoing(subject: str, _mode: str) -> str:
    return _("Undo the {subject}; after a failover, run it at the new primary replica").format(subject=subject)


def _read_mode(run: Run[At], details: Details) -> _Mode:
    row = _row(run, details)
    mode = _SQL_WORDS.get(AVAILABILITY_MODE_OF.of(row), AVAILABILITY_MODE_OF.of(row))
    # behind a replica that went down nothing can be waited for: its mode is all there is to put back
    is_down = row.whole_or("connected_state", 1) == 0
    return _Mode(mode, 0 if is_down else row.whole("databases_not_synchronized"))


def _is_synchronized(mode: _Mode, wanted: _Mode) -> bool:
    """A database that was not synchronized before, such as a suspended one, need not be afterwards."""
    return mode.mode == wanted.mode and (wanted.mode != _SYNCHRONOUS or mode.lagging <= wanted.lagging)


def _mode_unread(change: Change, mode: _Mode, wanted: _Mode) -> str:
    if mode.mode != wanted.mode:
        return reads_mode(change, mode.mode, wanted.mode)
    return _(
        "the {subject} is {mode} again, but its databases are not synchronized after {limit:.0f} s; "
        "check whether data movement is suspended, then restore again"
    ).format(subject=change.subject, mode=wanted.mode, limit=SYNCHRONIZE_LIMIT_S)


def _waiting(details: Details, value: _Mode) -> str:
    """Return a batch that waits until each database of the replica is synchronized."""
    group, server = str(details["group"]), str(details["replica"])
    if value.mode != _SYNCHRONOUS:
        return ""
    not_yet = f"not synchronized after {SYNCHRONIZE_LIMIT_S:.0f} s: look whether data movement is suspended"
    return (
        "-- Wait until every database of the replica is synchronized again.\n"
        f"{only_at_primary(group)}"
        "DECLARE @waited_s int = 0;\n"
        f"WHILE @waited_s < {SYNCHRONIZE_LIMIT_S:.0f} AND EXISTS (SELECT 1\n"
        "    FROM sys.availability_groups AS groups\n"
        "    JOIN sys.availability_replicas AS replicas ON replicas.group_id = groups.group_id\n"
        "    JOIN sys.dm_hadr_database_replica_states AS states ON states.replica_id = replicas.replica_id\n"
        f"    WHERE groups.name = {literal(group)} AND replicas.replica_server_name = {literal(server)}\n"
        "      AND replicas.availability_mode = 1 AND states.is_suspended = 0\n"
        "      AND states.synchronization_state_desc = N'SYNCHRONIZING')\n"
        "BEGIN\n    WAITFOR DELAY '00:00:01';\n    SET @waited_s += 1;\nEND;\n"
        f"IF @waited_s >= {SYNCHRONIZE_LIMIT_S:.0f}\n    {stop(not_yet)}\nGO\n"
    )


def _mode_effect(details: Details) -> str:
    if details["new_mode"] == _SYNCHRONOUS:
        return _("every commit in the group waits for this replica until this is undone")
    return _("a failover to this replica can lose data until this is undone")


MODE_DECLARED: Final = Declaration[At, _Mode](
    kind=AVAILABILITY_MODE,
    scope=Scope.MEMBER,
    read=_read_mode,
    set=lambda _run, details, value: _call("set_availability_mode", details, value.mode),
    original=lambda details: _Mode(str(details["original_mode"]), int(details["databases_lagging"])),
    new=lambda details: _Mode(str(details["new_mode"]), math.inf),
    words=Words(
        subject=lambda d: _("availability mode of replica {server} in group {group}").format(
            server=d["replica"], group=d["group"]
        ),
        shown=lambda value: value.mode,
        making=_making,
        undoing=_undoing,
        unread=_mode_unread,
        consent=_mode_effect,
    ),
    same=_is_synchronized,
    is_set=lambda reading, wanted: reading.mode == wanted.mode,
    limit_s=SYNCHRONIZE_LIMIT_S,
    every_s=POLL_S,
    waiting=_waiting,
    expected=lambda reading: reading.mode,
)

FAILOVER_DECLARED: Final = Declaration[At, str](
    kind=FAILOVER_MODE,
    scope=Scope.MEMBER,
    read=lambda run, details: _row(run, details).text("failover_mode_desc"),
    set=lambda _run, details, mode: _call("set_failover_mode", details, mode),
    original=lambda details: str(details["original_mode"]),
    new=lambda details: str(details["new_mode"]),
    words=Words(
        subject=lambda d: _("failover mode of replica {server} in group {group}").format(
            server=d["replica"], group=d["group"]
        ),
        shown=str,
        making=_making,
        undoing=_undoing,
        unread=reads_mode,
        consent=lambda _details: _("no automatic failover to this replica until this is undone"),
    ),
    expected=str,
)


def plan_modes(
    executor: GroupExecutor, group: AvailabilityGroup, replica: Replica, mode: CommitMode
) -> Iterator[Change]:
    """Yield the changes that give a replica a mode, in order.

    On the way to asynchronous, automatic failover goes first, because it needs synchronous commit
    (MicrosoftDocs/sql-docs alter-availability-group-transact-sql); undone newest first, it comes back last.
    """
    if replica.mode is mode:
        return
    place = group_place(group.name, group.primary, (of_replica.server for of_replica in group.replicas))
    details: tuple[tuple[str, Value], ...] = (*place.details(), ("replica", replica.server))
    if mode is CommitMode.ASYNCHRONOUS and replica.failover_mode == "automatic":
        failover = (("original_mode", "AUTOMATIC"), ("new_mode", "MANUAL"), ("databases_lagging", 0))
        yield Declared(FAILOVER_DECLARED, executor).plan((*details, *failover))
    declared = Declared(MODE_DECLARED, executor)
    original = _SQL_MODES[replica.mode]
    lagging = declared.read(dict(details)).lagging if original == _SYNCHRONOUS else 0
    modes = (("original_mode", original), ("new_mode", _SQL_MODES[mode]), ("databases_lagging", int(lagging)))
    yield declared.plan((*details, *modes))
