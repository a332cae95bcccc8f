"""The program's parts as commands and window use them; each is made when it is first needed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # these load numpy and the drivers' adapters; most commands need only some of them
    from app.domain.family import ExperimentFamily
    from app.services.advising import Advisor
    from app.services.ports import RendererFactory, TargetOpener


class LabServer(Protocol):
    """Serves a lab in this process until it is ended."""

    def __call__(self, scenario: str | None, seed: int, port: int, announce: Callable[[str], None]) -> None:
        """Serve; `announce` is told the target's key once the port is open."""
        ...


@dataclass(frozen=True)
class Parts:
    """What the composition root hands to the command line.

    Attributes:
        load_families: imports the experiment families, by id.
        load_advisor: reads the rule packs.
        family_ids: ids of the families, known without importing them.
        rules_root: folder of the shipped rule packs.
        journal_path: the undo journal used unless another is named.
    """

    load_families: "Callable[[], Mapping[str, ExperimentFamily]]"
    load_advisor: "Callable[[Mapping[str, ExperimentFamily]], Advisor]"
    family_ids: tuple[str, ...]
    rules_root: Path
    journal_path: Path
    open_target: "TargetOpener"
    serve_lab: LabServer
    make_renderer: "RendererFactory"


class Program:
    """The parts, with what is expensive made on first use."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    @cached_property
    def families(self) -> "Mapping[str, ExperimentFamily]":
        """The experiment families, by id."""
        return self.parts.load_families()

    @cached_property
    def advisor(self) -> "Advisor":
        """Analysis and rules; raises BadInput where a rule pack cannot be used."""
        return self.parts.load_advisor(self.families)
