"""What `replitune observe` prints of Oracle Streams."""

from app.domain.observing_streams import ObservedPath, ObservedQueue, ObservedStage, StreamsObservation
from app.foundation.texts import _


def streams_lines(seen: StreamsObservation) -> list[str]:
    """Return what was seen, a paragraph for each path, then findings and what the figures do not say."""
    lines = [_("{target}, Streams watched for {seconds:g} s").format(target=seen.target, seconds=seen.watch_s)]
    for path in seen.paths:
        lines += ["", *_path(path)]
    if seen.topology.warnings:
        lines += ["", _("Limits of the health check:"), *(f"  {sentence}" for sentence in seen.topology.warnings)]
    lines += ["", _("Findings:") if seen.findings else _("No rule speaks against what was seen.")]
    for finding in seen.findings:
        lines += [f"  {finding.priority}  {finding.title}", f"     {finding.recommendation}"]
    if seen.limits:
        lines += ["", _("What these figures do not say:"), *(f"  {sentence}" for sentence in seen.limits)]
    if seen.costs:
        lines += ["", _("What an experiment would take:")]
    lines += [
        _("  {title}: {trials} trials, about {hours:.1f} h").format(
            title=cost.title, trials=cost.trials, hours=cost.duration_s / 3600
        )
        for cost in seen.costs
    ]
    if seen.unread:
        lines += ["", _("Not readable:"), *(f"  {sentence}" for sentence in seen.unread)]
    return lines


def _path(seen: ObservedPath) -> list[str]:
    names = [name for name in (seen.path.capture, seen.path.propagation, seen.path.apply) if name]
    combined = _(" (capture and apply combined)") if seen.path.is_combined else ""
    lines = [" → ".join(names) + combined]
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
    return f"  {seen.title:<15}{seen.messages_per_min:>14,.0f}{shares}  {seen.state or _('does not run')}"


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
