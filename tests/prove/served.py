"""A lab that something happens to, in a process of its own and reached through a real driver."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from operator import attrgetter, methodcaller
from typing import Any, Generic, TypeVar, cast

from tests.e2e.posed_lab import Posed
from tests.prove.happenings import Happening, Strike

T = TypeVar("T")


class Served(Generic[T]):
    """The lab as a session sees it.

    Attributes:
        key: its target.
    """

    def __init__(self, posed: Posed, key: str) -> None:
        self._posed = posed
        self.key = key

    @property
    def calls(self) -> Sequence[Any]:
        """The statements it was sent."""
        return cast("Sequence[Any]", self._posed.ask(attrgetter("calls")))

    @property
    def struck_at(self) -> datetime | None:
        """When it happened."""
        return cast("datetime | None", self._posed.ask(attrgetter("struck_at")))

    @property
    def strike(self) -> Strike | None:
        """What happens, and before which statement."""
        return cast("Strike | None", self._posed.ask(attrgetter("strike")))

    @strike.setter
    def strike(self, strike: Strike) -> None:
        self._posed.ask(partial(_set_strike, strike))

    def let(self, happening: Happening) -> None:
        """Let something happen now."""
        self._posed.ask(happening.strike)

    def settle(self, seconds: float) -> None:
        """Let time pass."""
        self._posed.ask(methodcaller("settle", seconds))

    def truth(self) -> T:
        """Return everything a session could leave changed."""
        return cast("T", self._posed.ask(methodcaller("truth")))

    def ask(self, question: Callable[[Any], Any]) -> Any:
        """Return what a function finds, or does, between two statements."""
        return self._posed.ask(question)


def _set_strike(strike: Strike, lab: Any) -> None:
    lab.strike = strike
