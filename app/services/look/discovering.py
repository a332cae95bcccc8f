"""Discovery of a target, system by system."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from app.domain.connection import ToChoose
from app.domain.errors import Absent, NotChosen, ReplituneError
from app.domain.statement import StatementRecord
from app.domain.system import System, in_order
from app.domain.target import Target
from app.services.ports import Systems, TargetOpener


@dataclass(frozen=True)
class Discovery:
    """The topologies found on a target.

    Attributes:
        by_system: what each system found, in order, where there is something of it; its system knows what it is.
        unread: one sentence for each part that could not be read.
        left: what earlier sessions of this program left there, one sentence each.
        to_choose: names one of which the target has to say before a part can be read, None where it says enough.
    """

    target: str
    by_system: tuple[tuple[System, Any], ...]
    unread: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    to_choose: ToChoose | None = None

    def of(self, system_id: str) -> Any | None:
        """Return a system's topology, None where there is none."""
        return next((site for system, site in self.by_system if system.system_id == system_id), None)


def discover(target: str, systems: Systems, open_target: TargetOpener) -> Discovery:
    """Read a target; changes nothing.

    Raises:
        BadInput: no such target.
        TargetError: it cannot be reached or read.
    """
    opened = open_target(target, 1, _ignore_statement)
    try:
        return read_discovery(opened, systems)
    finally:
        opened.close()


def read_discovery(target: Target, systems: Systems) -> Discovery:
    """Read everything an open target offers.

    Raises:
        TargetError: nothing of it could be read; the sentence is that of its first part.
    """
    sites: list[tuple[System, Any]] = []
    unread: list[ReplituneError] = []
    for system in in_order(systems.values()):
        if system.system_id not in target.offers:
            continue
        try:
            discovered = system.discover(target, unread.append)
        except ReplituneError as error:
            unread.append(error)
        else:
            if discovered is not None:
                sites.append((system, discovered))
    if unread and not sites:
        raise unread[0]
    unread = [error for error in unread if not isinstance(error, Absent)]
    left, untold = left_behind(target, [system for system, _site in sites])
    to_choose = next((error.to_choose for error in unread if isinstance(error, NotChosen)), None)
    return Discovery(target.key, tuple(sites), (*map(str, unread), *untold), left, to_choose)


def left_behind(target: Target, systems: Iterable[System]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the leftovers of earlier sessions, for which a run is refused, and those that could not be read."""
    left: list[str] = []
    untold: list[str] = []
    for system in systems:
        try:
            left += system.read_leftovers(target)
        except ReplituneError as error:
            untold.append(str(error))
    return tuple(left), tuple(untold)


def _ignore_statement(_record: StatementRecord) -> None:
    """Discovery outside a session keeps no statement log."""
