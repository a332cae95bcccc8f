"""Availability groups as nodes of the tree: groups with replicas and databases, and the instance beside them."""

from app.flows.table_view import NO_VALUE, Column, Row, TableContent, number_cell, text_cell
from app.flows.topology_tree import Facts, Node
from app.foundation.texts import _, local_number
from app.systems.availability_groups.groups import (
    AvailabilityGroup,
    CommitMode,
    GroupTopology,
    Replica,
    ReplicaDatabase,
    ServerDatabase,
)

_GROUP, _REPLICA, _DATABASE, _SERVER = "group", "replica", "database", "server"


def groups_tree(topology: GroupTopology) -> tuple[Node, ...]:
    """Return each group with its replicas and databases, then the databases in no group."""
    return (*(_group(topology, group) for group in topology.groups), _instance(topology))


def _group(topology: GroupTopology, group: AvailabilityGroup) -> Node:
    title = _("Availability group {name}").format(name=group.name)
    return Node(
        key=f"group/{group.name}",
        kind=_GROUP,
        title=title,
        heading=title,
        facts=_group_facts(group),
        children=(
            *(_replica(topology, group, replica) for replica in group.replicas),
            *(_database(topology, group, name) for name in group.database_names()),
        ),
        details=_replicas_table(group),
    )


def _group_facts(group: AvailabilityGroup) -> Facts:
    special = (
        (group.is_basic, _("Basic")),
        (group.is_contained, _("Contained")),
        (group.is_distributed, _("Distributed")),
    )
    kind = ", ".join(word for is_so, word in special if is_so) or _("ordinary")
    return (
        (_("Primary replica"), group.primary),
        (_("Kind"), kind),
        (_("Cluster"), group.cluster_type),
        (_("Listeners"), ", ".join(group.listeners) or NO_VALUE),
        (_("Synchronized secondaries required to commit"), f"{group.required_synchronized_secondaries}"),
    )


def mode_text(mode: CommitMode) -> str:
    """Return an availability mode as a person calls it."""
    return {
        CommitMode.ASYNCHRONOUS: _("asynchronous"),
        CommitMode.SYNCHRONOUS: _("synchronous"),
        CommitMode.STANDALONE: _("standalone"),
    }[mode]


def _replicas_table(group: AvailabilityGroup) -> TableContent:
    columns = (
        Column("server", _("Replica")),
        Column("role", _("Role")),
        Column("mode", _("Commits")),
        Column("failover", _("Failover")),
        Column("seeding", _("Seeding")),
        Column("connected", _("Connected")),
    )
    rows = (
        Row(
            replica.server,
            (
                text_cell(replica.server),
                text_cell(replica.role),
                text_cell(mode_text(replica.mode)),
                text_cell(replica.failover_mode),
                text_cell(replica.seeding_mode or NO_VALUE),
                text_cell(_yes_no(value=replica.is_connected)),
            ),
        )
        for replica in group.replicas
    )
    return TableContent(columns, tuple(rows))


def _replica(topology: GroupTopology, group: AvailabilityGroup, replica: Replica) -> Node:
    title = _("Replica {server}, {role}").format(server=replica.server, role=replica.role)
    facts: Facts = (
        (_("Role"), replica.role),
        (_("Commits"), mode_text(replica.mode)),
        (_("Failover"), replica.failover_mode),
        (_("Seeding"), replica.seeding_mode or NO_VALUE),
        (_("Connected"), _yes_no(value=replica.is_connected)),
        *server_facts(topology, replica.server),
    )
    return Node(
        f"replica/{group.name}/{replica.server}",
        _REPLICA,
        title,
        _("Replica of {group} at {server}").format(group=group.name, server=replica.server),
        facts,
        details=_states_table([state for state in group.databases if state.server == replica.server]),
    )


def server_facts(topology: GroupTopology, name: str) -> Facts:
    """Return what is known of a server: version, trace flags and disks, or why it could not be asked."""
    facts: list[tuple[str, str]] = []
    server = topology.server_named(name)
    if server is not None:
        facts += [
            (_("Version"), server.version),
            (_("Edition"), server.edition),
            (_("Logical processors"), local_number(f"{server.cpu_count:,}")),
        ]
        flags = [str(flag) for where, flag in topology.trace_flags if where == name]
        facts.append((_("Trace flags set globally"), ", ".join(flags) or _("none of those that matter here")))
    facts += [
        (
            _("Free on {volume}").format(volume=v.volume),
            _("{free:,.0f} of {total:,.0f} GB").format(free=v.free_mb / 1024, total=v.total_mb / 1024),
        )
        for v in topology.volumes
        if v.server == name
    ]
    facts += [(_("Could not be asked"), why) for where, why in topology.unreachable if where == name]
    return tuple(facts)


def _database(topology: GroupTopology, group: AvailabilityGroup, name: str) -> Node:
    named = next((database for database in topology.databases if database.name == name), None)
    return Node(
        f"group_database/{group.name}/{name}",
        _DATABASE,
        _("Database {name}").format(name=name),
        _("Database {name} of {group}").format(name=name, group=group.name),
        ((_("Availability group"), group.name), *(_database_facts(named) if named is not None else ())),
        details=_states_table([state for state in group.databases if state.database == name]),
    )


def _database_facts(database: ServerDatabase) -> Facts:
    return (
        (_("State"), database.state),
        (_("Recovery model"), database.recovery_model),
        (_("Size"), local_number(f"{database.size_mb:,.0f} MB")),
        (
            _("Log"),
            _("{size:,.0f} MB, {used:.0f} % used").format(
                size=database.log_size_mb, used=100 * database.log_used_share
            ),
        ),
        (_("Encrypted"), _yes_no(value=database.is_encrypted)),
    )


def _states_table(states: list[ReplicaDatabase]) -> TableContent:
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
                text_cell(_yes_no(value=state.is_failover_ready)),
                text_cell(_("suspended") if state.is_suspended else _("running")),
            ),
        )
        for state in states
    )
    return TableContent(columns, tuple(rows))


def _instance(topology: GroupTopology) -> Node:
    name = topology.connected_to
    title = _("Instance {name}").format(name=name)
    return Node(
        f"instance/{name}",
        _SERVER,
        title,
        title,
        server_facts(topology, name),
        details=_databases_table(topology.databases),
    )


def _databases_table(databases: tuple[ServerDatabase, ...]) -> TableContent:
    columns = (
        Column("name", _("Database")),
        Column("group", _("Availability group")),
        Column("recovery", _("Recovery model")),
        Column("size", _("Size"), "MB", is_number=True),
        Column("log", _("Log"), "MB", is_number=True),
        Column("used", _("Log used"), "%", is_number=True),
    )
    rows = (
        Row(
            d.name,
            (
                text_cell(d.name),
                text_cell(d.group or _("none")),
                text_cell(d.recovery_model),
                number_cell(d.size_mb),
                number_cell(d.log_size_mb),
                number_cell(100 * d.log_used_share),
            ),
        )
        for d in databases
    )
    return TableContent(columns, tuple(rows))


def _yes_no(*, value: bool) -> str:
    return _("yes") if value else _("no")
