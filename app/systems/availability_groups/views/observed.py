"""What was observed of availability groups, as lines of text and as a table."""

from collections.abc import Sequence
from typing import Final

from app.domain.view import Cell, Column, Row, TableContent, View, number_cell, text_cell
from app.flows.target.observed_parts import cost_lines, finding_lines, limit_lines, unread_lines
from app.foundation.texts import _
from app.reporting.render.terminal import table_lines
from app.systems.availability_groups.observed import GroupsObservation, ObservedGroupDatabase, ObservedSecondary
from app.systems.availability_groups.tables import mode_text

_OFF_PAPER: Final = frozenset({View.WINDOW, View.TERMINAL})
"""Of what a page has no room for: averages that the server makes over hours, and what stands with the replica."""


def groups_lines(observation: GroupsObservation, *, with_tables: bool = True) -> list[str]:
    """Return what was seen, a paragraph for each database, then what it does not say.

    Args:
        with_tables: secondaries and costs, too, which window and report show as tables of their own.
    """
    lines = [
        _("{target}, availability groups watched for {seconds:g} s").format(
            target=observation.target, seconds=observation.watch_s
        )
    ]
    for database in observation.databases:
        secondaries = secondaries_table([database])
        keys = [column.key for column in secondaries.columns if column.key != "database"]
        table = table_lines(secondaries.only(*keys)) if with_tables else []
        lines += ["", *_database(database), *table]
    costs = cost_lines(observation.costs) if with_tables else []
    lines += [*finding_lines(observation.findings, observation.unread), *limit_lines(observation.limits)]
    return [*lines, *costs, *unread_lines(observation.unread)]


def secondaries_table(databases: Sequence[ObservedGroupDatabase]) -> TableContent:
    """Return every database at every secondary: what waits there, and what a failover would mean now."""
    columns = (
        Column("database", _("Database"), width=1.2),
        Column("server", _("Secondary"), width=1.2),
        Column("mode", _("Commits"), width=1.4, views=_OFF_PAPER),
        Column("state", _("State"), width=1.7, views=_OFF_PAPER),
        Column("to_send", _("To send"), "KiB", is_number=True, width=0.85),
        Column("longest_send", _("To send, longest"), "KiB", is_number=True, width=0.85),
        Column("send_rate", _("Sent"), "KiB/s", is_number=True, views=_OFF_PAPER),
        Column("to_redo", _("To redo"), "KiB", is_number=True, width=0.85),
        Column("longest_redo", _("To redo, longest"), "KiB", is_number=True, width=0.85),
        Column("redo_rate", _("Redone"), "KiB/s", is_number=True, views=_OFF_PAPER),
        Column("loss", _("Lost by a failover"), "s", is_number=True, width=0.85),
        Column("recovery", _("Redone after it in"), "s", is_number=True, width=0.85),
        Column("longest_recovery", _("Redone after it in, longest"), "s", is_number=True, width=0.85),
    )
    rows = (
        Row(
            f"{database.group}.{database.database} {secondary.server}",
            (text_cell(database.database, hint=database.group), *_secondary_cells(secondary)),
        )
        for database in databases
        for secondary in database.secondaries
    )
    return TableContent(columns, tuple(rows))


def _secondary_cells(secondary: ObservedSecondary) -> tuple[Cell, ...]:
    return (
        text_cell(secondary.server),
        text_cell(mode_text(secondary.mode)),
        text_cell(secondary.synchronization_state),
        number_cell(secondary.send_queue_kb),
        number_cell(secondary.longest_send_queue_kb),
        number_cell(secondary.send_rate_kb_per_s),
        number_cell(secondary.redo_queue_kb),
        number_cell(secondary.longest_redo_queue_kb),
        number_cell(secondary.redo_rate_kb_per_s),
        number_cell(secondary.loss_s, 1),
        number_cell(secondary.recovery_s, 1),
        number_cell(secondary.longest_recovery_s, 1),
    )


def _database(database: ObservedGroupDatabase) -> list[str]:
    title = _("{database} of {group}, primary {server}").format(
        database=database.database, group=database.group, server=database.primary
    )
    if database.log_used_share is None:  # all of them are counters of this database
        unknown = _("  log written, its used share, flow control and commit delay: not known, as no counter tells")
        return [title, unknown]
    log = _(
        "  log written: {rate:,.0f} KiB/s; used share of the log: {used:.0%}; held back by flow control: {held:.1%}"
    ).format(rate=database.log_kb_per_s, used=database.log_used_share, held=database.flow_control_share)
    return [title, log, _commit_delay(database)]


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
