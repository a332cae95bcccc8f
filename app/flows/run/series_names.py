"""What the time series of a trial are called on screen; the runner names them in the session file."""

from typing import Final

from app.foundation.texts import _

DELIVERED: Final = ": delivered"
LATENCY: Final = ": latency"
TO_DISTRIBUTOR: Final = ": token to the Distributor"
TO_SUBSCRIBER: Final = ": token to the Subscriber"
COUNTER: Final = ": latency by its counter"
PENDING: Final = ": pending commands"
"""How the runner names the series of an agent: its name, then one of these."""


_TITLES: Final = (
    (DELIVERED, _("{agent}: delivered")),
    (LATENCY, _("{agent}: latency")),
    (TO_DISTRIBUTOR, _("{agent}: tracer token to the Distributor")),
    (TO_SUBSCRIBER, _("{agent}: tracer token to the Subscriber")),
    (COUNTER, _("{agent}: latency by its performance counter")),
    (PENDING, _("{agent}: pending, as Replication Monitor counts")),
)


def series_title(stream: str) -> str:
    """Return the name of a series for a person; one the runner names in whole words stays as it is."""
    for ending, title in _TITLES:
        if stream.endswith(ending):
            return title.format(agent=stream.removesuffix(ending))
    return stream
