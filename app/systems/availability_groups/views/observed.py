"""What was observed of availability groups, as lines of text and as a table."""

from app.flows.table_view import Column, Row, TableContent, number_cell, text_cell
from app.flows.target.observed_parts import cost_lines, limit_lines, unread_lines
from app.foundation.texts import _
from app.systems.availability_groups.observed import GroupsObservation, ObservedGroupDatabase, ObservedSecondary
from app.systems.availability_groups.tables import mode_text


def groups_lines(observation: GroupsObservation) -> list[str]:
    """Return what was seen, a paragraph for each database, then what it does not say."""
    lines = [
        _("{target}, availability groups watched for {seconds:g} s").format(
            target=observation.target, seconds=observation.watch_s
        )
    ]
    for database in observation.databases:
        lines += ["", *_database(database)]
    return [*lines, *limit_lines(observation.limits), *cost_lines(observation.costs), *unread_lines(observation.unread)]


def secondaries_table(observation: GroupsObservation) -> TableContent:
    """Return every database at every secondary: what waits there, and what a failover would mean now."""
    columns = (
        Column("database", _("Database")),
        Column("server", _("Secondary")),
        Column("mode", _("Commits")),
        Column("state", _("State")),
        Column("to_send", _("To send"), "KB", is_number=True),
        Column("send_rate", _("Sent"), "KB/s", is_number=True),
        Column("to_redo", _("To redo"), "KB", is_number=True),
        Column("redo_rate", _("Redone"), "KB/s", is_number=True),
        Column("loss", _("Lost by a failover"), "s", is_number=True),
        Column("recovery", _("Redone after it in"), "s", is_number=True),
    )
    rows = (
        Row(
            f"{database.group}.{database.database} {secondary.server}",
            (
                text_cell(database.database, hint=database.group),
                text_cell(secondary.server),
                text_cell(mode_text(secondary.mode)),
                text_cell(secondary.synchronization_state),
                number_cell(secondary.send_queue_kb),
                number_cell(secondary.send_rate_kb_per_s),
                number_cell(secondary.redo_queue_kb),
                number_cell(secondary.redo_rate_kb_per_s),
                number_cell(secondary.loss_s, 1),
                number_cell(secondary.recovery_s, 1),
            ),
        )
        for database in observation.databases
        for secondary in database.secondaries
    )
    return TableContent(columns, tuple(rows))


def _database(database: ObservedGroupDatabase) -> list[str]:
    lines = [
        _("{database} of {group}, primary {server}").format(
            database=database.database, group=database.group, server=database.primary
        ),
        _(
            "  log written: {rate:,.0f} KB/s; used share of the log: {used:.0%}; held back by flow control: {held:.1%}"
        ).format(rate=database.log_kb_per_s, used=database.log_used_share, held=database.flow_control_share),
        _commit_delay(database),
    ]
    for secondary in database.secondaries:
        lines += _secondary(secondary)
    return lines


def _commit_delay(database: ObservedGroupDatabase) -> str:
    since = (
        _("none waited since the instance started")
        if database.commit_delay_since_start_ms is None
        else _("{delay:.2f} ms since the instance started").format(delay=database.commit_delay_since_start_ms)
    )
    if database.commit_delay_ms is None:
        return _("  no commit waited for a secondary while it was watched; {since}").format(since=since)
    return _("  commit delay: {delay:.2f} ms, mean of {count:,.0f} commits; {since}").format(
        delay=database.commit_delay_ms, count=database.transactions, since=since
    )


def _secondary(secondary: ObservedSecondary) -> list[str]:
    return [
        _("  {server}, {mode}, {state}").format(
            server=secondary.server, mode=mode_text(secondary.mode), state=secondary.synchronization_state
        ),
        _(
            "    to send: {queue:,.0f} KB (longest {longest:,.0f}) at {rate:,.0f} KB/s; lost by a failover now: {loss}"
        ).format(
            queue=secondary.send_queue_kb,
            longest=secondary.longest_send_queue_kb,
            rate=secondary.send_rate_kb_per_s,
            loss=_seconds(secondary.loss_s),
        ),
        _(
            "    to redo: {queue:,.0f} KB (longest {longest:,.0f}) at {rate:,.0f} KB/s; redone after a failover in: "
            "{recovery} (longest {worst})"
        ).format(
            queue=secondary.redo_queue_kb,
            longest=secondary.longest_redo_queue_kb,
            rate=secondary.redo_rate_kb_per_s,
            recovery=_seconds(secondary.recovery_s),
            worst=_seconds(secondary.longest_recovery_s),
        ),
    ]


def _seconds(seconds: float | None) -> str:
    return _("not known") if seconds is None else _("{seconds:.1f} s").format(seconds=seconds)
