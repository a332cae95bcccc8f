"""`replitune observe`: the servers' own history, with nothing changed."""

import argparse
import json
import sys
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from pathlib import Path

from app.cli.arguments import add_json, add_target, time_of_day, whole_number
from app.cli.interrupt import end_on_interrupt
from app.domain.errors import BadInput, ReplituneError
from app.domain.system import System, in_order
from app.flows.system_views import views_of
from app.flows.target.night_log import NightLog, watch_text
from app.flows.target.observe_report import site_report
from app.flows.target.observe_view import cost_line
from app.foundation.awake import kept_awake
from app.foundation.clock import SystemClock
from app.foundation.terminal_text import lines_of
from app.foundation.texts import _
from app.reporting.request import ReportRequest
from app.services.hand_over.report_and_scripts import check_format, write_as_named
from app.services.look.discovering import Discovery, discover
from app.services.look.looking import DEFAULT_WATCH_S, DEFAULT_WINDOW_H, Look, look
from app.services.look.overnight import hours_watched, watch_until
from app.services.look.watching import LiveReading, Watch
from app.services.plan.checking import leftover_notice
from app.services.program import Program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_target(parser)
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
        "--until",
        type=time_of_day,
        metavar="HH:MM",
        help=_("watch until this time of day, tell what changes, and report it then; Ctrl+C ends it earlier"),
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help=_("also write it as a report: the name ends in .pdf, .html or .md")
    )
    add_json(parser)
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Look, and print the observations; write them as a report where that is asked for."""
    if options.out is not None and not check_format(options.out).is_whole:
        raise BadInput(_("{path}: give a name that ends in .pdf, .html or .md").format(path=options.out))
    night: NightLog | None = None
    if options.until is not None:
        discovery = discover(options.target, program.systems, program.parts.open_target)
        night = NightLog(discovery)
        looked, reading = _watched(options, program, discovery, night)
        if options.out is not None:
            discovery = discover(options.target, program.systems, program.parts.open_target)
            _write(options.out, program, site_report(discovery, looked, SystemClock().now_utc(), night, reading))
    elif options.out is not None:
        discovery = discover(options.target, program.systems, program.parts.open_target)
        looked, reading = _looked_between_readings(options, program, discovery)
        _write(options.out, program, site_report(discovery, looked, SystemClock().now_utc(), reading=reading))
    else:
        looked = look(
            options.target,
            program.advisor,
            program.parts.open_target,
            window_h=options.hours,
            watch_s=float(options.watch),
        )
    if options.json:
        json.dump(_document(looked, program.systems, night), sys.stdout, ensure_ascii=False, indent=2, default=_plain)
        sys.stdout.write("\n")
    else:
        sys.stdout.write(
            lines_of([*([] if night is None else [*night.lines(), ""]), *_all_lines(options.target, looked)])
        )
    return 0


def _write(path: Path, program: Program, request: ReportRequest) -> None:
    write_as_named(request, path, program.parts.make_renderer())


def _looked_between_readings(
    options: argparse.Namespace, program: Program, discovery: Discovery
) -> tuple[Look, LiveReading | None]:
    """Look, and read before and after it how the site stands: a rate takes two readings."""
    watch = Watch(options.target, discovery, program.parts.open_target)
    try:
        _read(watch)
        looked = watch.look(program.advisor, options.hours, float(options.watch))
        reading = _read(watch)
    finally:
        watch.close()
    assert looked is not None, "it is closed here alone"
    return looked, reading


def _read(watch: Watch) -> LiveReading | None:
    """Read how the site stands, None where nobody answers: a report is written all the same."""
    try:
        return watch.read()
    except ReplituneError:
        return None


def _watched(
    options: argparse.Namespace, program: Program, discovery: Discovery, night: NightLog
) -> tuple[Look, LiveReading | None]:
    """Watch until the time asked for, telling what changes, and look then at what the servers kept meanwhile."""
    watch = Watch(options.target, discovery, program.parts.open_target)
    said = _("Ending the watch; what was seen is reported.")
    try:
        earlier = watch.look(program.advisor, options.hours, float(options.watch))
        with end_on_interrupt(said) as is_ended, kept_awake(_("a watch of {target}").format(target=options.target)):
            _tell(watch_text(watch, options.until))
            for taken in watch_until(watch, options.until, is_ended):
                for line in night.take(taken):
                    _tell(line)
            hours = max(options.hours, hours_watched(night.watched_s))
            try:
                looked = watch.look(program.advisor, hours, float(options.watch))
            except ReplituneError as error:
                _tell(night.take_unread(str(error)))
                looked = earlier
        reading = _read(watch)
    finally:
        watch.close()
    assert looked is not None, "it is closed here alone"
    return looked, reading


def _document(looked: Look, systems: Mapping[str, System], night: NightLog | None) -> dict[str, object]:
    """Every system has its keys in it, also where nothing of it is there."""
    document: dict[str, object] = {"schema": 1, "left": looked.left}
    if night is not None:
        document["watched"] = night.document()
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


def _tell(line: str) -> None:
    sys.stderr.write(lines_of([line]))
    sys.stderr.flush()


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value.value) if isinstance(value, Enum) else str(value)
