"""Changes of a replica's availability and failover mode, made at whichever server is primary."""

from collections.abc import Iterator
from typing import Final

from app.domain.change import Change
from app.domain.errors import VerificationFailed
from app.drivers.sqlserver.scripts import literal, only_at_primary, statement_script
from app.drivers.sqlserver.session import Session
from app.foundation.clock import Clock
from app.foundation.rows import Row
from app.foundation.texts import _
from app.systems.availability_groups.groups import AvailabilityGroup, CommitMode, Replica
from app.systems.availability_groups.server.replicas import GroupPlace, Primaries, failed_over, group_place, master

AVAILABILITY_MODE: Final = "availability_mode"
FAILOVER_MODE: Final = "failover_mode"

SYNCHRONIZE_LIMIT_S: Final = 3_600.0
POLL_S: Final = 1.0

_SQL_MODES: Final = {
    CommitMode.ASYNCHRONOUS: "ASYNCHRONOUS_COMMIT",
    CommitMode.SYNCHRONOUS: "SYNCHRONOUS_COMMIT",
}
_STATEMENTS: Final = {AVAILABILITY_MODE: "set_availability_mode", FAILOVER_MODE: "set_failover_mode"}
_SYNCHRONOUS: Final = _SQL_MODES[CommitMode.SYNCHRONOUS]


def plan_modes(session: Session, group: AvailabilityGroup, replica: Replica, mode: CommitMode) -> Iterator[Change]:
    """Yield the changes that give a replica a mode, in order.

    On the way to asynchronous, automatic failover goes first, because it needs synchronous commit
    (MicrosoftDocs/sql-docs alter-availability-group-transact-sql); undone newest first, it comes back last.
    """
    if replica.mode is mode:
        return
    place = group_place(group.name, group.primary, (found.server for found in group.replicas))
    if mode is CommitMode.ASYNCHRONOUS and replica.failover_mode == "automatic":
        yield _mode_change(FAILOVER_MODE, place, replica.server, "AUTOMATIC", "MANUAL", 0)
    lagging = _row(session, place, group.primary, replica.server).whole("databases_not_synchronized")
    original = _SQL_MODES[replica.mode]
    yield _mode_change(
        AVAILABILITY_MODE, place, replica.server, original, _SQL_MODES[mode], lagging if original == _SYNCHRONOUS else 0
    )


def _mode_change(kind: str, place: GroupPlace, server: str, original: str, new: str, lagging: int) -> Change:
    subjects = {
        AVAILABILITY_MODE: _("availability mode of replica {server} in group {group}"),
        FAILOVER_MODE: _("failover mode of replica {server} in group {group}"),
    }
    subject = subjects[kind].format(server=server, group=place.group)

    def script(title: str, mode: str) -> str:
        values = {"group_name": place.group, "replica_server": server, "mode": mode}
        text = statement_script(title, place.home, "master", _STATEMENTS[kind], values, primary_of=place.group)
        return text + _waiting(place.group, server) if mode == _SYNCHRONOUS else text

    return Change(
        kind=kind,
        subject=subject,
        original=original,
        new=new,
        details=(
            *place.details(),
            ("replica", server),
            ("original_mode", original),
            ("new_mode", new),
            ("databases_lagging", lagging),
        ),
        apply_sql=script(
            _("Set the {subject} to {mode}; it takes effect at the primary replica only").format(
                subject=subject, mode=new
            ),
            new,
        ),
        undo_sql=script(
            _("Put back the {subject}; after a failover, run it at the new primary replica").format(subject=subject),
            original,
        ),
        needs_consent=_effect(kind, new),
    )


def _effect(kind: str, new: str) -> str:
    if kind == FAILOVER_MODE:
        return _("no automatic failover to this replica until it is put back")
    if new == _SYNCHRONOUS:
        return _("every commit in the group waits for this replica until it is put back")
    return _("a failover to this replica can lose data until it is put back")


def _waiting(group: str, server: str) -> str:
    """Return a batch that waits until each database of the replica is synchronized."""
    return (
        "-- Wait until every database of the replica is synchronized again.\n"
        f"{only_at_primary(group)}"
        "WHILE EXISTS (SELECT 1\n"
        "    FROM sys.availability_groups AS groups\n"
        "    JOIN sys.availability_replicas AS replicas ON replicas.group_id = groups.group_id\n"
        "    JOIN sys.dm_hadr_database_replica_states AS states ON states.replica_id = replicas.replica_id\n"
        f"    WHERE groups.name = {literal(group)} AND replicas.replica_server_name = {literal(server)}\n"
        "      AND replicas.availability_mode = 1 AND states.is_suspended = 0\n"
        "      AND states.synchronization_state_desc = N'SYNCHRONIZING')\n"
        "    WAITFOR DELAY '00:00:01';\nGO\n"
    )


