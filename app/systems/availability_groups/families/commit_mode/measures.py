"""Measures of a trial of the commit mode, for each shape of the workload."""

from collections.abc import Iterable, Mapping
from itertools import pairwise

from app.analysis.measuring import as_measurement
from app.domain.measurement import Measurement, Metric
from app.domain.plan import Plan, TrialSpec
from app.domain.setting import Setting
from app.domain.units import convert_known
from app.domain.work_source import SOURCE, work_source_of
from app.foundation.texts import _
from app.model.reading import growth_over, largest_known, measured
from app.systems.availability_groups import metrics
from app.systems.availability_groups.commit_steps import OFF, compression_in_effect
from app.systems.availability_groups.commit_trial import CommitObservation, ShapeObservation
from app.systems.availability_groups.families.commit_mode.parameters import INSERTS, ROWS_PER_INSERT
from app.systems.availability_groups.families.commit_mode.plan import compression_of, shapes_of
from app.systems.availability_groups.groups import CommitMode
from app.systems.availability_groups.readings import GroupSample, ReplicaReading, cpu_share
from app.systems.availability_groups.site import GroupSite

# Bytes sent for each byte of log that no uncompressed stream goes below: it has headers of its own on top.
COMPRESSED_BELOW_SHARE = 0.9
# Less log than this says nothing about the share that was sent: other traffic weighs as much.
LEAST_LOG_BYTES = 10e6
# A mean of fewer waits depends on single ones.
FEWEST_COMMITS = 100


def run_time_ms(observation: ShapeObservation) -> float | None:
    """Return the mean time of one loop, ms; of loops that ended with their time, for all inserts of the shape."""
    inserts = sum(loop.inserts for loop in observation.loops)
    elapsed_ms = sum(loop.elapsed_ms for loop in observation.loops)
    return elapsed_ms / inserts * observation.shape.inserts if inserts and elapsed_ms > 0 else None


def measurements_of(
    plan: Plan, spec: TrialSpec, observation: CommitObservation, site: GroupSite
) -> tuple[Measurement, ...]:
    """Return every measure of a window on the client's own load, or of every shape; those not taken are absent."""
    if not observation.traffic:
        return shape_measurements(plan, spec, observation, site)
    conditions = Setting.from_mapping({SOURCE: str(work_source_of(plan.load))})
    return tuple(
        as_measurement(plan, spec, metric, value, conditions)
        for metric, value in _traffic_values(observation).items()
        if value is not None
    )


def _traffic_values(observation: CommitObservation) -> Mapping[Metric, float | None]:
    """Return the measures of a window.

    A commit waits for the local log and the secondary's side by side, so that the longer of the two is its wait. Waits
    are those of all databases of the server; what its database commits is counted apart.
    """
    read = observation.traffic
    grown, span_s = growth_over([(read[0], read[-1])]), (read[-1].at - read[0].at).total_seconds()
    local_ms, remote_ms = (
        _per(grown.writelog_wait_ms, grown.writelog_waits),
        _per(grown.sync_commit_wait_ms, grown.sync_commit_waits),
    )
    is_synchronous = observation.mode is CommitMode.SYNCHRONOUS
    return {
        metrics.COMMIT_WAIT: largest_known([local_ms, remote_ms]) if is_synchronous else local_ms,
        metrics.COMMIT_RATE: _per(grown.write_transactions, span_s),
        metrics.SYNC_WAIT_EACH: remote_ms if is_synchronous else None,
        metrics.WRITELOG_WAIT_EACH: local_ms,
        metrics.COMMIT_DELAY: _per(grown.commit_delay_ms, grown.mirrored_transactions) if is_synchronous else None,
        metrics.LOG_RATE: _per(convert_known(grown.log_flushed_bytes, "bytes", "MB"), span_s),
        metrics.PRIMARY_CPU: largest_known(cpu_share(before, now, now.primary) for before, now in pairwise(read)),
        metrics.FLOW_CONTROL: _per(convert_known(grown.flow_control_ms, "ms", "s"), span_s),
        **measured(ReplicaReading, [[sample.readings for sample in read]]),
        metrics.WIRE_SHARE: _wire_share(grown),
    }


def shape_measurements(
    plan: Plan, spec: TrialSpec, observation: CommitObservation, site: GroupSite
) -> tuple[Measurement, ...]:
    """Return every measure of every shape; those that could not be taken are absent."""
    made: list[Measurement] = []
    for shape in observation.shapes:
        conditions = Setting.from_mapping({INSERTS: shape.shape.inserts, ROWS_PER_INSERT: shape.shape.rows_per_insert})
        values = _values(shape, observation.mode)
        made += [
            Measurement(
                family=plan.family,
                trial_id=spec.trial_id,
                block=spec.block,
                metric=metric.name,
                value=value,
                unit=metric.unit,
                setting=spec.setting,
                conditions=conditions,
                phase=spec.phase,
            )
            for metric, value in values.items()
            if value is not None
        ]
    return tuple(made)


def _per(total: float | None, count: float | None) -> float | None:
    """Return a share of a total, None where it is not known or there is nothing to share it among."""
    return total / count if total is not None and count else None


