"""Measures of a trial of a Streams pipeline."""

from collections.abc import Mapping

from app.analysis.measuring import as_measurement
from app.domain.measurement import Measurement, Metric
from app.domain.plan import Plan, TrialSpec
from app.domain.setting import Setting
from app.foundation.texts import _
from app.systems.oracle_streams import metrics
from app.systems.oracle_streams.analysis.growth import growth_of, stage_shares
from app.systems.oracle_streams.analysis.stages import Doing, Stage
from app.systems.oracle_streams.families.streams_apply.load import OPERATION, ROWS, ROWS_PER_COMMIT
from app.systems.oracle_streams.families.streams_apply.plan import load_of
from app.systems.oracle_streams.rig.trial import StreamsObservation
from app.systems.oracle_streams.site import StreamsSite

# Messages of others, beside those of the trial, that make its measures no longer its own.
OTHERS_SHARE = 0.05


def conditions_of(plan: Plan) -> Setting:
    """Return the conditions of a plan's measures."""
    load = load_of(plan)
    return Setting.from_mapping({OPERATION: load.operation, ROWS: load.rows, ROWS_PER_COMMIT: load.rows_per_commit})


def measurements_of(
    plan: Plan, spec: TrialSpec, observation: StreamsObservation, site: StreamsSite
) -> tuple[Measurement, ...]:
    """Return every measure of a trial; those that could not be taken are absent."""
    values = {**_counted(observation), **_shares(observation)}
    conditions = conditions_of(plan)
    return tuple(
        as_measurement(plan, spec, metric, value, conditions) for metric, value in values.items() if value is not None
    )


def _counted(observation: StreamsObservation) -> Mapping[Metric, float | None]:
    grown, elapsed_s = growth_of(observation.readings), observation.elapsed_s
    samples = observation.readings
    # before the first of this trial is applied, the newest latency is one of an earlier load
    own = [sample for sample in samples if sample.applied > samples[0].applied]
    latencies = [sample.latency_s for sample in own if sample.latency_s is not None]
    return {
        metrics.RUN_TIME: elapsed_s,
        metrics.MESSAGE_RATE: observation.load.rows / elapsed_s * 60 if elapsed_s else None,
        metrics.CAPTURE_PAUSE: grown.of("paused_s"),
        metrics.SPILLED_SOURCE: grown.of("source_spilled"),
        metrics.SPILLED_DESTINATION: grown.of("destination_spilled"),
        metrics.STAGED_MESSAGES: grown.of("staged"),
        metrics.STAGED_TIME: grown.of("staged_s"),
        metrics.SOURCE_REDO: grown.of("source_redo_mb"),
        metrics.DESTINATION_REDO: grown.of("destination_redo_mb"),
        metrics.SOURCE_POOL: max((sample.source_pool_share for sample in samples), default=None),
        metrics.DESTINATION_POOL: max((sample.destination_pool_share for sample in samples), default=None),
        metrics.STREAMS_LATENCY: max(0.0, *latencies) if latencies else None,
    }


def _shares(observation: StreamsObservation) -> Mapping[Metric, float | None]:
    if len(observation.readings) < 2:
        return {}
    shares = stage_shares(observation.readings)
    reader_staging = shares.reader.get(Doing.STAGING, 0.0)
    return {
        metrics.CAPTURE_BUSY: shares.capture.get(Doing.WORKING, 0.0),
        metrics.CAPTURE_HELD: shares.capture.get(Doing.HELD, 0.0),
        metrics.PROPAGATION_BUSY: shares.propagation.get(Doing.WORKING, 0.0) if observation.path.propagation else None,
        metrics.READER_BUSY: shares.reader.get(Doing.WORKING, 0.0) + reader_staging,
        metrics.READER_STAGING: reader_staging,
        metrics.SERVERS_BUSY: shares.servers.get(Doing.WORKING, 0.0),
        metrics.SERVERS_WAIT_DEPENDENCY: shares.servers.get(Doing.WAIT_DEPENDENCY, 0.0),
        metrics.SERVERS_WAIT_COMMIT: shares.servers.get(Doing.WAIT_COMMIT, 0.0),
        metrics.LIMITED_BY_CAPTURE: shares.pace.get(Stage.CAPTURE, 0.0),
        metrics.LIMITED_BY_PROPAGATION: shares.pace.get(Stage.PROPAGATION, 0.0),
        metrics.LIMITED_BY_READER: shares.pace.get(Stage.READER, 0.0),
        metrics.LIMITED_BY_SERVERS: shares.pace.get(Stage.SERVERS, 0.0),
    }


def failures(plan: Plan, spec: TrialSpec, observation: StreamsObservation) -> tuple[str, ...]:
    """Return one sentence for each reason not to use a trial."""
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
    if observation.readings and observation.readings[-1].apply_errors > observation.readings[0].apply_errors:
        problems.append(_("transactions went to the error queue"))
    return tuple(problems)
