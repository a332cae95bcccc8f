"""A family's response curve: the shape of its measure over the settings, with constants that no site knows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from app.domain.plan import Plan
from app.domain.setting import Setting


@dataclass(frozen=True)
class Constant:
    """A constant of a curve before any trial: log-normal.

    Attributes:
        median: in the unit that ends its name.
        log_sd: standard deviation of its natural log.
    """

    name: str
    median: float
    log_sd: float


class ResponseCurve(Protocol):
    """How a main metric answers to settings under the conditions of one plan, but for constants of the site.

    Attributes:
        constants: those the curve has, in the order `log_values` takes them.
    """

    @property
    def constants(self) -> tuple[Constant, ...]:
        """The constants of the site, as they are believed before any trial."""
        ...

    def log_values(self, log_constants: Any, settings: Sequence[Setting]) -> Any:
        """Return the natural log of the metric, an array of shape (draws, settings).

        Args:
            log_constants: array of shape (draws, constants), natural logs.
        """
        ...


@runtime_checkable
class HasResponse(Protocol):
    """A family with a response curve; one without is explored by its trials alone."""

    def response(self, plan: Plan) -> ResponseCurve | None:
        """Return the curve of the main metric under a plan, None where the plan lacks an input."""
        ...


def response_of(family: object, plan: Plan) -> ResponseCurve | None:
    """Return the curve a family exports for a plan, None where there is none."""
    return family.response(plan) if isinstance(family, HasResponse) else None
