"""The ports of availability groups on a target, typed, and who makes the changes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.domain.change import Change, StillRunning
from app.domain.change_kinds import ChangesByKind
from app.domain.target import Connection, Offer, Target
from app.drivers.sqlserver.session import Session
from app.foundation.clock import Clock
from app.runner.by_hand import HandGate
from app.systems.availability_groups.seeding_server import (
    SEEDING_CHANGE_KINDS,
    SEEDING_MARKS,
    SqlServerSeeding,
    seeding_kinds,
)
from app.systems.availability_groups.server import GROUP_CHANGE_KINDS, GROUP_MARKS, SqlServerGroups, group_kinds
from app.systems.availability_groups.subjects import CAPABILITIES, SYSTEM_ID

CHANGE_KINDS: Final = (*GROUP_CHANGE_KINDS, *SEEDING_CHANGE_KINDS)
_MARKS: Final = {**GROUP_MARKS, **SEEDING_MARKS}


@dataclass(frozen=True)
class GroupPorts:
    """The ports for experiments with availability groups."""

    groups: SqlServerGroups
    seeding: SqlServerSeeding


def group_ports(target: Target) -> GroupPorts:
    """Return the ports of a target; raises Unsupported where it offers none."""
    ports: GroupPorts = target.ports(SYSTEM_ID)
    return ports


def offer_groups(connection: Connection) -> Offer:
    """Return the ports of an instance that may hold replicas."""
    session, clock = connection.session, connection.clock
    ports = GroupPorts(SqlServerGroups(session, clock), SqlServerSeeding(session, clock))
    return Offer(frozenset(CAPABILITIES), ports, GroupChanges(session, clock), frozenset(CHANGE_KINDS), _MARKS)


def offer_by_hand(connection: Connection, gate: HandGate) -> Offer:
    """Return the ports of an instance where the client's DBA makes every change."""
    offered = offer_groups(connection)
    return replace(offered, changes=gate.changes(offered.changes))


class GroupChanges(ChangesByKind):
    """Changes on availability groups, through named statements; knows nothing of the journal."""

    def __init__(self, session: Session, clock: Clock) -> None:
        super().__init__({**group_kinds(session, clock), **seeding_kinds(session, clock)})

    def quiesce(self, _changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Stop nothing: changes of a group count at once."""
        return ()

    def plan_quiesce(self, _changes: Sequence[Change]) -> tuple[Change, ...]:
        """Plan nothing, as `quiesce`."""
        return ()
