"""Fits the lab's constants to the published numbers on the simulation itself, and prints them with their errors.

Run from the checkout's root: `.venv/bin/python -m tests.calibration.fit`. Each agent's constants are fitted apart:
least squares on simulated/published − 1, noise off. The printed values are then written into the scenario files by
hand, rounded.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares

from app.systems.transactional_replication.lab.scenario import Scenario
from tests.calibration.published import PublishedPoint, published_points
from tests.calibration.trials import shipped


@dataclass(frozen=True)
class Constant:
    """One constant to fit: where it stands in the scenario files."""

    section: str
    keys: tuple[str, ...]


LOG_READER = (
    Constant("log_reader", ("read_us_per_command", "write_us_per_command")),
    Constant("log_reader", ("batch_round_trip_ms",)),
)
DISTRIBUTION_AGENT = (
    Constant("distribution_agent", ("apply_us_per_command",)),
    Constant("distribution_agent", ("several_streams_share",)),
    Constant("distribution_agent", ("lock_growth_share_per_1000_commands",)),
    Constant("distribution_agent", ("interference_share_per_stream_pair",)),
    Constant("distribution_agent", ("batch_ms",)),
)
LINK = (
    Constant("link", ("bytes_per_command",)),
    Constant("link", ("round_trips_per_command",)),
)


def with_constants(scenario: Scenario, constants: Sequence[Constant], values: Sequence[float]) -> Scenario:
    """Return the scenario with some constants replaced."""
    for constant, value in zip(constants, values, strict=True):
        section = getattr(scenario, constant.section)
        changed = section.model_copy(update=dict.fromkeys(constant.keys, float(value)))
        scenario = scenario.model_copy(update={constant.section: changed})
    return scenario


def read_constants(scenario: Scenario, constants: Sequence[Constant]) -> list[float]:
    """Return the present values of some constants."""
    return [float(getattr(getattr(scenario, constant.section), constant.keys[0])) for constant in constants]


def fit(
    constants: Sequence[Constant], points: Sequence[PublishedPoint], prepare: Callable[[Scenario], Scenario]
) -> list[float]:
    """Return the constants that fit the points best, starting from those in the files; prints both."""
    start = read_constants(prepare(shipped(points[0].scenario)), constants)

    def errors(logs: np.ndarray) -> list[float]:
        values = np.exp(logs)
        return [
            p.simulate(with_constants(prepare(shipped(p.scenario)), constants, values)) / p.value - 1 for p in points
        ]

    found = least_squares(errors, np.log(start), diff_step=np.full(len(start), 1e-3), x_scale=0.1)
    values = [float(value) for value in np.exp(found.x)]
    for constant, value in zip(constants, values, strict=True):
        print(f"{constant.section}.{constant.keys[0]} = {value:.6g}")
    for point, error in zip(points, errors(found.x), strict=True):
        print(f"  {point.value:8.2f} {error:+7.2%}  {point.label}")
    return values


def main() -> None:
    """Fit the three groups one after the other; the link's fit uses the new constants of the agent."""
    points = published_points()
    fit(LOG_READER, [p for p in points if p.sweep == "ReadBatchSize"], lambda site: site)
    local = [p for p in points if p.sweep in ("CommitBatchSize", "SubscriptionStreams")]
    applied = fit(DISTRIBUTION_AGENT, local, lambda site: site)
    slow = [p for p in points if p.sweep.startswith("wan")]
    fit(LINK, slow, lambda site: with_constants(site, DISTRIBUTION_AGENT, applied))


if __name__ == "__main__":
    main()
