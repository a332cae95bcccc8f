"""One look at a target without an experiment: at whatever systems are there."""

from dataclasses import dataclass, replace
from typing import Any, Final

from app.domain.cost import ExperimentCost
from app.domain.errors import BadInput, ReplituneError, Unsupported
from app.domain.system import System, Watched, systems_of
from app.domain.target import Target
from app.foundation.texts import _
from app.services.explain.advising import Advisor
from app.services.look.discovering import left_behind
from app.services.look.experiment_costs import experiment_costs
from app.services.look.look_cost import LookCost
from app.services.look.parts import Parts
from app.services.ports import TargetOpener

DEFAULT_WINDOW_H: Final = 24
"""Hours of history looked at where the servers keep one."""

DEFAULT_WATCH_S: Final = 30.0
"""Seconds to watch what keeps no history."""

# Sleeps that add up to the time to watch may miss it by a rounding.
_NO_TICK_S: Final = 1e-6


@dataclass(frozen=True)
class Looking:
    """How a target is looked at.

    Attributes:
        cost: what the look has cost so far; counts the statements of the target.
        window_h: hours of history to look at.
        watch_s: seconds to watch what keeps none; waiting costs the servers nothing.
    """

    advisor: Advisor
    cost: LookCost
    window_h: int = DEFAULT_WINDOW_H
    watch_s: float = DEFAULT_WATCH_S

    def watch(self, target: Target, watched: Watched, tick_s: float, parts: Parts) -> dict[Any, list[Any]]:
        """Read all that is watched again and again; return the readings of each by its key, oldest first.

        Args:
            tick_s: seconds between two readings.
            parts: is told why where something could not be read.
        """
        readings: dict[Any, list[Any]] = {}
        began_s = target.clock.monotonic_s()
        while True:
            for key, read in watched.items():
                if (taken := parts.read(read, None)) is not None:
                    readings.setdefault(key, []).append(taken)
            if not readings or target.clock.monotonic_s() - began_s >= self.watch_s - _NO_TICK_S:
                return readings
            target.clock.sleep(tick_s)

    def seen(self, target: Target, system_id: str, found: Any) -> "Seen":
        """Return a system's observations by reading its topology."""
        costs = experiment_costs(self.advisor.families, target, system_id)
        return Seen(found, costs, self.cost.statements, self.cost.statement_ms)


@dataclass(frozen=True)
class Seen:
    """The observations of a system that neither keeps a history nor is watched.

    Attributes:
        found: as its `discover` returned it.
        costs, statements, statement_ms: as `flows.system_views.Observed` says.
        unread: one sentence for each part that could not be read.
    """

    found: Any
    costs: tuple[ExperimentCost, ...]
    statements: int
    statement_ms: float
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class Look:
    """The observations of each system that is there, in order; never none. Their types are known to their systems.

    Attributes:
        left: what earlier sessions of this program left there, one sentence each.
    """

    by_system: tuple[tuple[System, Any], ...]
    left: tuple[str, ...] = ()

    def of(self, system_id: str) -> Any | None:
        """Return a system's observations, None where it is not there."""
        return next((observation for system, observation in self.by_system if system.system_id == system_id), None)


def look(
    target: str,
    advisor: Advisor,
    open_target: TargetOpener,
    *,
    window_h: int = DEFAULT_WINDOW_H,
    watch_s: float = DEFAULT_WATCH_S,
) -> Look:
    """Look at a target's systems; only statements marked as reading are sent.

    Args:
        window_h: hours of history to look at.
        watch_s: seconds to watch what keeps no history.

    Raises:
        BadInput: it has nothing that could be observed.
        TargetError: nothing of it can be read; the sentence is that of its first part.
    """
    cost = LookCost()
    opened = open_target(target, 1, cost.add)
    try:
        return look_at(opened, Looking(advisor, cost, window_h, watch_s))
    finally:
        opened.close()


def look_at(target: Target, looking: Looking) -> Look:
    """Look at an open target; as `look`."""
    observations: list[tuple[System, Any]] = []
    problems: list[ReplituneError] = []
    for system in systems_of(looking.advisor.families):
        if system.system_id not in target.offers:
            continue
        try:
            observation = system.observe(target, looking)
        except ReplituneError as error:
            problems.append(error)
        else:
            if observation is not None:
                observations.append((system, observation))
    if not observations:
        raise (
            problems[0]
            if problems
            else BadInput(_("{target} has nothing that could be observed").format(target=target.key))
        )
    # that a system is not there is nothing a site with another one lacks
    untold = tuple(str(error) for error in problems if not isinstance(error, Unsupported))
    left, unknown = left_behind(target, [system for system, _observation in observations])
    last, newest = observations[-1]
    whole = replace(
        newest,
        unread=tuple(dict.fromkeys((*newest.unread, *untold, *unknown))),
        statements=looking.cost.statements,
        statement_ms=looking.cost.statement_ms,
    )
    return Look((*observations[:-1], (last, whole)), left)
