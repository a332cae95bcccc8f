"""Oracle Streams pipelines as nodes of the tree: paths with their processes, and the databases at both ends."""

from app.domain.setting import value_text
from app.domain.view import NO_VALUE, View
from app.flows.topology_tree import Node, NodeParameters
from app.flows.words import counted
from app.foundation.texts import _
from app.systems.oracle_streams.pipeline import (
    OracleDatabase,
    StreamsComponent,
    StreamsParameter,
    StreamsPath,
    StreamsProcess,
    StreamsTopology,
    Technology,
)
from app.systems.oracle_streams.tables import (
    component_text,
    pool_text,
    processes_table,
    role_text,
    stands_out,
    streams_parameters_table,
)

_PATH, _PROCESS, _SERVER = "path", "process", "server"
_ENDS = (StreamsComponent.SOURCE_DATABASE, StreamsComponent.DESTINATION_DATABASE)


def streams_tree(topology: StreamsTopology) -> tuple[Node, ...]:
    """Return each path with its processes, processes on no path, then the databases."""
    on_paths = {(c, name) for path in topology.paths for c, name in _members(path)}
    loose = [p for p in topology.processes if (p.component, p.name) not in on_paths]
    return (
        *(_path(topology, path) for path in topology.paths),
        *(_process(topology, process) for process in loose),
        *(_database(topology, database) for database in topology.databases),
    )


def _members(path: StreamsPath) -> tuple[tuple[StreamsComponent, str], ...]:
    named = (
        (StreamsComponent.CAPTURE, path.capture),
        (StreamsComponent.PROPAGATION, path.propagation),
        (StreamsComponent.APPLY, path.apply),
    )
    return tuple((component, name) for component, name in named if name)


def _path(topology: StreamsTopology, path: StreamsPath) -> Node:
    title = _("Path {name}").format(name=path.name)
    combined = _("combined capture and apply: the queue counters stay at 0") if path.is_combined else _("no")
    processes = [topology.process(component, name) for component, name in _members(path)]
    return Node(
        f"path/{path.name}",
        _PATH,
        title,
        title,
        (
            (_("Combined"), combined),
            (_("Transactions in the error queue"), value_text(topology.apply_errors)),
            (_("Transactions open for more than ten minutes"), value_text(topology.long_transactions)),
            *((_("Warning"), warning) for warning in topology.warnings),
        ),
        children=tuple(_process(topology, process) for process in processes if process is not None),
        details=processes_table([process for process in processes if process is not None]),
    )


def _process(topology: StreamsTopology, process: StreamsProcess) -> Node:
    title = _("{component} {name}").format(component=component_text(process.component), name=process.name)
    status = process.status if process.status == "ENABLED" else f"{process.status}: {process.error}".rstrip(": ")
    facts: list[tuple[str, str]] = [
        (_("Database"), process.database),
        (_("Status"), status),
        (_("State"), process.state or NO_VALUE),
        (_("Queue"), process.queue or NO_VALUE),
    ]
    if process.technology is not Technology.STREAMS:
        facts.append((_("Part of"), {"goldengate": "GoldenGate", "xstream": "XStream"}[process.technology]))
    return Node(
        f"process/{process.component}/{process.name}",
        _PROCESS,
        title,
        _("{title} at {database}, {status}").format(title=title, database=process.database, status=process.status),
        tuple(facts),
        tuned=_tuned(topology, process.component, process.name),
        opens=process.component is StreamsComponent.APPLY,
    )


def _database(topology: StreamsTopology, database: OracleDatabase) -> Node:
    title = _("{role} database {name}").format(role=role_text(database.role), name=database.name)
    return Node(
        f"oracle/{database.role}/{database.name}",
        _SERVER,
        title,
        _("{title}, {version}").format(title=title, version=database.version),
        (
            (_("Version"), database.version),
            (_("Edition"), database.edition),
            (_("Compatible"), database.compatible),
            (_("Logical processors"), value_text(database.cpu_count)),
            (_("Streams pool"), pool_text(database)),
            (_("Real Application Clusters"), _("yes") if database.is_rac else _("no")),
        ),
        tuned=_tuned(topology, _ENDS[0], database.name),
    )


def _tuned(topology: StreamsTopology, component: StreamsComponent, name: str) -> str:
    """Return the node that holds the parameters of a process or database, "" where it has none."""
    owner = _owner(component, name)
    return owner if parameters_of(topology, owner) else ""


def _owner(component: StreamsComponent, name: str) -> str:
    return f"database/{name}" if component in _ENDS else f"{component}/{name}"


def parameters_of(topology: StreamsTopology, tuned: str) -> tuple[StreamsParameter, ...]:
    """Return the parameters of the process or database of a node."""
    return tuple(p for p in topology.parameters if _owner(p.component, p.process) == tuned)


def streams_parameters(topology: StreamsTopology, node: Node, *, only_different: bool = False) -> NodeParameters | None:
    """Return the parameters of a process or database, those somebody set alone where asked; None where it has none."""
    own = parameters_of(topology, node.tuned)
    if not own:
        return None
    shown = [p for p in own if not only_different or stands_out(p)]
    nothing = _("Nobody set any of these parameters.")
    return NodeParameters(streams_parameters_table(shown).in_view(View.WINDOW), _summary(own), nothing)


def _summary(parameters: tuple[StreamsParameter, ...]) -> str:
    """Return in one sentence how many parameters there are and how many of them somebody set."""
    number = counted(len(parameters), _("1 parameter"), _("{count} parameters"))
    own = sum(parameter.set_by_user for parameter in parameters)
    if not own:
        return _("{number}, none of them set by anybody.").format(number=number)
    return _("{number}; {own} set explicitly.").format(number=number, own=own)
