"""One step of a trial, as the generic parts of the program know it.

A family returns its steps as data; the runner does them and a dry run prints them. There is no generator to close and
no clean-up to forget: the undo journal knows what to restore.
"""

from typing import Protocol


class Step(Protocol):
    """One step, of any subject; the rig of that subject knows how to do it."""

    def describe(self) -> str:
        """Describe the step for a person."""
        ...
