"""Guided runs whose changes are seen by a test before they are asked for."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

from app.domain.change import Change
from app.domain.family import ExperimentFamily
from app.domain.ports import ServerChanges
from app.domain.system import System
from app.domain.target import Connection, Gate, Offer, Target
from app.runner.asking import HandDesk
from app.runner.by_hand import by_hand
from app.runner.control import RunControl
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.subjects import SYSTEM_ID as STREAMS_SYSTEM
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.subjects import SYSTEM_ID as REPLICATION

_K = TypeVar("_K")


def done_by(script: str, known: Mapping[str, _K]) -> Iterator[_K]:
    """Yield what the parts of a script do, in their order.

    Args:
        known: what each script of one change does; an error where a part is none of them.
    """
    while script:
        part = max((one for one in known if script.startswith(one.rstrip())), key=len)
        yield known[part]
        script = script.removeprefix(part.rstrip()).lstrip()


def switches_of(target: Target) -> dict[str, tuple[Change, bool]]:
    """Return starts and stops of agents and apply processes by their scripts, and whether each is an undo."""
    if STREAMS_SYSTEM in target.offers:
        port = streams_port(target)
        stops = [change for path in port.discover().paths for change in port.plan_restart(path)]
        return {c.apply_sql: (c, False) for c in stops} | {c.undo_sql: (c, True) for c in stops}
    if REPLICATION not in target.offers:
        return {}
    plans, agents = agent_ports(target).agent_changes, agent_ports(target).agents.discover().agents
    made = [plan(a) for a in agents if a.job_id for plan in (plans.plan_stop, plans.plan_start)]
    return {change.apply_sql: (change, False) for change in made}


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

    def undone_soon(self) -> tuple[Change, ...]:
        """Return the changes whose undo waits."""
        return self._gate.undone_soon()


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
