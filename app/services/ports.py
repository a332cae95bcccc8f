"""Ports that the composition root gives to the services: how to open targets and draw figures."""

from collections.abc import Callable, Mapping
from typing import Protocol

from app.domain.ports import FigureRenderer, StatementSink
from app.domain.system import System
from app.domain.target import Target


class TargetOpener(Protocol):
    """Opens targets from the text of `--target`."""

    def __call__(self, target: str, seed: int, on_statement: StatementSink, /) -> Target:
        """Open a target; every statement sent is told to `on_statement`.

        Args:
            target: as given to `--target`.
            seed: of the lab's noise; ignored by servers.

        Raises:
            BadInput: no such target.
            TargetError: it cannot be reached.
        """
        ...


Systems = Mapping[str, System]
"""The systems of the program, by id."""

RendererFactory = Callable[[], FigureRenderer]
"""Makes the figure renderer when the first figure is needed: it loads Qt."""
