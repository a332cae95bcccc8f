"""What was discovered of availability groups, in one sentence, as lines of text and as JSON."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from app.flows.target.discovered_lines import server_line
from app.flows.words import counted, sentence
from app.foundation.texts import _, local_number
from app.systems.availability_groups.groups import AvailabilityGroup, GroupTopology


def reached(groups: GroupTopology | None) -> str:
    """Return in one sentence what was reached, "" where there is nothing to say."""
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
        _("{server} could not be asked: {why}").format(server=server, why=sentence(why))
        for server, why in groups.unreachable
    )


def discovered_lines(topology: GroupTopology) -> list[str]:
    """Return servers, groups with their replicas and databases, then what else is there."""
    lines = [_("Servers:"), *(server_line(server) for server in topology.servers)]
    for group in topology.groups:
        lines += ["", *_group_lines(group)]
    lines += ["", _("Databases:")]
    for d in topology.databases:
        size = local_number(f"{d.size_mb:>12,.0f} MB")
        lines.append(f"  {d.name:<24}{d.group or _('standalone'):<20}{size}  {d.recovery_model}  {d.state}")
    flags = ", ".join(f"{flag} ({server})" for server, flag in topology.trace_flags) or _("none")
    lines.append(_("Trace flags set globally: {flags}").format(flags=flags))
    lines += [f"  {server}: {why}" for server, why in topology.unreachable]
    return lines


def discovered_json(topology: GroupTopology | None) -> Mapping[str, object]:
    """Return the groups, null where there are none."""
    return {"groups": None if topology is None else asdict(topology)}


def _group_lines(group: AvailabilityGroup) -> Iterator[str]:
    """Yield a group with its replicas and, below them, its databases at each."""
    yield _("Availability group {name}, primary {server}").format(name=group.name, server=group.primary)
    for replica in group.replicas:
        yield (
            f"  {replica.server:<20}{replica.role:<12}{replica.mode:<8}"
            f"{_('failover')} {replica.failover_mode:<12}{_('seeding')} {replica.seeding_mode or '–'}"
        )
    for d in sorted(group.databases, key=lambda d: (d.database, d.server)):
        yield f"    {d.database:<24}{d.server:<20}{d.synchronization_state}"
