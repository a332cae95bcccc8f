"""`replitune discover`: what is there, and which parameter values are really in effect."""

import argparse
import dataclasses
import json
import sys

from app.cli.arguments import add_json
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
        lines += ["", agent.agent, f"  {_('parameter'):<24}{_('value'):>12}  {_('origin'):<14}{_('default'):>12}"]
        lines += [
            f"  {p.name:<24}{p.value:>12}  {p.origin:<14}{p.default:>12}"
            + (
                f"  {p.low if p.low is not None else ''}…{p.high if p.high is not None else ''}"
                if _has_limit(p)
                else ""
            )
            for p in agent.parameters
        ]
    return lines


def _has_limit(parameter: object) -> bool:
    return getattr(parameter, "low", None) is not None or getattr(parameter, "high", None) is not None
