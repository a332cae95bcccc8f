"""`replitune report SESSION --out FILE.pdf`: the report of a session file, again or redacted."""

import argparse
import sys
from pathlib import Path

from app.foundation.texts import _
from app.services.hand_over import ReportOptions, write_session_report
from app.services.program import Program
from app.services.workplace import refuse_to_overwrite


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("session", type=Path, metavar="SESSION", help=_("a .replitune file"))
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.pdf", help=_("the report"))
    parser.add_argument("--redact", action="store_true", help=_("replace names of servers, databases and logins"))
    parser.add_argument("--client", default="", metavar="NAME", help=_("client's name for the cover"))
    parser.add_argument("--consultant", default="", metavar="NAME", help=_("consultant's name for the cover"))
    parser.add_argument("--logo", type=Path, metavar="FILE", help=_("logo for the cover: PNG, JPEG or SVG"))
    parser.add_argument(
        "--template",
        type=Path,
        metavar="DIR",
        help=_("folder whose brand.typ replaces colours and fonts of the report"),
    )
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Write the report of the file's newest session."""
    refuse_to_overwrite(options.session, (options.out,))
    wishes = ReportOptions(
        redact=options.redact,
        client=options.client,
        consultant=options.consultant,
        logo=options.logo,
        template=options.template,
    )
    write_session_report(options.session, options.out, program.advisor, program.parts.make_renderer(), wishes)
    sys.stdout.write(_("Report: {path}").format(path=options.out) + "\n")
    return 0
