"""How long things take: a nominal duration times this run's noise and the machine's drift."""

from dataclasses import dataclass
from typing import Final

from app.lab.clock import EventQueue
from app.lab.noise import Noise
from app.systems.oracle_streams.lab.scenario import NoiseConstants

_SITE: Final = 0


class Durations:
    """Noise of one lab: a factor of the whole site per workload, and one of each component per workload.

    Component numbers only keep the draws apart.
    """

    CAPTURE: Final = 1
    PROPAGATION: Final = 2
    READER: Final = 3
    SERVER: Final = 4

    def __init__(self, constants: NoiseConstants, events: EventQueue, seed: int, enabled: bool) -> None:
        self._events = events
        self._enabled = enabled
        self._drifts = constants.drift_share > 0.0
        self._site = Noise(_Levels(constants.run_cv, constants.drift_share, constants.drift_over_s), seed, enabled)
        self._parts = Noise(
            _Levels(constants.component_cv, constants.drift_share, constants.drift_over_s), seed, enabled
        )
        self._factors: dict[tuple[int, int], float] = {}

    def factor(self, component: int, workload: int) -> float:
        """Return the factor on durations of one component while it handles rows of one workload."""
        if not self._enabled:
            return 1.0
        factor = self._factors.get((component, workload))
        if factor is None:
            factor = self._site.run_factor(workload, _SITE, 0) * self._parts.run_factor(workload, component, 0)
            self._factors[component, workload] = factor
        return factor * self._site.drift_factor(self._events.now_s) if self._drifts else factor


@dataclass(frozen=True)
class _Levels:
    """Noise of one kind of part, with the drift of the machine."""

    run_cv: float
    drift_share: float
    drift_over_s: float
