"""Sites drawn at random, and how long the lab's event simulation takes for each setting on them.

No constant of a drawn site is where the model expects it: each lies about three times over or under the median that is
believed before any trial (`delivery_curve`), and transactions differ in size, which the curve does not know.

What was simulated is kept, as it takes minutes; a share of it is simulated again in each run of the long proofs. After
a change of the lab's physics `python -m tests.prove.simulated_sites` writes it anew.
"""

import itertools
import math
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from app.systems.transactional_replication.lab.replication import DistributionSettings
from app.systems.transactional_replication.lab.scenario import Scenario
from tests.calibration.trials import distribution_run_time_s, shipped
from tests.prove.kept_rows import read_rows, write_rows

SITES: Final = 201
SIZES: Final = (100, 150, 200, 250, 500, 1_000)
STREAMS: Final = (1, 2, 4, 8, 16)
COMMANDS: Final = 60_000
"""Delivered to learn what a setting takes."""

OFF: Final = 3.0
"""How far the constants of a site lie from where they are expected, on average."""

_SPREAD: Final = 0.4
_SETTINGS: Final = tuple(itertools.product(SIZES, STREAMS))


class Site(NamedTuple):
    """A drawn site: its constants, the least and the most commands of its transactions, its CommitBatchThreshold."""

    scenario: Scenario
    commands_per_transaction: tuple[float, float]
    threshold: int

    @property
    def pair_failure(self) -> float:
        """Probability that two streams collide in a batch."""
        return self.scenario.distribution_agent.stream_pair_failure_probability

    def run_time_s(self, size: int, streams: int, pair_failure: float, commands: int = COMMANDS) -> float:
        """Return what one run of a setting takes without noise, seconds."""
        agent = self.scenario.distribution_agent.model_copy(update={"stream_pair_failure_probability": pair_failure})
        scenario = self.scenario.model_copy(update={"distribution_agent": agent})
        setting = DistributionSettings(size, self.threshold, streams)
        return distribution_run_time_s(scenario, setting, self.commands_per_transaction, commands)


class RunTimes(NamedTuple):
    """What settings take, seconds, by CommitBatchSize and SubscriptionStreams.

    Attributes:
        without: while no streams collide. colliding: where they do in every batch; empty where they never do.
    """

    without: Mapping[tuple[int, int], float]
    colliding: Mapping[tuple[int, int], float]


def drawn_site(number: int) -> Site:
    """Return one site; the same number is the same site."""
    random = np.random.default_rng([211, number])

    def off(median: float) -> float:
        side = random.choice([-1, 1]) * math.log(OFF)
        return float(median * math.exp(side + _SPREAD * random.standard_normal()))

    lan = shipped("lan")
    delivery = lan.distribution_agent.model_copy(
        update={
            "apply_us_per_command": off(300),
            "several_streams_share": off(0.5),
            "lock_growth_share_per_1000_commands": off(0.2),
            "interference_share_per_stream_pair": off(0.015),
            "batch_ms": off(8),
            "stream_pair_failure_probability": 0.0 if random.random() < 0.5 else off(3e-4),
        }
    )
    link = lan.link.model_copy(
        update={
            "rtt_ms": 0.0 if random.random() < 0.3 else float(math.exp(random.uniform(math.log(0.2), math.log(20)))),
            "bandwidth_kbps": float(math.exp(random.uniform(math.log(1e5), math.log(1e6)))),
            "bytes_per_command": off(400),
            "round_trips_per_command": off(0.4),
        }
    )
    topology = lan.topology.model_copy(update={"subscriber_cpus": int(random.choice([4, 8, 16, 32]))})
    scenario = lan.model_copy(update={"distribution_agent": delivery, "link": link, "topology": topology})
    mean = float(random.choice([1, 2.5, 5, 10]))
    sizes = (max(1.0, 0.5 * mean), mean + min(mean - 1, 0.5 * mean))
    return Site(scenario, sizes, int(random.choice([1_000, 1_000, 5_000, 10_000])))


def simulated(number: int) -> RunTimes:
    """Run every setting of a site through the event simulation."""
    site = drawn_site(number)
    without = {setting: site.run_time_s(*setting, 0.0) for setting in _SETTINGS}
    if not site.pair_failure:
        return RunTimes(without, {})
    several = {setting: site.run_time_s(*setting, 1.0) for setting in _SETTINGS if setting[1] > 1}
    return RunTimes(without, without | several)


def run_times(number: int) -> RunTimes:
    """Return what is kept of a site."""
    return _kept()[number]


@cache
def _kept() -> Mapping[int, RunTimes]:
    rows = read_rows(__file__)
    return {row["site"]: RunTimes(_by_setting(row["without_s"]), _by_setting(row["colliding_s"])) for row in rows}


def _by_setting(values_s: list[float]) -> Mapping[tuple[int, int], float]:
    return dict(zip(_SETTINGS, values_s, strict=True)) if values_s else {}


def _row(number: int) -> dict[str, Any]:
    times = simulated(number)
    return {"site": number, "without_s": [*times.without.values()], "colliding_s": [*times.colliding.values()]}


if __name__ == "__main__":
    write_rows(__file__, _row, range(SITES))
