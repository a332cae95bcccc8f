"""Reading the two databases of a pipeline: versions, processes, paths, and warnings before a run."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.units import convert
from app.drivers.oracle.session import End, Rows, Session
from app.foundation.rows import Row
from app.foundation.texts import _
from app.systems.oracle_streams.enumerations import PURPOSE, STATUS, STREAMS
from app.systems.oracle_streams.pipeline import (
    OracleDatabase,
    StreamsComponent,
    StreamsPath,
    StreamsProcess,
    StreamsTopology,
    Technology,
)
from app.systems.oracle_streams.server.health import (
    apply_warnings,
    as_far_as_read,
    capture_warnings,
    database_warnings,
    elsewhere_warnings,
    source_warnings,
)
from app.systems.oracle_streams.server.parameters import read_parameters
from app.systems.oracle_streams.server.sampling import read_parts
from app.systems.oracle_streams.server.versions import support_warnings
from app.systems.oracle_streams.server.views import DatabaseViews, is_one_database, read_views, variant

LONG_TRANSACTION_S: Final = 600.0


@dataclass(frozen=True)
class Pipeline:
    """The two databases as the statements' variants see them, with their topology."""

    source: DatabaseViews
    destination: DatabaseViews
    topology: StreamsTopology

    def views(self, end: End) -> DatabaseViews:
        """Return one of the two databases."""
        return self.source if end is End.SOURCE else self.destination

    def technology(self, component: StreamsComponent, name: str) -> Technology:
        """Return which product a process belongs to, Streams where it was not found."""
        process = self.topology.process(component, name)
        return Technology.STREAMS if process is None else process.technology


def read_pipeline(session: Session) -> Pipeline:
    """Read everything; raises TargetError where a database cannot be read."""
    source = read_views(session, End.SOURCE)
    destination = source if is_one_database(session) else read_views(session, End.DESTINATION)
    purposes = {
        **_purposes(session, End.SOURCE, source, "capture"),
        **_purposes(session, End.DESTINATION, destination, "apply"),
    }
    captures = _of_known(session.run("captures", End.SOURCE), "capture", purposes)
    applies = _of_known(session.run("applies", End.DESTINATION), "apply", purposes)
    propagations = session.run("propagations", End.SOURCE)
    products = {process: Technology(told) for process, told in purposes.items() if PURPOSE.knows(told)}
    technologies = sorted(set(products.values()) or {Technology.STREAMS})
    source_rows = _sampled(session, End.SOURCE, source, technologies)
    own_rows = () if source is destination else _sampled(session, End.DESTINATION, destination, technologies)
    states = _states((*source_rows, *own_rows))
    processes = tuple(
        _process(component, row, views.name, products, states)
        for component, rows, views in (
            (StreamsComponent.CAPTURE, captures, source),
            (StreamsComponent.PROPAGATION, propagations, source),
            (StreamsComponent.APPLY, applies, destination),
        )
        for row in rows
    )
    topology = StreamsTopology(
        databases=(_database(source, "Source"), _database(destination, "Destination")),
        processes=processes,
        paths=_paths(captures, propagations, applies, products, _combined(session, source)),
        parameters=read_parameters(session, source, destination, processes),
        apply_errors=_apply_errors(session),
        long_transactions=_long_transactions(session, source, technologies),
        warnings=(
            *_warnings(session, source, destination, propagations, technologies),
            *apply_warnings(own_rows or source_rows),
            *_left_alone(purposes),
            *elsewhere_warnings(source, processes),
            *(() if source is destination else elsewhere_warnings(destination, processes)),
        ),
    )
    return Pipeline(source, destination, topology)


Products = dict[tuple[str, str], Technology]
States = dict[tuple[str, str], str]


Purposes = dict[tuple[str, str], str]


def _purposes(session: Session, end: End, views: DatabaseViews, component: str) -> Purposes:
    """Return the purpose of each process; one that says nothing is of Streams."""
    if not views.has("DBA_CAPTURE", "PURPOSE"):
        return {}
    return {
        (component, row.text("process_name")): PURPOSE.of(row) or STREAMS
        for row in session.run("purposes", end)
        if row.text("component") == component
    }


def _of_known(rows: Rows, component: str, purposes: Purposes) -> Rows:
    """Return the processes of the products this program knows."""
    return tuple(
        row for row in rows if PURPOSE.knows(purposes.get((component, row.text(f"{component}_name")), STREAMS))
    )


def _left_alone(purposes: Purposes) -> Iterable[str]:
    for (component, name), told in purposes.items():
        if not PURPOSE.knows(told):
            yield _("{component} {name} is left alone: this program does not know what it is for, {purpose}").format(
                component=component, name=name, purpose=told
            )


