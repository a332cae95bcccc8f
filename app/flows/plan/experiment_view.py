"""The page that asks which question to answer: a card for each experiment family."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.family import ExperimentFamily, Site
from app.domain.removed import Capability
from app.domain.setting import Subject
from app.flows.shell.wizard import Choices, choose_family
from app.flows.words import ended
from app.foundation.texts import _
from app.services.target.capabilities import capability_words
from app.systems.availability_groups.site import GroupSite
from app.systems.oracle_streams.site import StreamsSite
from app.systems.transactional_replication.site import AgentSite
from app.systems.transactional_replication.views.topology import agent_kind_title


@dataclass(frozen=True)
class FamilyCard:
    """One family, in words.

    Attributes:
        family: its id.
        question: what it answers, two sentences.
        needs: what the target must allow.
        varies: the parameters it may try.
        impossible: one sentence why it cannot run on this target, "" where it can.
    """

    family: str
    title: str
    question: str
    needs: str
    varies: str
    impossible: str

    @property
    def is_possible(self) -> bool:
        """Whether it can be chosen."""
        return not self.impossible

    @property
    def spoken(self) -> str:
        """Everything on the card but its title, as a screen reader says it."""
        return " ".join(text for text in (self.impossible, self.question, self.needs, self.varies) if text)


def family_cards(families: Mapping[str, ExperimentFamily], choices: Choices) -> tuple[FamilyCard, ...]:
    """Return a card for each family, those possible here first, by subject: replication in the order commands flow."""
    reasons = dict(choices.impossible)
    ordered = sorted(
        families.values(),
        key=lambda family: (family.family_id in reasons, list(Subject).index(family.subject), family.family_id),
    )
    return tuple(_card(family, choices, reasons.get(family.family_id, "")) for family in ordered)


def _card(family: ExperimentFamily, choices: Choices, reason: str) -> FamilyCard:
    return FamilyCard(
        family=family.family_id,
        title=family.title,
        question=family.question,
        needs=_("Needs {needs}.").format(
            needs=_listed([_need(need, family, choices) for need in Capability if need in family.needs])
        ),
        varies=_varies(family),
        impossible=_("Not possible here: {reason}").format(reason=ended(reason)) if reason else "",
    )


def _varies(family: ExperimentFamily) -> str:
    """Return what is tried, one or two of them in a plan."""
    names = _listed([knob.name for knob in family.knobs])
    if all(knob.choices for knob in family.knobs):
        return _("Compares {parameters}.").format(parameters=names)
    return _("Tries values of {parameters}.").format(parameters=names)


def _need(need: Capability, family: ExperimentFamily, choices: Choices) -> str:
    if need is Capability.REPLICATION_AGENTS:
        return _agents_needed(family.subject, choices)
    found = _found(need, choices.site(family.subject))
    return f"{capability_words(need)} {found}" if found else capability_words(need)


def _found(need: Capability, site: Site | None) -> str:
    """Return what was found of a need, "" where nothing was read."""
    if need is Capability.AVAILABILITY_GROUPS and isinstance(site, GroupSite):
        return _("(found here: {names})").format(names=", ".join(group.name for group in site.topology.groups))
    if need is Capability.ORACLE_STREAMS and isinstance(site, StreamsSite):
        return _("(found here: {names})").format(names=", ".join(path.name for path in site.topology.paths))
    return ""


def _agents_needed(subject: Subject, choices: Choices) -> str:
    site, kind = choices.site(subject), subject.agent_kind
    count = len(site.agents) if isinstance(site, AgentSite) else 0
    words = {"agent": agent_kind_title(kind) if kind is not None else "", "count": count}
    if site is None:
        return _("a {agent} that may be stopped and started").format(**words)
    return _("a {agent} that may be stopped and started (found here: {count})").format(**words)


def _listed(parts: list[str]) -> str:
    """Return parts as a sentence lists them."""
    if len(parts) < 2:
        return "".join(parts)
    return _("{first} and {last}").format(first=", ".join(parts[:-1]), last=parts[-1])


def choose_card(entered: Choices, current: Choices, family: str) -> Choices:
    """Return the choices with a family; an impossible one is not taken.

    Going back to the family the page was entered with brings its plan back: moving through the cards must not cost it.
    """
    if family in dict(current.impossible):
        return current
    return entered if family == entered.family else choose_family(current, family)
