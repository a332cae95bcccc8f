"""Options that have an effect beside certain others only: without these they are refused, not passed over."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from app.domain.errors import BadInput
from app.foundation.texts import _


@dataclass(frozen=True)
class GoesWith:
    """An option that needs others.

    Attributes:
        option: as it is typed. place: its name among the parsed arguments.
        others: what it goes with, as a sentence names it.
        has_effect: whether it has one beside the other arguments.
        usual: its value where it was not given.
    """

    option: str
    place: str
    others: str
    has_effect: Callable[[argparse.Namespace], bool]
    usual: object


class Effects:
    """Declares what the options of one command go with."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._parser = parser
        self._rules: list[GoesWith] = []

    def add(self, option: str, others: str, has_effect: Callable[[argparse.Namespace], bool], place: str = "") -> None:
        """Declare what an option goes with.

        Args:
            place: its name among the parsed arguments, where it is another than the option's.
        """
        place = place or option.removeprefix("--").replace("-", "_")
        self._rules.append(GoesWith(option, place, others, has_effect, self._parser.get_default(place)))
        self._parser.set_defaults(effects=tuple(self._rules))


def refuse_without_effect(options: argparse.Namespace) -> None:
    """Raise BadInput for the first option that was given and would have no effect."""
    for rule in getattr(options, "effects", ()):
        if getattr(options, rule.place) != rule.usual and not rule.has_effect(options):
            raise BadInput(
                _("{option} has no effect here: it goes with {others}").format(option=rule.option, others=rule.others)
            )
