"""Where the measurements of a run hold: its system's readings, and the connection used for them."""

from dataclasses import replace

from app.domain.events import RunStatus
from app.domain.family import Site
from app.domain.session import Environment
from app.domain.system import System
from app.domain.target import Target
from app.foundation.durations import duration
from app.foundation.texts import _
from app.reporting.numbers import number


def read_environment(target: Target, site: Site, system: System) -> Environment:
    """Read the environment for the report; raises TargetError."""
    environment = system.environment(target, site)
    facts = (*((name, value, "") for name, value in target.connection), *environment.facts)
    return replace(environment, facts=facts, saved_as=target.saved_as)


def with_reading_cost(environment: Environment, target: Target, status: RunStatus) -> Environment:
    """Return an environment with the cost of this program's reading at each server, by the server's own counters.

    A target whose run ended otherwise than it should is asked nothing more.
    """
    costs = target.reading_cost() if status is RunStatus.SUCCEEDED else ()
    told = tuple(
        (
            _("What reading cost each server"),
            _("{server}: {time} of processor time, {pages} pages read").format(
                server=cost.server, time=duration(cost.cpu_ms / 1000), pages=number(cost.logical_reads)
            ),
            "",
        )
        for cost in costs
    )
    return replace(environment, facts=(*environment.facts, *told))
