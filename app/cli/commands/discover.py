"""`replitune discover`: topology, and the parameter values really in effect."""

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import replace

from app.cli.arguments import add_json, add_target
from app.domain.system import System, in_order
from app.flows.system_views import views_of
from app.foundation.terminal_text import lines_of
from app.foundation.texts import _
from app.services.look.discovering import Discovery, discover
from app.services.plan.checking import leftover_notice
from app.services.program import Program
from app.services.run.journal_words import changed_there
from app.services.run.restoring import state_if_any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_target(parser)
    add_json(parser)
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Read the target and print it."""
    discovery = discover(options.target, program.systems, program.parts.open_target)
    if not discovery.left:  # what no mark at the servers tells, such as values a killed session set
        entries = state_if_any(program.parts.journal_path).entries
        discovery = replace(discovery, left=changed_there(entries, options.target, discovery.target))
    if options.json:
        json.dump(_document(discovery, program.systems), sys.stdout, ensure_ascii=False, indent=2, default=str)
        sys.stdout.write("\n")
    else:
        sys.stdout.write(lines_of(_lines(discovery)))
    return 0


def _document(discovery: Discovery, systems: Mapping[str, System]) -> dict[str, object]:
    """Every system has its keys in it, also where nothing of it is there."""
    parts: dict[str, object] = {}
    for system in in_order(systems.values()):
        parts.update(views_of(system).discovered_json(discovery.of(system.system_id)))
    return {"schema": 1, "target": discovery.target, **parts, "unread": discovery.unread, "left": discovery.left}


def _lines(discovery: Discovery) -> list[str]:
    lines = [line for system, part in discovery.by_system for line in views_of(system).discovered_lines(part)]
    lines += ["", *filter(None, [leftover_notice(discovery.target, discovery.left)])]
    lines += [*(_("Not read: {sentence}").format(sentence=sentence) for sentence in discovery.unread)]
    return lines if any(lines) else [_("Nothing was found that could be experimented on.")]
