"""How long things take: a nominal duration times this run's noise and the machine's drift."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from app.lab.clock import EventQueue
from app.lab.moving import MovingSpeed
from app.lab.noise import Noise
from app.lab.uneven import Uneven
from app.systems.oracle_streams.lab.scenario import NoiseConstants

_SITE: Final = 0


class Durations:
    """Noise of one lab: a factor of the whole site per workload, and one of each component per workload.

    Component numbers only keep the draws apart. At an uneven site the workloads are the sessions of the whole site; of
    what the client's applications write, each start of the apply process is one.

    Attributes:
        of_client: numbers of the client's workloads.
    """

    CAPTURE: Final = 1
    PROPAGATION: Final = 2
    READER: Final = 3
    SERVER: Final = 4

    def __init__(
        self,
        constants: NoiseConstants,
        events: EventQueue,
        seed: int,
        enabled: bool,
        settings: Callable[[], str],
        session: Callable[[], int] = lambda: 0,
    ) -> None:
        """Prepare the draws.

        Args:
            settings: returns what the apply process runs with, whose noise is its own at an uneven site.
            session: returns a number of the apply process's present start.
        """
        self._events = events
        self._enabled = enabled
        self._settings = settings
        self._session = session
        self.of_client: set[int] = set()
        self._run_cv = constants.run_cv
        self._drifts = constants.drift_share > 0.0
        self._uneven = Uneven(constants.uneven, seed) if enabled and constants.uneven is not None else None
        self._moving = MovingSpeed(constants.moving, seed) if enabled and constants.moving is not None else None
        self._site = Noise(_Levels(constants.run_cv, constants.drift_share, constants.drift_over_s), seed, enabled)
        self._parts = Noise(
            _Levels(constants.component_cv, constants.drift_share, constants.drift_over_s), seed, enabled
        )
        self._factors: dict[tuple[int, int], float] = {}

    def factor(self, component: int, workload: int) -> float:
        """Return the factor on durations of one component while it handles rows of one workload."""
        if not self._enabled:
            return 1.0
        if workload in self.of_client:
            workload = self._session()
        factor = self._factors.get((component, workload))
        if factor is None:
            factor = self._of_site(workload) * self._parts.run_factor(workload, component, 0)
            self._factors[component, workload] = factor
        if self._uneven is not None:
            factor *= self._uneven.machine_factor(self._events.now_s)
        if self._moving is not None:
            factor /= self._moving.speed_at(self._events.now_s)
        return factor * self._site.drift_factor(self._events.now_s) if self._drifts else factor

    def busy_spans(self, from_s: float, until_s: float) -> list[tuple[float, float]]:
        """Return an uneven site's busy spans that reach into a time, each with its beginning and end."""
        return [] if self._uneven is None else self._uneven.busy_spans(from_s, until_s)

    def _of_site(self, workload: int) -> float:
        if self._uneven is None:
            return self._site.run_factor(workload, _SITE, 0)
        drawn = self._factors.get((_SITE, workload))
        if drawn is None:  # whichever component comes first; the settings may change while others still work
            drawn = self._uneven.session_factor(self._run_cv, (_SITE,), workload, self._settings())
            self._factors[_SITE, workload] = drawn
        return drawn


@dataclass(frozen=True)
class _Levels:
    """Noise of one kind of part, with the drift of the machine."""

    run_cv: float
    drift_share: float
    drift_over_s: float
