"""Titles of a trial's time series on screen; its rig names them in the session file."""

from collections.abc import Sequence
from typing import Final

from app.domain.measurement import Sample
from app.flows.system_views import LiveTotal
from app.foundation.texts import _

DELIVERED: Final = ": delivered"
LATENCY: Final = ": latency"
TO_DISTRIBUTOR: Final = ": token to the Distributor"
TO_SUBSCRIBER: Final = ": token to the Subscriber"
COUNTER: Final = ": latency by its counter"
PENDING: Final = ": pending commands"
"""How the rig names the series of an agent: its name, then one of these."""


_TITLES: Final = (
    (DELIVERED, _("{agent}: delivered")),
    (LATENCY, _("{agent}: latency")),
    (TO_DISTRIBUTOR, _("{agent}: tracer token to the Distributor")),
    (TO_SUBSCRIBER, _("{agent}: tracer token to the Subscriber")),
    (COUNTER, _("{agent}: latency by its performance counter")),
    (PENDING, _("{agent}: pending, as Replication Monitor counts")),
)


def agent_series_title(stream: str) -> str:
    """Return the name of an agent's series for a person, "" for one the rig names in whole words."""
    for ending, title in _TITLES:
        if stream.endswith(ending):
            return title.format(agent=stream.removesuffix(ending))
    return ""


def delivered_in_all(samples: Sequence[Sample]) -> LiveTotal | None:
    """Return the joint delivery of the agents under test, those with a latency; None where none told."""
    measured = {s.stream.removesuffix(LATENCY) for s in samples if s.stream.endswith(LATENCY)}
    totals = [s for s in samples if s.stream.removesuffix(DELIVERED) in measured]
    if not totals:
        return None
    return LiveTotal(_("Delivered"), "commands/s", totals[0].offset_s, sum(s.value for s in totals))
