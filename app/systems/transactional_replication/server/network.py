"""What the link to the Subscriber can do, measured with statements: the NetworkProbe capability."""

from typing import Final

from app.domain.errors import Unsupported
from app.drivers.sqlserver.session import Place, Session
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.systems.transactional_replication.topology import Agent

_ROUND_TRIPS: Final = 5
# Grow the probe until it takes long enough to be told from a round trip, and stop before it is a load on the link.
_PROBE_BYTES: Final = (65_536, 524_288, 4_194_304)
_LONG_ENOUGH_S: Final = 0.2
_SHORTEST_TELLING_S: Final = 0.005


class SqlServerNetwork:
    """Times small statements at the Subscriber.

    Seen from this machine: where it stands beside the Distributor that is the Distributor's link, else an estimate.
    """

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def read_rtt_ms(self, agent: Agent) -> float:
        """Measure the round-trip time to the Subscriber, milliseconds, smallest of five."""
        place = _subscriber_place(agent)
        return min(self._timed_s("round_trip", place) for _try in range(_ROUND_TRIPS)) * 1000.0

    def read_bandwidth_kbps(self, agent: Agent) -> float | None:
        """Measure the bandwidth from the Subscriber in kbit/s, None where the largest probe is too quick to tell."""
        place = _subscriber_place(agent)
        rtt_s = min(self._timed_s("round_trip", place) for _try in range(_ROUND_TRIPS))
        transfer_s, size = 0.0, 0
        for size in _PROBE_BYTES:
            transfer_s = self._timed_s("transfer_probe", place, bytes=size) - rtt_s
            if transfer_s >= _LONG_ENOUGH_S:
                break
        return size * 8 / 1000.0 / transfer_s if transfer_s >= _SHORTEST_TELLING_S else None

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