def _values(observation: ShapeObservation, mode: CommitMode) -> Mapping[Metric, float | None]:
    inserts = sum(loop.inserts for loop in observation.loops)
    elapsed_s = sum(loop.elapsed_ms for loop in observation.loops) / 1000
    grown = _growth([observation])
    pairs = [pair for read in observation.readings for pair in pairwise(read)]
    values: dict[Metric, float | None] = {
        **_loop_values(observation, inserts),
        metrics.WRITELOG_WAIT: _per(grown.writelog_wait_ms, inserts),
        metrics.LOG_RATE: _per(convert_known(grown.log_flushed_bytes, "bytes", "MB"), elapsed_s),
        metrics.PRIMARY_CPU: largest_known(cpu_share(before, after, after.primary) for before, after in pairs),
    }
    if mode is not CommitMode.STANDALONE:
        values |= _stream_values(observation, grown, elapsed_s)
    if mode is CommitMode.SYNCHRONOUS:
        values[metrics.COMMIT_DELAY] = _per(grown.commit_delay_ms, grown.mirrored_transactions)
        values[metrics.SYNC_COMMIT_WAIT] = _per(grown.sync_commit_wait_ms, inserts)
    return values


def _growth(shapes: Iterable[ShapeObservation]) -> GroupSample:
    """Return the growth over all loops of shapes."""
    return growth_over([(read[0], read[-1]) for shape in shapes for read in shape.readings])


def _loop_values(observation: ShapeObservation, inserts: int) -> Mapping[Metric, float | None]:
    """Return the measures of the loops of inserts themselves; their number only where time ended them."""
    time_ms = run_time_ms(observation)
    planned = observation.shape.inserts * len(observation.loops)
    return {
        metrics.SHAPE_TIME: time_ms,
        metrics.INSERT_RATE: None if time_ms is None else observation.shape.inserts / time_ms * 1000,
        metrics.INSERTS_DONE: inserts / len(observation.loops) if 0 < inserts < planned else None,
    }


def _stream_values(
    observation: ShapeObservation, grown: GroupSample, elapsed_s: float
) -> Mapping[Metric, float | None]:
    """Return the measures of the log on its way to a secondary replica."""
    return {
        metrics.FLOW_CONTROL: _per(convert_known(grown.flow_control_ms, "ms", "s"), elapsed_s),
        **measured(ReplicaReading, [[sample.readings for sample in read] for read in observation.readings]),
        metrics.WIRE_SHARE: _wire_share(grown),
    }


def _wire_share(grown: GroupSample) -> float | None:
    """Return the bytes sent for each byte of log, None where too little was written to tell."""
    if grown.log_flushed_bytes is None or grown.sent_bytes is None or grown.log_flushed_bytes < LEAST_LOG_BYTES:
        return None
    return grown.sent_bytes / grown.log_flushed_bytes


def failures(plan: Plan, spec: TrialSpec, observation: CommitObservation) -> tuple[str, ...]:
    """Return one sentence for each reason not to use a trial."""
    if observation.traffic:
        return _window_failures(spec, observation)
    problems: list[str] = []
    by_shape = {shape.shape: shape for shape in observation.shapes}
    for shape in shapes_of(plan.load):
        measured = by_shape.get(shape)
        if measured is None or run_time_ms(measured) is None:
            problems.append(_("the shape of {inserts:,} inserts was not measured").format(inserts=shape.inserts))
        elif any(loop.rows < loop.inserts * shape.rows_per_insert for loop in measured.loops):
            problems.append(
                _("the shape of {inserts:,} inserts wrote fewer rows than planned").format(inserts=shape.inserts)
            )
    if observation.mode is CommitMode.SYNCHRONOUS and not observation.is_synchronized:
        problems.append(_("the secondary was not synchronized throughout, so commits did not wait for it"))
    problems += _compression_problem(spec, observation)
    return tuple(problems)


def _window_failures(spec: TrialSpec, observation: CommitObservation) -> tuple[str, ...]:
    """Return one sentence for each reason not to use a window on the client's own load."""
    read = observation.traffic
    grown, span_s = growth_over([(read[0], read[-1])]), (read[-1].at - read[0].at).total_seconds()
    waits = grown.sync_commit_waits if observation.mode is CommitMode.SYNCHRONOUS else grown.writelog_waits
    problems: list[str] = []
    if waits is None or waits < FEWEST_COMMITS:
        problems.append(
            _("{commits:,.0f} commits waited in {seconds:,.0f} s, too few to tell how long").format(
                commits=waits or 0.0, seconds=span_s
            )
        )
    if observation.mode is CommitMode.SYNCHRONOUS and not observation.is_synchronized:
        problems.append(_("the secondary was not synchronized throughout, so commits did not wait for it"))
    return (*problems, *_compression_problem(spec, observation))


def _compression_problem(spec: TrialSpec, observation: CommitObservation) -> tuple[str, ...]:
    """Return one sentence where the log was plainly compressed although it was not to be.

    The other way round nothing can be told: some data does not compress.
    """
    if observation.mode is CommitMode.STANDALONE or not (observation.shapes or observation.traffic):
        return ()
    if compression_in_effect(observation.major, observation.mode, compression_of(spec.setting)) != OFF:
        return ()
    read = observation.traffic
    share = _wire_share(growth_over([(read[0], read[-1])]) if read else _growth(observation.shapes))
    if share is None or share >= COMPRESSED_BELOW_SHARE:
        return ()
    return (_("the log stream was still compressed: {share:.0%} of the log's bytes were sent").format(share=share),)
