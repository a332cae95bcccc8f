"""Warnings of Oracle's own health check of Streams, one sentence each.

Limits: Streams health check scripts of 10gR2 and 12.1 (dhoogfr/toolbox streams_hc_10GR2.sql, streams_hc_12_1_0_1.sql);
for a pool that serves GoldenGate or XStream that of fatdba/Oracle-Database-Scripts goldengate_healthcheck.sql.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from app.domain.errors import PermissionDenied, Unsupported
from app.drivers.oracle.session import End, Rows, Session
from app.foundation.rows import Row
from app.foundation.texts import _
from app.systems.oracle_streams.analysis.stages import Doing, doing_of
from app.systems.oracle_streams.pipeline import StreamsComponent, StreamsProcess, Technology
from app.systems.oracle_streams.server.views import DatabaseViews, variant

WORST_LATENCY_S: Final = 60.0
WANTED_LATENCY_S: Final = 5.0
FEWEST_JOBS: Final = 4
FEWEST_LINKS: Final = 4
MOST_LOGS: Final = 1_000
OLDEST_LOG_DAYS: Final = 60.0
MOST_SPILLED_SHARE: Final = 0.25
SHORTEST_UPTIME_S: Final = 3_600.0
FULLEST_POOL_SHARE: Final = 0.95
FULLEST_POOL_SHARE_OF_SUCCESSORS: Final = 0.85
MOST_UNCONSUMED: Final = 300_000
LONGEST_PAGEOUT_S: Final = 30.0
LONGEST_STATE_S: Final = 180.0
CAPTURE_BEHIND_S: Final = 300.0
READER_BEHIND_S: Final = 600.0
LOW_WATERMARK_BEHIND_S: Final = 1_200.0
_HELD_UP: Final = (Doing.HELD, Doing.BLOCKED, Doing.STARTING)
_AT_REST: Final = (Doing.IDLE, Doing.ABSENT)


def as_far_as_read(warnings: Iterable[str]) -> Iterable[str]:
    """Return warnings up to a view this login or release does not have; that is then told in their place."""
    try:
        yield from warnings
    except (PermissionDenied, Unsupported) as error:
        yield _("part of the health check could not be read: {why}").format(why=error)


def source_warnings(session: Session, source: DatabaseViews, propagations: Rows) -> Iterable[str]:
    """Warn of the source's own parts: logging, propagations, archived logs."""
    if source.info.text("log_mode") != "ARCHIVELOG":
        yield _("{database} does not run in ARCHIVELOG mode; capture needs it").format(database=source.name)
    if source.info.text("minimal_logging") == "NO":
        yield _("{database} has no minimal supplemental logging; capture needs it").format(database=source.name)
    yield from _propagation_warnings(propagations)
    for row in session.run("archived_logs", End.SOURCE):
        logs, oldest_days = row.whole("needed_logs"), row.number_or("oldest_days", 0.0)
        if logs > MOST_LOGS or oldest_days > OLDEST_LOG_DAYS:
            yield _("capture {name} still needs {logs} archived logs, the oldest {days:.0f} days old").format(
                name=row.text("capture_name"), logs=logs, days=oldest_days
            )


def capture_warnings(session: Session, technologies: Iterable[Technology]) -> Iterable[str]:
    """Warn of captures that are far behind, held up, or short of memory."""
    for technology in technologies:
        for row in session.run(variant("capture_health", technology), End.SOURCE):
            yield from _capture_warnings(row)


def _capture_warnings(row: Row) -> Iterable[str]:
    name, state = row.text("capture_name"), row.text("state")
    doing = doing_of("capture", state)
    behind_s, age_s = row.number_or("latency_s", 0.0), row.number_or("state_age_s", 0.0)
    if behind_s > CAPTURE_BEHIND_S and doing is not Doing.IDLE:
        yield _(
            "capture {name} is {behind:,.0f} s behind the newest redo; the health check warns from {limit:.0f} s"
        ).format(name=name, behind=behind_s, limit=CAPTURE_BEHIND_S)
    if age_s > LONGEST_STATE_S and doing in _HELD_UP:
        yield _("capture {name} has been {state} for {minutes:,.0f} minutes; look at what it waits for").format(
            name=name, state=state, minutes=age_s / 60
        )
    paged_s = row.number_or("pageout_s", 0.0)
    if paged_s > LONGEST_PAGEOUT_S:
        yield _(
            "LogMiner of capture {name} has spent {seconds:,.0f} s since its start writing memory to disk; "
            "it lacks memory (_SGA_SIZE), or transactions are very large"
        ).format(name=name, seconds=paged_s)


def _propagation_warnings(propagations: Rows) -> Iterable[str]:
    for row in propagations:
        if row.number_or("latency", 0.0) >= WORST_LATENCY_S:
            yield _("propagation {name} waits up to {latency:g} s before it sends; {wanted:g} s are wanted").format(
                name=row.text("propagation_name"), latency=row.number("latency"), wanted=WANTED_LATENCY_S
            )
        if row.text("schedule_disabled") == "Y":
            yield _("the schedule of propagation {name} is disabled: {error}").format(
                name=row.text("propagation_name"), error=row.text("last_error_msg") or _("no error on record")
            )


