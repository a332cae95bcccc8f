"""The topology of availability groups, in one sentence and as lines of text."""

from collections.abc import Iterator

from app.flows.words import counted, sentence
from app.foundation.texts import _
from app.reporting.render.terminal import table_lines
from app.reporting.tables.servers import servers_table
from app.systems.availability_groups.groups import AvailabilityGroup, GroupTopology
from app.systems.availability_groups.tables import ROLES, databases_table, replicas_table, states_table


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
    lines += [f"  {server}: {why}" for server, why in topology.unreachable]
    return lines


def _group_lines(group: AvailabilityGroup) -> Iterator[str]:
    """Yield a group with its replicas and, below them, its databases at each."""
    yield _("Availability group {name}, primary {server}").format(name=group.name, server=group.primary)
    yield from table_lines(replicas_table(group))
    yield from table_lines(states_table(sorted(group.databases, key=lambda d: (d.database, d.server))), "    ")
