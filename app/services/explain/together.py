"""The effort of a decision that changes several parameters together, as its one script does."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import TypeVar

from app.domain.decision import ChangeEffort, Decision
from app.domain.setting import value_text
from app.foundation.texts import _
from app.reporting.decision_words import effect_text
from app.reporting.wording import Vocabulary

T = TypeVar("T")


def effort_of_all(every: Sequence[Decision], words: Vocabulary) -> ChangeEffort:
    """Return the effort of changing several parameters together."""
    asked = [one.change_effort for one in every]
    to_expect = _each_once(asked, lambda one: one.to_expect)
    return ChangeEffort(
        places=_every(asked, lambda one: one.places),
        effort="; ".join(f"{one.parameter}: {one.change_effort.effort}" for one in every),
        interruption=_interruption_of(asked),
        check=f"{_check_of(every, words)} {to_expect}".strip(),
        effort_level=max(one.effort_level for one in asked),
        risk_level=max(one.risk_level for one in asked),
        prerequisites=_every(asked, lambda one: one.prerequisites),
        to_expect=to_expect,
        counted=_each_once(asked, lambda one: one.counted),
        stop_when=_every(asked, lambda one: one.stop_when),
        later=_every(asked, lambda one: one.later),
        stood=_each_once(asked, lambda one: one.stood),
        held_back=_each_once(asked, lambda one: one.held_back, "; "),
    )


def _each_once(asked: Sequence[ChangeEffort], told: Callable[[ChangeEffort], str], between: str = " ") -> str:
    return between.join(dict.fromkeys(filter(None, map(told, asked))))


def _every(asked: Sequence[ChangeEffort], told: Callable[[ChangeEffort], Iterable[T]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(map(told, asked))))


def _check_of(every: Sequence[Decision], words: Vocabulary) -> str:
    """Return how to see that a joint change holds: all of it is in effect, and has the measured effect."""
    settings = ", ".join(f"{one.parameter} {value_text(one.to_value)}" for one in every if one.to_value is not None)
    gain = every[0].gain
    assert gain is not None  # one comparison carries all of them
    if any(one.in_effect for one in every):
        return _("{settings} are in effect.").format(settings=settings)
    return _("{settings} are in effect; a load like that of the trials shows about {effect}.").format(
        settings=settings, effect=effect_text(gain.comparison, words)
    )


def _interruption_of(asked: Sequence[ChangeEffort]) -> str:
    """Return the interruption by changes made together, the riskiest first: each kind with its number."""
    told: list[str] = []
    for one in sorted(asked, key=lambda one: -one.risk_level):
        alike = sum(other.interruption == one.interruption for other in asked)
        of_several = one.interruption_of_several if alike > 1 else ""
        told.append(of_several.format(count=alike) or one.interruption)
    return " ".join(dict.fromkeys(told))
