"""One step of a trial, as the generic parts of the program know it."""

from typing import Protocol


class Step(Protocol):
    """One step, of any subject; the rig of that subject knows how to do it."""

    def describe(self) -> str:
        """Describe the step for a person."""
        ...