def _row(session: Session, place: GroupPlace, primary: str, server: str) -> Row:
    rows = session.run("replica_mode", master(primary), group_name=place.group, replica_server=server)
    if not rows:
        raise VerificationFailed(
            _("group {group} no longer has the replica {server}; nothing is left to put back").format(
                group=place.group, server=server
            )
        )
    return rows[0]


class _Mode:
    """What both kinds share: the primary is looked for each time, the mode is set there and read back."""

    _kind: str

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._primaries = Primaries(session, clock)

    def apply(self, change: Change) -> None:
        """Set the new mode and read it back; raises FailedOver where another server is primary now."""
        place = GroupPlace.of(change)
        primary = self._primaries.find_home(place)
        self._set(change, primary, str(change.detail("new_mode")))

    def is_applied(self, change: Change) -> bool:
        """Tell whether the replica has the new mode."""
        return self._read(change) == str(change.detail("new_mode"))

    def is_undone(self, change: Change) -> bool:
        """Tell whether the replica has its original mode."""
        return self._read(change) == str(change.detail("original_mode"))

    def _set(self, change: Change, primary: str, mode: str) -> None:
        place = GroupPlace.of(change)
        rows = self._session.run(
            _STATEMENTS[self._kind],
            master(primary),
            group_name=place.group,
            replica_server=str(change.detail("replica")),
            mode=mode,
        )
        if rows[0].whole("is_primary") == 0:
            raise failed_over(place.group, primary, "")
        found = self._mode_of(self._found(change, primary))
        if found != mode:
            raise VerificationFailed(
                _("the {subject} reads {found} instead of {wanted}").format(
                    subject=change.subject, found=found, wanted=mode
                )
            )

    def _read(self, change: Change) -> str:
        return self._mode_of(self._found(change, self._primaries.find(GroupPlace.of(change))))

    def _found(self, change: Change, primary: str) -> Row:
        return _row(self._session, GroupPlace.of(change), primary, str(change.detail("replica")))

    def _mode_of(self, row: Row) -> str:
        raise NotImplementedError


class FailoverMode(_Mode):
    """Sets the failover mode of a replica; undo sets the original."""

    _kind = FAILOVER_MODE

    def undo(self, change: Change) -> None:
        """Put the original back, unless it is there."""
        primary = self._primaries.find(GroupPlace.of(change))
        original = str(change.detail("original_mode"))
        if self._mode_of(self._found(change, primary)) != original:
            self._set(change, primary, original)

    def _mode_of(self, row: Row) -> str:
        return row.text("failover_mode_desc")


class AvailabilityMode(_Mode):
    """Sets the availability mode of a replica; undo sets the original and waits until it is synchronized again."""

    _kind = AVAILABILITY_MODE

    def __init__(self, session: Session, clock: Clock) -> None:
        super().__init__(session, clock)
        self._clock = clock

    def undo(self, change: Change) -> None:
        """Put the original back, unless it is there; a synchronous replica has to be synchronized again.

        Raises:
            VerificationFailed: the mode is not back, or it is and the databases do not synchronize in time.
        """
        primary = self._primaries.find(GroupPlace.of(change))
        original = str(change.detail("original_mode"))
        if self._mode_of(self._found(change, primary)) != original:
            self._set(change, primary, original)
        if original == _SYNCHRONOUS:
            self._await_synchronized(change, primary)

    def is_undone(self, change: Change) -> bool:
        """Tell whether the original mode is back and, where it is synchronous, the databases are synchronized."""
        row = self._found(change, self._primaries.find(GroupPlace.of(change)))
        original = str(change.detail("original_mode"))
        return self._mode_of(row) == original and (original != _SYNCHRONOUS or _is_caught_up(change, row))

    def _await_synchronized(self, change: Change, primary: str) -> None:
        until_s = self._clock.monotonic_s() + SYNCHRONIZE_LIMIT_S
        while not _is_caught_up(change, self._found(change, primary)):
            if self._clock.monotonic_s() >= until_s:
                raise VerificationFailed(
                    _(
                        "the {subject} is {mode} again, but its databases are not synchronized after {limit:.0f} s; "
                        "look whether data movement is suspended, then restore again"
                    ).format(subject=change.subject, mode=change.original, limit=SYNCHRONIZE_LIMIT_S)
                )
            self._clock.sleep(POLL_S)

    def _mode_of(self, row: Row) -> str:
        return _SYNCHRONOUS if row.whole("availability_mode") == 1 else _SQL_MODES[CommitMode.ASYNCHRONOUS]


def _is_caught_up(change: Change, row: Row) -> bool:
    """A database that was not synchronized before, such as a suspended one, need not be afterwards."""
    return row.whole("databases_not_synchronized") <= int(change.detail("databases_lagging"))
