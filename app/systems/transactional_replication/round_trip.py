"""The round-trip time of a link, with its uncertainty."""

from dataclasses import dataclass
from typing import Final

# Either end of a measured time is one step of the clock off at most: what takes fewer steps may take almost none.
_FEWEST_STEPS: Final = 2


@dataclass(frozen=True)
class RoundTrip:
    """Several round trips, as a clock told them.

    Attributes:
        median_ms, shortest_ms, longest_ms: of the probes.
        resolution_ms: the smallest step of the clock that timed them, 0 for an exact one.
    """

    median_ms: float
    shortest_ms: float
    longest_ms: float
    resolution_ms: float

    @property
    def rtt_ms(self) -> float | None:
        """Return the median, None where the clock's steps are too long to tell it."""
        return self.median_ms if self.median_ms >= _FEWEST_STEPS * self.resolution_ms else None

    @property
    def most_ms(self) -> float:
        """Return a certain upper bound of the median."""
        return self.median_ms + self.resolution_ms
