"""Results from readings of a Streams pipeline without a load of ours: rates, shares, queues, the slow stage."""

from collections import Counter
from collections.abc import Mapping, Sequence

from app.foundation.texts import _
from app.systems.oracle_streams.analysis.growth import StageShares, StreamsGrowth, growth_of, stage_shares
from app.systems.oracle_streams.analysis.stages import SERVER_PREFIX, Doing, Stage
from app.systems.oracle_streams.observed import ObservedPath, ObservedQueue, ObservedStage
from app.systems.oracle_streams.pipeline import StreamsComponent, StreamsPath, StreamsTopology
from app.systems.oracle_streams.readings import StreamsSample

_WORKING = (Doing.WORKING, Doing.STAGING)
_HELD = (Doing.HELD, Doing.BLOCKED, Doing.WAIT_DEPENDENCY, Doing.WAIT_COMMIT, Doing.WAIT_CHUNK)
_IDLE = (Doing.IDLE,)


def stage_title(stage: Stage) -> str:
    """Return a stage's title."""
    return {
        Stage.CAPTURE: _("capture"),
        Stage.PROPAGATION: _("propagation"),
        Stage.READER: _("apply reader"),
        Stage.SERVERS: _("apply servers"),
    }[stage]


def observed_path(path: StreamsPath, topology: StreamsTopology, readings: Sequence[StreamsSample]) -> ObservedPath:
    """Return the observations of one path from its readings, oldest first, at least one."""
    last, grown, shares = readings[-1], growth_of(readings), stage_shares(readings)
    watched_s = last.offset_s - readings[0].offset_s
    slow = shares.bottleneck
    return ObservedPath(
        path=path,
        apply_status=last.apply_status,
        readings=len(readings),
        watched_s=watched_s,
        stages=_stages(path, dict(last.states), grown, shares, watched_s),
        queues=_queues(path, topology, readings, grown),
        paused_share=min(1.0, grown.of("paused_s") / watched_s) if watched_s > 0 else 0.0,
        bottleneck="" if slow is None else stage_title(slow),
        bottleneck_share=0.0 if slow is None else shares.pace[slow],
        transactions_per_min=_per_min(grown, "applied", watched_s),
        staged_messages=grown.of("staged"),
        staged_transactions=last.staged_transactions,
        source_redo_mb_per_min=_per_min(grown, "source_redo_mb", watched_s),
        destination_redo_mb_per_min=_per_min(grown, "destination_redo_mb", watched_s),
        source_pool_share=max(reading.source_pool_share for reading in readings),
        destination_pool_share=max(reading.destination_pool_share for reading in readings),
        latency_s=last.latency_s,
        apply_errors=last.apply_errors,
        restarts=grown.restarts,
    )


def _per_min(grown: StreamsGrowth, name: str, watched_s: float) -> float:
    return grown.of(name) / watched_s * 60.0 if watched_s > 0 else 0.0


def _stages(
    path: StreamsPath, states: Mapping[str, str], grown: StreamsGrowth, shares: StageShares, watched_s: float
) -> tuple[ObservedStage, ...]:
    servers = Counter(state for name, state in states.items() if name.startswith(SERVER_PREFIX))
    told_servers = ", ".join(f"{count} × {state}" for state, count in servers.most_common())
    stages = (
        (Stage.CAPTURE, states.get("capture", ""), "captured", shares.capture),
        (Stage.PROPAGATION, states.get("propagation", ""), "propagated", shares.propagation),
        (Stage.READER, states.get("reader", ""), "dequeued", shares.reader),
        (Stage.SERVERS, told_servers, "server_messages", shares.servers),
    )
    return tuple(
        ObservedStage(
            title=stage_title(stage),
            state=state,
            messages_per_min=_per_min(grown, counter, watched_s),
            working_share=_sum(did, _WORKING),
            idle_share=_sum(did, _IDLE),
            held_share=_sum(did, _HELD),
        )
        for stage, state, counter, did in stages
        if stage is not Stage.PROPAGATION or path.propagation
    )


def _sum(shares: Mapping[Doing, float], wanted: Sequence[Doing]) -> float:
    return sum(shares.get(doing, 0.0) for doing in wanted)


def _queues(
    path: StreamsPath, topology: StreamsTopology, readings: Sequence[StreamsSample], grown: StreamsGrowth
) -> tuple[ObservedQueue, ...]:
    """Return the queue the capture fills and the one the apply reads, once where they are the same."""
    made: list[ObservedQueue] = []
    for component, name, end in (
        (StreamsComponent.CAPTURE, path.capture, "source"),
        (StreamsComponent.APPLY, path.apply, "destination"),
    ):
        process = topology.process(component, name)
        if process is None or any((queue.name, queue.database) == (process.queue, process.database) for queue in made):
            continue
        waiting = [int(getattr(reading, f"{end}_waiting")) for reading in readings]
        made.append(
            ObservedQueue(
                name=process.queue,
                database=process.database,
                messages=waiting[-1],
                most_messages=max(waiting),
                spilled_messages=grown.of(f"{end}_spilled"),
                spilled_since_start=int(getattr(readings[-1], f"{end}_spilled")),
            )
        )
    return tuple(made)
