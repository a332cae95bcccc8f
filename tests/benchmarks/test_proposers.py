"""How soon each way of exploring finds a good setting, on the same sites with the same noise, through the schedule."""

from typing import Final, NamedTuple

import pytest

from app.domain.plan import Stop
from tests.prove.played_sites import SERIES
from tests.prove.response_worlds import figures_of, play

pytestmark = pytest.mark.bench

SITES: Final = 8
COMPARED: Final = ("3 %", "8 %", "cliff", "cliff by share", "two peaks", "edge", "smooth", "flat")
"""Series of drawn sites: as they are at two noises, and as physics the agents do not have, at 3 %."""


class Way(NamedTuple):
    """A way of exploring."""

    title: str
    stop: Stop
    has_curve: bool = True


WAYS: Final = (
    Way("blocks", Stop.BLOCKS),
    Way("race", Stop.RACE),
    Way("GP", Stop.MODEL, has_curve=False),
    Way("model", Stop.MODEL),
)


def test_the_model_needs_the_fewest_trials() -> None:
    """CommitBatchSize × SubscriptionStreams, 30 settings; on drawn sites it takes the fewest, confirmation included."""
    print(
        f"{SITES} sites each: trials until nine in ten are right to the end; own stop (with confirmation), right then"
    )
    drawn = {}
    for title in COMPARED:
        worlds, noise = [SERIES[title].world(number) for number in range(SITES)], SERIES[title].noise
        for way in WAYS:
            figures = figures_of(worlds, [play(world, noise, way.stop, has_curve=way.has_curve) for world in worlds])
            drawn[title, way.title] = figures
            print(
                f"{title:24} {way.title:7} {figures.first_right() or 'never':>5}; {figures.stop:5.1f} "
                f"({figures.total:5.1f}), {figures.right}/{figures.sites} right, regret {figures.loss:.2%}"
            )
    for at in ("3 %", "8 %"):
        totals = {way.title: drawn[at, way.title].total for way in WAYS}
        assert min(totals, key=lambda title: totals[title]) == "model", totals
