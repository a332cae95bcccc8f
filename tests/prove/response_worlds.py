"""Sites drawn at random (`simulated_sites`), sites that no agent's physics describes, and runs through them."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from app.analysis.response.departures import coordinates, matern
from app.analysis.response.ensemble import first_ensemble
from app.domain.measurement import TrialResult
from app.domain.plan import Design, Factor, Phase, Plan, Stop
from app.domain.response import ResponseCurve
from app.domain.setting import Parameter, Setting
from app.runner.schedule import Schedule
from app.systems.transactional_replication.analysis.delivery_curve import (
    DeliveryConditions,
    DeliveryCurve,
    batch_commands,
)
from app.systems.transactional_replication.metrics import FALLBACKS, RUN_TIME
from tests.prove.noise_worlds import made_trial
from tests.prove.simulated_sites import COMMANDS, SIZES, STREAMS, Site, drawn_site, run_times

Floats = NDArray[np.float64]

JOINT: Final = (Factor("CommitBatchSize", SIZES), Factor("SubscriptionStreams", STREAMS))
ALONE: Final = (Factor("SubscriptionStreams", STREAMS),)
TRIAL_COMMANDS: Final = 1_000_000
"""Delivered in a trial, as the family's own plans do: over how many batches luck evens out."""

RIGHT: Final = 0.02


def settings_of(factors: Sequence[Factor]) -> tuple[Setting, ...]:
    """Return every combination of levels, the baseline first."""
    names = [factor.name for factor in factors]
    combined = itertools.product(*(factor.levels for factor in factors))
    return tuple(Setting.from_mapping(dict(zip(names, levels, strict=True))) for levels in combined)


@dataclass(frozen=True, eq=False)
class Luck:
    """Batches of which streams collide, and which one stream then delivers: each trial draws its own.

    Attributes: each of shape (settings,).
        batches: of a trial. failing: probability that streams collide. slower: what a trial takes longer in which they
            collide in every batch than one in which they never do, a share of the true time.
    """

    batches: NDArray[np.int64]
    failing: Floats
    slower: Floats

    def factor(self, place: int, random: np.random.Generator) -> tuple[float, bool]:
        """Return how long one trial takes, of the true time, and whether the agent's history tells of a fall-back."""
        fell_back = random.binomial(self.batches[place], self.failing[place])
        share = fell_back / self.batches[place]
        return float(1 + self.slower[place] * (share - self.failing[place])), fell_back > 0


@dataclass(frozen=True, eq=False)
class World:
    """One site: the log of each setting's true run time, and what a plan would freeze of it.

    The true time is the mean over all luck; a site of which nothing is left to luck has none.
    """

    number: int
    factors: tuple[Factor, ...]
    log_true: Floats
    curve: DeliveryCurve
    luck: Luck | None = None

    @property
    def settings(self) -> tuple[Setting, ...]:
        """All settings, the baseline first."""
        return settings_of(self.factors)

    @property
    def losses(self) -> Floats:
        """By how much each setting is worse than the best."""
        losses: Floats = np.expm1(self.log_true - self.log_true.min())
        return losses

    def changed(self, log_true: Floats, luck: Luck | None = None) -> "World":
        """Return a site with other run times, of which a plan would freeze the same."""
        return World(self.number, self.factors, log_true, self.curve, luck)


@cache
def world_of(number: int, factors: tuple[Factor, ...] = JOINT) -> World:
    """Return one site as the event simulation has it without noise."""
    site = drawn_site(number)
    in_effect = {"CommitBatchSize": SIZES[0], "CommitBatchThreshold": site.threshold, "SubscriptionStreams": 1}
    settings = [
        (int(setting.get("CommitBatchSize", SIZES[0])), int(setting["SubscriptionStreams"]))
        for setting in settings_of(factors)
    ]
    true_s, luck = _true_s(number, site, settings)
    link, cpus = site.scenario.link, site.scenario.topology.subscriber_cpus
    commands = sum(site.commands_per_transaction) / 2
    at = DeliveryConditions(commands, link.rtt_ms, link.bandwidth_kbps, cpus, in_effect, COMMANDS)
    return World(number, factors, np.log(true_s), DeliveryCurve(at), luck)


OFTEN_FAILING: Final = STREAMS.index(16)
"""Position of the most streams at the smallest batches: where they collide, they do so often enough to be counted."""


