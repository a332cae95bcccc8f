"""Numbers of a seeding that cannot all hold."""

from collections.abc import Iterator, Sequence

from app.analysis.contradictions import RunNumbers, is_beyond, runs_of, shown, volume_contradictions
from app.domain.contradiction import Contradiction
from app.domain.measurement import Measurement
from app.domain.units import Quantity
from app.foundation.texts import _
from app.systems.availability_groups.families.seeding.measures import (
    COPY_RATE,
    DATABASE_MB,
    LINK_MBPS,
    NETWORK_RATE,
    SEEDING_TIME,
    SENT_SHARE,
    TOTAL_TIME,
)
from app.systems.availability_groups.families.seeding.parameters import DIRECT, SEEDING_METHOD

_BITS_PER_BYTE = 8


def seeding_contradictions(measurements: Sequence[Measurement]) -> Iterator[Contradiction]:
    """Yield a contradiction for each run whose rates and time do not make the database, or exceed the link."""
    for run in runs_of(measurements):
        yield from _copied(run)
        yield from _sent(run)
        yield from _link(run)


def _copied(run: RunNumbers) -> Iterator[Contradiction]:
    rate, time_s, database_mb = run.values.get(COPY_RATE.name), run.values.get(TOTAL_TIME.name), _database_mb(run)
    if rate is not None and time_s is not None and database_mb is not None:
        yield from volume_contradictions(
            run,
            Quantity(rate, COPY_RATE.unit),
            Quantity(time_s, TOTAL_TIME.unit),
            rate * time_s,
            Quantity(database_mb, "MB"),
        )


def _sent(run: RunNumbers) -> Iterator[Contradiction]:
    """Direct seeding without compression sends the database once.

    A run of this program states the share that was sent, and a rate of the time in which data went out only.
    """
    rate, database_mb = run.values.get(NETWORK_RATE.name), _database_mb(run)
    time_s = run.values.get(SEEDING_TIME.name, run.values.get(TOTAL_TIME.name))
    is_whole = run.setting.get(SEEDING_METHOD.name) == DIRECT and SENT_SHARE.name not in run.values
    if is_whole and rate is not None and time_s is not None and database_mb is not None:
        yield from volume_contradictions(
            run,
            Quantity(rate, NETWORK_RATE.unit),
            Quantity(time_s, TOTAL_TIME.unit),
            rate * time_s / _BITS_PER_BYTE,
            Quantity(database_mb, "MB"),
        )


def _link(run: RunNumbers) -> Iterator[Contradiction]:
    rate, link_mbps = run.values.get(NETWORK_RATE.name), run.condition(LINK_MBPS)
    if rate is not None and link_mbps and is_beyond(rate, link_mbps):
        text = _(
            "{run}: {rate} were sent, but the link is stated to carry {link}; check which of the two is "
            "right, both are used as they stand."
        )
        yield run.contradicts(
            text.format(run=run.label, rate=shown(Quantity(rate, "Mbps")), link=shown(Quantity(link_mbps, "Mbps")))
        )


def _database_mb(run: RunNumbers) -> float | None:
    return run.condition(DATABASE_MB)