def apply_warnings(parts: Sequence[Row]) -> Iterable[str]:
    """Warn of applies that are far behind while they have something to do.

    Args:
        parts: rows of a sample of the destination.
    """
    states = {(row.text("part"), row.text("name")): row.text("state") for row in parts}
    limits = (
        (
            "reader",
            READER_BEHIND_S,
            _("the reader of apply {name} reads messages {behind:,.0f} s after they were made"),
        ),
        ("progress", LOW_WATERMARK_BEHIND_S, _("apply {name} applies {behind:,.0f} s after the source committed")),
    )
    for part, limit_s, sentence in limits:
        for row in parts:
            name, behind_s = row.text("name"), row.number_or("latency_s", 0.0)
            is_at_work = doing_of("reader", states.get(("reader", name), "")) not in _AT_REST
            if row.text("part") == part and behind_s > limit_s and is_at_work:
                told = _("{sentence}; the health check warns from {limit:,.0f} s")
                yield told.format(sentence=sentence.format(name=name, behind=behind_s), limit=limit_s)


def elsewhere_warnings(views: DatabaseViews, processes: Iterable[StreamsProcess]) -> Iterable[str]:
    """Warn of processes of a cluster that run at another instance than the one connected to: V$ views show none."""
    if views.info.text("is_rac") != "YES":
        return
    for process in processes:
        is_shown = process.component is StreamsComponent.PROPAGATION or bool(process.state)
        if process.database == views.name and process.status == "ENABLED" and not is_shown:
            yield _(
                "{database} is a cluster, and {component} {name} runs at another instance than the one on {instance}; "
                "connect to the one that owns its queue, for example with a service of that instance alone"
            ).format(
                database=views.name,
                component=process.component.value,
                name=process.name,
                instance=views.info.text("host_name"),
            )


def database_warnings(session: Session, end: End, views: DatabaseViews, has_successors: bool) -> Iterable[str]:
    """Warn of parts of either database: parameters, queues, a full pool.

    Args:
        has_successors: GoldenGate or XStream use the pool.
    """
    yield from as_far_as_read(_parameter_warnings(session, end, views))
    yield from as_far_as_read(_queue_warnings(session, end, views))
    yield from as_far_as_read(_pool_warnings(session, end, views, has_successors))
    yield from as_far_as_read(_pool_advice(session, end, views))


def _pool_warnings(session: Session, end: End, views: DatabaseViews, has_successors: bool) -> Iterable[str]:
    pool = session.run("streams_pool", end)[0]
    size, used = pool.whole_or("size_bytes", 0), pool.whole_or("used_bytes", 0)
    if size and used / size >= (FULLEST_POOL_SHARE_OF_SUCCESSORS if has_successors else FULLEST_POOL_SHARE):
        yield _("{share:.0%} of the Streams pool of {database} are in use").format(
            share=used / size, database=views.name
        )


def _parameter_warnings(session: Session, end: End, views: DatabaseViews) -> Iterable[str]:
    values = {row.text("name"): row.text("value") for row in session.run("server_parameters", end)}
    for name, fewest in (("job_queue_processes", FEWEST_JOBS), ("open_links", FEWEST_LINKS)):
        value = values.get(name, "")
        if value.isdigit() and int(value) < fewest:
            yield _("{database}: {name} is {value}; the health check wants at least {fewest}").format(
                database=views.name, name=name, value=value, fewest=fewest
            )
    if values.get("global_names", "TRUE").upper() != "TRUE":
        yield _("{database}: global_names is FALSE; Streams wants TRUE").format(database=views.name)


def _queue_warnings(session: Session, end: End, views: DatabaseViews) -> Iterable[str]:
    now_utc = session.run("server_time", end)[0].moment_utc("now_utc")
    for row in session.run("queues", end):
        queue = f"{row.text('queue_owner')}.{row.text('queue_name')}"
        total, spilled = row.whole("total_messages"), row.whole("total_spilled_messages")
        uptime_s = (now_utc - row.moment_utc("started_utc")).total_seconds()
        if total and spilled / total > MOST_SPILLED_SHARE and uptime_s > SHORTEST_UPTIME_S:
            yield _("queue {queue} at {database} has spilled {share:.0%} of its messages").format(
                queue=queue, database=views.name, share=spilled / total
            )
        if row.whole("messages") > MOST_UNCONSUMED:
            yield _(
                "{count:,} messages wait in queue {queue} at {database}; the health check warns from {most:,}"
            ).format(count=row.whole("messages"), queue=queue, database=views.name, most=MOST_UNCONSUMED)
    for row in session.run("publishers", end):
        if row.text("publisher_state").startswith("IN FLOW CONTROL"):
            yield _("{sender} is held back at queue {queue} of {database}: {state}").format(
                sender=row.text("sender_name") or _("a sender"),
                queue=f"{row.text('queue_owner')}.{row.text('queue_name')}",
                database=views.name,
                state=row.text("publisher_state"),
            )


def _pool_advice(session: Session, end: End, views: DatabaseViews) -> Iterable[str]:
    """Tell the database's own expectation of a larger pool, where it expects spilling at the present size."""
    rows = session.run("pool_advice", end)
    now = next((row for row in rows if row.number("factor") == 1.0), None)
    if now is None or not now.whole("spill_count"):
        return
    larger = [r for r in rows if r.number("factor") > 1.0 and r.whole("spill_count") < now.whole("spill_count")]
    better = min(larger, key=lambda row: (row.whole("spill_count"), row.number("size_mb")), default=None)
    told = _(
        "V$STREAMS_POOL_ADVICE of {database} expects {count:,} spilled messages with the present pool of "
        "{size:,.0f} MiB"
    ).format(database=views.name, count=now.whole("spill_count"), size=now.number("size_mb"))
    if better is not None:
        told += _(", and {count:,} with {size:,.0f} MiB").format(
            count=better.whole("spill_count"), size=better.number("size_mb")
        )
    yield told
