"""How much a client's own applications do: a mean by the hour of the day, and bursts among it."""

from typing import Annotated, Final

import numpy as np
from pydantic import Field, NonNegativeFloat, PositiveFloat

from app.lab.scenario_file import Section

_SECONDS_PER_HOUR: Final = 3600.0


class ClientRateConstants(Section):
    """So many transactions a second by the hour, and bursts among them.

    Attributes:
        transactions_per_s: mean where the hour's share is 1.
        hours: share of each hour from when the lab's clock begins, over and over; () for the same at all hours.
        burst_every_s: between the beginnings of two bursts, on average; 0 for none.
        burst_s, burst_times: how long one lasts, and how many times as much is done then.
    """

    transactions_per_s: NonNegativeFloat
    hours: Annotated[tuple[NonNegativeFloat, ...], Field(strict=False)] = ()
    burst_every_s: NonNegativeFloat = 0.0
    burst_s: PositiveFloat = 60.0
    burst_times: NonNegativeFloat = 1.0


class ClientRate:
    """The rate at a time, asked for in the order of times; bursts begin at random moments."""

    def __init__(self, constants: ClientRateConstants, draw: np.random.Generator) -> None:
        self._constants = constants
        self._draw = draw
        self._burst_until_s = 0.0
        self._next_burst_s = self._until_next_burst_s()

    def per_s(self, now_s: float) -> float:
        """Return transactions a second at a time."""
        constants = self._constants
        hours = constants.hours
        share = hours[int(now_s // _SECONDS_PER_HOUR) % len(hours)] if hours else 1.0
        if now_s >= self._next_burst_s:
            self._burst_until_s = now_s + constants.burst_s
            self._next_burst_s = now_s + self._until_next_burst_s()
        return constants.transactions_per_s * share * (constants.burst_times if now_s < self._burst_until_s else 1.0)

    def _until_next_burst_s(self) -> float:
        every_s = self._constants.burst_every_s
        return float(self._draw.exponential(every_s)) if every_s > 0 else float("inf")
