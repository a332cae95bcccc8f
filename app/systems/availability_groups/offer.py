"""What a target offers of availability groups: its ports, typed, and who makes the changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.change import Change, StillRunning
from app.domain.errors import Unsupported
from app.domain.target import Connection, Offer, Target
from app.drivers.sqlserver.session import Session
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.runner.by_hand import HandGate
from app.systems.availability_groups.copies import DatabaseSeeding
from app.systems.availability_groups.groups import AvailabilityGroups
from app.systems.availability_groups.seeding_server import SEEDING_CHANGE_KINDS, SqlServerSeeding, seeding_kinds
from app.systems.availability_groups.server import GROUP_CHANGE_KINDS, SqlServerGroups, group_kinds
from app.systems.availability_groups.server.kinds import Kind
from app.systems.availability_groups.subjects import CAPABILITIES, SYSTEM_ID

CHANGE_KINDS: Final = (*GROUP_CHANGE_KINDS, *SEEDING_CHANGE_KINDS)


@dataclass(frozen=True)
class GroupPorts:
    """What experiments with availability groups work with."""

    groups: AvailabilityGroups
    seeding: DatabaseSeeding


def group_ports(target: Target) -> GroupPorts:
    """Return the ports of a target; raises Unsupported where it offers none."""
    ports: GroupPorts = target.ports(SYSTEM_ID)
    return ports


def offer_groups(connection: Connection) -> Offer:
    """Return what an instance offers that may hold replicas."""
    session, clock = connection.session, connection.clock
    ports = GroupPorts(SqlServerGroups(session, clock), SqlServerSeeding(session, clock))
    return Offer(frozenset(CAPABILITIES), ports, GroupChanges(session, clock), frozenset(CHANGE_KINDS))


def offer_by_hand(connection: Connection, gate: HandGate) -> Offer:
    """Return what an instance offers where the client's DBA makes every change."""
    offered = offer_groups(connection)
    return Offer(offered.capabilities, offered.ports, gate.changes(offered.changes), offered.kinds)


class GroupChanges:
    """Changes on availability groups, through named statements; knows nothing of the journal."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._kinds: dict[str, Kind] = {**group_kinds(session, clock), **seeding_kinds(session, clock)}

    def quiesce(self, _changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Stop nothing: what is changed of a group counts at once."""
        return ()

    def plan_quiesce(self, _changes: Sequence[Change]) -> tuple[Change, ...]:
        """Plan nothing, as `quiesce`."""
        return ()

    def apply(self, change: Change) -> None:
        """Send the change and read it back; raises VerificationFailed where it reads otherwise."""
        self._kind(change).apply(change)

    def undo(self, change: Change) -> None:
        """Put the original back and read it back; does nothing where it is already there."""
        self._kind(change).undo(change)

    def is_applied(self, change: Change) -> bool:
        """Tell, by reading only, whether the change is in effect, whoever made it."""
        return self._kind(change).is_applied(change)

    def is_undone(self, change: Change) -> bool:
        """Tell, by reading only, whether the original is in effect, whoever put it back."""
        return self._kind(change).is_undone(change)

    def _kind(self, change: Change) -> Kind:
        kind = self._kinds.get(change.kind)
        if kind is None:
            raise Unsupported(_('availability groups know no changes of kind "{kind}"').format(kind=change.kind))
        return kind
