"""A Streams pipeline in the environment section: databases, paths, processes, the parameters in effect."""

from app.foundation.texts import _
from app.reporting.blocks import Block, Bullets, Fields, Heading, Paragraph
from app.reporting.numbers import number
from app.reporting.printed import printed
from app.systems.oracle_streams.pipeline import StreamsPath, StreamsTopology
from app.systems.oracle_streams.tables import (
    databases_table,
    processes_table,
    stands_out,
    streams_parameters_table,
)


def streams_blocks(topology: StreamsTopology, varied: frozenset[str]) -> list[Block]:
    """Return databases, paths, processes, parameters, and the health check's verdicts by its limits."""
    told = [p for p in topology.parameters if p.effective.name in varied or stands_out(p)]
    blocks: list[Block] = [
        Heading(_("Databases"), minor=True),
        printed(databases_table(topology.databases)),
        Heading(_("Streams processes"), minor=True),
        printed(processes_table(topology.processes)),
        Fields(tuple((_("Path"), _path(path)) for path in topology.paths) + _counts(topology)),
        Heading(_("Parameters varied or not at their defaults, when the session began"), minor=True),
        printed(streams_parameters_table(told)),
        Paragraph(
            _(
                "No view shows hidden parameters until somebody sets them: “not shown” does not mean that the "
                "default is in effect."
            ),
            quiet=True,
        ),
    ]
    if topology.warnings:
        blocks += [Heading(_("Limits of the health check"), minor=True), Bullets(topology.warnings)]
    return blocks


def _path(path: StreamsPath) -> str:
    ways = [name for name in (path.capture, path.propagation, path.apply) if name]
    return " → ".join(ways) + (_(" (capture and apply combined)") if path.is_combined else "")


def _counts(topology: StreamsTopology) -> tuple[tuple[str, str], ...]:
    return (
        (_("Transactions in the error queue"), number(topology.apply_errors)),
        (_("Transactions open for more than ten minutes"), number(topology.long_transactions)),
    )
