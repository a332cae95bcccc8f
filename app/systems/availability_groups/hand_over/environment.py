"""Availability groups in the environment section: replicas, modes, databases, trace flags."""

from app.foundation.texts import _
from app.reporting.blocks import Block, Column, Fields, Heading, Paragraph, Table
from app.reporting.numbers import number, percent, quantity
from app.systems.availability_groups.groups import AvailabilityGroup, CommitMode, GroupTopology


def group_blocks(topology: GroupTopology) -> list[Block]:
    """Return servers, each group with its replicas, the databases, and the trace flags that were set."""
    blocks: list[Block] = [Heading(_("Servers"), minor=True), _servers(topology)]
    for group in topology.groups:
        blocks.append(Heading(_("Availability group {name}").format(name=group.name), minor=True))
        blocks += [_replicas(group), Fields(_facts_of(group))]
    blocks += [Heading(_("Databases of the primary"), minor=True), _databases(topology)]
    flags = "; ".join(_("{server}: {flag}").format(server=server, flag=flag) for server, flag in topology.trace_flags)
    text = _("Trace flags set globally, of those that concern groups: {flags}.")
    blocks.append(Paragraph(text.format(flags=flags or _("none"))))
    for server, why in topology.unreachable:
        blocks.append(Paragraph(_("{server} could not be asked: {why}.").format(server=server, why=why)))
    return blocks


def _servers(topology: GroupTopology) -> Table:
    columns = (
        Column(_("Server"), width=1.6),
        Column(_("Role"), width=1),
        Column(_("Version"), width=1.1),
        Column(_("Edition"), width=2),
        Column(_("Logical processors"), "right"),
    )
    rows = tuple((s.name, s.role or "–", s.version, s.edition, number(s.cpu_count)) for s in topology.servers)
    return Table(columns, rows, small=True)


def _replicas(group: AvailabilityGroup) -> Table:
    columns = (
        Column(_("Replica"), width=1.6),
        Column(_("Role"), width=1),
        Column(_("Commit"), width=1.3),
        Column(_("Failover"), width=1),
        Column(_("Seeding"), width=1),
        Column(_("State of its databases"), width=2),
    )
    rows = tuple(
        (
            r.server,
            r.role,
            _("synchronous") if r.mode is CommitMode.SYNCHRONOUS else _("asynchronous"),
            r.failover_mode,
            r.seeding_mode or "–",
            ", ".join(sorted({d.synchronization_state for d in group.databases if d.server == r.server})) or "–",
        )
        for r in group.replicas
    )
    return Table(columns, rows, small=True)


def _facts_of(group: AvailabilityGroup) -> tuple[tuple[str, str], ...]:
    return (
        (_("Databases"), ", ".join(group.database_names()) or "–"),
        (_("Cluster"), group.cluster_type),
        (_("Synchronized secondaries required to commit"), number(group.required_synchronized_secondaries)),
        (_("Listeners"), ", ".join(group.listeners) or "–"),
    )


def _databases(topology: GroupTopology) -> Table:
    columns = (
        Column(_("Database"), width=1.6),
        Column(_("Group"), width=1.4),
        Column(_("Recovery model"), width=1.2),
        Column(_("Size"), "right"),
        Column(_("Log"), "right"),
        Column(_("Log used"), "right"),
        Column(_("Encrypted")),
    )
    rows = tuple(
        (
            d.name,
            d.group or "–",
            d.recovery_model,
            quantity(d.size_mb, "MB"),
            quantity(d.log_size_mb, "MB"),
            percent(d.log_used_share),
            number(d.is_encrypted),
        )
        for d in topology.databases
    )
    return Table(columns, rows, small=True)
