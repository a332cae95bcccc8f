"""`replitune discover`: what is there, and which parameter values are really in effect."""

import argparse
import dataclasses
import json
import sys

from app.cli.arguments import add_json
from app.domain.topology import EffectiveParameter
from app.foundation.texts import _
from app.services.discovering import Discovery, discover
from app.services.program import Program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--target", required=True, metavar="NAME", help=_("lab, lab:SCENARIO or lab@127.0.0.1:PORT"))
    add_json(parser)
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Read the target and print it."""
    found = discover(options.target, program.parts.open_target)
    if options.json:
        json.dump({"schema": 1, **dataclasses.asdict(found)}, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        sys.stdout.write("\n".join(_lines(found)) + "\n")
    return 0


def _lines(found: Discovery) -> list[str]:
    topology = found.topology
    lines = [_("Distribution database: {name}").format(name=topology.distribution_db), "", _("Servers:")]
    lines += [f"  {s.role}: {s.name}, {s.version}, {s.edition}, {s.cpu_count} CPUs" for s in topology.servers]
    lines += ["", _("Subscriptions:")]
    lines += [
        f"  {s.publisher_db}.{s.publication} → {s.subscriber}.{s.subscriber_db} ({s.subscription_type})"
        for s in topology.subscriptions
    ]
    for agent in found.agents:
        lines += ["", agent.agent, _row(_("parameter"), _("value"), _("origin"), _("default"), _("limits"))]
        lines += [_row(p.name, p.value, p.origin, p.default, _limits(p)) for p in agent.parameters]
    return lines


def _row(name: str, value: str, origin: str, default: str, limits: str) -> str:
    return f"  {name:<24}{value:>12}  {origin:<14}{default:>12}  {limits}".rstrip()


def _limits(parameter: EffectiveParameter) -> str:
    """Return the server's limits, an end left open where it states none, "" where it states neither."""
    ends = ["" if end is None else str(end) for end in (parameter.low, parameter.high)]
    return "…".join(ends) if any(ends) else ""