def long_run_s(number: int) -> float:
    """Return what one run of a million commands takes there, luck included, scaled to `COMMANDS`."""
    site = drawn_site(number)
    taken_s = site.run_time_s(SIZES[0], STREAMS[OFTEN_FAILING], site.pair_failure, TRIAL_COMMANDS)
    return taken_s * COMMANDS / TRIAL_COMMANDS


def _true_s(number: int, site: Site, settings: Sequence[tuple[int, int]]) -> tuple[Floats, Luck | None]:
    """Return the mean run time of each setting and its luck: what collides in one run is no property of the site."""
    times = run_times(number)
    without_s = np.array([times.without[setting] for setting in settings])
    if not site.pair_failure:
        return without_s, None
    colliding_s = np.array([times.colliding[setting] for setting in settings])
    sizes, streams = np.array(settings, float).T
    failing = 1 - (1 - site.pair_failure) ** (streams * (streams - 1) / 2)
    true_s = without_s + failing * (colliding_s - without_s)
    threshold = np.full(len(settings), float(site.threshold))
    a_batch = batch_commands(sizes, threshold, sum(site.commands_per_transaction) / 2)
    batches = np.ceil(TRIAL_COMMANDS / a_batch).astype(np.int64)
    return true_s, Luck(batches, failing, (colliding_s - without_s) / true_s)


def _beyond(world: World, sides: Sequence[NDArray[np.bool_]]) -> World:
    """Return a site slowed by half to three times beyond one of the boundaries that lie before its best setting."""
    random = np.random.default_rng([212, world.number])
    hiding = [side for side in sides if side[world.log_true.argmin()] and not side.all()]
    if not hiding:
        return world
    side = hiding[random.integers(len(hiding))]
    return world.changed(world.log_true + side * math.log(random.uniform(1.5, 4.0)))


def cliff(world: World) -> World:
    """Streams that fall back, or batches that no longer fit: beyond some values everything is slower."""
    values = np.array([list(setting.values()) for setting in world.settings], float)
    return _beyond(world, [np.all(values >= np.array(at), axis=1) for at in itertools.product(SIZES, STREAMS)])


def falling_back(shares: tuple[float, float]) -> Callable[[World], World]:
    """Return what makes streams fall back, beyond a corner of the settings and with it their best one.

    A trial that does takes what one stream does and a tenth more, to the end: an agent whose batches keep failing.

    Args:
        shares: least and most of the trials there that do.
    """

    def fallen(world: World) -> World:
        random = np.random.default_rng([217, world.number])
        values = np.array([list(setting.values()) for setting in world.settings], float)
        streams = values[:, -1]
        sides = [np.all(values >= np.array(at), axis=1) for at in itertools.product(SIZES, STREAMS[1:])]
        hiding = [side for side in sides if side[world.log_true.argmin()]]
        if not hiding:
            return world
        share = hiding[random.integers(len(hiding))] * random.uniform(*shares)
        alone = np.array([world.log_true[(values[:, 0] == size) & (streams == 1)][0] for size in values[:, 0]])
        slower = np.exp(alone + math.log(1.1) - world.log_true)
        mean = 1 + share * (slower - 1)
        return world.changed(
            world.log_true + np.log(mean), Luck(np.ones(len(share), np.int64), share, (slower - 1) / mean)
        )

    return fallen


def share_cliff(world: World) -> World:
    """One stream's share of a batch no longer fits: a boundary across both parameters."""
    values = np.array([list(setting.values()) for setting in world.settings], float)
    share = values[:, 0] / values[:, 1]
    return _beyond(world, [share >= at for at in np.unique(share)])


def two_peaks(world: World) -> World:
    """Two separate good places on a plain, one better than the other."""
    random, places = np.random.default_rng([213, world.number]), coordinates(world.settings)
    first, second = next(pair for pair in _pairs(random) if np.hypot(*(pair[0] - pair[1])) > 0.6)
    log_true = np.full(len(places), world.log_true.mean())
    for place, depth in ((first, 0.5), (second, 0.5 * random.uniform(0.7, 0.95))):
        log_true -= depth * np.exp(-((places - place) ** 2).sum(1) / (2 * 0.2**2))
    return world.changed(log_true)


