"""A Streams pipeline in the environment section: databases, paths, processes, the parameters in effect."""

from collections.abc import Sequence

from app.domain.units import unit_word
from app.foundation.texts import _
from app.reporting.blocks import Block, Bullets, Column, Fields, Heading, Paragraph, Table
from app.reporting.numbers import number, quantity
from app.systems.oracle_streams.pipeline import StreamsParameter, StreamsPath, StreamsTopology


def streams_blocks(topology: StreamsTopology, varied: frozenset[str]) -> list[Block]:
    """Return databases, paths, processes, parameters, and what the health check's limits say."""
    blocks: list[Block] = [
        Heading(_("Databases"), minor=True),
        _databases(topology),
        Heading(_("Streams processes"), minor=True),
        _processes(topology),
        Fields(tuple((_("Path"), _path(path)) for path in topology.paths) + _counts(topology)),
        Heading(_("Parameters varied or not at their defaults, when the session began"), minor=True),
        _parameters([p for p in topology.parameters if _is_told(p, varied)]),
        Paragraph(
            _(
                "Hidden parameters are in no view until somebody sets them: “not shown” does not mean that the default "
                "is in effect."
            ),
            quiet=True,
        ),
    ]
    if topology.warnings:
        blocks += [Heading(_("Limits of the health check"), minor=True), Bullets(topology.warnings)]
    return blocks


def _databases(topology: StreamsTopology) -> Table:
    columns = (
        Column(_("Database"), width=1.8),
        Column(_("Role"), width=1),
        Column(_("Version"), width=1.1),
        Column(_("Compatible"), width=1.1),
        Column(_("Edition"), width=2),
        Column(_("Logical processors"), "right"),
        Column(_("Streams pool"), "right"),
    )
    rows = tuple(
        (
            d.name + (" (RAC)" if d.is_rac else ""),
            d.role,
            d.version,
            d.compatible,
            d.edition,
            number(d.cpu_count),
            quantity(d.streams_pool_mb, "MB") if d.streams_pool_mb else _("automatic"),
        )
        for d in topology.databases
    )
    return Table(columns, rows, small=True)


def _processes(topology: StreamsTopology) -> Table:
    columns = (
        Column(_("Process"), width=1.8),
        Column(_("Kind"), width=1),
        Column(_("Database"), width=1.6),
        Column(_("Status"), width=0.9),
        Column(_("State"), width=1.8),
        Column(_("Queue"), width=1.8),
    )
    rows = tuple(
        (p.name, p.component.value, p.database, p.status, p.state or "–", p.queue or "–") for p in topology.processes
    )
    return Table(columns, rows, small=True)


def _path(path: StreamsPath) -> str:
    ways = [name for name in (path.capture, path.propagation, path.apply) if name]
    return " → ".join(ways) + (_(" (capture and apply combined)") if path.is_combined else "")


def _counts(topology: StreamsTopology) -> tuple[tuple[str, str], ...]:
    return (
        (_("Transactions in the error queue"), number(topology.apply_errors)),
        (_("Transactions open for more than ten minutes"), number(topology.long_transactions)),
    )


def _origin_word(origin: str) -> str:
    """Return where the value of a parameter comes from, in words."""
    words = {"user": _("set explicitly"), "default": _("default"), "not shown": _("not shown")}
    return words.get(origin, origin)


def _is_told(parameter: StreamsParameter, varied: frozenset[str]) -> bool:
    own = parameter.effective
    return own.name in varied or bool(own.value and own.value != own.default)


def _parameters(parameters: Sequence[StreamsParameter]) -> Table:
    columns = (
        Column(_("Process or database"), width=1.6),
        Column(_("Parameter"), width=1.9),
        Column(_("In effect"), "right", 1.1),
        Column(_("Unit"), width=0.9),
        Column(_("Comes from"), width=0.9),
        Column(_("Default"), "right", 1.1),
    )
    rows = tuple(
        (
            p.process,
            p.effective.name,
            p.effective.value or _("not shown"),
            unit_word(p.effective.unit),
            _origin_word(p.effective.origin),
            p.effective.default or "–",
        )
        for p in parameters
    )
    return Table(columns, rows, small=True)
