"""The program's parts as commands and window use them; each is made when it is first needed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # these load numpy and the drivers' adapters; most commands need only some of them
    from app.domain.connection import ConnectionWay, ServerUrl
    from app.domain.family import ExperimentFamily
    from app.domain.installed import Part
    from app.domain.system import System
    from app.services.explain.advising import Advisor
    from app.services.ports import RendererFactory, TargetOpener
    from app.services.target.credentials import Credentials
    from app.services.target.saved_targets import SavedTargets


class LabServer(Protocol):
    """Serves a lab in this process until it is ended."""

    def __call__(
        self, scenario: str | None, seed: int, port: int, announce: Callable[[str], None], *, speed: float | None = None
    ) -> None:
        """Serve; `announce` is told line by line where, the target's key first, once clients can connect.

        Args:
            speed: virtual seconds that pass in a real one; None lets time pass by what clients do alone.
        """
        ...


@dataclass(frozen=True)
class Parts:
    """The parts that the composition root gives to the command line.

    Attributes:
        load_systems: imports the systems, by id, in order.
        load_families: imports the experiment families, by id.
        load_advisor: reads the rule packs.
        family_ids: ids of the families, known without importing them.
        rules_roots: folders of the rule packs.
        journal_path: the undo journal used unless another is named.
        credentials: finds passwords; command line and window tell it how to ask for one.
        saved_targets: targets kept under a name.
        connection_ways: ways to reach servers, of every engine.
        target_ids: ids of the engines, known without importing them.
        installed: drivers of every engine and the keyring, as found on this computer.
        needs_password: whether a server's sign-in does; raises BadInput where its URL cannot be used.
    """

    load_systems: "Callable[[], Mapping[str, System]]"
    load_families: "Callable[[], Mapping[str, ExperimentFamily]]"
    load_advisor: "Callable[[Mapping[str, ExperimentFamily]], Advisor]"
    family_ids: tuple[str, ...]
    rules_roots: tuple[Path, ...]
    journal_path: Path
    open_target: "TargetOpener"
    serve_lab: LabServer
    make_renderer: "RendererFactory"
    credentials: "Credentials"
    saved_targets: "SavedTargets"
    connection_ways: "Callable[[], tuple[ConnectionWay, ...]]"
    needs_password: "Callable[[ServerUrl], bool]"
    target_ids: tuple[str, ...]
    installed: "Callable[[], tuple[Part, ...]]"


class Program:
    """The parts, the expensive ones made on first use."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    @cached_property
    def systems(self) -> "Mapping[str, System]":
        """The systems, by id, in order."""
        return self.parts.load_systems()

    @cached_property
    def families(self) -> "Mapping[str, ExperimentFamily]":
        """The experiment families, by id."""
        return self.parts.load_families()

    @cached_property
    def advisor(self) -> "Advisor":
        """Analysis and rules; raises BadInput where a rule pack cannot be used."""
        return self.parts.load_advisor(self.families)
