"""`replitune verify SESSION --target NAME`: promises held against the servers' own history."""

import argparse
import sys
from datetime import datetime
from pathlib import Path

from app.cli.arguments import add_json, add_target
from app.cli.summary import print_json
from app.domain.errors import BadInput
from app.flows.hand_over.verify_view import moment_typed, verified_lines
from app.foundation.clock import SystemClock
from app.foundation.terminal_text import lines_of
from app.foundation.texts import _
from app.reporting.wording import Vocabulary
from app.services.hand_over.verified_json import verified_json
from app.services.hand_over.verifying import Verifying
from app.services.program import Program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("session", type=Path, metavar="SESSION", help=_("a .replitune file"))
    parser.add_argument("--session", dest="session_id", metavar="ID", help=_("which session (default: the newest)"))
    add_target(parser)
    parser.add_argument(
        "--since",
        type=_moment,
        metavar="WHEN",
        help=_('when the values were set, such as "2026-11-25 09:00" by this computer\'s clock (default: as recorded)'),
    )
    add_json(parser)
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Read the history, and print what came of the session's changes."""
    verifying = Verifying(program.advisor, program.parts.open_target, SystemClock())
    found = verifying.verify(options.session, options.target, options.session_id, options.since)
    words = Vocabulary(program.families.values())
    if options.json:
        print_json(verified_json(found, words))
    else:
        sys.stdout.write(lines_of(verified_lines(found, words)))
    return 0


def _moment(text: str) -> datetime:
    try:
        return moment_typed(text)
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error
