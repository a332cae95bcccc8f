"""`replitune undo SESSION`: undo a setting that a client kept on purpose."""

import argparse
import sys
from pathlib import Path

from app.cli.arguments import add_journal
from app.cli.commands.restore import counting_what_is_open, tell_left, tell_outcome, tell_undone
from app.cli.ending import ending_with
from app.cli.interrupt import stop_on_interrupt
from app.cli.progress import tell_done, tell_request
from app.domain.errors import BadInput, NotRestored
from app.foundation.texts import _
from app.runner.asking import HandDesk
from app.services.program import Program
from app.services.run.keeping import undo_kept
from app.services.run.restoring import RestoreWay
from app.store import has_journal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("session", metavar="SESSION", help=_("id of the session whose setting is kept"))
    add_journal(parser)
    parser.add_argument(
        "--hands-on",
        action="store_true",
        help=_("undo what a guided run changed without asking the DBA for it"),
    )
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Undo it where it still is what was set; 4 where something is still changed."""
    journal: Path = options.journal or program.parts.journal_path
    if not has_journal(journal):
        raise BadInput(_("{path} does not exist; give the undo journal with --journal").format(path=journal))
    with counting_what_is_open(journal):
        desk = None if options.hands_on else HandDesk()
        if desk is not None:
            desk.attach(tell_request, tell_done)
        with stop_on_interrupt(desk) as is_stopped:
            way = RestoreWay(lambda: program.systems, desk, hands_on=options.hands_on, is_stopped=is_stopped)
            outcome = undo_kept(journal, options.session, program.parts.open_target, tell_undone, tell_left, way)
            with ending_with(NotRestored.exit_code if outcome.problems else 0):
                tell_outcome(outcome)
    sys.stdout.flush()
    return 0
