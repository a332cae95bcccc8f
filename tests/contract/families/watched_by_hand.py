"""Guided runs whose changes are seen by a test before they are asked for."""

from collections.abc import Callable
from typing import Any, cast

from app.domain.family import ExperimentFamily
from app.domain.ports import ServerChanges
from app.domain.system import System
from app.domain.target import Connection, Gate, Offer, Target
from app.runner.by_hand import HandDesk, by_hand
from app.runner.control import RunControl

Wrap = Callable[[ServerChanges], ServerChanges]


class _WatchedGate(Gate):
    """A gate that puts something in front of the changes it hands to others."""

    is_by_hand = True

    def __init__(self, gate: Gate, wrap: Wrap) -> None:
        self._gate = gate
        self._wrap = wrap

    def changes(self, changes: ServerChanges) -> ServerChanges:
        """Return changes that somebody else makes, seen by the test."""
        return self._gate.changes(self._wrap(changes))

    def switch(self, *asked: Any, **how: Any) -> None:
        """Have the object of a change stopped or started."""
        self._gate.switch(*asked, **how)


class _WatchedSystem:
    """A system as it is, behind such a gate."""

    def __init__(self, system: System, wrap: Wrap) -> None:
        self.system_id = system.system_id
        self.load_statements = system.load_statements
        self._system = system
        self._wrap = wrap

    def by_hand(self, connection: Connection, gate: Any) -> Offer:
        """Return what the system offers behind the gate."""
        return self._system.by_hand(connection, _WatchedGate(gate, self._wrap))


def by_hand_of(
    family: ExperimentFamily, target: Target, desk: HandDesk, server: str, wrap: Wrap = lambda changes: changes
) -> Target:
    """Return a target whose changes are asked for at a desk, with something in front of what the server shows."""
    system = cast(System, _WatchedSystem(family.system, wrap))
    return by_hand(target, [system], desk, RunControl(), server)
