"""The page that asks which question to answer: a card for each experiment family."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.family import ExperimentFamily
from app.domain.system import place_of, system_of
from app.flows.shell.wizard import Choices, choose_family
from app.flows.system_views import views_of
from app.flows.words import ended
from app.foundation.texts import _


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
    """Return a card for each family, those possible here first, by system."""
    reasons = dict(choices.impossible)
    ordered = sorted(
        families.values(),
        key=lambda family: (family.family_id in reasons, place_of(family)),
    )
    return tuple(_card(family, choices, reasons.get(family.family_id, "")) for family in ordered)


def _card(family: ExperimentFamily, choices: Choices, reason: str) -> FamilyCard:
    views, site = views_of(system_of(family)), choices.site(family)
    needs = [
        views.need_words(need, family.subject, site) for need in system_of(family).capabilities if need in family.needs
    ]
    return FamilyCard(
        family=family.family_id,
        title=family.title,
        question=family.question,
        needs=_("Needs {needs}.").format(needs=_listed(needs)),
        varies=_varies(family),
        impossible=_("Not possible here: {reason}").format(reason=ended(reason)) if reason else "",
    )


def _varies(family: ExperimentFamily) -> str:
    """Return the parameters tried, one or two of them in a plan."""
    names = _listed([parameter.name for parameter in family.parameters])
    if all(parameter.choices for parameter in family.parameters):
        return _("Compares {parameters}.").format(parameters=names)
    return _("Tries values of {parameters}.").format(parameters=names)


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
