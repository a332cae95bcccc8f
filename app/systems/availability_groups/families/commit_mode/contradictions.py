"""Numbers of a commit mode that cannot all hold."""

from collections.abc import Iterator, Sequence

from app.analysis.contradictions import RunNumbers, is_beyond, runs_of, shown, volume_contradictions
from app.domain.contradiction import Contradiction
from app.domain.measurement import Measurement
from app.domain.units import Quantity
from app.foundation.texts import _
from app.systems.availability_groups import metrics
from app.systems.availability_groups.families.commit_mode.parameters import AVAILABILITY_MODE, INSERTS
from app.systems.availability_groups.groups import CommitMode


def commit_contradictions(measurements: Sequence[Measurement]) -> Iterator[Contradiction]:
    """Yield a contradiction for each shape whose rate and time disagree, or whose commits beat the round trip."""
    for run in runs_of(measurements):
        yield from _inserts(run)
        yield from _round_trip(run)


def _inserts(run: RunNumbers) -> Iterator[Contradiction]:
    rate, time_ms = run.values.get(metrics.INSERT_RATE.name), run.values.get(metrics.SHAPE_TIME.name)
    inserts = run.condition(INSERTS)
    if rate is not None and time_ms is not None and inserts is not None:
        yield from volume_contradictions(
            run,
            Quantity(rate, metrics.INSERT_RATE.unit),
            Quantity(time_ms, metrics.SHAPE_TIME.unit),
            rate * time_ms / 1000,
            Quantity(inserts, "inserts"),
        )


def _round_trip(run: RunNumbers) -> Iterator[Contradiction]:
    """A synchronous commit waits until the secondary has answered, so no insert ends within less than a round trip.

    Each insert commits by itself; of several sessions side by side each waits for its own.

    Source: Microsoft Learn, "Differences between availability modes for an Always On availability group".
    """
    rtt_ms = run.condition("rtt_ms")
    if not rtt_ms or run.setting.get(AVAILABILITY_MODE.name) != CommitMode.SYNCHRONOUS.value:
        return
    inserts, time_ms = run.condition(INSERTS), run.values.get(metrics.SHAPE_TIME.name)
    per_commit_ms = [run.values.get(metric.name) for metric in (metrics.SYNC_COMMIT_WAIT, metrics.COMMIT_DELAY)]
    if inserts is not None and time_ms is not None:
        per_commit_ms.append(time_ms * (run.condition("concurrency") or 1.0) / inserts)
    fastest_ms = min((value for value in per_commit_ms if value is not None), default=rtt_ms)
    if is_beyond(rtt_ms, fastest_ms):
        text = _(
            "{run}: a synchronous commit in {commit} would be faster than one round trip to the secondary "
            "replica, {rtt}; check which of the two is right, and whether the commits were synchronous."
        )
        yield run.contradicts(
            text.format(run=run.label, commit=shown(Quantity(fastest_ms, "ms")), rtt=shown(Quantity(rtt_ms, "ms")))
        )