def _pairs(random: np.random.Generator) -> Iterator[Floats]:
    while True:
        yield random.random((2, 2))


def edge(world: World) -> World:
    """A slope in some direction: the best setting lies in a corner."""
    random, places = np.random.default_rng([214, world.number]), coordinates(world.settings)
    return world.changed(world.log_true.mean() + places @ (random.choice([-1, 1], 2) * random.uniform(0.2, 0.6, 2)))


def smooth(world: World) -> World:
    """Any smooth response, without the agent's physics."""
    random, places = np.random.default_rng([215, world.number]), coordinates(world.settings)
    covariance = 0.3**2 * matern(places, 0.4) + 1e-9 * np.eye(len(places))
    return world.changed(world.log_true.mean() + random.multivariate_normal(np.zeros(len(places)), covariance))


def flat(world: World) -> World:
    """Nothing makes a difference."""
    return world.changed(np.full_like(world.log_true, world.log_true.mean()))


@dataclass(frozen=True)
class Noise:
    """What a trial's value is beside the truth.

    Attributes:
        log_sd: between runs of a setting in the middle.
        setting_spread: standard deviation of the log of a setting's noise against that.
        disturbed_share: of trials that take 1.5 to 2 times as long.
    """

    log_sd: float
    setting_spread: float = 0.0
    disturbed_share: float = 0.0

    def values(self, world: World) -> Callable[[int], tuple[float, bool]]:
        """Return what measures a setting once more, by its position: seconds, and whether it fell back."""
        random = np.random.default_rng([216, world.number])
        log_sd = self.log_sd * np.exp(self.setting_spread * random.standard_normal(len(world.log_true)))

        def value(place: int) -> tuple[float, bool]:
            log = world.log_true[place] + log_sd[place] * random.standard_normal()
            factor, fell_back = world.luck.factor(place, random) if world.luck else (1.0, False)
            log += math.log(factor)
            is_disturbed = random.random() < self.disturbed_share
            return math.exp(log) * (random.uniform(1.5, 2.0) if is_disturbed else 1.0), fell_back

        return value


@dataclass(frozen=True)
class Played:
    """How one run went, through the schedule that runs use.

    Attributes:
        picks: position of the pick after each exploring trial.
        trials: in all, confirming ones included.
        held: whether the last band of each untried setting held the truth.
        stated: probability that the model tells of its last pick at the end, None where it tells of no setting's gain.
    """

    picks: tuple[int, ...]
    trials: int
    held: tuple[bool, ...]
    stated: float | None


def play(
    world: World, noise: Noise, stop: Stop = Stop.MODEL, *, has_curve: bool = True, parameters: Sequence[Parameter] = ()
) -> Played:
    """Run one site from its baseline to its end.

    Args:
        parameters: as their family declares them, where the simplest setting that does as well is to be picked.
    """
    settings, curve = world.settings, world.curve if has_curve else None
    plan = Plan("distribution_agent", world.factors, settings[0], design=Design(stop=stop, seed=world.number + 1))
    schedule, value = _schedule(plan, curve, parameters), noise.values(world)
    done, picks = list[TrialResult](), list[int]()
    while (spec := schedule.next_spec(done)) is not None:
        value_s, fell_back = value(settings.index(spec.setting))
        done.append(_with_fall_back(made_trial(spec, value_s), fell_back))
        if spec.phase is Phase.EXPLORE:
            picks.append(settings.index(schedule.winner(done) or settings[0]))
    advice = schedule.advice(done)
    said = schedule.advice_on_pick(done)
    untried = [(n, p) for n, p in enumerate(advice.predictions if advice else ()) if not p.is_tried]
    held = tuple(p.low <= math.exp(world.log_true[place]) <= p.high for place, p in untried)
    return Played(tuple(picks), len(done), held, None if said is None or said.is_level else round(said.right, 3))


def _with_fall_back(trial: TrialResult, fell_back: bool) -> TrialResult:
    """Return a trial with what the agent's history tells of it."""
    (measured,) = trial.measurements
    told = replace(measured, metric=FALLBACKS.name, unit=FALLBACKS.unit, value=float(fell_back))
    return replace(trial, measurements=(measured, told))


def _schedule(plan: Plan, curve: ResponseCurve | None, parameters: Sequence[Parameter]) -> Schedule:
    return Schedule(plan, "E", RUN_TIME, parameters, (RUN_TIME, FALLBACKS), curve=curve)


