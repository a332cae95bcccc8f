"""`replitune discover`: what is there, and which parameter values are really in effect."""

import argparse
import dataclasses
import json
import sys

from app.cli.arguments import add_json
from app.domain.server import EffectiveParameter, ServerInfo
from app.foundation.texts import _, local_number
from app.services.look.discovering import Discovery, discover
from app.services.program import Program
from app.systems.availability_groups.groups import GroupTopology
from app.systems.oracle_streams.pipeline import StreamsComponent, StreamsParameter, StreamsTopology

_COMPONENTS = {
    StreamsComponent.CAPTURE: _("the capture process"),
    StreamsComponent.PROPAGATION: _("the propagation"),
    StreamsComponent.APPLY: _("the apply process"),
    StreamsComponent.SOURCE_DATABASE: _("the source database"),
    StreamsComponent.DESTINATION_DATABASE: _("the destination database"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--target",
        required=True,
        metavar="NAME",
        help=_("a saved name, lab, lab:SCENARIO, sqlserver://user@host:port or oracle://user@host:port/service"),
    )
    add_json(parser)
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Read the target and print it."""
    found = discover(options.target, program.parts.open_target)
    if options.json:
        json.dump({"schema": 1, **dataclasses.asdict(found)}, sys.stdout, ensure_ascii=False, indent=2, default=str)
        sys.stdout.write("\n")
    else:
        sys.stdout.write("\n".join(_lines(found)) + "\n")
    return 0


def _lines(found: Discovery) -> list[str]:
    lines: list[str] = []
    if found.topology.servers:
        lines += _replication(found)
    if found.groups is not None:
        lines += _groups(found.groups)
    if found.streams is not None:
        lines += _streams(found.streams)
    lines += ["", *(_("Not read: {sentence}").format(sentence=sentence) for sentence in found.unread)]
    return lines if any(lines) else [_("Nothing was found that could be experimented on.")]


def _replication(found: Discovery) -> list[str]:
    topology = found.topology
    lines = [_("Distribution database: {name}").format(name=topology.distribution_db), "", _("Servers:")]
    lines += [_server(server) for server in topology.servers]
    lines += ["", _("Subscriptions:")]
    lines += [
        f"  {s.publisher_db}.{s.publication} → {s.subscriber}.{s.subscriber_db} ({s.subscription_type})"
        for s in topology.subscriptions
    ]
    for agent in found.agents:
        lines += ["", agent.agent, _heading()]
        lines += [_row(p.name, p.value, p.origin, p.default, _limits(p)) for p in agent.parameters]
    return lines


def _groups(topology: GroupTopology) -> list[str]:
    lines = [_("Servers:"), *(_server(server) for server in topology.servers)]
    for group in topology.groups:
        lines += ["", _("Availability group {name}, primary {server}").format(name=group.name, server=group.primary)]
        for replica in group.replicas:
            lines.append(
                f"  {replica.server:<20}{replica.role:<12}{replica.mode:<8}"
                f"{_('failover')} {replica.failover_mode:<12}{_('seeding')} {replica.seeding_mode or '–'}"
            )
        lines += [
            f"    {d.database:<24}{d.server:<20}{d.synchronization_state}"
            for d in sorted(group.databases, key=lambda d: (d.database, d.server))
        ]
    lines += ["", _("Databases:")]
    for d in topology.databases:
        size = local_number(f"{d.size_mb:>12,.0f} MB")
        lines.append(f"  {d.name:<24}{d.group or _('standalone'):<20}{size}  {d.recovery_model}  {d.state}")
    flags = ", ".join(f"{flag} ({server})" for server, flag in topology.trace_flags) or _("none")
    lines.append(_("Trace flags set globally: {flags}").format(flags=flags))
    lines += [f"  {server}: {why}" for server, why in topology.unreachable]
    return lines


def _streams(topology: StreamsTopology) -> list[str]:
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
    lines += [
        "  "
        + " → ".join(name for name in (path.capture, path.propagation, path.apply) if name)
        + (_(" (capture and apply combined: figures of queues and propagation stay flat)") if path.is_combined else "")
        for path in topology.paths
    ]
    lines += [
        "",
        _("Transactions in the error queue: {errors}; open for more than ten minutes: {open}").format(
            errors=topology.apply_errors, open=topology.long_transactions
        ),
    ]
    for owner in dict.fromkeys((p.component, p.process) for p in topology.parameters):
        lines += ["", _("Parameters of {component} {name}:").format(component=_COMPONENTS[owner[0]], name=owner[1])]
        lines += [_heading()]
        own = [p for p in topology.parameters if (p.component, p.process) == owner]
        lines += [_row(*_texts_of(p)) for p in own]
    lines += ["", *(_("Warning: {sentence}").format(sentence=sentence) for sentence in topology.warnings)]
    return lines


def _names_and_databases(topology: StreamsTopology) -> tuple[list[str], list[str]]:
    return [p.name for p in topology.processes], [p.database for p in topology.processes]


def _texts_of(parameter: StreamsParameter) -> tuple[str, str, str, str, str]:
    """Return name, value, origin, default and limits with the unit; a value no view shows is told as that."""
    known = parameter.effective
    unit = f" {known.unit}" if known.unit else ""
    value = known.value or (_("not shown") if parameter.is_hidden else "")
    return known.name, value, known.origin, known.default, (_limits(known) + unit).strip()


def _server(server: ServerInfo) -> str:
    return f"  {server.role}: {server.name}, {server.version}, {server.edition}, {server.cpu_count} CPUs"


def _heading() -> str:
    return _row(_("parameter"), _("value"), _("origin"), _("default"), _("limits"))


def _row(name: str, value: str, origin: str, default: str, limits: str) -> str:
    return f"  {name:<24}{value:>12}  {origin:<14}{default:>12}  {limits}".rstrip()


def _limits(parameter: EffectiveParameter) -> str:
    """Return the server's limits, an end left open where it states none, "" where it states neither."""
    ends = ["" if end is None else str(end) for end in (parameter.low, parameter.high)]
    return "…".join(ends) if any(ends) else ""
