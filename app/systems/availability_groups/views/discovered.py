"""The topology of availability groups, in one sentence and as lines of text."""

from collections.abc import Iterator

from app.flows.words import counted, sentence
from app.foundation.texts import _
from app.reporting.render.terminal import table_lines
from app.reporting.tables.servers import servers_table
from app.systems.availability_groups.enumerations import NO_CLUSTER
from app.systems.availability_groups.groups import AvailabilityGroup, GroupTopology, reads_text
from app.systems.availability_groups.tables import (
    ROLES,
    databases_table,
    options_text,
    replicas_table,
    states_table,
)


def reached(groups: GroupTopology | None) -> str:
    """Return in one sentence the servers reached, "" where there is nothing to say."""
    server = None if groups is None else groups.server_named(groups.connected_to)
    if groups is None or server is None:
        return ""
    return _("Reached: {name}, SQL Server {version}, {edition}; {groups}.").format(
        name=server.name,
        version=server.version,
        edition=server.edition,
        groups=counted(len(groups.groups), _("1 availability group"), _("{count} availability groups")),
    )


def not_asked(groups: GroupTopology) -> tuple[str, ...]:
    """Return one sentence for each server of a replica that could not be asked."""
    return tuple(
        _("{server} did not answer: {why}").format(server=server, why=sentence(why))
        for server, why in groups.unreachable
    )


def discovered_lines(topology: GroupTopology) -> list[str]:
    """Return servers, groups with their replicas and databases, then other databases."""
    lines = [_("Servers:"), *table_lines(servers_table(topology.servers, ROLES))]
    for group in topology.groups:
        lines += ["", *_group_lines(group)]
    lines += ["", _("Databases:"), *table_lines(databases_table(topology.databases))]
    flags = ", ".join(f"{flag} ({server})" for server, flag in topology.trace_flags) or _("none")
    lines.append(_("Trace flags set globally: {flags}").format(flags=flags))
    if options := options_text(topology):
        lines.append(_("Server options on grouping commits: {options}").format(options=options))
    lines += [f"  {server}: {why}" for server, why in topology.unreachable]
    lines += [f"  {caution}" for caution in topology.cautions()]
    return lines


def _group_lines(group: AvailabilityGroup) -> Iterator[str]:
    """Yield a group with its replicas and, below them, its databases at each."""
    words = _("Availability group {name}, primary {server}")
    if group.is_contained:
        words = _("Availability group {name} (contained), primary {server}")
    elif group.is_distributed:
        words = _("Availability group {name} (distributed), primary {server}")
    elif group.cluster_type == NO_CLUSTER:
        words = _("Availability group {name} (without a cluster), primary {server}")
    yield words.format(name=group.name, server=group.primary)
    yield from table_lines(replicas_table(group))
    yield from _routing_lines(group)
    yield from table_lines(states_table(sorted(group.databases, key=lambda d: (d.database, d.server))), "    ")


def _routing_lines(group: AvailabilityGroup) -> Iterator[str]:
    """Yield who may read at which replica, and the addresses that lead from one replica to another."""
    for replica in group.replicas:
        if replica.reads not in ("", "no"):
            words = _("  As a secondary {server} may be read by {whom}")
            yield words.format(server=replica.server, whom=reads_text(replica.reads))
        if replica.reads_routed_to:
            words = _("  Connections with read intent are routed to {server} at {address}")
            yield words.format(server=replica.server, address=replica.reads_routed_to)
        if replica.writes_routed_to:
            words = _("  While {server} is primary, connections that write are routed there at {address}")
            yield words.format(server=replica.server, address=replica.writes_routed_to)