@dataclass(frozen=True)
class Figures:
    """Shares and means over the sites of one world.

    Attributes:
        stop, total: mean trials until exploring ended, and in all.
        chance: how far a true mean of `stop` or `total` lies below these in one of a hundred such experiments only.
        right: sites whose pick was right in the end. loss: its mean.
        right_after: sites whose pick was right after so many trials, by number of trials less one.
        by_constant, by_prior: sites right without a trial: by the setting that is right most often, by the prior.
        held: (held, of) bands of untried settings.
        tells: sites where the model told a probability; none where it calls all settings level.
        told, came_true: probability that the model told of picks, their mean, and the share of these that were right.
    """

    sites: int
    stop: float
    total: float
    chance: float
    right: int
    loss: float
    right_after: tuple[float, ...]
    by_constant: float
    by_prior: float
    held: tuple[int, int]
    tells: int
    told: float
    came_true: float

    def right_from(self, trial: int) -> float:
        """Return the smallest share of right picks after any number of trials from this one on."""
        return min(self.right_after[trial - 1 :], default=self.right / self.sites)

    @property
    def covered(self) -> float:
        """Share of bands of untried settings that hold the truth; 1 without any."""
        return self.held[0] / self.held[1] if self.held[1] else 1.0

    def first_right(self) -> int | None:
        """Return the trial from which on nine sites in ten have a right pick, None where none is."""
        return next((n for n in range(1, len(self.right_after) + 1) if self.right_from(n) >= 0.9), None)

    def __str__(self) -> str:
        return (
            f"{self.sites} sites: explores {self.stop:.1f} trials, {self.total:.1f} with confirmation; right "
            f"{self.right / self.sites:.1%} (constant guess {self.by_constant:.0%}, prior only {self.by_prior:.0%}), "
            f"mean regret {self.loss:.2%}; nine in ten right from trial {self.first_right()}; bands of untried "
            f"settings hold {self.covered:.1%} of {self.held[1]}; told {self.told:.1%} on {self.tells}, came true "
            f"{self.came_true:.1%}"
        )


def figures_of(worlds: Sequence[World], runs: Sequence[Played]) -> Figures:
    """Return the figures of the runs of these sites, one of each."""
    right = np.array([world.losses <= RIGHT for world in worlds])
    losses = [[float(loss) for loss in w.losses[list(r.picks)]] for w, r in zip(worlds, runs, strict=True)]
    after = [
        float(np.mean([of_run[min(trial, len(of_run) - 1)] <= RIGHT for of_run in losses]))
        for trial in range(max(map(len, losses)))
    ]
    of_told = [
        (run.stated, of_run[-1] <= RIGHT) for run, of_run in zip(runs, losses, strict=True) if run.stated is not None
    ]
    return Figures(
        sites=len(runs),
        stop=float(np.mean([len(of_run) for of_run in losses])),
        total=float(np.mean([run.trials for run in runs])),
        chance=_chance([len(of_run) for of_run in losses]),
        right=sum(of_run[-1] <= RIGHT for of_run in losses),
        loss=float(np.mean([of_run[-1] for of_run in losses])),
        right_after=tuple(after),
        by_constant=float(right.mean(0).max()),
        by_prior=float(np.mean([right[n, _prior_pick(world)] for n, world in enumerate(worlds)])),
        held=(sum(sum(run.held) for run in runs), sum(len(run.held) for run in runs)),
        tells=len(of_told),
        told=float(np.mean([told for told, _is_right in of_told])) if of_told else 1.0,
        came_true=float(np.mean([is_right for _told, is_right in of_told])) if of_told else 1.0,
    )


def _chance(of_sites: Sequence[float]) -> float:
    """Return by how much the mean of so many sites differs from the true one, to one side, once in a hundred times."""
    return float(norm.ppf(0.99) * np.std(of_sites, ddof=1) / math.sqrt(len(of_sites))) if len(of_sites) > 1 else 0.0


def _prior_pick(world: World) -> int:
    """Return what the prior alone would pick: the smallest expected loss over its draws."""
    curves = first_ensemble(world.curve, world.settings, np.random.default_rng(1)).curves
    return int(np.expm1((curves - curves.min(1, keepdims=True)).clip(max=3.0)).mean(0).argmin())
