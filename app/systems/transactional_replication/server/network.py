"""The link to the Subscriber, measured with statements."""

import statistics
from typing import Final

from app.domain.errors import Unsupported
from app.drivers.sqlserver.session import Place, Session
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.systems.transactional_replication.round_trip import RoundTrip
from app.systems.transactional_replication.topology import Agent

_ROUND_TRIPS: Final = 5
# Grow the probe until it takes long enough to be told from a round trip, and stop before it is a load on the link.
_PROBE_BYTES: Final = (65_536, 524_288, 4_194_304)
_LONG_ENOUGH_S: Final = 0.2
_SHORTEST_TELLING_S: Final = 0.005
_TELLING_STEPS: Final = 10  # of the clock: either end of a measured time is one step off at most, 20 % together


class SqlServerNetwork:
    """Times small statements at the Subscriber.

    Seen from this machine: where it stands beside the Distributor that is the Distributor's link, else an estimate.
    """

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def read_round_trip(self, agent: Agent) -> RoundTrip:
        """Measure the round-trip time to the Subscriber with five small statements.

        Measured from where this program runs, which is the Distributor's side of the link only if it stands there.
        """
        place = _subscriber_place(agent)
        probes_ms = [self._timed_s("round_trip", place) * 1000.0 for _try in range(_ROUND_TRIPS)]
        return RoundTrip(
            median_ms=statistics.median(probes_ms),
            shortest_ms=min(probes_ms),
            longest_ms=max(probes_ms),
            resolution_ms=self._clock.resolution_s() * 1000.0,
        )

    def read_bandwidth_kbps(self, agent: Agent) -> float | None:
        """Measure the bandwidth from the Subscriber in kbit/s, None where the largest probe is too quick to tell."""
        place = _subscriber_place(agent)
        rtt_s = min(self._timed_s("round_trip", place) for _try in range(_ROUND_TRIPS))
        transfer_s, size = 0.0, 0
        for size in _PROBE_BYTES:
            transfer_s = self._timed_s("transfer_probe", place, bytes=size) - rtt_s
            if transfer_s >= _LONG_ENOUGH_S:
                break
        shortest_telling_s = max(_SHORTEST_TELLING_S, _TELLING_STEPS * self._clock.resolution_s())
        return size * 8 / 1000.0 / transfer_s if transfer_s >= shortest_telling_s else None

    def _timed_s(self, name: str, place: Place, **parameters: int) -> float:
        started_s = self._clock.monotonic_s()
        self._session.run(name, place, **parameters)
        return self._clock.monotonic_s() - started_s


def _subscriber_place(agent: Agent) -> Place:
    if not agent.subscriber:
        raise Unsupported(
            _("{agent} has no Subscriber, so there is no link to measure; choose a Distribution Agent").format(
                agent=agent.name
            )
        )
    return Place(agent.subscriber, agent.subscriber_db)
