"""Exploring guided by a model, on sites drawn from the lab's event simulation and on sites it is wrong about.

Beside every figure stand two that need no trial: the setting that is right at most of these sites, and what the prior
alone would pick. All are printed (`pytest -rP`). A share or a mean may miss its bound by chance alone (`figures`).
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
import pytest
from scipy.stats import norm

from app.systems.transactional_replication.server.documented import varied_by
from tests.benchmarks.figures import fewest_by_chance, most_by_chance
from tests.prove.played_sites import SERIES, kept_run, played
from tests.prove.response_worlds import JOINT, OFTEN_FAILING, Figures, Noise, figures_of, long_run_s, play, world_of
from tests.prove.shares import Share, made_again
from tests.prove.simulated_sites import SITES, run_times, simulated

pytestmark = pytest.mark.prove

Record = Callable[[str, object], None]


def _figures(name: str, record_property: Record) -> Figures:
    """Return the figures of all sites of a series, as they are kept, and tell them."""
    sites = range(SITES)
    figures = figures_of([SERIES[name].world(number) for number in sites], [kept_run(name, n) for n in sites])
    record_property(name, str(figures))
    print(f"{name}: {figures}")
    return figures


class Bound(NamedTuple):
    """What one noise is held to: shares of right picks, mean trials while exploring and in all, covering bands.

    Of these `covered` is a floor; the other shares may be missed by chance.
    """

    right: float
    from_trial: int
    right_from: float
    stop: float
    total: float
    covered: float = 0.87


@pytest.mark.minutes
def test_the_sites_kept_are_what_the_lab_simulates(share: Share) -> None:
    """A change of the lab's physics changes them; `python -m tests.prove.simulated_sites` writes them anew."""
    for number in made_again(share, SITES):
        kept, again = run_times(number), simulated(number)
        assert kept.without == pytest.approx(again.without, rel=1e-9), number
        assert kept.colliding == pytest.approx(again.colliding, rel=1e-9), number


@pytest.mark.minutes
@pytest.mark.parametrize("name", SERIES)
def test_the_runs_kept_are_what_the_model_does(name: str, share: Share) -> None:
    """To each pick and each band; after a change of the model `python -m tests.prove.played_sites` writes them anew."""
    for number in made_again(share, SITES, list(SERIES).index(name)):
        again, kept = played(name, number), kept_run(name, number)
        assert replace(again, stated=None) == replace(kept, stated=None), number
        assert (again.stated is None) is (kept.stated is None), number
        assert again.stated == pytest.approx(kept.stated, abs=MOST_APART), number


@pytest.mark.parametrize(("noise", "most"), [(0.03, 0.004), (0.08, 0.002)])
def test_a_simpler_pick_loses_little(noise: float, most: float, share: Share, record_property: Record) -> None:
    """Against the model's own pick, on average, as chance flatters no setting into it; some picks are simpler."""
    numbers, names = range(share.draws(60)), [factor.name for factor in JOINT]
    parameters = [one for one in varied_by("distribution_agent") if one.name in names]
    lost = []
    for number in numbers:
        world = world_of(number)
        alone, simplest = (play(world, Noise(noise), parameters=each).picks[-1] for each in ((), parameters))
        lost.append(float(world.losses[simplest] - world.losses[alone]))
    line = f"{noise:.0%}: {sum(map(bool, lost))} of {len(lost)} picks are simpler, and lose {np.mean(lost):.2%} in all"
    record_property("simpler picks", line)
    print(line)
    assert any(lost), line
    assert np.mean(lost) <= most, line


def test_the_true_time_of_a_setting_is_that_of_a_long_run() -> None:
    """What a site is held against is no luck of one run: a million commands take it within 3 %, ten sites 1 %."""
    numbers = [number for number in range(25) if world_of(number).luck is not None][:10]
    ratios = [long_run_s(number) / math.exp(world_of(number).log_true[OFTEN_FAILING]) for number in numbers]
    assert max(map(abs, np.log(ratios))) < 0.03
    assert abs(np.mean(np.log(ratios))) < 0.01


