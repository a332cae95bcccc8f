"""How soon each way of exploring finds a good setting, on the same sites with the same noise, through the schedule."""

from typing import Final, NamedTuple

import pytest

from app.domain.plan import Stop
from tests.prove.response_worlds import (
    Noise,
    cliff,
    edge,
    figures_of,
    flat,
    play,
    share_cliff,
    smooth,
    two_peaks,
    world_of,
)

pytestmark = pytest.mark.bench

SITES: Final = 8


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
    sites = [world_of(number) for number in range(SITES)]
    print(
        f"{SITES} sites each: trials until nine in ten are right to the end; own stop (with confirmation), right then"
    )
    drawn = {}
    for title, worlds, noise in (
        ("drawn sites, 3 %", sites, Noise(0.03)),
        ("drawn sites, 8 %", sites, Noise(0.08)),
        *((f"{change.__name__}, 3 %", [change(site) for site in sites], Noise(0.03)) for change in (
            cliff, share_cliff, two_peaks, edge, smooth, flat)),
    ):  # fmt: skip
        for way in WAYS:
            figures = figures_of(worlds, [play(world, noise, way.stop, has_curve=way.has_curve) for world in worlds])
            drawn[title, way.title] = figures
            print(
                f"{title:24} {way.title:7} {figures.first_right() or 'never':>5}; {figures.stop:5.1f} "
                f"({figures.total:5.1f}), {figures.right}/{figures.sites} right, regret {figures.loss:.2%}"
            )
    for at in ("3 %", "8 %"):
        totals = {way.title: drawn[f"drawn sites, {at}", way.title].total for way in WAYS}
        assert min(totals, key=lambda title: totals[title]) == "model", totals
