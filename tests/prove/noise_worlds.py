"""Worlds of run-to-run noise as a client's server may have: uneven, disturbed, drifting, recorded; sessions in them."""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.analysis.carry_over import Ran, settings_before, with_carry_over
from app.analysis.confirmed import Confirming, compare_confirmed
from app.analysis.outcomes import circumstances_of
from app.domain.comparison import Comparison, Verdict
from app.domain.happening import Happening, Work
from app.domain.measurement import Measurement, TrialResult, TrialStatus
from app.domain.plan import Design, Factor, Phase, Plan, TrialSpec
from app.domain.setting import Setting
from app.runner.schedule import Schedule
from app.systems.transactional_replication.metrics import RUN_TIME

RECORDED: Final = Path(__file__).parents[1] / "facts" / "noise"
FACTOR: Final = "SubscriptionStreams"
LEVELS: Final = (1, 2, 4, 8, 16)
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
LOG_3: Final = math.sqrt(math.log1p(0.03**2))

Floats = NDArray[np.float64]


@dataclass
class Server:
    """A server of one world during one session: what it adds to the log of each trial's value.

    Attributes:
        log_sd: of each arm's trials.
        confirming_factor: how much noisier confirming trials are.
        path: added to the trials in the order they ran, () for nothing.
        doubled: (phase, number within it) of a trial that takes twice as long, None for none.
        disturbed_share: of trials that take 1.5 to 2 times as long.
        step_s: of the clock, 0 for a fine one.
        draws: a log deviation of an arm, instead of a normal one.
        stated_cv: the noise that somebody stated for it in the plan, as a share, or None.
        failing: (arm, share of its trials, how many times as long they take) of an arm that now and then fails in a way
            nobody counts: a memory grant, an escalation, a spill; None for none.
        lasting: share of a trial in which the setting of the trial before is still in effect, by its log.
        left_behind: (arm, how many times as long the trial behind one of it takes): a cache it clears, a log it grows;
            None for none.
        told_share: of disturbed trials, doubled ones too, in which the server tells what ran: a login sees most of it.
        coincidence: share of all other trials in which it tells of something that slowed nothing down.
        met: what it told of the last trial.
        measured_s: what a trial of an arm measures of its true time, without noise; None for that time.
    """

    random: np.random.Generator
    log_sd: Sequence[float]
    confirming_factor: float = 1.0
    path: Sequence[float] | Floats = ()
    doubled: tuple[Phase, int] | None = None
    disturbed_share: float = 0.0
    step_s: float = 0.0
    draws: Callable[[int], float] | None = None
    stated_cv: float | None = None
    failing: tuple[int, float, float] | None = None
    lasting: float = 0.0
    left_behind: tuple[int, float] | None = None
    told_share: float = 0.7
    coincidence: float = 0.05
    met: tuple[Happening, ...] = ()
    measured_s: Callable[[int, float], float] | None = None
    chance: np.random.Generator = field(init=False)
    ran: dict[Phase, int] = field(default_factory=dict)
    before: tuple[int, float] | None = None

    def __post_init__(self) -> None:
        """Tell of what ran by chances of its own: whoever looks at no happening meets the same session."""
        self.chance = self.random.spawn(1)[0]

    def value_s(self, arm: int, phase: Phase, true_s: float) -> float:
        """Return what one trial of an arm measures."""
        total, number = sum(self.ran.values()), self.ran.get(phase, 0)
        self.ran[phase] = number + 1
        draw = float(self.random.standard_normal()) * self.log_sd[arm] if self.draws is None else self.draws(arm)
        log = draw * (self.confirming_factor if phase is Phase.CONFIRM else 1.0)
        if len(self.path):
            log += self.path[total]
        is_disturbed = self.doubled == (phase, number)
        if is_disturbed:
            log += math.log(2)
        if self.disturbed_share and self.random.random() < self.disturbed_share:
            log += math.log(self.random.uniform(1.5, 2.0))
            is_disturbed = True
        is_told = self.chance.random() < (self.told_share if is_disturbed else self.coincidence)
        self.met = (Happening(Work.JOB, "PUB1", f"job {total}"),) if is_told else ()
        if self.failing is not None and self.failing[0] == arm and self.random.random() < self.failing[1]:
            log += math.log(self.failing[2])
        if self.before is not None:
            arm_before, true_before_s = self.before
            log += self.lasting * math.log(true_before_s / true_s)
            if self.left_behind is not None and self.left_behind[0] == arm_before:
                log += math.log(self.left_behind[1])
        self.before = arm, true_s
        value = (true_s if self.measured_s is None else self.measured_s(arm, true_s)) * math.exp(log)
        return max(self.step_s, round(value / self.step_s) * self.step_s) if self.step_s else value


