"""The ports of availability groups on a target, typed, and who makes the changes."""

from dataclasses import dataclass
from functools import partial
from typing import Final

from app.domain.change_kinds import ChangesByKind
from app.domain.naming import Holds, HoldsByKey, words
from app.domain.system import Watched
from app.domain.target import Connection, Offer, Target
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.naming import GROUP
from app.systems.availability_groups.seeding_server import (
    SEEDING_CHANGE_KINDS,
    SEEDING_MARKS,
    SqlServerSeeding,
    seeding_kinds,
)
from app.systems.availability_groups.server import GROUP_CHANGE_KINDS, GROUP_MARKS, SqlServerGroups, group_kinds
from app.systems.availability_groups.subjects import CAPABILITIES, SYSTEM_ID

_DETAILS: Final = {
    **{"group": GROUP, "home": Holds.SERVER, "servers": Holds.SERVER, "server": Holds.SERVER},
    **{"replica": Holds.SERVER, "database": Holds.DATABASE},
    **words("original_mode", "new_mode", "owner", "option"),
}
CHANGE_DETAILS: Final[HoldsByKey] = dict.fromkeys((*GROUP_CHANGE_KINDS, *SEEDING_CHANGE_KINDS), _DETAILS)
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


def watched(target: Target, topology: GroupTopology) -> Watched:
    """Return how each database of the groups whose primary is here is read, by group and database."""
    keys = [(group.name, database) for group in topology.led_here() for database in group.database_names()]
    return {key: partial(group_ports(target).groups.sample, *key) for key in keys}


def offer_groups(connection: Connection) -> Offer:
    """Return the ports of an instance that may hold replicas."""
    session, clock = connection.session, connection.clock
    ports = GroupPorts(SqlServerGroups(session, clock), SqlServerSeeding(session, clock))
    changes = ChangesByKind({**group_kinds(session, clock), **seeding_kinds(session, clock)})
    return Offer(frozenset(CAPABILITIES), ports, changes, frozenset(CHANGE_DETAILS), _MARKS)
