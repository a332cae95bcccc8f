"""Fits the pipeline's constants to the four published Streams tests on the simulation itself, and prints them.

Run from the checkout's root: `.venv/bin/python -m tests.calibration.fit_streams`. Least squares on
(simulated/published − 1) in units of the tolerance: 10 % of an elapsed time, which is printed in whole minutes, 5 % of
a pause or spill; noise off. The printed values are then written into the scenario file by hand, rounded.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy.optimize import least_squares

from app.systems.oracle_streams.lab.scenario import StreamsScenario
from tests.calibration.streams_trials import (
    PublishedFigure,
    TrialResult,
    published_figures,
    shipped_streams,
    simulated,
)

_CONSTANTS: Final = (
    ("capture", "capture_us_per_lcr"),
    ("capture", "wake_s"),
    ("queues", "source_window_lcrs"),
    ("apply", "read_us_per_lcr"),
    ("apply", "assembly_us_per_lcr"),
    ("apply", "stage_us_per_lcr"),
    ("apply", "apply_us_per_lcr"),
)


def tolerance(figure: PublishedFigure) -> float:
    """Return how far the simulation may be from a published number, as a share."""
    return 0.10 if figure.metric == "elapsed" else 0.05


def with_values(scenario: StreamsScenario, values: Sequence[float]) -> StreamsScenario:
    """Return the scenario with the fitted constants replaced; reading back stays half of staging."""
    for (section, key), value in zip(_CONSTANTS, values, strict=True):
        changes: dict[str, float] = {key: round(value) if key.endswith("_lcrs") else float(value)}
        if key == "stage_us_per_lcr":
            changes["read_back_us_per_lcr"] = float(value) / 2
        part = getattr(scenario, section).model_copy(update=changes)
        scenario = scenario.model_copy(update={section: part})
    return scenario


def main() -> None:
    """Fit all constants at once and print them with the errors that remain."""
    scenario = shipped_streams("streams-2009")
    figures = [figure for figure in published_figures() if figure.value]

    def errors(logs: np.ndarray) -> list[float]:
        known: dict[int, TrialResult] = {}
        site = with_values(scenario, np.exp(logs).tolist())
        return [(simulated(site, one, known) / one.value - 1) / tolerance(one) for one in figures]

    start = np.log([float(getattr(getattr(scenario, section), key)) for section, key in _CONSTANTS])
    found = least_squares(errors, start, diff_step=np.full(len(start), 4e-3), x_scale=0.1)
    for (section, key), value in zip(_CONSTANTS, np.exp(found.x), strict=True):
        print(f"{section}.{key} = {value:.6g}")
    for figure, error in zip(figures, errors(found.x), strict=True):
        print(f"  test {figure.test} {figure.metric:20} {figure.value:9.2f} {error * tolerance(figure):+7.2%}")


if __name__ == "__main__":
    main()
