"""`replitune restore`: undo changes left by a crash, a lost connection or a power cut."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from app.cli.arguments import add_journal
from app.cli.effects import Effects
from app.cli.ending import EndedAs, ending_with
from app.cli.interrupt import stop_on_interrupt
from app.cli.progress import tell_done, tell_request
from app.domain.change import Change
from app.domain.errors import NotRestored, ReplituneError
from app.foundation.texts import _
from app.runner.asking import HandDesk
from app.services.program import Program
from app.services.run.restoring import (
    RestoreOutcome,
    RestoreWay,
    may_be_open,
    restore_all,
    still_running,
    write_restore_script,
)
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
    parser.add_argument(
        "--hands-on",
        action="store_true",
        help=_("undo what a guided run changed without asking the DBA for it"),
    )
    effects = Effects(parser)
    for option in ("--keep-others", "--hands-on"):
        effects.add(option, _("a restore, not with --script"), lambda given: given.script is None)
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Restore, or write the script; 4 where something is still changed."""
    journal: Path = options.journal or program.parts.journal_path
    if options.script is not None:
        refuse_to_overwrite(journal, (options.script,))
        _tell_cautions(still_running(journal))
        count = write_restore_script(journal, options.script)
        sys.stdout.write(_("{path}: open changes it undoes: {count}").format(path=options.script, count=count) + "\n")
        return 0
    if options.journal is None and not has_journal(journal):
        text = _(
            "Nothing to restore is known here: this user has no undo journal ({path}). Where a run was broken off and "
            "its journal is gone, resume that run or use the rollback.sql in its folder."
        )
        sys.stdout.write(text.format(path=journal) + "\n")
        return 0
    with counting_what_is_open(journal):
        desk = None if options.hands_on else HandDesk()
        if desk is not None:
            desk.attach(tell_request, tell_done)
        on_left = tell_left if options.keep_others else None
        with stop_on_interrupt(desk) as is_stopped:
            way = RestoreWay(lambda: program.systems, desk, hands_on=options.hands_on, is_stopped=is_stopped)
            outcome = restore_all(journal, program.parts.open_target, tell_undone, on_left, way)
            with ending_with(NotRestored.exit_code if outcome.problems else 0):
                tell_outcome(outcome)
    return 0


@contextmanager
def counting_what_is_open(journal: Path) -> Iterator[None]:
    """Let a restore that a mistake of the program or a lack of memory broke off end with 4 while anything is open."""
    try:
        yield
    except (ReplituneError, EndedAs):
        raise
    except Exception as error:
        if may_be_open(journal):
            raise EndedAs(NotRestored.exit_code) from error
        raise


def tell_outcome(outcome: RestoreOutcome) -> None:
    """Print how a restore ended; raises NotRestored where something is still changed."""
    _tell_cautions(outcome.cautions)
    for problem in outcome.problems:
        sys.stderr.write(_("not restored: {problem}").format(problem=problem) + "\n")
    if outcome.problems and outcome.problems == outcome.going_on:
        raise NotRestored(
            _("changes left to a run that goes on, which undoes them itself: {count}").format(count=outcome.open_count)
        )
    if outcome.problems:
        raise NotRestored(
            _("changes still open: {count}; run restore again, or give the DBA the script of --script").format(
                count=outcome.open_count
            )
        )
    if outcome.restored:
        text = _("Changes undone and checked: {count}").format(count=len(outcome.restored))
    else:
        text = _("Nothing to restore.")
    sys.stdout.write(text + "\n")


def _tell_cautions(cautions: Sequence[str]) -> None:
    for caution in cautions:
        sys.stderr.write(_("Note: {text}").format(text=caution) + "\n")


def tell_undone(change: Change) -> None:
    """Print that a change was undone."""
    _say(_("undone: {subject}: {original}").format(subject=change.subject, original=change.original))


def tell_left(_change: Change, why: str) -> None:
    """Print why a change stays as somebody else made it."""
    _say(_("left as it is: {why}").format(why=why))


def _say(line: str) -> None:
    with suppress(OSError):  # nobody reads it any more: the rest is put back all the same
        sys.stdout.write(line + "\n")
