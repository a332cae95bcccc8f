"""How long things take: a nominal duration times this run's noise and the machine's drift."""

from typing import Final

from app.lab.clock import EventQueue
from app.systems.oracle_streams.lab.scenario import NoiseConstants
from app.systems.transactional_replication.lab import scenario as replication
from app.systems.transactional_replication.lab.noise import Noise

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
        self._site = Noise(_as_constants(constants, constants.run_cv), seed, enabled)
        self._parts = Noise(_as_constants(constants, constants.component_cv), seed, enabled)
        self._factors: dict[tuple[int, int], float] = {}

    def factor(self, component: int, workload: int) -> float:
        """Return the factor on durations of one component while it handles rows of one workload."""
        if not self._enabled:
            return 1.0
        known = self._factors.get((component, workload))
        if known is None:
            known = self._site.run_factor(workload, _SITE, 0) * self._parts.run_factor(workload, component, 0)
            self._factors[component, workload] = known
        return known * self._site.drift_factor(self._events.now_s) if self._drifts else known


def _as_constants(constants: NoiseConstants, run_cv: float) -> replication.NoiseConstants:
    return replication.NoiseConstants(
        enabled=constants.enabled,
        run_cv=run_cv,
        drift_share=constants.drift_share,
        drift_over_s=constants.drift_over_s,
    )
