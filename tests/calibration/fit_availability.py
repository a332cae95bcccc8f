"""Fits the constants of the availability group lab to the published numbers, on the simulation itself.

Run from the checkout's root: `.venv/bin/python -m tests.calibration.fit_availability`. Least squares on
simulated/published − 1, noise off. The printed values are then written into the scenario files by hand, rounded.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import least_squares

from app.systems.availability_groups.lab.scenario import AvailabilityScenario
from tests.calibration.availability import (
    THIRD_SESSION_FACTOR,
    PublishedValue,
    changed,
    insert_cells,
    seeding_values,
    shipped,
)

INSERTS = (
    "insert.row_us",
    "insert.statement_ms",
    "insert.log_bytes_per_row",
    "transport.hand_over_kb",
    "transport.compress_ms_per_mb",
    "line.rtt_ms",
    "noise.session_factor",
)
SEEDING = (
    "copying.compress_ms_per_mb",
    "copying.backup_core_ms_per_mb",
    "copying.backup_compression_ratio",
    "copying.restore_ms_per_mb",
    "copying.restore_core_ms_per_mb",
    "copying.seeding_ms_per_mb",
    "copying.seeding_core_ms_per_mb",
    "copying.seeding_compression_ratio",
    "databases.data_mb",
)


def present(name: str, scenario: AvailabilityScenario) -> float:
    """Return a constant as the files have it now; the session factor as the tests have it."""
    if name == "noise.session_factor":
        return THIRD_SESSION_FACTOR
    section, key = name.split(".")
    part = getattr(scenario, section)
    return float(getattr(part[0] if isinstance(part, tuple) else part, key))


def simulated(point: PublishedValue, values: Mapping[str, float]) -> float:
    """Return a published quantity as the lab with these constants shows it.

    The session factor is that of the third table and concerns no other.
    """
    mine = {key: v for key, v in values.items() if key != "noise.session_factor" or "TF 9592" in point.label}
    return point.simulate(changed(shipped(point.scenario), mine))


def fit(names: Sequence[str], points: Sequence[PublishedValue]) -> dict[str, float]:
    """Return the constants that fit the points best, starting from those in the files; prints both."""
    start = [present(name, shipped(points[0].scenario)) for name in names]

    def errors(logs: np.ndarray) -> list[float]:
        values = dict(zip(names, (float(value) for value in np.exp(logs)), strict=True))
        return [simulated(point, values) / point.value - 1 for point in points]

    found = least_squares(errors, np.log(start), diff_step=np.full(len(names), 2e-3), x_scale=0.1)
    best = dict(zip(names, (float(value) for value in np.exp(found.x)), strict=True))
    for name, value in best.items():
        print(f"{name} = {value:.6g}")
    for point, error in zip(points, errors(found.x), strict=True):
        print(f"  {point.value:10.1f} {error:+7.2%}  {point.label}")
    worst = np.sort(np.abs(found.fun))
    print(f"median {np.median(worst):.2%}, worst {', '.join(f'{value:.1%}' for value in worst[-4:])}")
    return best


def main() -> None:
    """Fit the inserts, then the seeding."""
    fit(INSERTS, insert_cells())
    fit(SEEDING, seeding_values())


if __name__ == "__main__":
    main()
