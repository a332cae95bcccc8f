"""Databases, processes and their parameters as tables, described once for window, report and terminal."""

from collections.abc import Sequence

from app.domain.server import differs
from app.domain.view import NO_VALUE, Column, Emphasis, Row, TableContent, number_cell, text_cell
from app.foundation.texts import _, local_number
from app.reporting.tables.parameters import ParameterLine, parameters_table
from app.systems.oracle_streams.pipeline import OracleDatabase, StreamsComponent, StreamsParameter, StreamsProcess


def component_text(component: StreamsComponent) -> str:
    """Return the vendor's name of a kind of process, or of an end."""
    return {
        StreamsComponent.CAPTURE: _("Capture"),
        StreamsComponent.PROPAGATION: _("Propagation"),
        StreamsComponent.APPLY: _("Apply"),
        StreamsComponent.SOURCE_DATABASE: _("Source database"),
        StreamsComponent.DESTINATION_DATABASE: _("Destination database"),
    }[component]


def role_text(role: str) -> str:
    """Return at which end a database stands."""
    return {"Source": _("Source"), "Destination": _("Destination")}.get(role, role)


def pool_text(database: OracleDatabase) -> str:
    """Return the size of the Streams pool; one that grows by itself and was not used yet has none."""
    if not database.streams_pool_mib:
        return _("automatic, unused so far")
    return local_number(f"{database.streams_pool_mib:,.0f}\u00a0MiB")


def databases_table(databases: Sequence[OracleDatabase]) -> TableContent:
    """Return the databases at both ends."""
    columns = (
        Column("database", _("Database"), width=1.8),
        Column("role", _("Role"), width=1),
        Column("version", _("Version"), width=1.1),
        Column("compatible", _("Compatible"), width=1.1),
        Column("edition", _("Edition"), width=3),
        Column("processors", _("Logical processors"), is_number=True),
        Column("pool", _("Streams pool"), is_number=True),
    )
    rows = (
        Row(
            d.name,
            (
                text_cell(d.name + (" (RAC)" if d.is_rac else "")),
                text_cell(role_text(d.role)),
                text_cell(d.version),
                text_cell(d.compatible),
                text_cell(d.edition),
                number_cell(d.cpu_count),
                text_cell(pool_text(d)),
            ),
        )
        for d in databases
    )
    return TableContent(columns, tuple(rows))


def processes_table(processes: Sequence[StreamsProcess]) -> TableContent:
    """Return capture, propagation and apply with how each stands."""
    columns = (
        Column("name", _("Process"), width=2.1),
        Column("component", _("Kind"), width=1),
        Column("database", _("Database"), width=1.6),
        Column("status", _("Status"), width=0.9),
        Column("state", _("State"), width=1.8),
        Column("queue", _("Queue"), width=2.5),
    )
    rows = (
        Row(
            f"{p.component}/{p.name}",
            (
                text_cell(p.name),
                text_cell(component_text(p.component)),
                text_cell(p.database),
                text_cell(p.status, emphasis=Emphasis.PLAIN if p.status == "ENABLED" else Emphasis.STRONG),
                text_cell(p.state or NO_VALUE, hint=p.state),
                text_cell(p.queue or NO_VALUE),
            ),
        )
        for p in processes
    )
    return TableContent(columns, tuple(rows))


def origin_text(origin: str) -> str:
    """Return whether somebody set a value; of one that no view shows nobody knows."""
    return {"user": _("set explicitly"), "default": _("default"), "not shown": NO_VALUE}.get(origin, origin) or NO_VALUE


def stands_out(parameter: StreamsParameter) -> bool:
    """Tell whether somebody set a parameter, or it differs from the manual's value."""
    return parameter.set_by_user or (bool(parameter.effective.default) and differs(parameter.effective))


def streams_parameters_table(parameters: Sequence[StreamsParameter]) -> TableContent:
    """Return parameters of processes and databases; those somebody set stand out."""
    hidden = _("Hidden and not shown by the views; it need not be at its default.")
    return parameters_table(
        [
            ParameterLine(
                p.effective,
                origin_text(p.effective.origin),
                stands_out=p.set_by_user,
                owner=p.process,
                is_hidden=p.is_hidden,
                not_shown=hidden if p.is_hidden and not p.effective.value else "",
            )
            for p in parameters
        ]
    )
