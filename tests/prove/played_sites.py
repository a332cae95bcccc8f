"""Runs guided by the model on every drawn site, as it is and as physics the agents do not have, and how each went.

How they went is kept, as it takes minutes; a share of them is run again in each run of the long proofs. After a change
of the model, of how a schedule explores or of the sites, `python -m tests.prove.played_sites` writes it anew.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from app.domain.plan import Factor
from tests.prove.kept_rows import read_rows, write_rows
from tests.prove.response_worlds import (
    ALONE,
    JOINT,
    Noise,
    Played,
    World,
    cliff,
    edge,
    falling_back,
    flat,
    play,
    share_cliff,
    smooth,
    two_peaks,
    world_of,
)
from tests.prove.simulated_sites import SITES


def _as_it_is(world: World) -> World:
    return world


class Series(NamedTuple):
    """What all drawn sites are made into, and the noise there."""

    noise: Noise
    factors: tuple[Factor, ...] = JOINT
    change: Callable[[World], World] = _as_it_is

    def world(self, number: int) -> World:
        """Return one site of it."""
        return self.change(world_of(number, self.factors))


SERIES: Final[Mapping[str, Series]] = {
    "3 %": Series(Noise(0.03)),
    "8 %": Series(Noise(0.08)),
    "3 %, one trial in ten disturbed": Series(Noise(0.03, disturbed_share=0.1)),
    "3 %, uneven between settings": Series(Noise(0.03, setting_spread=0.5)),
    "SubscriptionStreams alone, 3 %": Series(Noise(0.03), ALONE),
    "SubscriptionStreams alone, 8 %": Series(Noise(0.08), ALONE),
    "falling back": Series(Noise(0.03), change=falling_back((1.0, 1.0))),
    "falling back, 8 %": Series(Noise(0.08), change=falling_back((1.0, 1.0))),
    "falling back now and then": Series(Noise(0.03), change=falling_back((0.3, 0.8))),
    "cliff": Series(Noise(0.03), change=cliff),
    "cliff by share": Series(Noise(0.03), change=share_cliff),
    "two peaks": Series(Noise(0.03), change=two_peaks),
    "edge": Series(Noise(0.03), change=edge),
    "smooth": Series(Noise(0.03), change=smooth),
    "flat": Series(Noise(0.03), change=flat),
}


def played(name: str, number: int) -> Played:
    """Run one site of a series."""
    series = SERIES[name]
    return play(series.world(number), series.noise)


def kept_run(name: str, number: int) -> Played:
    """Return how it went when it was run last."""
    picks, trials, held, stated = _kept()[number][name]
    return Played(tuple(picks), trials, tuple(each == "1" for each in held), stated)


@cache
def _kept() -> Mapping[int, Mapping[str, Any]]:
    return {row["site"]: row for row in read_rows(__file__)}


def _row(number: int) -> dict[str, Any]:
    row: dict[str, Any] = {"site": number}
    for name in SERIES:
        run = played(name, number)
        row[name] = [run.picks, run.trials, "".join("01"[held] for held in run.held), run.stated]
    return row


if __name__ == "__main__":
    write_rows(__file__, _row, range(SITES))
