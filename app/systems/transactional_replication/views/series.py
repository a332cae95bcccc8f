"""Titles of a trial's time series on screen; its rig names them in the session file."""

from collections.abc import Sequence
from typing import Final

from app.domain.measurement import Sample
from app.flows.system_views import LiveTotal
from app.foundation.texts import _
from app.systems.transactional_replication.readings import (
    COUNTER_LATENCY,
    DELIVERED,
    DELIVERY_LATENCY,
    PENDING,
    TO_DISTRIBUTOR,
    TO_SUBSCRIBER,
)

_TITLES: Final = (
    (DELIVERED, _("{agent}: delivered")),
    (DELIVERY_LATENCY, _("{agent}: latency")),
    (TO_DISTRIBUTOR, _("{agent}: tracer token to the Distributor")),
    (TO_SUBSCRIBER, _("{agent}: tracer token to the Subscriber")),
    (COUNTER_LATENCY, _("{agent}: latency by its performance counter")),
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
    measured = {s.stream.removesuffix(DELIVERY_LATENCY) for s in samples if s.stream.endswith(DELIVERY_LATENCY)}
    totals = [s for s in samples if s.stream.removesuffix(DELIVERED) in measured]
    if not totals:
        return None
    return LiveTotal(_("Delivered"), "commands/s", totals[0].offset_s, sum(s.value for s in totals))
