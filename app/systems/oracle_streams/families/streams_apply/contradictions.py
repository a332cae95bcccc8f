"""Numbers of a Streams pipeline that cannot all hold."""

from collections.abc import Iterator, Sequence

from app.analysis.contradictions import ImpliedVolume, runs_of, unequal_volumes, volume_contradictions
from app.domain.contradiction import Contradiction
from app.domain.measurement import Measurement
from app.domain.units import Quantity
from app.systems.oracle_streams import metrics
from app.systems.oracle_streams.families.streams_apply.load import ROWS, ROWS_PER_COMMIT


def streams_contradictions(measurements: Sequence[Measurement]) -> Iterator[Contradiction]:
    """Yield a contradiction for each run whose message rate and time do not make its rows, commits counted or not.

    Where rows are not stated, one for runs that applied unequal amounts.
    """
    unstated: list[ImpliedVolume] = []
    for run in runs_of(measurements):
        rate, time_s = run.values.get(metrics.MESSAGE_RATE.name), run.values.get(metrics.RUN_TIME.name)
        rows, rows_per_commit = run.condition(ROWS), run.condition(ROWS_PER_COMMIT)
        if rate is None or time_s is None:
            continue
        rate_told, time_told = Quantity(rate, metrics.MESSAGE_RATE.unit), Quantity(time_s, metrics.RUN_TIME.unit)
        if rows is None:
            unstated.append(ImpliedVolume(run, rate_told, time_told, Quantity(rate * time_s / 60, "messages")))
        else:
            yield from volume_contradictions(
                run,
                rate_told,
                time_told,
                rate * time_s / 60,
                Quantity(rows, "messages"),
                most=rows + rows / rows_per_commit if rows_per_commit else None,
            )
    yield from unequal_volumes(unstated)
