"""A system's suggestions for experiments after a look, and the effect it expects of each."""

from dataclasses import dataclass

from app.domain.plan import Plan


@dataclass(frozen=True)
class Expected:
    """The effect expected before any trial; only trials show it.

    Attributes:
        low, high: change of the main metric's time as a share, −0.4 for 40 % less; low ≤ high.
        words: what it is expected from, a sentence with {change} in it, such as "6–18 % less time".
    """

    low: float
    high: float
    words: str

    @property
    def middle(self) -> float:
        """Half-way."""
        return (self.low + self.high) / 2


@dataclass(frozen=True)
class Suggestion:
    """An experiment that a system suggests, from its observations.

    Attributes:
        plan: what it fills in; baseline and missing values come from the site.
        title: what is varied, from what to what.
        about: what it is tested on, by name.
        because: what was observed, one or two sentences.
        expected: None where nothing is known that could be compared.
        box: key of the box of the site's picture that it is tested on, "" for none of its own.
        is_limiting: what it is about holds something up at this site.
    """

    plan: Plan
    title: str
    about: str
    because: str
    expected: Expected | None
    is_limiting: bool
    box: str = ""
