"""Exploring guided by a model, on sites drawn from the lab's event simulation and on sites it is wrong about.

Beside every figure stand two that need no trial: the setting that is right at most of these sites, and what the prior
alone would pick. All are printed (`pytest -rP`). A share or a mean may miss its bound by chance alone (`figures`).
"""

import math
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import pytest

from app.domain.plan import Factor
from tests.benchmarks.figures import fewest_by_chance
from tests.prove.response_worlds import (
    ALONE,
    JOINT,
    OFTEN_FAILING,
    Figures,
    Noise,
    World,
    cliff,
    edge,
    figures_of,
    flat,
    long_run_s,
    share_cliff,
    smooth,
    two_peaks,
    world_of,
)
from tests.prove.simulated_sites import SITES, run_times, simulated
from tests.prove.thirds import Share

pytestmark = pytest.mark.prove

Record = Callable[[str, object], None]


def _worlds(share: Share, count: int, factors: tuple[Factor, ...] = JOINT) -> list[World]:
    return [world_of(number, factors) for number in share.of(list(range(count)), lambda number: number)]


def _tell(record_property: Record, name: str, figures: Figures) -> None:
    record_property(name, str(figures))
    print(f"{name}: {figures}")


class Bound(NamedTuple):
    """What one noise is held to: shares of right picks, mean trials while exploring and in all, covering bands.

    Of these `covered` is a floor; the other shares may be missed by chance.
    """

    noise: Noise
    right: float
    from_trial: int
    right_from: float
    stop: float
    total: float
    covered: float = 0.87


@pytest.mark.minutes
def test_the_sites_kept_are_what_the_lab_simulates(share: Share) -> None:
    """A change of the lab's physics changes them; `python -m tests.prove.simulated_sites` writes them anew."""
    for number in share.of(list(range(SITES)), lambda number: number):
        kept, again = run_times(number), simulated(number)
        assert kept.without == pytest.approx(again.without, rel=1e-9), number
        assert kept.colliding == pytest.approx(again.colliding, rel=1e-9), number


def test_the_true_time_of_a_setting_is_that_of_a_long_run() -> None:
    """What a site is held against is no luck of one run: a million commands take it within 3 %, ten sites 1 %."""
    numbers = [number for number in range(25) if world_of(number).luck is not None][:10]
    ratios = [long_run_s(number) / math.exp(world_of(number).log_true[OFTEN_FAILING]) for number in numbers]
    assert max(map(abs, np.log(ratios))) < 0.03
    assert abs(np.mean(np.log(ratios))) < 0.01


NOISES: Final = {
    "3 %": Bound(Noise(0.03), 0.93, 6, 0.9, 8, 16),
    "8 %": Bound(Noise(0.08), 0.93, 10, 0.9, 13, 21),
    "3 %, one trial in ten disturbed": Bound(Noise(0.03, disturbed_share=0.1), 0.9, 10, 0.85, 13, 21, 0.78),
    "3 %, uneven between settings": Bound(Noise(0.03, setting_spread=0.5), 0.9, 8, 0.85, 9.5, 17, 0.85),
}


@pytest.mark.minutes
def test_on_drawn_sites_few_trials_find_a_good_setting(record_property: Record) -> None:
    """Most sites are right soon and stay so; the model stops of itself, and its bands hold what was not tried.

    All noises meet the same sites, each of which is simulated once; all of them in each run, as the share of bands that
    hold has a ceiling that a third of the sites may miss by chance.
    """
    worlds, missed = [world_of(number) for number in range(SITES)], list[str]()
    for name, bound in NOISES.items():
        figures = figures_of(worlds, bound.noise)
        _tell(record_property, f"joint space, {name}", figures)
        holds = (
            figures.right >= fewest_by_chance(figures.sites, bound.right),
            figures.right_from(bound.from_trial) * figures.sites >= fewest_by_chance(figures.sites, bound.right_from),
            figures.stop - figures.chance <= bound.stop,
            figures.total - figures.chance <= bound.total,
            figures.right > figures.sites * max(figures.by_constant, figures.by_prior),
            bound.covered <= figures.covered <= 0.95,
        )
        missed += [f"{name}: {holds} {figures}"] if not all(holds) else []
    assert not missed, "\n".join(missed)


@pytest.mark.parametrize("log_sd", [0.03, 0.08])
def test_streams_alone_take_four_trials(log_sd: float, share: Share, record_property: Record) -> None:
    """One parameter of five levels is explored in fewer trials than one block has."""
    figures = figures_of(_worlds(share, SITES, ALONE), Noise(log_sd))
    _tell(record_property, f"SubscriptionStreams alone, {log_sd:.0%}", figures)
    assert figures.right >= fewest_by_chance(figures.sites, 0.9)
    assert figures.stop - figures.chance <= 4


WRONG: Final[dict[str, tuple[Callable[[World], World], float]]] = {
    "cliff": (cliff, 20),
    "cliff by share": (share_cliff, 20),
    "two peaks": (two_peaks, 20),
    "edge": (edge, 20),
    "smooth": (smooth, 20),
    "flat": (flat, 8),
}


@pytest.mark.minutes
def test_where_the_physics_is_wrong(share: Share, record_property: Record) -> None:
    """A site that the curve does not describe is found out, at the cost of more trials; a level one quickly."""
    worlds, missed = _worlds(share, SITES), list[str]()
    for name, (change, stop) in WRONG.items():
        figures = figures_of([change(world) for world in worlds], Noise(0.03))
        _tell(record_property, f"{name}, 3 %", figures)
        is_right = figures.right >= fewest_by_chance(figures.sites, 0.9)
        if not (is_right and figures.loss <= 0.01 * share.parts and figures.stop - figures.chance <= stop):
            missed.append(f"{name}: {figures}")
    assert not missed, "\n".join(missed)
