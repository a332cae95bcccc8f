"""What was observed of Oracle Streams, as lines of text and as a table."""

from app.flows.table_view import Column, Row, TableContent, number_cell, text_cell
from app.flows.target.observed_parts import cost_lines, finding_lines, limit_lines, unread_lines
from app.foundation.texts import _, local_number
from app.systems.oracle_streams.observed import ObservedPath, ObservedQueue, ObservedStage, StreamsObservation


def streams_lines(seen: StreamsObservation) -> list[str]:
    """Return what was seen, a paragraph for each path, then findings and what the figures do not say."""
    lines = [_("{target}, Streams watched for {seconds:g} s").format(target=seen.target, seconds=seen.watch_s)]
    for path in seen.paths:
        lines += ["", *_path(path)]
    if seen.topology.warnings:
        lines += ["", _("Limits of the health check:"), *(f"  {sentence}" for sentence in seen.topology.warnings)]
    lines += [*finding_lines(seen.findings), *limit_lines(seen.limits)]
    return [*lines, *cost_lines(seen.costs), *unread_lines(seen.unread)]


def stages_table(seen: StreamsObservation) -> TableContent:
    """Return every stage of every path: what passed it, and how it spent its time."""
    columns = (
        Column("path", _("Path")),
        Column("stage", _("Stage")),
        Column("rate", _("Messages"), "/min", is_number=True),
        Column("working", _("Working"), "%", is_number=True),
        Column("waiting", _("Waiting"), "%", is_number=True, hint=_("For flow control, a dependency or its turn")),
        Column("idle", _("Idle"), "%", is_number=True),
        Column("state", _("State")),
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
        for path in seen.paths
        for name in (path_name(path),)
        for stage in path.stages
    )
    return TableContent(columns, tuple(rows))


def path_name(seen: ObservedPath) -> str:
    """Return the processes of a path in the order messages pass them."""
    return " → ".join(name for name in (seen.path.capture, seen.path.propagation, seen.path.apply) if name)


def _path(seen: ObservedPath) -> list[str]:
    combined = _(" (capture and apply combined)") if seen.path.is_combined else ""
    lines = [path_name(seen) + combined]
    lines.append(
        f"  {'':<15}{_('messages/min'):>14}{_('working'):>10}{_('waiting'):>10}{_('idle'):>8}  {_('does now')}"
    )
    lines += [_stage(stage) for stage in seen.stages]
    lines += [_slow(seen), *(_queue(queue) for queue in seen.queues)]
    lines.append(
        _(
            "  applied: {rate:,.0f} transactions/min; from source commit to apply: {latency}; error queue: {errors:,} "
            "transactions"
        ).format(rate=seen.transactions_per_min, latency=_seconds(seen.latency_s), errors=seen.apply_errors)
    )
    lines.append(
        _(
            "  staged by the apply reader: {messages:,.0f} messages; in the staging table now: {count:,} transactions"
        ).format(messages=seen.staged_messages, count=seen.staged_transactions)
    )
    lines.append(
        _(
            "  redo: {source:,.1f} MB/min at the source, {destination:,.1f} MB/min at the destination; "
            "Streams pool used: {here:.0%} at the source, {there:.0%} at the destination"
        ).format(
            source=seen.source_redo_mb_per_min,
            destination=seen.destination_redo_mb_per_min,
            here=seen.source_pool_share,
            there=seen.destination_pool_share,
        )
    )
    if seen.restarts:
        lines.append(
            _("  left out, because a process or an instance started again: {count}").format(count=seen.restarts)
        )
    return lines


def _stage(seen: ObservedStage) -> str:
    shares = f"{seen.working_share:>10.0%}{seen.held_share:>10.0%}{seen.idle_share:>8.0%}"
    rate = local_number(f"{seen.messages_per_min:>14,.0f}")
    return f"  {seen.title:<15}{rate}{shares}  {seen.state or _('does not run')}"


def _slow(seen: ObservedPath) -> str:
    held = _("  capture paused for flow control: {share:.0%} of the time").format(share=seen.paused_share)
    if not seen.bottleneck:
        return held + "; " + _("nothing was to be done while it was watched")
    return (
        held
        + "; "
        + _("the others waited for: {stage}, {share:.0%} of the time").format(
            stage=seen.bottleneck, share=seen.bottleneck_share
        )
    )


def _queue(seen: ObservedQueue) -> str:
    return _(
        "  queue {name} at {database}: {now:,} messages (most {most:,}); spilled: {spilled:,.0f} while watched, "
        "{total:,} since its start"
    ).format(
        name=seen.name,
        database=seen.database,
        now=seen.messages,
        most=seen.most_messages,
        spilled=seen.spilled_messages,
        total=seen.spilled_since_start,
    )


def _seconds(seconds: float | None) -> str:
    return _("not known") if seconds is None else _("{seconds:.0f} s").format(seconds=seconds)