MOST_APART: Final = 0.03
"""So far may the probability of a run made again lie from the kept one.

Processors differ in its third decimal at most sites, and by 0.014 at one where much follows from a near tie.
"""

NOISES: Final = {
    "3 %": Bound(0.93, 6, 0.9, 8, 16),
    "8 %": Bound(0.93, 10, 0.9, 13, 21),
    "3 %, one trial in ten disturbed": Bound(0.9, 10, 0.85, 13, 21, 0.78),
    "3 %, uneven between settings": Bound(0.9, 8, 0.85, 9.5, 17, 0.85),
}


@pytest.mark.parametrize("name", NOISES)
def test_on_drawn_sites_few_trials_find_a_good_setting(name: str, record_property: Record) -> None:
    """Most sites are right soon and stay so; the model stops of itself, and its bands hold what was not tried."""
    bound, figures = NOISES[name], _figures(name, record_property)
    assert figures.right >= fewest_by_chance(figures.sites, bound.right)
    right_from = figures.right_from(bound.from_trial) * figures.sites
    assert right_from >= fewest_by_chance(figures.sites, bound.right_from)
    assert figures.stop - figures.chance <= bound.stop
    assert figures.total - figures.chance <= bound.total
    assert figures.right > figures.sites * max(figures.by_constant, figures.by_prior)
    assert bound.covered <= figures.covered <= 0.95


@pytest.mark.parametrize("noise", ["3 %", "8 %"])
def test_streams_alone_take_four_trials(noise: str, record_property: Record) -> None:
    """One parameter of five levels is explored in fewer trials than one block has."""
    figures = _figures(f"SubscriptionStreams alone, {noise}", record_property)
    assert figures.right >= fewest_by_chance(figures.sites, 0.9)
    assert figures.stop - figures.chance <= 4


MOST_DOUBT: Final = {"flat": 0.10}
"""Where every setting is as good as another no pick is wrong, but a few trials cannot know that.

Of 201 such sites 186 are called level, without a probability. On the other 15 chance made a difference, and the trials
look like those of sites that have one: of picks told below 95 % on sites at 3 % noise 97 % are right, for 89 % told,
but at 8 % noise, where connections fall back, 75 % for 87 %. Telling more on the former would tell too much there.
"""

MOST_TELLING: Final = {"flat": 0.10}
"""Share of sites where a probability is told at all."""


@pytest.mark.parametrize("name", SERIES)
def test_what_is_told_of_a_pick_comes_true(name: str, record_property: Record) -> None:
    """Its probability is within 5 points of the share of picks that are right, where connections fall back as well."""
    figures = _figures(name, record_property)
    by_chance = norm.ppf(0.99) * math.sqrt(figures.came_true * (1 - figures.came_true) / figures.tells)
    assert figures.tells <= most_by_chance(figures.sites, MOST_TELLING.get(name, 1.0))
    assert figures.told - figures.came_true - by_chance <= 0.05
    assert figures.came_true - figures.told - by_chance <= MOST_DOUBT.get(name, 0.05)


@pytest.mark.parametrize("name", [name for name in SERIES if name.startswith("falling back")])
def test_where_streams_fall_back(name: str, record_property: Record) -> None:
    """A fall-back is no value: settings beyond it are left, and bands of untried settings hold what they take."""
    figures = _figures(name, record_property)
    assert figures.right >= fewest_by_chance(figures.sites, 0.75 if "then" in name else 0.9)
    assert figures.covered >= 0.85


WRONG: Final = {"cliff": 20, "cliff by share": 20, "two peaks": 20, "edge": 20, "smooth": 20, "flat": 8}


@pytest.mark.parametrize("name", WRONG)
def test_where_the_physics_is_wrong(name: str, record_property: Record) -> None:
    """A site that the curve does not describe is found out, at the cost of more trials; a level one quickly."""
    figures = _figures(name, record_property)
    assert figures.right >= fewest_by_chance(figures.sites, 0.9)
    assert figures.loss <= 0.01
    assert figures.stop - figures.chance <= WRONG[name]
