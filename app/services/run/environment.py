"""Where the measurements of a run hold: what its system read, and the connection it was read over."""

from dataclasses import replace

from app.domain.family import Site
from app.domain.session import Environment
from app.domain.system import System
from app.domain.target import Target


def read_environment(target: Target, site: Site, system: System) -> Environment:
    """Read what the report says about where the measurements hold; raises TargetError."""
    environment = system.environment(target, site)
    return replace(environment, facts=(*((name, value, "") for name, value in target.connection), *environment.facts))
