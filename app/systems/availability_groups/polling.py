"""Polling of a primary replica: every database of its groups."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.target import Target
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.readings import GroupSample


@dataclass(frozen=True)
class GroupsNow:
    """One reading: a sample by group and database, never none."""

    samples: Mapping[tuple[str, str], GroupSample]


def read_now(target: Target, topology: GroupTopology) -> GroupsNow | None:
    """Read every database of the groups whose primary is here; None where there is none.

    Raises:
        TargetError: a database cannot be read.
    """
    groups = group_ports(target).groups
    own = [group for group in topology.groups if group.primary == topology.connected_to]
    samples = {(group.name, name): groups.sample(group.name, name) for group in own for name in group.database_names()}
    return GroupsNow(samples) if samples else None
