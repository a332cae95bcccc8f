"""Where the measurements hold: servers, agents, the parameters in effect and where each comes from."""

from app.domain.session import Environment, SessionRecord
from app.domain.topology import EffectiveParameter, Topology
from app.foundation.texts import _
from app.reporting.blocks import Block, Column, Fields, Heading, Paragraph, Section, Start, Table
from app.reporting.numbers import number
from app.reporting.summary import is_lab


def environment_section(session: SessionRecord) -> Section:
    """Return the environment of every target, or that nothing is known of it."""
    blocks: list[Block] = []
    for environment in session.environments:
        if len(session.environments) > 1:
            blocks.append(Heading(environment.target, minor=True))
        blocks += _environment(environment)
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
    if is_lab(environment.target):
        blocks.append(Paragraph(_("The servers below are simulated (target {key}).").format(key=environment.target)))
    if environment.topology is not None:
        blocks += _topology(environment.topology)
    if environment.facts:
        pairs = tuple((name, f"{value} {unit}".strip()) for name, value, unit in environment.facts)
        blocks += [Heading(_("Further readings"), minor=True), Fields(pairs, columns=2, long_names=True)]
    # Agents that share all values share one table.
    groups: dict[tuple[EffectiveParameter, ...], list[str]] = {}
    for agent in environment.agents:
        groups.setdefault(agent.parameters, []).append(agent.agent)
    for parameters, names in groups.items():
        blocks += _parameters(", ".join(names), parameters)
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
    rows = tuple((p.name, p.value, p.unit, p.origin, p.default or "–", _limits(p.low, p.high)) for p in parameters)
    title = _("Parameters in effect when the session began: {agent}").format(agent=agents)
    return [Heading(title, minor=True), Table(columns, rows, small=True)]


def _limits(low: int | None, high: int | None) -> str:
    if low is None and high is None:
        return _("none reported")
    low_text = "−∞" if low is None else number(low)
    high_text = "∞" if high is None else number(high)
    return _("{low} to {high}").format(low=low_text, high=high_text)
