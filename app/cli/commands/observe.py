"""`replitune observe`: the servers' own history, with nothing changed."""

import argparse
import json
import sys
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from pathlib import Path

from app.cli.arguments import add_json, target_name, whole_number
from app.domain.errors import BadInput
from app.domain.system import System, in_order
from app.flows.system_views import views_of
from app.flows.target.observe_report import site_report
from app.flows.target.observe_view import cost_line
from app.foundation.clock import SystemClock
from app.foundation.terminal_text import lines_of
from app.foundation.texts import _
from app.services.hand_over.report_and_scripts import ReportFormat, check_format, write_as_named
from app.services.look.discovering import discover
from app.services.look.looking import DEFAULT_WATCH_S, DEFAULT_WINDOW_H, Look, look
from app.services.plan.checking import leftover_notice
from app.services.program import Program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--target",
        type=target_name,
        required=True,
        metavar="NAME",
        help=_("a saved name, lab:SCENARIO, sqlserver://user@host:port or oracle://user@host:port/service"),
    )
    parser.add_argument(
        "--hours",
        type=whole_number(1, 24 * 30),
        default=DEFAULT_WINDOW_H,
        metavar="N",
        help=_("hours of history to look at (default: %(default)s)"),
    )
    parser.add_argument(
        "--watch",
        type=whole_number(1, 3600),
        default=round(DEFAULT_WATCH_S),
        metavar="S",
        help=_("seconds to watch what keeps no history (default: %(default)s)"),
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help=_("also write it as a report: the name ends in .pdf, .html or .md")
    )
    add_json(parser)
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Look, and print the observations; write them as a report where that is asked for."""
    if options.out is not None and check_format(options.out) is ReportFormat.CSV:
        raise BadInput(_("{path}: give a name that ends in .pdf, .html or .md").format(path=options.out))
    looked = look(
        options.target,
        program.advisor,
        program.parts.open_target,
        window_h=options.hours,
        watch_s=float(options.watch),
    )
    if options.out is not None:
        discovery = discover(options.target, program.systems, program.parts.open_target)
        request = site_report(discovery, looked, SystemClock().now_utc())
        write_as_named(request, options.out, program.parts.make_renderer())
    if options.json:
        json.dump(_document(looked, program.systems), sys.stdout, ensure_ascii=False, indent=2, default=_plain)
        sys.stdout.write("\n")
    else:
        sys.stdout.write(lines_of(_all_lines(options.target, looked)))
    return 0


def _document(looked: Look, systems: Mapping[str, System]) -> dict[str, object]:
    """Every system has its keys in it, also where nothing of it is there."""
    document: dict[str, object] = {"schema": 1, "left": looked.left}
    for system in in_order(systems.values()):
        document.update(views_of(system).look_json(looked.of(system.system_id)))
    return document


def _all_lines(target: str, looked: Look) -> list[str]:
    lines: list[str] = []
    for system, part in looked.by_system:
        lines += [*([""] if lines else []), *views_of(system).look_lines(part)]
    if looked.left:
        lines += ["", leftover_notice(target, looked.left)]
    return [*lines, cost_line(looked)]


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value.value) if isinstance(value, Enum) else str(value)
