"""How often the interval of one comparison holds the true ratio, on the calibrated lab."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.analysis.compare import against, compare
from app.analysis.estimate import estimate
from app.domain.measurement import Measurement, TrialStatus
from app.domain.plan import Design, Factor, Plan
from app.domain.setting import Setting
from app.systems.transactional_replication.load import WorkloadSpec
from tests.benchmarks.figures import Share
from tests.benchmarks.lab_sessions import FAMILIES, LabSession, changed_scenario, run_on_lab

RUNS_PER_SETTING = (3, 5, 10)
BLOCKS = max(RUNS_PER_SETTING)
# Means over so many noiseless trials of each setting: the workload's own draws leave less than 0.1 % in the ratio.
TRUTH_BLOCKS = 60
MINIMUM_EFFECT = 0.05


@dataclass(frozen=True)
class Pair:
    """Two settings of one factor, the first of them the baseline.

    Attributes:
        commands: backlog of a trial; small, because a trial's cost grows with it and its noise does not shrink.
    """

    family: str
    factor: str
    levels: tuple[int, int]
    commands: int

    def plan(self, blocks: int, seed: int) -> Plan:
        """Return a plan of so many blocks and no confirmation: n runs of each setting."""
        return Plan(
            family=self.family,
            factors=(Factor(self.factor, self.levels),),
            baseline=Setting.from_mapping({self.factor: self.levels[0]}),
            load=WorkloadSpec(commands=self.commands).to_load(),
            design=Design(blocks=blocks, confirm_blocks=0, further_blocks=0, minimum_effect=MINIMUM_EFFECT, seed=seed),
        )


STREAMS = Pair("distribution_agent", "SubscriptionStreams", (1, 8), 5_000)
# With so small a backlog, waiting for the first large batch costs more than large batches save: the true ratio is above
# 1 here, unlike that of a million commands. Any true ratio does to see whether intervals hold it.
READ_BATCH = Pair("log_reader", "ReadBatchSize", (500, 5_000), 20_000)


@dataclass(frozen=True)
class Coverage:
    """How many intervals held the true ratio, by runs per setting.

    Attributes:
        lows: sum of all lower limits, in which sessions differ that count alike.
    """

    pair: Pair
    true_ratio: float
    covered: Mapping[int, Share]
    lows: float

    def __str__(self) -> str:
        """Return all figures, one to a line."""
        low, high = self.pair.levels
        head = f"  {self.pair.factor} {low} and {high}: true ratio {self.true_ratio:.4f}"
        lines = (f"  {runs:2} runs per setting: {share}" for runs, share in self.covered.items())
        return "\n".join((head, *lines))


def measure_coverage(pair: Pair, seeds: Iterable[int], folder: Path) -> Coverage:
    """Run a session of ten blocks for each seed and judge each, and its parts of five and of three blocks.

    One agent pair in place of three, so that a trial costs half as much; the agents under test are the same. Every
    trial has its own draw of the workload and of the noise, and nothing drifts, so blocks of one session may be taken
    apart: ten blocks are one session of ten, two of five and three of three.

    The truth is the ratio of mean log values of noiseless trials of the same backlog, each with its own draw of the
    workload: what the written commands vary by (0.4 % of 5,000) is a part of a trial's noise and moves no ratio.
    """
    scenario = changed_scenario("lan", folder, pairs=1)
    true_ratio = _true_ratio(pair, scenario)
    held = dict.fromkeys(RUNS_PER_SETTING, 0)
    judged = dict.fromkeys(RUNS_PER_SETTING, 0)
    lows = 0.0
    for seed in seeds:
        session = run_on_lab(pair.plan(BLOCKS, seed), scenario, seed)
        for runs in RUNS_PER_SETTING:
            for part in _parts(_main_values(pair, session), runs):
                low, high = _interval(pair, part)
                held[runs] += low <= true_ratio <= high
                judged[runs] += 1
                lows += low
    return Coverage(pair, true_ratio, {runs: Share(held[runs], judged[runs]) for runs in RUNS_PER_SETTING}, lows)


def _main_values(pair: Pair, session: LabSession) -> list[Measurement]:
    """Return the main measure of every trial; all of them must be usable."""
    assert all(trial.status is TrialStatus.USED for trial in session.run.trials)
    metric = FAMILIES[pair.family].main_metric(session.run.plan).name
    return [m for trial in session.run.trials for m in trial.measurements if m.metric == metric]


def _true_ratio(pair: Pair, scenario: Path) -> float:
    session = run_on_lab(pair.plan(TRUTH_BLOCKS, seed=0), scenario, 0, noise=False)
    fit = estimate(_main_values(pair, session))
    baseline = fit.position_of(session.run.plan.baseline)
    return math.exp(fit.log_ratio(1 - baseline, baseline))


def _parts(rows: Sequence[Measurement], blocks: int) -> Iterator[list[Measurement]]:
    """Yield the whole parts of so many successive blocks."""
    last = max(row.block for row in rows)
    for first in range(1, last - blocks + 2, blocks):
        yield [row for row in rows if first <= row.block < first + blocks]


def _interval(pair: Pair, rows: Sequence[Measurement]) -> tuple[float, float]:
    plan = pair.plan(BLOCKS, seed=0)
    better = FAMILIES[pair.family].main_metric(plan).better
    (found,) = compare(rows, against(plan.baseline), better, MINIMUM_EFFECT, None)
    return found.low, found.high
