"""Observations of Oracle Streams, as lines of text and as a table."""

from collections.abc import Sequence

from app.domain.view import Column, Row, TableContent, number_cell, text_cell
from app.flows.target.observed_parts import cost_lines, finding_lines, limit_lines, unread_lines
from app.flows.words import sentence
from app.foundation.texts import _
from app.reporting.render.terminal import table_lines
from app.systems.oracle_streams.observed import ObservedPath, ObservedQueue, StreamsObservation


def streams_lines(observation: StreamsObservation, *, with_tables: bool = True) -> list[str]:
    """Return the observations, a paragraph for each path, then findings and the limits of the figures.

    Args:
        with_tables: stages and costs, too, which window and report show as tables of their own.
    """
    lines = [
        _("{target}, Streams watched for {seconds:g} s").format(target=observation.target, seconds=observation.watch_s)
    ]
    for path in observation.paths:
        stages = table_lines(stages_table([path]).only("stage", "rate", "working", "waiting", "idle", "state"))
        lines += ["", _path_line(path), *(stages if with_tables else ()), *_path(path)]
    if observation.topology.warnings:
        lines += [
            "",
            _("Limits of the health check:"),
            *(f"  {sentence(warning)}" for warning in observation.topology.warnings),
        ]
    lines += [*finding_lines(observation.findings, observation.unread), *limit_lines(observation.limits)]
    costs = cost_lines(observation.costs) if with_tables else []
    return [*lines, *costs, *unread_lines(observation.unread)]


def stages_table(paths: Sequence[ObservedPath]) -> TableContent:
    """Return every stage of every path: its throughput, and how it spent its time."""
    columns = (
        Column("path", _("Path"), width=2.4),
        Column("stage", _("Stage"), width=1),
        Column("rate", _("Messages"), "/min", is_number=True),
        Column("working", _("Working"), "%", is_number=True),
        Column("waiting", _("Waiting"), "%", is_number=True, hint=_("For flow control, a dependency or its turn")),
        Column("idle", _("Idle"), "%", is_number=True),
        Column("state", _("State"), width=1.4),
    )
    rows = (
        Row(
            f"{name} {stage.title}",
            (
                text_cell(name),
                text_cell(stage.title),
                number_cell(stage.messages_per_min),
                number_cell(100 * stage.working_share),
                number_cell(100 * stage.held_share),
                number_cell(100 * stage.idle_share),
                text_cell(stage.state or _("does not run")),
            ),
        )
        for path in paths
        for name in (path_name(path),)
        for stage in path.stages
    )
    return TableContent(columns, tuple(rows))


def path_name(path: ObservedPath) -> str:
    """Return the processes of a path in the order messages pass them."""
    return " → ".join(name for name in (path.path.capture, path.path.propagation, path.path.apply) if name)


def _path_line(path: ObservedPath) -> str:
    return path_name(path) + (_(" (capture and apply combined)") if path.path.is_combined else "")


def _path(path: ObservedPath) -> list[str]:
    lines = [_slow(path), *(_queue(queue) for queue in path.queues)]
    lines.append(
        _(
            "  Applied: {rate:,.0f} transactions/min; from source commit to apply: {latency}; error queue: {errors:,} "
            "transactions"
        ).format(rate=path.transactions_per_min, latency=_seconds(path.latency_s), errors=path.apply_errors)
    )
    lines.append(
        _(
            "  Staged by the apply reader: {messages:,.0f} messages; in the staging table now: {count:,} transactions"
        ).format(messages=path.staged_messages, count=path.staged_transactions)
    )
    lines.append(
        _(
            "  Redo: {source:,.1f} MB/min at the source, {destination:,.1f} MB/min at the destination; "
            "Streams pool used: {here:.0%} at the source, {there:.0%} at the destination"
        ).format(
            source=path.source_redo_mb_per_min,
            destination=path.destination_redo_mb_per_min,
            here=path.source_pool_share,
            there=path.destination_pool_share,
        )
    )
    if path.restarts:
        lines.append(
            _("  Left out, because a process or an instance started again: {count}").format(count=path.restarts)
        )
    return lines


def _slow(path: ObservedPath) -> str:
    held = _("  Capture paused for flow control: {share:.0%} of the time").format(share=path.paused_share)
    if not path.bottleneck:
        return held + "; " + _("there was nothing to do while it was watched")
    return (
        held
        + "; "
        + _("the others waited for: {stage}, {share:.0%} of the time").format(
            stage=path.bottleneck, share=path.bottleneck_share
        )
    )


def _queue(queue: ObservedQueue) -> str:
    return _(
        "  Queue {name} at {database}: {now:,} messages (most {most:,}); spilled: {spilled:,.0f} while watched, "
        "{total:,} since its start"
    ).format(
        name=queue.name,
        database=queue.database,
        now=queue.messages,
        most=queue.most_messages,
        spilled=queue.spilled_messages,
        total=queue.spilled_since_start,
    )


def _seconds(seconds: float | None) -> str:
    return _("not known") if seconds is None else _("{seconds:.0f} s").format(seconds=seconds)
