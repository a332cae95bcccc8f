"""Numbers of replication agents that cannot all hold."""

from collections.abc import Iterator, Sequence

from app.analysis.contradictions import (
    ImpliedVolume,
    RunNumbers,
    is_beyond,
    runs_of,
    shown,
    unequal_volumes,
    volume_contradictions,
)
from app.domain.contradiction import Contradiction
from app.domain.measurement import Measurement
from app.domain.units import Quantity
from app.foundation.texts import _
from app.systems.transactional_replication import metrics


def agent_contradictions(measurements: Sequence[Measurement]) -> Iterator[Contradiction]:
    """Yield a contradiction for each run whose numbers do not hold together, and where runs did not do the same work.

    Rate and time do not make its backlog, or the rate needs more than the link carries.
    """
    unstated: list[ImpliedVolume] = []
    for run in runs_of(measurements):
        for volume in _moved(run):
            if (commands := run.condition("commands")) is None:
                unstated.append(volume)
            else:
                stated = Quantity(commands, "commands")
                yield from volume_contradictions(run, volume.rate, volume.time, volume.moved.value, stated)
        yield from _link(run)
    yield from unequal_volumes(unstated)


def _moved(run: RunNumbers) -> Iterator[ImpliedVolume]:
    """Yield what a run delivered: rate times run time; with several agents the slowest alone sets the time."""
    rate, time_s = run.values.get(metrics.THROUGHPUT.name), run.values.get(metrics.RUN_TIME.name)
    if rate is not None and time_s is not None and run.condition("agent_pairs") in (None, 1):
        yield ImpliedVolume(
            run,
            Quantity(rate, metrics.THROUGHPUT.unit),
            Quantity(time_s, metrics.RUN_TIME.unit),
            Quantity(rate * time_s, "commands"),
        )


def _link(run: RunNumbers) -> Iterator[Contradiction]:
    """Commands per second times the bytes of one, protocol and acknowledgements left out, fit through the link."""
    rate, size = run.values.get(metrics.THROUGHPUT.name), run.values.get(metrics.COMMAND_BYTES.name)
    link_kbps = run.condition("network_kbps")
    if rate is None or size is None or link_kbps is None:
        return
    used_kbps = rate * size * 8 / 1000
    if is_beyond(used_kbps, link_kbps):
        text = _(
            "{run}: {rate} of {size} each need {used}, but the link is stated to carry {link}; check which "
            "of these numbers is right, all are used as they stand."
        )
        yield run.contradicts(
            text.format(
                run=run.label,
                rate=shown(Quantity(rate, metrics.THROUGHPUT.unit)),
                size=shown(Quantity(size, metrics.COMMAND_BYTES.unit)),
                used=shown(Quantity(used_kbps, "kbps")),
                link=shown(Quantity(link_kbps, "kbps")),
            )
        )
