"""Observations of availability groups, as lines of text and as a table."""

from collections.abc import Sequence

from app.domain.view import Column, TableContent, text_cell
from app.flows.target.observed_parts import cost_lines, finding_lines, limit_lines, unread_lines
from app.foundation.texts import _
from app.model.shown import table_of, with_column
from app.reporting.render.terminal import table_lines
from app.systems.availability_groups.observed import GroupsObservation, ObservedGroupDatabase, ObservedSecondary


def groups_lines(observation: GroupsObservation, *, with_tables: bool = True) -> list[str]:
    """Return the observations, a paragraph for each database, then their limits.

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
    """Return every database at every secondary: its queues, and the cost of a failover now."""
    seen = [(database, secondary) for database in databases for secondary in database.secondaries]
    keys = iter([f"{database.group}.{database.database} {secondary.server}" for database, secondary in seen])
    table = table_of(ObservedSecondary, [secondary for _database, secondary in seen], lambda _secondary: next(keys))
    names = [text_cell(database.database, hint=database.group) for database, _secondary in seen]
    return with_column(table, Column("database", _("Database"), width=1.2), names, place=0)


def _database(database: ObservedGroupDatabase) -> list[str]:
    title = _("{database} of {group}, primary {server}").format(
        database=database.database, group=database.group, server=database.primary
    )
    if database.log_used_share is None:  # all of them are counters of this database
        unknown = _("  Log written, its used share, flow control and commit delay: not known, as no counter tells")
        return [title, unknown]
    log = _(
        "  Log written: {rate:,.0f} KiB/s; used share of the log: {used:.0%}; held back by flow control: {held:.1%}"
    ).format(rate=database.log_kb_per_s, used=database.log_used_share, held=database.flow_control_share)
    return [title, log, _commit_delay(database)]


def _commit_delay(database: ObservedGroupDatabase) -> str:
    since = (
        _("none waited since the instance started")
        if database.commit_delay_since_start_ms is None
        else _("{delay:.2f} ms since the instance started").format(delay=database.commit_delay_since_start_ms)
    )
    if database.commit_delay_ms is None:
        return _("  No commit waited for a secondary while it was watched; {since}").format(since=since)
    return _("  Commit delay: {delay:.2f} ms, mean of {count:,.0f} commits; {since}").format(
        delay=database.commit_delay_ms, count=database.transactions, since=since
    )
