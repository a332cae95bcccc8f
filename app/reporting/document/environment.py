"""Where the measurements hold: servers, agents, the parameters in effect and where each comes from."""

from collections.abc import Sequence

from app.domain.server import EffectiveParameter
from app.domain.session import Environment, SessionRecord
from app.domain.units import unit_word
from app.foundation.texts import _, local_number
from app.reporting.document.numbers import number, percent
from app.reporting.document.summary import is_lab
from app.reporting.document.wording import origin_word
from app.reporting.render.blocks import Block, Column, Fields, Heading, Paragraph, Section, Start, Table
from app.systems.availability_groups.hand_over.environment import group_blocks
from app.systems.oracle_streams.hand_over.environment import streams_blocks
from app.systems.transactional_replication.topology import Topology


def environment_section(session: SessionRecord) -> Section:
    """Return the environment of every target, or that nothing is known of it."""
    blocks: list[Block] = []
    for environment in session.environments:
        if len(session.environments) > 1 or is_lab(environment.target):
            text = _("{target} (simulated)") if is_lab(environment.target) else "{target}"
            blocks.append(Heading(text.format(target=environment.target), minor=True))
        blocks += _environment(environment)
    blocks += _all_parameters(session.environments)
    if session.imported:
        text = _(
            "The measurements from {file} were made elsewhere. Servers, versions, hardware and parameters they were "
            "made with are not known to this program, beyond what the file itself says."
        )
        blocks.append(Paragraph(text.format(file=session.imported_from or _("(not named)"))))
    if not blocks:
        blocks.append(Paragraph(_("No server was connected in this session.")))
    return Section(_("Environment"), tuple(blocks), Start.BY_SIZE)


def _environment(environment: Environment) -> list[Block]:
    blocks: list[Block] = []
    if environment.topology is not None:
        blocks += _topology(environment.topology)
    if environment.groups is not None:
        blocks += group_blocks(environment.groups)
    if environment.streams is not None:
        blocks += streams_blocks(environment.streams)
    if environment.facts:
        pairs = tuple((name, _reading(value, unit)) for name, value, unit in environment.facts)
        blocks += [Heading(_("Further readings"), minor=True), Fields(pairs, columns=2, long_names=True)]
    return blocks


def _reading(value: str, unit: str) -> str:
    """Return a reading with its unit; a share in per cent."""
    try:
        read = float(value.replace(",", ""))
    except ValueError:
        return f"{value} {unit_word(unit)}".strip()
    return percent(read) if unit == "share" else f"{local_number(value)} {unit_word(unit)}".strip()


def _all_parameters(environments: Sequence[Environment]) -> list[Block]:
    """Return the parameters in effect; agents that share all values share one table, whatever their target."""
    groups: dict[tuple[EffectiveParameter, ...], dict[str, list[str]]] = {}
    for environment in environments:
        for agent in environment.agents:
            groups.setdefault(agent.parameters, {}).setdefault(agent.agent, []).append(environment.target)
    blocks: list[Block] = []
    for parameters, agents in groups.items():
        if len(environments) == 1:
            named = ", ".join(agents)
        else:
            named = "; ".join(
                _("{agent} on {targets}").format(agent=agent, targets=", ".join(targets))
                for agent, targets in agents.items()
            )
        blocks += _parameters(named, parameters)
    return blocks


def _topology(topology: Topology) -> list[Block]:
    servers = Table(
        (
            Column(_("Server"), width=1.6),
            Column(_("Role"), width=1),
            Column(_("Version"), width=1.1),
            Column(_("Edition"), width=2),
            Column(_("Logical processors"), "right"),
        ),
        tuple((s.name, s.role, s.version, s.edition, number(s.cpu_count)) for s in topology.servers),
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
        (p.name, p.value, unit_word(p.unit), origin_word(p.origin), p.default or "–", _limits(p.low, p.high))
        for p in parameters
    )
    return [
        Heading(_("Parameters in effect when the session began"), minor=True),
        Paragraph(agents, quiet=True),
        Table(columns, rows, small=True),
    ]


def _limits(low: int | None, high: int | None) -> str:
    if low is None and high is None:
        return _("none reported")
    low_text = "−∞" if low is None else number(low)
    high_text = "∞" if high is None else number(high)
    return _("{low} to {high}").format(low=low_text, high=high_text)