def _sampled(session: Session, end: End, views: DatabaseViews, technologies: Iterable[Technology]) -> Rows:
    """Return one sample of a database for each technology in use."""
    sampled = [views.sample_of(used) for used in technologies if views.can_sample(used)]
    return tuple(row for name in sampled for row in read_parts(session, end, name))


def _states(parts: Rows) -> States:
    """Return the present state of each process."""
    states: States = {}
    for row in parts:
        if row.text("part") in ("capture", "propagation", "coordinator") and not row.is_null("state"):
            part = "apply" if row.text("part") == "coordinator" else row.text("part")
            states[part, row.text("name")] = row.text("state")
    return states


def _process(
    component: StreamsComponent, row: Row, database: str, products: Products, states: States
) -> StreamsProcess:
    is_propagation = component is StreamsComponent.PROPAGATION
    name = row.text(f"{component}_name")
    return StreamsProcess(
        component=component,
        name=name,
        database=database,
        status=STATUS.of(row),
        state=states.get((component, name), ""),
        queue=_queue(row, "source_queue" if is_propagation else "queue"),
        technology=products.get((component, name), Technology.STREAMS),
        error=row.text("error_message") or (row.text("last_error_msg") if is_propagation else ""),
    )


def _queue(row: Row, prefix: str) -> str:
    return f"{row.text(f'{prefix}_owner')}.{row.text(f'{prefix}_name')}"


def _combined(session: Session, source: DatabaseViews) -> frozenset[str]:
    """Return captures that send straight to an apply; queue and propagation figures then stay flat."""
    if not source.has("V$STREAMS_CAPTURE", "OPTIMIZATION"):
        return frozenset()
    return frozenset(row.text("capture_name") for row in session.run("combined_captures", End.SOURCE))


def _paths(
    captures: Rows, propagations: Rows, applies: Rows, products: Products, combined: frozenset[str]
) -> tuple[StreamsPath, ...]:
    paths = []
    for capture in captures:
        name = capture.text("capture_name")
        technology = products.get(("capture", name), Technology.STREAMS)
        for apply in applies:
            if products.get(("apply", apply.text("apply_name")), Technology.STREAMS) is not technology:
                continue
            way = _way(capture, propagations, apply) if technology is Technology.STREAMS else ""
            if way is not None:
                apply_name = apply.text("apply_name")
                paths.append(StreamsPath(f"{name} → {apply_name}", name, way, apply_name, name in combined))
    return tuple(paths)


def _way(capture: Row, propagations: Rows, apply: Row) -> str | None:
    """Return the propagation between a capture and an apply, "" where they share a queue, None where none leads."""
    start, end = _queue(capture, "queue"), _queue(apply, "queue")
    for propagation in propagations:
        if _queue(propagation, "source_queue") == start and _queue(propagation, "destination_queue") == end:
            return propagation.text("propagation_name")
    return "" if start == end else None


def _database(views: DatabaseViews, role: str) -> OracleDatabase:
    info = views.info
    return OracleDatabase(
        name=views.name,
        role=role,
        version=info.text("version"),
        edition=info.text("banner"),
        compatible=info.text("compatible"),
        cpu_count=int(info.text("cpu_count")),
        streams_pool_mib=convert(info.whole_or("streams_pool_bytes", 0), "bytes", "MiB"),
        is_rac=info.text("is_rac") == "YES",
    )


def _apply_errors(session: Session) -> int:
    return len(session.run("apply_errors", End.DESTINATION))


def _long_transactions(session: Session, source: DatabaseViews, technologies: Iterable[Technology]) -> int:
    asked = [used for used in technologies if used is not Technology.STREAMS or source.has("V$STREAMS_TRANSACTION")]
    rows = [row for used in asked for row in session.run(variant("transactions", used), End.SOURCE)]
    return sum(1 for row in rows if row.number_or("age_s", 0.0) > LONG_TRANSACTION_S)


def _warnings(
    session: Session,
    source: DatabaseViews,
    destination: DatabaseViews,
    propagations: Rows,
    technologies: Sequence[Technology],
) -> Iterable[str]:
    ends = ((End.SOURCE, source),) if source is destination else ((End.SOURCE, source), (End.DESTINATION, destination))
    yield from support_warnings({views.name: views.info.text("version") for _end, views in ends})
    shown = [used for used in technologies if used is not Technology.STREAMS or source.has("V$STREAMS_CAPTURE")]
    yield from as_far_as_read(source_warnings(session, source, propagations))
    yield from as_far_as_read(capture_warnings(session, shown))
    has_successors = any(used is not Technology.STREAMS for used in technologies)
    for end, views in ends:
        yield from database_warnings(session, end, views, has_successors)
