"""The cost of this program's own reading at a server, from the counters of its own connections.

Readings have connections of their own, apart from those that change something, so that these counters hold nothing
else.
"""

from collections.abc import Iterable
from typing import Final

from app.domain.errors import TargetError
from app.domain.statement import ReadingCost
from app.drivers.sqlserver.session import Place, Session

OWN_COST: Final = "own_cost"


def read_costs(session: Session, places: Iterable[Place]) -> tuple[ReadingCost, ...]:
    """Ask each connection that read for its counters; one that does not answer leaves its server out.

    Args:
        places: where statements were sent that read; what changes something has connections of its own.

    Returns:
        one for each server, in the order of the places.
    """
    costs: dict[str, ReadingCost] = {}
    silent: set[str] = set()
    for place in places:
        if place.server in silent:
            continue
        try:
            row = session.run(OWN_COST, place)[0]
        except TargetError:
            silent.add(place.server)
            continue
        before = costs.get(place.server, ReadingCost(place.server, 0.0, 0))
        costs[place.server] = ReadingCost(
            place.server, before.cpu_ms + row.number("cpu_ms"), before.logical_reads + row.whole("logical_reads")
        )
    return tuple(cost for server, cost in costs.items() if server not in silent)
