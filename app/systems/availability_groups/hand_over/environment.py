"""Availability groups in the environment section: replicas, modes, databases, trace flags."""

from app.foundation.texts import _
from app.reporting.blocks import Block, Fields, Heading, Paragraph
from app.reporting.printed import printed
from app.reporting.tables.servers import servers_table
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.tables import (
    ROLES,
    databases_table,
    group_facts,
    options_text,
    replicas_table,
)


def group_blocks(topology: GroupTopology, _varied: frozenset[str]) -> list[Block]:
    """Return servers, each group with its replicas, the databases, and the trace flags that were set."""
    blocks: list[Block] = [Heading(_("Servers"), minor=True), printed(servers_table(topology.servers, ROLES))]
    for group in topology.groups:
        blocks.append(Heading(_("Availability group {name}").format(name=group.name), minor=True))
        blocks += [Fields(group_facts(group)), printed(replicas_table(group))]
    blocks += [Heading(_("Databases of the primary"), minor=True), printed(databases_table(topology.databases))]
    flags = "; ".join(_("{server}: {flag}").format(server=server, flag=flag) for server, flag in topology.trace_flags)
    text = _("Trace flags set globally, of those that concern groups: {flags}.")
    blocks.append(Paragraph(text.format(flags=flags or _("none"))))
    if options := options_text(topology):
        blocks.append(Paragraph(_("Server options on grouping commits: {options}.").format(options=options)))
    for server, why in topology.unreachable:
        blocks.append(Paragraph(_("{server} could not be asked: {why}.").format(server=server, why=why)))
    return blocks
