"""Measures of a trial of a Streams pipeline."""

from collections.abc import Mapping
from typing import Final

from app.analysis.measuring import as_measurement
from app.domain.measurement import Measurement, Metric
from app.domain.plan import Plan, TrialSpec
from app.domain.setting import Setting
from app.domain.work_source import SOURCE, work_source_of
from app.foundation.texts import _
from app.model.reading import measured
from app.systems.oracle_streams import metrics
from app.systems.oracle_streams.analysis.growth import growth_of, stage_shares, with_totals
from app.systems.oracle_streams.analysis.stages import Doing, Stage
from app.systems.oracle_streams.families.streams_apply.load import OPERATION, ROWS, ROWS_PER_COMMIT
from app.systems.oracle_streams.families.streams_apply.plan import load_of
from app.systems.oracle_streams.readings import StreamsSample
from app.systems.oracle_streams.rig.trial import StreamsObservation
from app.systems.oracle_streams.site import StreamsSite

# Messages of others, beside those of the trial, that make its measures no longer its own.
OTHERS_SHARE = 0.05

_DID: Final[Mapping[Metric, tuple[str, *tuple[Doing, ...]]]] = {
    metrics.CAPTURE_BUSY: ("capture", Doing.WORKING),
    metrics.CAPTURE_HELD: ("capture", Doing.HELD),
    metrics.PROPAGATION_BUSY: ("propagation", Doing.WORKING),
    metrics.READER_BUSY: ("reader", Doing.WORKING, Doing.STAGING),
    metrics.READER_STAGING: ("reader", Doing.STAGING),
    metrics.SERVERS_BUSY: ("servers", Doing.WORKING),
    metrics.SERVERS_WAIT_DEPENDENCY: ("servers", Doing.WAIT_DEPENDENCY),
    metrics.SERVERS_WAIT_COMMIT: ("servers", Doing.WAIT_COMMIT),
}
_SET_THE_PACE: Final[Mapping[Metric, Stage]] = {
    metrics.LIMITED_BY_CAPTURE: Stage.CAPTURE,
    metrics.LIMITED_BY_PROPAGATION: Stage.PROPAGATION,
    metrics.LIMITED_BY_READER: Stage.READER,
    metrics.LIMITED_BY_SERVERS: Stage.SERVERS,
}


def conditions_of(plan: Plan) -> Setting:
    """Return the conditions of a plan's measures."""
    if work_source_of(plan.load).is_own_work:
        return Setting.from_mapping({SOURCE: str(work_source_of(plan.load))})
    load = load_of(plan)
    return Setting.from_mapping({OPERATION: load.operation, ROWS: load.rows, ROWS_PER_COMMIT: load.rows_per_commit})


def measurements_of(
    plan: Plan, spec: TrialSpec, observation: StreamsObservation, site: StreamsSite
) -> tuple[Measurement, ...]:
    """Return every measure of a trial; those that could not be taken are absent."""
    counted = _counted if observation.window is None else _in_window
    values = {**counted(observation), **_shares(observation)}
    conditions = conditions_of(plan)
    return tuple(
        as_measurement(plan, spec, metric, value, conditions) for metric, value in values.items() if value is not None
    )


def _counted(observation: StreamsObservation) -> Mapping[Metric, float | None]:
    elapsed_s, samples = observation.elapsed_s, observation.readings
    grown = growth_of(samples).values
    # before the first of this trial is applied, the newest latency is one of an earlier load
    own = [sample for sample in samples if sample.applied > samples[0].applied]
    latencies = [sample.latency_s for sample in own if sample.latency_s is not None]
    read = measured(StreamsSample, [[(with_totals(sample, grown),) for sample in samples]])
    rows = 0 if observation.load is None else observation.load.rows
    return {
        metrics.RUN_TIME: elapsed_s,
        metrics.MESSAGE_RATE: rows / elapsed_s * 60 if elapsed_s else None,
        **{metric: read[metric] for metric in metrics.STREAMS_METRICS if metric in read},
        metrics.STREAMS_LATENCY: max(0.0, *latencies) if latencies else None,
    }


def _in_window(observation: StreamsObservation) -> Mapping[Metric, float | None]:
    """Return the measures of a window; counts of what happened in it say how long it was, and are left out."""
    span_s, grown = observation.elapsed_s, growth_of(observation.readings)
    messages, transactions = grown.of("server_messages"), grown.of("applied")
    pools = {metrics.SOURCE_POOL: "source_pool_share", metrics.DESTINATION_POOL: "destination_pool_share"}
    return {
        metrics.MESSAGE_RATE: messages / span_s * 60 if span_s and messages else None,
        metrics.TRANSACTION_SIZE: messages / transactions if transactions else None,
        **{metric: max(getattr(now, name) for now in observation.readings) for metric, name in pools.items()},
    }


def _shares(observation: StreamsObservation) -> Mapping[Metric, float | None]:
    if len(observation.readings) < 2:
        return {}
    shares = stage_shares(observation.readings)
    did = {
        metric: sum(getattr(shares, stage).get(doing, 0.0) for doing in doings)
        for metric, (stage, *doings) in _DID.items()
        if metric is not metrics.PROPAGATION_BUSY or observation.path.propagation
    }
    return {**did, **{metric: shares.pace.get(stage, 0.0) for metric, stage in _SET_THE_PACE.items()}}


def failures(plan: Plan, spec: TrialSpec, observation: StreamsObservation) -> tuple[str, ...]:
    """Return one sentence for each reason not to use a trial."""
    if observation.window is not None:
        return _window_failures(observation)
    problems: list[str] = []
    wanted, grown = load_of(plan).rows, growth_of(observation.readings)
    if observation.elapsed_s is None or observation.elapsed_s <= 0:
        problems.append(_("not all rows were applied"))
    if observation.rows_written < wanted:
        problems.append(
            _("the source wrote {have:,} of the planned {want:,} rows").format(
                have=observation.rows_written, want=wanted
            )
        )
    if grown.restarts:
        problems.append(_("a process of the pipeline, or an instance, started again during the trial"))
    others = grown.of("enqueued") - wanted
    if others > OTHERS_SHARE * wanted:
        problems.append(
            _("{count:,.0f} messages of other changes went through the pipeline at the same time").format(count=others)
        )
    return (*problems, *_errors(observation))


def _window_failures(observation: StreamsObservation) -> tuple[str, ...]:
    """Return one sentence for each reason not to use a window: others' changes are no reason, they are its work."""
    problems: list[str] = []
    window, grown = observation.window, growth_of(observation.readings)
    if grown.restarts:
        problems.append(_("a process of the pipeline, or an instance, started again during the window"))
    if window is not None and window.has_run_out:
        problems.append(
            _("nothing was left to apply after {seconds:.0f} s, too short for a rate").format(seconds=window.length_s)
        )
    elif not observation.elapsed_s or grown.of("server_messages") <= 0:
        problems.append(_("nothing was applied"))
    return (*problems, *_errors(observation))


def _errors(observation: StreamsObservation) -> tuple[str, ...]:
    readings = observation.readings
    has_more = bool(readings) and readings[-1].apply_errors > readings[0].apply_errors
    return (_("transactions went to the error queue"),) if has_more else ()
