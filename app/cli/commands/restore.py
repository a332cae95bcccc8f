"""`replitune restore`: put back what a crash, a lost connection or a power cut left changed."""

import argparse
import sys
from pathlib import Path

from app.cli.arguments import add_journal
from app.domain.change import Change
from app.domain.errors import NotRestored
from app.foundation.texts import _
from app.services.program import Program
from app.services.run.restoring import restore_all, write_restore_script
from app.services.workplace import refuse_to_overwrite
from app.store import has_journal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_journal(parser)
    parser.add_argument(
        "--script", type=Path, metavar="OUT.sql", help=_("write a script for the DBA instead of connecting")
    )
    parser.add_argument(
        "--keep-others",
        action="store_true",
        help=_("keep what somebody else has changed since, and stop listing it"),
    )
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Restore, or write the script; 4 where something is still changed."""
    journal: Path = options.journal or program.parts.journal_path
    if options.script is not None:
        refuse_to_overwrite(journal, (options.script,))
        count = write_restore_script(journal, options.script)
        sys.stdout.write(_("{path}: open changes it undoes: {count}").format(path=options.script, count=count) + "\n")
        return 0
    if options.journal is None and not has_journal(journal):
        sys.stdout.write(_("Nothing to restore: this user has made no change yet.") + "\n")
        return 0
    on_left = _tell_left if options.keep_others else None
    outcome = restore_all(journal, program.parts.open_target, _tell, on_left)
    for caution in outcome.cautions:
        sys.stderr.write(_("Note: {text}").format(text=caution) + "\n")
    for problem in outcome.problems:
        sys.stderr.write(_("not restored: {problem}").format(problem=problem) + "\n")
    if outcome.problems:
        raise NotRestored(
            _("changes still open: {count}; run restore again, or give the DBA the script of --script").format(
                count=len(outcome.problems)
            )
        )
    if outcome.restored:
        text = _("Changes undone and checked: {count}").format(count=len(outcome.restored))
    else:
        text = _("Nothing to restore.")
    sys.stdout.write(text + "\n")
    return 0


def _tell(change: Change) -> None:
    sys.stdout.write(_("undone: {subject}: {original}").format(subject=change.subject, original=change.original) + "\n")


def _tell_left(_change: Change, why: str) -> None:
    sys.stdout.write(_("left as it is: {why}").format(why=why) + "\n")
