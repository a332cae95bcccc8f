"""Parameters of a pipeline: value, default, who set it; a hidden one the views leave out is "not shown"."""

from collections.abc import Iterable, Sequence
from typing import Final

from app.domain.errors import PermissionDenied, Unsupported
from app.domain.server import EffectiveParameter
from app.drivers.oracle.session import End, Session
from app.foundation.rows import Row
from app.systems.oracle_streams.pipeline import StreamsComponent, StreamsParameter, StreamsProcess
from app.systems.oracle_streams.server.documented import (
    PARAMETERS,
    DocumentedParameter,
    ValueKind,
    documented_at_server,
)
from app.systems.oracle_streams.server.values import size_text
from app.systems.oracle_streams.server.versions import Release
from app.systems.oracle_streams.server.views import DatabaseViews

SET_BY_USER: Final = "user"
DEFAULT: Final = "default"
NOT_SHOWN: Final = "not shown"

_COMPONENTS: Final = {"capture": StreamsComponent.CAPTURE, "apply": StreamsComponent.APPLY}


def read_parameters(
    session: Session, source: DatabaseViews, destination: DatabaseViews, processes: Sequence[StreamsProcess]
) -> tuple[StreamsParameter, ...]:
    """Read the parameters of every process and database, by process and name."""
    parameters = [
        *_of_processes(session, End.SOURCE, source, processes, StreamsComponent.CAPTURE),
        *_of_retention(session, source.release, processes),
        *_of_latency(session, source.release, processes),
        *_of_processes(session, End.DESTINATION, destination, processes, StreamsComponent.APPLY),
        _pool(session, End.SOURCE, StreamsComponent.SOURCE_DATABASE, source),
        _pool(session, End.DESTINATION, StreamsComponent.DESTINATION_DATABASE, destination),
    ]
    return tuple(parameters)


def _of_processes(
    session: Session,
    end: End,
    views: DatabaseViews,
    processes: Sequence[StreamsProcess],
    component: StreamsComponent,
) -> Iterable[StreamsParameter]:
    shown = _shown(session, end, component)
    below = _below_the_views(session, end, component)
    for process in processes:
        if process.component is not component:
            continue
        own = {name: row for (owner, name), row in shown.items() if owner == process.name}
        for name, row in sorted(own.items()):
            documented = documented_at_server(component, name)
            is_set = row.text("set_by_user") == "YES"
            yield _parameter(component, process.name, name, documented, views.release, row.text("value"), is_set)
        for documented in PARAMETERS:
            is_left_out = (
                documented.component is component and documented.is_hidden and documented.server_name not in own
            )
            if is_left_out and documented.is_known_in(views.release):
                hidden = below.get((process.name, documented.server_name))
                yield _not_shown(component, process.name, documented, views.release, hidden)


def _shown(session: Session, end: End, component: StreamsComponent) -> dict[tuple[str, str], Row]:
    return {
        (row.text("process_name"), row.text("parameter_name")): row
        for row in session.run("parameters", end)
        if _COMPONENTS[row.text("component")] is component
    }


def _below_the_views(session: Session, end: End, component: StreamsComponent) -> dict[tuple[str, str], str]:
    """Return values from the base table, which lists hidden defaults, too; nothing where this login may not read it."""
    try:
        rows = session.run("all_parameters", end)
    except (PermissionDenied, Unsupported):
        return {}
    return {
        (row.text("process_name"), row.text("parameter_name")): row.text("value")
        for row in rows
        if _COMPONENTS[row.text("component")] is component
    }


def _parameter(
    component: StreamsComponent,
    process: str,
    server_name: str,
    documented: DocumentedParameter | None,
    release: Release,
    value: str,
    is_set: bool,
) -> StreamsParameter:
    name = server_name if documented is None else documented.name
    if documented is None and component is StreamsComponent.CAPTURE and _is_of_apply_too(server_name):
        name = f"CAPTURE_{server_name}"
    low, high, unit = (None, None, "") if documented is None else (documented.low, documented.high, documented.unit)
    effective = EffectiveParameter(
        name=name,
        value=value,
        origin=SET_BY_USER if is_set else DEFAULT,
        default=_default(documented, release) or ("" if is_set else value),
        low=low,
        high=high,
        unit=unit,
    )
    return StreamsParameter(component, process, effective, is_set, server_name.startswith("_"))


# Names both a capture and an apply have, beyond those this program changes: DBMS_CAPTURE_ADM and DBMS_APPLY_ADM,
# procedures SET_PARAMETER.
_SHARED: Final = frozenset(
    {
        *("DISABLE_ON_LIMIT", "MAXIMUM_SCN", "MAX_SGA_SIZE", "PARALLELISM", "STARTUP_SECONDS"),
        *("TIME_LIMIT", "TRACE_LEVEL", "WRITE_ALERT_LOG", "IGNORE_TRANSACTION"),
    }
)


def _is_of_apply_too(server_name: str) -> bool:
    return server_name in _SHARED


def _default(documented: DocumentedParameter | None, release: Release) -> str:
    return "" if documented is None else documented.default_in(release)


def _not_shown(
    component: StreamsComponent, process: str, documented: DocumentedParameter, release: Release, hidden: str | None
) -> StreamsParameter:
    """Return a hidden parameter the views leave out: its value is known only where the base table could be read."""
    effective = EffectiveParameter(
        name=documented.name,
        value=hidden or "",
        origin=NOT_SHOWN if hidden is None else DEFAULT,
        default=hidden or _default(documented, release),
        low=documented.low,
        high=documented.high,
        unit=documented.unit,
    )
    return StreamsParameter(component, process, effective, set_by_user=False, is_hidden=True)


def _of_retention(
    session: Session, release: Release, processes: Sequence[StreamsProcess]
) -> Iterable[StreamsParameter]:
    for process in processes:
        if process.component is StreamsComponent.CAPTURE:
            rows = session.run("capture_retention", End.SOURCE, capture_name=process.name)
            if rows and not rows[0].is_null("checkpoint_retention_time"):
                yield _number(
                    "CHECKPOINT_RETENTION_TIME", process, release, rows[0].number("checkpoint_retention_time")
                )


def _of_latency(session: Session, release: Release, processes: Sequence[StreamsProcess]) -> Iterable[StreamsParameter]:
    for process in processes:
        if process.component is StreamsComponent.PROPAGATION:
            rows = session.run("propagation_schedule", End.SOURCE, propagation_name=process.name)
            if rows and not rows[0].is_null("latency"):
                yield _number("LATENCY", process, release, rows[0].number("latency"))


def _number(name: str, process: StreamsProcess, release: Release, value: float) -> StreamsParameter:
    documented = next(parameter for parameter in PARAMETERS if parameter.name == name)
    text = f"{value:.12g}"
    is_set = text != documented.default_in(release)
    return _parameter(process.component, process.name, name, documented, release, text, is_set)


def _pool(session: Session, end: End, component: StreamsComponent, views: DatabaseViews) -> StreamsParameter:
    documented = next(parameter for parameter in PARAMETERS if parameter.kind is ValueKind.BYTES)
    row = next(row for row in session.run("server_parameters", end) if row.text("name") == documented.name)
    is_set = row.text("is_default") != "TRUE"
    size = size_text(int(row.text("value") or "0"))
    return _parameter(component, views.name, documented.name, documented, views.release, size, is_set)
