"""What was discovered of Oracle Streams, in one sentence, as lines of text and as JSON."""

from collections.abc import Mapping
from dataclasses import asdict

from app.domain.server import ServerInfo
from app.flows.target.discovered_lines import limits_text, parameter_line, parameters_heading
from app.flows.words import counted
from app.foundation.texts import _, local_number
from app.systems.oracle_streams.pipeline import StreamsComponent, StreamsParameter, StreamsPath, StreamsTopology

_COMPONENTS = {
    StreamsComponent.CAPTURE: _("the capture process"),
    StreamsComponent.PROPAGATION: _("the propagation"),
    StreamsComponent.APPLY: _("the apply process"),
    StreamsComponent.SOURCE_DATABASE: _("the source database"),
    StreamsComponent.DESTINATION_DATABASE: _("the destination database"),
}


def reached(streams: StreamsTopology | None) -> str:
    """Return in one sentence what was reached, "" where there is nothing to say."""
    if streams is None:
        return ""
    databases = ", ".join(f"{database.name} ({database.version})" for database in streams.databases)
    paths = counted(len(streams.paths), _("1 Streams path"), _("{count} Streams paths"))
    return _("Reached: {databases}; {paths}.").format(databases=databases, paths=paths)


def databases_as_servers(streams: StreamsTopology) -> tuple[ServerInfo, ...]:
    """Return the databases at both ends, as other servers are told."""
    return tuple(ServerInfo(d.name, d.role, d.version, d.edition, d.cpu_count) for d in streams.databases)


def discovered_lines(topology: StreamsTopology) -> list[str]:
    """Return databases, processes and paths, then the parameters of each."""
    lines = [_("Databases:")]
    for d in topology.databases:
        pool = local_number(f"{d.streams_pool_mb:,.0f} MB")
        lines.append(f"  {d.role}: {d.name}, {d.version}, {d.cpu_count} CPUs, {_('Streams pool')} {pool}")
    lines += ["", _("Processes:")]
    wide, far = (max((len(text) for text in texts), default=0) + 2 for texts in _names_and_databases(topology))
    lines += [
        f"  {p.component:<12} {p.name:<{wide}}{p.database:<{far}}{p.status:<10}{p.state}".rstrip()
        for p in topology.processes
    ]
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
        lines += [parameters_heading()]
        own = [p for p in topology.parameters if (p.component, p.process) == owner]
        lines += [parameter_line(*_texts_of(p)) for p in own]
    lines += ["", *(_("Warning: {sentence}").format(sentence=sentence) for sentence in topology.warnings)]
    return lines


def _names_and_databases(topology: StreamsTopology) -> tuple[list[str], list[str]]:
    return [p.name for p in topology.processes], [p.database for p in topology.processes]


def _texts_of(parameter: StreamsParameter) -> tuple[str, str, str, str, str]:
    """Return name, value, origin, default and limits with the unit; a value no view shows is told as that."""
    effective = parameter.effective
    unit = f" {effective.unit}" if effective.unit else ""
    value = effective.value or (_("not shown") if parameter.is_hidden else "")
    return effective.name, value, effective.origin, effective.default, (limits_text(effective) + unit).strip()


def discovered_json(topology: StreamsTopology | None) -> Mapping[str, object]:
    """Return the pipeline, null where there is none."""
    return {"streams": None if topology is None else asdict(topology)}


def _path_line(path: StreamsPath) -> str:
    stages = " → ".join(name for name in (path.capture, path.propagation, path.apply) if name)
    combined = _(" (capture and apply combined: figures of queues and propagation stay flat)")
    return f"  {stages}{combined if path.is_combined else ''}"
