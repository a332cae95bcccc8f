"""The topology of Oracle Streams, in one sentence and as lines of text."""

from app.flows.words import counted
from app.foundation.texts import _
from app.reporting.render.terminal import table_lines
from app.systems.oracle_streams.pipeline import StreamsComponent, StreamsPath, StreamsTopology
from app.systems.oracle_streams.tables import databases_table, processes_table, streams_parameters_table

_COMPONENTS = {
    StreamsComponent.CAPTURE: _("the capture process"),
    StreamsComponent.PROPAGATION: _("the propagation"),
    StreamsComponent.APPLY: _("the apply process"),
    StreamsComponent.SOURCE_DATABASE: _("the source database"),
    StreamsComponent.DESTINATION_DATABASE: _("the destination database"),
}


def reached(streams: StreamsTopology | None) -> str:
    """Return in one sentence the databases reached, "" where there is nothing to say."""
    if streams is None:
        return ""
    databases = ", ".join(f"{database.name} ({database.version})" for database in streams.databases)
    paths = counted(len(streams.paths), _("1 Streams path"), _("{count} Streams paths"))
    return _("Reached: {databases}; {paths}.").format(databases=databases, paths=paths)


def discovered_lines(topology: StreamsTopology) -> list[str]:
    """Return databases, processes and paths, then the parameters of each."""
    lines = [_("Databases:"), *table_lines(databases_table(topology.databases))]
    lines += ["", _("Processes:"), *table_lines(processes_table(topology.processes))]
    lines += ["", _("Paths:")]
    lines += [_path_line(path) for path in topology.paths]
    lines += [
        "",
        _("Transactions in the error queue: {errors}; open for more than ten minutes: {open}").format(
            errors=topology.apply_errors, open=topology.long_transactions
        ),
    ]
    for owner in dict.fromkeys((p.component, p.process) for p in topology.parameters):
        lines += ["", _("Parameters of {component} {name}:").format(component=_COMPONENTS[owner[0]], name=owner[1])]
        own = [p for p in topology.parameters if (p.component, p.process) == owner]
        lines += table_lines(streams_parameters_table(own))
    lines += ["", *(_("Warning: {sentence}").format(sentence=sentence) for sentence in topology.warnings)]
    return lines


def _path_line(path: StreamsPath) -> str:
    stages = " → ".join(name for name in (path.capture, path.propagation, path.apply) if name)
    combined = _(" (capture and apply combined: the counters of queues and propagation stay at 0)")
    return f"  {stages}{combined if path.is_combined else ''}"
