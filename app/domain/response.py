"""What a family may know of the shape of its measure over the settings: a curve with constants that no site knows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

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
