"""A Distributor in the environment section: servers, agents, publications, and the parameters in effect."""

from collections.abc import Sequence

from app.domain.server import EffectiveParameter, differs
from app.domain.session import Environment
from app.foundation.texts import _
from app.reporting.blocks import Block, Fields, Heading, Paragraph
from app.reporting.numbers import number
from app.reporting.printed import printed
from app.systems.transactional_replication.site import Replication, kept_replication
from app.systems.transactional_replication.tables import agent_parameters_table, agents_table, servers_table
from app.systems.transactional_replication.topology import Topology


def topology_blocks(found: Replication, _varied: frozenset[str]) -> list[Block]:
    """Return servers, agents and publications of a Distributor."""
    topology = found.topology
    blocks: list[Block] = [Heading(_("Servers"), minor=True), printed(servers_table(topology))]
    blocks += [Paragraph(f"{caution[0].upper()}{caution[1:]}.") for caution in topology.cautions]
    if topology.agents:
        blocks += [Heading(_("Agents"), minor=True), printed(agents_table(topology))]
    if topology.publications:
        blocks.append(_publications(topology))
    return blocks


def _publications(topology: Topology) -> Fields:
    pairs = []
    for publication in topology.publications:
        text = _("{database}; {count} articles").format(
            database=publication.publisher_db, count=number(len(publication.articles))
        )
        pairs.append((_("Publication {name}").format(name=publication.name), text))
    return Fields(tuple(pairs))


def parameter_blocks(environments: Sequence[Environment], varied: frozenset[str]) -> list[Block]:
    """Return the parameters varied or not at their defaults; agents that share all of these share one table."""
    groups: dict[tuple[EffectiveParameter, ...], dict[str, list[str]]] = {}
    for environment in environments:
        read = kept_replication(environment)
        for agent in read.agents if read else ():
            told = tuple(p for p in agent.parameters if p.name in varied or differs(p))
            groups.setdefault(told, {}).setdefault(agent.agent, []).append(environment.target)
    blocks: list[Block] = []
    for parameters, agents in groups.items():
        if not parameters:
            continue
        if len(environments) == 1:
            named = ", ".join(agents)
        else:
            named = "; ".join(
                _("{agent} on {targets}").format(agent=agent, targets=", ".join(targets))
                for agent, targets in agents.items()
            )
        blocks += [Paragraph(named, quiet=True), printed(agent_parameters_table(parameters))]
    title = Heading(_("Parameters varied or not at their defaults, when the session began"), minor=True)
    return [title, *blocks] if blocks else []