SHOWN: Final = (Verdict.IMPROVEMENT, Verdict.WORSE)
EXPLORING: Final = 15
MOST_TRIALS: Final = EXPLORING + 25 + 12
"""Three exploring blocks of five settings, five that settle which is the simplest good one, six pairs that confirm."""


def _ar1(random: np.random.Generator, rho: float, sd: float) -> Floats:
    path = np.empty(MOST_TRIALS)
    path[0] = random.standard_normal() * sd
    for n in range(1, MOST_TRIALS):
        path[n] = rho * path[n - 1] + math.sqrt(1 - rho**2) * sd * random.standard_normal()
    return path


@cache
def _recorded_aa() -> Floats:
    rows = [json.loads(line) for line in (RECORDED / "real-aa.jsonl").read_text(encoding="utf-8").splitlines()]
    logs = np.log([float(row["rate"]) for row in rows])
    return np.asarray(logs.mean() - logs)


@cache
def _recorded_cells() -> Floats:
    """Return log values of each recorded cell less their mean, shape (settings, workloads, blocks).

    A setting is a commit level at a round trip, a workload a number of rows per commit. The mean of four values takes a
    quarter of their variance along, which is given back (residuals divided by the root of one minus their leverage:
    Davison & Hinkley (1997), Bootstrap Methods and their Application, section 6.2.3).
    """
    cells: dict[tuple[float, str], dict[int, dict[int, float]]] = {}
    for line in (RECORDED / "real-a.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        workloads = cells.setdefault((row["rtt"], row["level"]), {})
        workloads.setdefault(row["rows"], {})[row["block"]] = math.log(row["ms"])
    logs = np.array(
        [[[log for _block, log in sorted(cell.items())] for _rows, cell in sorted(w.items())] for w in cells.values()]
    )
    return np.asarray((logs - logs.mean(2, keepdims=True)) / math.sqrt(1 - 1 / logs.shape[2]))


def _equal(sd: float, **more: Any) -> Callable[[np.random.Generator], Server]:
    return lambda random: Server(random, [sd] * 5, **more)


def _in_blocks(random: np.random.Generator) -> Server:
    """Return recorded settings; the n-th trials of all stand in one recorded block and workload, drawn anew each time.

    Of a cell there are four values, and three pairs drawn from four blocks are the same block each time in one session
    of sixteen: identical to the last digit, as no server's are, and then whatever judges by their scatter claims. So a
    setting brings the sixteen values of its four workloads, with their tails and what a block did to all settings.
    """
    recorded = _recorded_cells()
    deviations = recorded.reshape(len(recorded), -1)
    arms = random.choice(len(deviations), 5, replace=False)
    place = random.integers(deviations.shape[1], size=MOST_TRIALS)
    ran = [0] * len(arms)

    def draw(arm: int) -> float:
        ran[arm] += 1
        return float(deviations[arms[arm], place[ran[arm] - 1]])

    return Server(random, [0.0] * 5, draws=draw)


def _of_cells(random: np.random.Generator) -> Server:
    """Return recorded cells, each trial one of the cell's four values, smoothed: uneven noise as it was found.

    Four values drawn again and again are four points and no noise: the paired t of three blocks, which errs 5 % by its
    construction, errs 8.8 % on them by their gaps alone, and 5.7 % smoothed (40,000 sessions). The smoothed bootstrap
    keeps their mean, variance, skewness and outlying blocks in part; its width is the normal reference rule's.

    Source: Silverman & Young (1987), The bootstrap: to smooth or not to smooth?, Biometrika 74: 469-479.
    """
    recorded = _recorded_cells()
    values = recorded.shape[2]
    deviations = recorded.reshape(-1, values)
    arms = random.choice(len(deviations), 5, replace=False)
    width = 1.06 * values**-0.2
    smoothing = width * deviations.std(1)

    def draw(arm: int) -> float:
        value = random.choice(deviations[arms[arm]]) + smoothing[arms[arm]] * random.standard_normal()
        return float(value / math.sqrt(1 + width**2))

    return Server(random, [0.0] * 5, draws=draw)


def _of_aa(random: np.random.Generator) -> Server:
    """Return what one recorded setting did from some moment on; after its last trial comes its first again."""
    recorded = _recorded_aa()
    return Server(random, [0.0] * 5, path=np.roll(recorded, -int(random.integers(len(recorded))))[:MOST_TRIALS])


def _stepped(random: np.random.Generator) -> Server:
    return Server(
        random, [LOG_3] * 5, path=np.where(np.arange(MOST_TRIALS) < random.integers(1, 21), 0.0, math.log(1.15))
    )


def _in_bursts(random: np.random.Generator) -> Server:
    """Return settings that something slows down by a fifth to six tenths, three trials in a row on average."""
    path, more = np.zeros(MOST_TRIALS), 0.0
    for n in range(MOST_TRIALS):
        if more == 0.0:
            more = math.log(random.uniform(1.2, 1.6)) if random.random() < 0.06 else 0.0
        elif random.random() < 1 / 3:
            more = 0.0
        path[n] = more
    return Server(random, [LOG_3] * 5, path=path)


def _in_rhythm(period: float, drift: float) -> Callable[[np.random.Generator], Server]:
    """Return settings under a load that goes up and down by 12 % every so many trials; a trial shows its mean.

    Args:
        drift: how much longer the period has become at the end, as a share; 0 for one that stays.
    """

    def server(random: np.random.Generator) -> Server:
        trials = np.arange(MOST_TRIALS)
        turns = random.uniform() + trials / (period * (1 + drift * trials / MOST_TRIALS))
        return Server(random, [LOG_3] * 5, path=0.12 * np.sinc(1 / period) * np.sin(2 * np.pi * turns))

    return server


PERIODS: Final = (2.0, 2.25, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 8.0)
RHYTHMS: Final[dict[str, Callable[[np.random.Generator], Server]]] = {
    f"a load every {period:g} trials{kept}": _in_rhythm(period, drift)
    for period in PERIODS
    for kept, drift in (("", 0.0), (", ever slower", 0.2))
}

WORLDS: Final[dict[str, Callable[[np.random.Generator], Server]]] = {
    "equal 3 %": _equal(LOG_3),
    "equal 8 %": _equal(0.08),
    "baseline quiet": lambda r: Server(r, [0.02, *(0.02 * r.uniform(3, 10, 4))]),
    "baseline noisy": lambda r: Server(r, [0.02 * r.uniform(3, 10), *([0.02] * 4)]),
    "each arm 1-10 %": lambda r: Server(r, list(r.uniform(0.01, 0.10, 5))),
    "confirmation twice as noisy": _equal(0.04, confirming_factor=2.0),
    "one confirming trial doubled": lambda r: Server(r, [LOG_3] * 5, doubled=(Phase.CONFIRM, int(r.integers(6)))),
    "10 % of trials 1.5-2 x slower": _equal(LOG_3, disturbed_share=0.10),
    "AR(1) 0.8": lambda r: Server(r, [0.0] * 5, path=_ar1(r, 0.8, 0.05)),
    "bursts": _in_bursts,
    "15 % step": _stepped,
    "6 % drift": lambda r: Server(r, [LOG_3] * 5, path=np.linspace(0, math.log(1.06) * MOST_TRIALS / 21, MOST_TRIALS)),
    "Student t3": lambda r: Server(r, [0.0] * 5, draws=lambda _arm: float(r.standard_t(3)) * 0.05 / math.sqrt(3)),
    "recorded, one setting in order": _of_aa,
    "recorded, settings in their blocks": _in_blocks,
    "recorded, cells over their blocks": _of_cells,
    "clock of 1 s": _equal(0.02, step_s=1.0),
    "3 % stated, 12 % true": _equal(math.sqrt(math.log1p(0.12**2)), stated_cv=0.03),
    "one exploring trial doubled": lambda r: Server(r, [LOG_3] * 5, doubled=(Phase.EXPLORE, int(r.integers(15)))),
    **RHYTHMS,
}
"""The worlds in which the constants of `app.analysis.confirmation` were chosen; recorded on 22 November 2026."""


def settings() -> tuple[Setting, ...]:
    """Return the five settings, the baseline first."""
    return tuple(Setting.of(**{FACTOR: level}) for level in LEVELS)


@dataclass(frozen=True)
class Session:
    """One session as it ended.

    Attributes:
        trials: in the order they ran.
        comparison: what it may claim from, None where there was nothing to confirm.
        true_ratio: of the setting compared to the baseline; 1 without a comparison.
    """

    trials: tuple[TrialResult, ...]
    comparison: Comparison | None
    true_ratio: float

    @property
    def claims(self) -> bool:
        """Whether it shows a difference."""
        return self.comparison is not None and self.comparison.verdict in SHOWN

    @property
    def covers(self) -> bool:
        """Whether its interval holds the true ratio."""
        return self.comparison is not None and self.comparison.low <= self.true_ratio <= self.comparison.high

    @property
    def pairs(self) -> int:
        """How many confirming pairs it took."""
        return (len(self.trials) - EXPLORING) // 2


def run_session(world: str, seed: int, gain: float = 0.0) -> Session:
    """Run a whole session through the schedule and judge it.

    Args:
        gain: how much less time the second best level takes than all others, as a share.
    """
    random = np.random.default_rng(seed)
    server = WORLDS[world](random)
    better = int(random.integers(1, len(LEVELS)))
    return _run(server, random, seed, better, gain)


def run_failing_session(share: float, times: float, seed: int) -> Session:
    """Run a session in which one setting fails in a share of its trials and is 10 % worse for it, by its mean time.

    Args:
        times: how many times as long its trials take that fail.
    """
    random = np.random.default_rng(seed)
    better = int(random.integers(1, len(LEVELS)))
    server = Server(random, [LOG_3] * 5, failing=(better, share, times))
    return _run(server, random, seed, better, 1 - 1.1 / (1 + share * (times - 1)))


LASTING: Final[Mapping[str, Mapping[str, float]]] = {
    "nothing": {},
    "three tenths of a trial": {"lasting": 0.3},
    "half a trial": {"lasting": 0.5},
    "the candidate leaves a tenth behind": {"candidate": 1.1},
    "the candidate leaves a fifth behind": {"candidate": 1.2},
    "the baseline leaves a tenth behind": {"baseline": 1.1},
}
"""What of a setting shows in the trial after it: in effect for a share of it, or as many times its time."""


def run_lasting_session(world: str, seed: int, gain: float) -> Session:
    """Run a session in which trials show what ran before them; its true ratio is that of settings left in place."""
    random = np.random.default_rng(seed)
    better = int(random.integers(1, len(LEVELS)))
    what = LASTING[world]
    slower = {better: what.get("candidate", 1.0), 0: what.get("baseline", 1.0)}
    arm, times = max(slower.items(), key=lambda each: each[1])
    server = Server(random, [LOG_3] * 5, lasting=what.get("lasting", 0.0), left_behind=(arm, times))
    session = _run(server, random, seed, better, gain)
    if session.comparison is None:
        return session
    left_in_place = slower.get(settings().index(session.comparison.candidate), 1.0) / slower[0]
    return replace(session, true_ratio=session.true_ratio * left_in_place)


@dataclass(frozen=True)
class Drained:
    """How trials that drain a backlog come about, and which part of them is measured.

    Attributes:
        lasting_s: how long, at the pace of the setting before, what it left behind lasts; it may outlast a trial.
        start_s: how much longer than the others the better setting takes until its first command is delivered.
        settling: share of the backlog that is delivered before measuring begins, 0 for all of it from the start on.
    """

    lasting_s: float = 0.0
    start_s: float = 0.0
    settling: float = 0.0

    def value_s(self, own_s: float, before_s: float | None, start_s: float) -> float:
        """Return what a trial measures, without noise: the time of all commands, or of those after the settling part.

        Args:
            own_s, before_s: what the whole backlog takes at the pace of this setting and of the one before.
        """
        pace_s = own_s if before_s is None else before_s
        delivered = min(1.0, self.lasting_s / pace_s)
        settled = max(self.settling, delivered)
        at_former_pace_s = max(0.0, delivered - self.settling) * pace_s
        rest_s = at_former_pace_s + (1 - settled) * own_s + max(0.0, settled - max(delivered, self.settling)) * own_s
        return rest_s if self.settling else rest_s + start_s


def run_drained_session(drained: Drained, seed: int, gain: float) -> Session:
    """Run a session of trials that drain a backlog; true is what a client waits who leaves the setting in place."""
    random = np.random.default_rng(seed)
    better = int(random.integers(1, len(LEVELS)))
    arms, before_s = settings(), list[float]()

    def value_s(arm: int, true_s: float) -> float:
        start_s = drained.start_s if arm == better else 0.0
        value = drained.value_s(true_s, before_s[-1] if before_s else None, start_s)
        before_s.append(true_s)
        return value

    server = Server(random, [LOG_3] * 5, measured_s=value_s)
    session = _run(server, random, seed, better, gain)
    if session.comparison is None or session.comparison.candidate != arms[better]:
        return session
    return replace(session, true_ratio=1 - gain + drained.start_s / LEVEL_S)


LEVEL_S: Final = 300.0


def _run(server: Server, random: np.random.Generator, seed: int, better: int, gain: float) -> Session:
    arms = settings()
    level_s = random.uniform(5, 10) if server.step_s else LEVEL_S
    plan = Plan(
        "distribution_agent", (Factor(FACTOR, LEVELS),), arms[0], design=Design(seed=seed, noise_cv=server.stated_cv)
    )
    schedule = Schedule(plan, "E", replace(RUN_TIME, step=server.step_s))
    done: list[TrialResult] = []
    while (spec := schedule.next_spec(done)) is not None:
        arm = arms.index(spec.setting)
        true_s = level_s * (1 - gain if arm == better else 1.0)
        value_s = server.value_s(arm, spec.phase, true_s)
        done.append(made_trial(spec, value_s, server.met))
    comparison = judged(plan, done, server.step_s)
    is_better = comparison is not None and comparison.candidate == arms[better]
    return Session(tuple(done), comparison, 1 - gain if is_better else 1.0)


def made_trial(spec: TrialSpec, value_s: float, met: tuple[Happening, ...] = ()) -> TrialResult:
    """Return a trial that measured this run time."""
    measurement = Measurement(
        "distribution_agent", spec.trial_id, spec.block, RUN_TIME.name, value_s, "s", spec.setting, phase=spec.phase
    )
    return TrialResult(
        spec.trial_id, spec.block, spec.phase, spec.setting, TrialStatus.USED, (), (measurement,), (), NOW, NOW, met
    )


def judged(plan: Plan, done: Sequence[TrialResult], step_s: float) -> Comparison | None:
    """Return the comparison a session may claim from, None where nothing was confirmed."""
    phases: dict[Phase, list[Measurement]] = {Phase.EXPLORE: [], Phase.CONFIRM: []}
    for trial in done:
        phases[trial.phase] += trial.measurements
    if not phases[Phase.CONFIRM]:
        return None
    confirming = Confirming(
        tuple(phases[Phase.CONFIRM]),
        plan.baseline,
        tuple(phases[Phase.EXPLORE]),
        RUN_TIME.better,
        plan.design.minimum_effect,
        plan.design.noise_cv,
        step=step_s,
        circumstances=circumstances_of((), (), done),
    )
    (comparison,) = compare_confirmed(confirming)
    ran = Ran(tuple(m for trial in done for m in trial.measurements), settings_before(done))
    return with_carry_over(comparison, ran, RUN_TIME.better)


def sessions(world: str, count: int, gain: float = 0.0) -> Iterator[Session]:
    """Yield sessions that confirm something, each with a seed of its own, until there are so many."""
    made = seed = 0
    while made < count:
        session = run_session(world, seed, gain)
        seed += 1
        if session.comparison is not None:
            made += 1
            yield session
