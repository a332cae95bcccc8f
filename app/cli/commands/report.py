"""`replitune report SESSION --out FILE`: the report of a session file as PDF, HTML, Markdown or list of findings."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from app.cli.arguments import add_effects_of_names, add_names, names_of, window_time
from app.domain.errors import BadInput
from app.domain.ports import FigureRenderer
from app.foundation.texts import _
from app.reporting.request import Paper
from app.services.hand_over.joined_report import write_joined_report
from app.services.hand_over.report_and_scripts import ReportFormat, ReportOptions, check_format, write_session_report
from app.services.program import Program
from app.services.workplace import refuse_to_overwrite

_WHOLE: Final = tuple(kind.value for kind in ReportFormat if kind.is_whole)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("session", type=Path, metavar="SESSION", help=_("a .replitune file"))
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FILE",
        help=_(
            "the report: its name ends in .pdf, .html, .md or .docx; in .pptx for its page 1, .xlsx for run sheet and "
            "data, .ics for the steps of the change window, .csv for the findings alone"
        ),
    )
    parser.add_argument(
        "--session",
        dest="session_ids",
        action="append",
        metavar="ID",
        help=_("which session (default: the newest); named again, the report is one over all of them"),
    )
    parser.add_argument("--all", action="store_true", help=_("one report over every session of the file"))
    parser.add_argument("--scripts", action="store_true", help=_("write its scripts into a folder beside it"))
    parser.add_argument(
        "--window",
        type=window_time,
        metavar="WHEN",
        help=_(
            'when the change window begins there, as "2026-12-05 22:00"; for .ics, whose dates are else provisional'
        ),
    )
    add_names(parser)
    parser.add_argument("--notes", action="store_true", help=_("print the notes on the session and its runs"))
    parser.add_argument(
        "--paper", type=Paper, choices=list(Paper), default=Paper.A4, help=_("what a PDF is laid out for")
    )
    parser.add_argument("--client", default="", metavar="NAME", help=_("client's name for the cover"))
    parser.add_argument("--consultant", default="", metavar="NAME", help=_("consultant's name for the cover"))
    parser.add_argument("--logo", type=Path, metavar="FILE", help=_("logo for the cover: PNG, JPEG or SVG"))
    parser.add_argument(
        "--template",
        type=Path,
        metavar="DIR",
        help=_("folder whose brand.typ (PDF) and brand.css (HTML) replace colours and fonts of the report"),
    )
    effects = add_effects_of_names(parser)
    effects.add("--window", _("a FILE whose name ends in .ics"), _ends_in(".ics"))
    effects.add("--paper", _("a FILE whose name ends in .pdf, .docx or .xlsx"), _ends_in(".pdf", ".docx", ".xlsx"))
    effects.add("--notes", _("a FILE whose name ends in .pdf, .html, .md or .docx"), _ends_in(*_WHOLE))
    for option in ("--logo", "--template"):
        effects.add(option, _("a FILE whose name ends in .pdf or .html"), _ends_in(".pdf", ".html"))
    parser.set_defaults(run_command=run)


def _ends_in(*ends: str) -> Callable[[argparse.Namespace], bool]:
    return lambda options: options.out.suffix.lower() in ends


def run(options: argparse.Namespace, program: Program) -> int:
    """Write the report of one session of the file."""
    refuse_to_overwrite(options.session, (options.out,))
    wishes = ReportOptions(
        redact=options.redact or bool(options.hide),
        names=names_of(options),
        client=options.client,
        consultant=options.consultant,
        logo=options.logo,
        template=options.template,
        with_notes=options.notes,
        paper=options.paper,
        window=options.window,
    )
    check_format(options.out)
    chosen = options.session_ids or ()
    renderer = program.parts.make_renderer()
    if options.all or options.scripts or len(chosen) > 1:
        _write_joined(options, chosen, program, renderer, wishes)
    else:
        session_id = next(iter(chosen), None)
        write_session_report(options.session, options.out, program.advisor, renderer, wishes, session_id)
    sys.stdout.write(_("Report: {path}").format(path=options.out) + "\n")
    return 0


def _write_joined(
    options: argparse.Namespace,
    chosen: Sequence[str],
    program: Program,
    renderer: FigureRenderer,
    wishes: ReportOptions,
) -> None:
    """Write one report over several sessions, and its scripts beside it where asked for."""
    if options.all and chosen:
        raise BadInput(_("--all and --session: give one of them"))
    wanted = None if options.all else chosen
    _report, scripts = write_joined_report(
        options.session, wanted, options.out, program.advisor, renderer, wishes, has_scripts=options.scripts
    )
    for written in scripts:
        sys.stdout.write(_("Script: {path}").format(path=written.path) + "\n")
