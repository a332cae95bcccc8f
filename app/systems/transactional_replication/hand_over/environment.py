"""A Distributor in the environment section: servers, agents, publications, and the parameters in effect."""

from collections.abc import Sequence

from app.domain.server import EffectiveParameter
from app.domain.session import Environment
from app.domain.units import unit_word
from app.foundation.texts import _
from app.reporting.blocks import Block, Column, Fields, Heading, Paragraph, Table
from app.reporting.numbers import number
from app.systems.transactional_replication.site import kept_replication
from app.systems.transactional_replication.topology import Topology


def topology_blocks(topology: Topology) -> list[Block]:
    """Return servers, agents and publications of a Distributor."""
    servers = Table(
        (
            Column(_("Server"), width=1.6),
            Column(_("Role"), width=1),
            Column(_("Version"), width=1.1),
            Column(_("Edition"), width=2),
            Column(_("Logical processors"), "right"),
        ),
        (
            *((s.name, s.role, s.version, s.edition, number(s.cpu_count)) for s in topology.servers),
            *((s.name, s.role, _("not reached"), "", "") for s in topology.unreached),
        ),
        small=True,
    )
    agents = Table(
        (
            Column(_("Agent"), width=2),
            Column(_("Kind"), width=1.2),
            Column(_("From"), width=1.6),
            Column(_("To"), width=1.6),
            Column(_("Profile id"), "right"),
        ),
        tuple(
            (
                a.name,
                _("Log Reader Agent") if not a.subscriber else _("Distribution Agent"),
                f"{a.publisher}, {a.publisher_db}" + (f", {a.publication}" if a.publication else ""),
                f"{a.subscriber}, {a.subscriber_db} ({a.subscription_type})"
                if a.subscriber
                else topology.distribution_db,
                str(a.profile_id),
            )
            for a in topology.agents
        ),
        small=True,
    )
    blocks: list[Block] = [Heading(_("Servers"), minor=True), servers]
    blocks += [Paragraph(f"{caution[0].upper()}{caution[1:]}.") for caution in topology.cautions]
    if topology.agents:
        blocks += [Heading(_("Agents"), minor=True), agents]
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


def _parameters(agents: str, parameters: tuple[EffectiveParameter, ...]) -> list[Block]:
    columns = (
        Column(_("Parameter"), width=1.6),
        Column(_("In effect"), "right", 0.9),
        Column(_("Unit"), width=1.1),
        Column(_("Comes from"), width=1),
        Column(_("Default"), "right", 0.8),
        Column(_("The server's limits"), "right", 1.3),
    )
    rows = tuple(
        (p.name, p.value, unit_word(p.unit), _origin_word(p.origin), p.default or "–", _limits(p.low, p.high))
        for p in parameters
    )
    return [
        Heading(_("Parameters varied or not at their defaults, when the session began"), minor=True),
        Paragraph(agents, quiet=True),
        Table(columns, rows, small=True),
    ]


def _origin_word(origin: str) -> str:
    """Return where the value of a parameter comes from, in words."""
    words = {
        "job step": _("job step"),
        "profile": _("profile"),
        "subscription": _("subscription"),
        "default": _("default"),
    }
    return words.get(origin, origin)


def _limits(low: int | None, high: int | None) -> str:
    if low is None and high is None:
        return _("none reported")
    low_text = "−∞" if low is None else number(low)
    high_text = "∞" if high is None else number(high)
    return _("{low} to {high}").format(low=low_text, high=high_text)


def parameter_blocks(environments: Sequence[Environment], varied: frozenset[str]) -> list[Block]:
    """Return the parameters varied or not at their defaults; agents that share all of these share one table."""
    groups: dict[tuple[EffectiveParameter, ...], dict[str, list[str]]] = {}
    for environment in environments:
        read = kept_replication(environment)
        for agent in read.agents if read else ():
            told = tuple(p for p in agent.parameters if p.name in varied or p.value != p.default)
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
        blocks += _parameters(named, parameters)
    return blocks
