"""Availability groups as nodes of the tree: groups with replicas and databases, and the instance beside them."""

from app.domain.server_versions import named_version
from app.domain.setting import value_text
from app.domain.units import convert
from app.flows.topology_tree import Facts, Node
from app.foundation.texts import _, local_number
from app.systems.availability_groups.groups import (
    AvailabilityGroup,
    GroupTopology,
    Replica,
    ServerDatabase,
    automatic_text,
    mode_text,
    reads_text,
    role_text,
)
from app.systems.availability_groups.tables import (
    databases_table,
    group_facts,
    replicas_table,
    states_table,
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
        facts=group_facts(group),
        children=(
            *(_replica(topology, group, replica) for replica in group.replicas),
            *(_database(topology, group, name) for name in group.database_names()),
        ),
        details=replicas_table(group),
    )


def _replica(topology: GroupTopology, group: AvailabilityGroup, replica: Replica) -> Node:
    title = _("Replica {server}, {role}").format(server=replica.server, role=role_text(replica.role))
    facts: Facts = (
        (_("Role"), role_text(replica.role)),
        (_("Commits"), mode_text(replica.mode)),
        (_("Failover"), automatic_text(replica.failover_mode)),
        (_("Seeding"), automatic_text(replica.seeding_mode)),
        (_("Connected"), _("yes") if replica.is_connected else _("no")),
        (_("May be read by"), reads_text(replica.reads)),
        *(((_("Reads are routed to"), replica.reads_routed_to),) if replica.reads_routed_to else ()),
        *(((_("Writes are routed to"), replica.writes_routed_to),) if replica.writes_routed_to else ()),
        *server_facts(topology, replica.server),
    )
    return Node(
        f"replica/{group.name}/{replica.server}",
        _REPLICA,
        title,
        _("Replica of {group} at {server}").format(group=group.name, server=replica.server),
        facts,
        details=states_table([state for state in group.databases if state.server == replica.server]),
    )


def server_facts(topology: GroupTopology, name: str) -> Facts:
    """Return a server's facts: version, trace flags and disks, or why it could not be asked."""
    facts: list[tuple[str, str]] = []
    server = topology.server_named(name)
    if server is not None:
        facts += [
            (_("Version"), named_version(server.version)),
            (_("Edition"), server.edition),
            (_("Logical processors"), value_text(server.cpu_count)),
        ]
        flags = [str(flag) for where, flag in topology.trace_flags if where == name]
        facts.append((_("Trace flags set globally"), ", ".join(flags) or _("none that matters here")))
    facts += [
        (
            _("Free on {volume}").format(volume=v.volume),
            _("{free:,.0f} of {total:,.0f} GB").format(
                free=convert(v.free_mb, "MB", "GB"), total=convert(v.total_mb, "MB", "GB")
            ),
        )
        for v in topology.volumes
        if v.server == name
    ]
    facts += [(_("Did not answer"), why) for where, why in topology.unreachable if where == name]
    return tuple(facts)


def _database(topology: GroupTopology, group: AvailabilityGroup, name: str) -> Node:
    named = next((database for database in topology.databases if database.name == name), None)
    return Node(
        f"group_database/{group.name}/{name}",
        _DATABASE,
        _("Database {name}").format(name=name),
        _("Database {name} of {group}").format(name=name, group=group.name),
        ((_("Availability group"), group.name), *(_database_facts(named) if named is not None else ())),
        details=states_table([state for state in group.databases if state.database == name]),
    )


def _database_facts(database: ServerDatabase) -> Facts:
    return (
        (_("State"), database.state),
        (_("Recovery model"), database.recovery_model),
        (_("Size"), local_number(f"{database.size_mb:,.0f} MB")),
        (_("Log"), _log(database)),
        (_("Encrypted"), _("yes") if database.is_encrypted else _("no")),
    )


def _log(database: ServerDatabase) -> str:
    if database.log_used_share is None:
        return local_number(f"{database.log_size_mb:,.0f} MB")
    return _("{size:,.0f} MB, {used:.0f} % used").format(size=database.log_size_mb, used=100 * database.log_used_share)


def _instance(topology: GroupTopology) -> Node:
    name = topology.connected_to
    title = _("Instance {name}").format(name=name)
    return Node(
        f"instance/{name}",
        _SERVER,
        title,
        title,
        server_facts(topology, name),
        details=databases_table(topology.databases),
    )
