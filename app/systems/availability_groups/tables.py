"""Replicas, databases and their states as tables, described once for window, report and terminal."""

from collections.abc import Sequence
from typing import Final

from app.domain.view import NO_VALUE, Column, TableContent, text_cell
from app.foundation.texts import _
from app.model.shown import table_of, with_column
from app.systems.availability_groups.groups import (
    AvailabilityGroup,
    GroupTopology,
    Replica,
    ReplicaDatabase,
    ServerDatabase,
)

ROLES: Final = {"Primary": _("primary"), "Secondary": _("secondary")}
"""What the roles of servers are called."""


def group_facts(group: AvailabilityGroup) -> tuple[tuple[str, str], ...]:
    """Return a group's properties and requirements, name and value."""
    special = (
        (group.is_basic, _("Basic")),
        (group.is_contained, _("Contained")),
        (group.is_distributed, _("Distributed")),
    )
    kind = ", ".join(word for is_so, word in special if is_so) or _("ordinary")
    return (
        (_("Primary replica"), group.primary),
        (_("Kind"), kind),
        (_("Databases"), ", ".join(group.database_names()) or NO_VALUE),
        (_("Cluster"), group.cluster_type.upper() if group.cluster_type == "wsfc" else group.cluster_type),
        (_("Listeners"), ", ".join(group.listeners) or NO_VALUE),
        (_("Synchronized secondaries required to commit"), f"{group.required_synchronized_secondaries}"),
    )


def replicas_table(group: AvailabilityGroup) -> TableContent:
    """Return the replicas of a group with how each commits, and how its databases stand."""
    states = [text_cell(_states(group, replica.server) or NO_VALUE) for replica in group.replicas]
    table = table_of(Replica, group.replicas, lambda replica: replica.server)
    return with_column(table, Column("states", _("State of its databases"), width=1.8), states)


def _states(group: AvailabilityGroup, server: str) -> str:
    return ", ".join(sorted({d.synchronization_state for d in group.databases if d.server == server}))


def states_table(states: Sequence[ReplicaDatabase]) -> TableContent:
    """Return databases at replicas with how each is synchronized."""
    return table_of(ReplicaDatabase, states, lambda state: f"{state.server}/{state.database}")


def databases_table(databases: Sequence[ServerDatabase]) -> TableContent:
    """Return the databases of an instance, in a group or standalone."""
    return table_of(ServerDatabase, databases, lambda database: database.name)


def options_text(topology: GroupTopology) -> str:
    """Return what each server's options are, "" where none has any: before SQL Server 2025."""
    return "; ".join(f"{server}: {option.name} {option.in_use}" for server, option in topology.options)
