"""Replicas, databases and their states as tables, described once for window, report and terminal."""

from collections.abc import Sequence
from typing import Final

from app.domain.view import NO_VALUE, Column, Row, TableContent, number_cell, text_cell
from app.foundation.texts import _
from app.systems.availability_groups.groups import AvailabilityGroup, CommitMode, ReplicaDatabase, ServerDatabase

ROLES: Final = {"Primary": _("primary"), "Secondary": _("secondary")}
"""What the roles of servers are called."""


def mode_text(mode: CommitMode) -> str:
    """Return an availability mode as a person calls it."""
    return {
        CommitMode.ASYNCHRONOUS: _("asynchronous"),
        CommitMode.SYNCHRONOUS: _("synchronous"),
        CommitMode.STANDALONE: _("standalone"),
        CommitMode.CONFIGURATION_ONLY: _("configuration only"),
        CommitMode.UNKNOWN: _("unknown, left alone"),
    }[mode]


def role_text(role: str) -> str:
    """Return the role of a replica in words; another word of the server's as it is."""
    return {"primary": _("primary"), "secondary": _("secondary")}.get(role, role)


def automatic_text(mode: str) -> str:
    """Return whether a failover or a seeding needs a person in words; "–" where the version does not say."""
    return {"automatic": _("automatic"), "manual": _("manual")}.get(mode, mode) or NO_VALUE


def yes_no(*, value: bool) -> str:
    """Return whether something is so."""
    return _("yes") if value else _("no")


def group_facts(group: AvailabilityGroup) -> tuple[tuple[str, str], ...]:
    """Return what a group is and requires, name and value."""
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
    columns = (
        Column("server", _("Replica"), width=1.6),
        Column("role", _("Role"), width=1),
        Column("mode", _("Commits"), width=1.3),
        Column("failover", _("Failover"), width=1),
        Column("seeding", _("Seeding"), width=1),
        Column("connected", _("Connected")),
        Column("states", _("State of its databases"), width=1.8),
    )
    rows = (
        Row(
            replica.server,
            (
                text_cell(replica.server),
                text_cell(role_text(replica.role)),
                text_cell(mode_text(replica.mode)),
                text_cell(automatic_text(replica.failover_mode)),
                text_cell(automatic_text(replica.seeding_mode)),
                text_cell(yes_no(value=replica.is_connected)),
                text_cell(_states(group, replica.server) or NO_VALUE),
            ),
        )
        for replica in group.replicas
    )
    return TableContent(columns, tuple(rows))


def _states(group: AvailabilityGroup, server: str) -> str:
    return ", ".join(sorted({d.synchronization_state for d in group.databases if d.server == server}))


def states_table(states: Sequence[ReplicaDatabase]) -> TableContent:
    """Return databases at replicas with how each is synchronized."""
    columns = (
        Column("server", _("Replica")),
        Column("database", _("Database")),
        Column("state", _("Synchronization")),
        Column("ready", _("Ready for failover")),
        Column("suspended", _("Data movement")),
    )
    rows = (
        Row(
            f"{state.server}/{state.database}",
            (
                text_cell(state.server),
                text_cell(state.database),
                text_cell(state.synchronization_state),
                text_cell(yes_no(value=state.is_failover_ready)),
                text_cell(_("suspended") if state.is_suspended else _("running")),
            ),
        )
        for state in states
    )
    return TableContent(columns, tuple(rows))


def databases_table(databases: Sequence[ServerDatabase]) -> TableContent:
    """Return the databases of an instance, in a group or standalone."""
    columns = (
        Column("name", _("Database"), width=1.6),
        Column("group", _("Availability group"), width=1.4),
        Column("state", _("State")),
        Column("recovery", _("Recovery model"), width=1.2),
        Column("size", _("Size"), "MB", is_number=True),
        Column("log", _("Log"), "MB", is_number=True),
        Column("used", _("Log used"), "%", is_number=True),
        Column("encrypted", _("Encrypted")),
    )
    rows = (
        Row(
            d.name,
            (
                text_cell(d.name),
                text_cell(d.group or _("none")),
                text_cell(d.state),
                text_cell(d.recovery_model),
                number_cell(d.size_mb),
                number_cell(d.log_size_mb),
                number_cell(None if d.log_used_share is None else 100 * d.log_used_share),
                text_cell(yes_no(value=d.is_encrypted)),
            ),
        )
        for d in databases
    )
    return TableContent(columns, tuple(rows))
