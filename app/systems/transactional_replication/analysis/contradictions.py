"""Numbers of replication agents that cannot all hold."""

from collections.abc import Iterator, Sequence

from app.analysis.contradictions import RunNumbers, is_beyond, runs_of, shown, volume_contradictions
from app.domain.measurement import Measurement
from app.domain.units import Quantity
from app.foundation.texts import _
from app.systems.transactional_replication import metrics


def agent_contradictions(measurements: Sequence[Measurement]) -> Iterator[str]:
    """Yield a sentence for each run whose rate and time do not make its backlog, or need more than its link carries."""
    for run in runs_of(measurements):
        yield from _backlog(run)
        yield from _link(run)


def _backlog(run: RunNumbers) -> Iterator[str]:
    """Commands per second times run time are the backlog; with several agents the slowest alone sets the time."""
    rate, time_s = run.values.get(metrics.THROUGHPUT.name), run.values.get(metrics.RUN_TIME.name)
    commands = run.condition("commands")
    if rate is not None and time_s is not None and commands is not None and run.condition("agent_pairs") in (None, 1):
        yield from volume_contradictions(
            run,
            Quantity(rate, metrics.THROUGHPUT.unit),
            Quantity(time_s, metrics.RUN_TIME.unit),
            rate * time_s,
            Quantity(commands, "commands"),
        )


def _link(run: RunNumbers) -> Iterator[str]:
    """Commands per second times the bytes of one, protocol and acknowledgements left out, fit through the link."""
    rate, size = run.values.get(metrics.THROUGHPUT.name), run.values.get(metrics.COMMAND_BYTES.name)
    link_kbps = run.condition("network_kbps")
    if rate is None or size is None or link_kbps is None:
        return
    used_kbps = rate * size * 8 / 1000
    if is_beyond(used_kbps, link_kbps):
        yield _(
            "{run}: {rate} of {size} each need {used}, but the link is stated to carry {link}; check which "
            "of these numbers is right, all are used as they stand."
        ).format(
            run=run.label,
            rate=shown(Quantity(rate, metrics.THROUGHPUT.unit)),
            size=shown(Quantity(size, metrics.COMMAND_BYTES.unit)),
            used=shown(Quantity(used_kbps, "kbps")),
            link=shown(Quantity(link_kbps, "kbps")),
        )
