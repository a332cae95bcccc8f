"""Keeping what a run confirmed, at the terminal: agreed to by a question of its own."""

import argparse
import sys
from pathlib import Path

from app.cli.ended_runs import (
    EXIT_CANCELLED,
    EXIT_NOT_RESTORED,
    EXIT_TARGET,
    ending_with_open_changes,
    journal_option,
    not_restored_text,
)
from app.cli.interrupt import cancel_on_interrupt
from app.cli.progress import RunProgress
from app.domain.change import Keep
from app.domain.errors import BadInput
from app.domain.target import Target
from app.foundation.texts import _
from app.runner.asking import HandDesk
from app.runner.keeping import KeepEnded
from app.services.program import Program
from app.services.run.guided_session import GuidedSession
from app.services.run.keeping import Keepable, find_to_keep, keep_found
from app.services.target.target_spec import is_lab_of_this_process
from app.services.workplace import Workplace


def add_keep(parser: argparse.ArgumentParser) -> None:
    """Add `--keep` and the agreement to it."""
    parser.add_argument(
        "--keep",
        choices=[_typed(how) for how in Keep],
        metavar="HOW",
        help=_(
            "keep what is confirmed on the client's own work: until-caught-up, or keep, until replitune undo; you are "
            "asked first. Without a plan: what the run in --out confirmed"
        ),
    )
    parser.add_argument("--agree-to-keep", action="store_true", help=_("agree to --keep beforehand"))


def how_of(options: argparse.Namespace) -> Keep | None:
    """Return how a confirmed setting is to be kept, None where it is not.

    Raises:
        BadInput: nobody agreed beforehand, and nobody can be asked.
    """
    if options.keep is None:
        if options.agree_to_keep:
            raise BadInput(_("--agree-to-keep goes with --keep"))
        return None
    if not options.agree_to_keep and not sys.stdin.isatty():
        raise BadInput(
            _("--keep asks for your agreement, and nobody can answer here; agree beforehand with --agree-to-keep")
        )
    if options.resume or options.extend or options.dry_run:
        raise BadInput(_("--keep goes with a plan, or alone with the folder of a run that has ended"))
    return Keep(str(options.keep).replace("-", "_"))


def _typed(how: Keep) -> str:
    return how.value.replace("_", "-")


def keep_confirmed(
    options: argparse.Namespace, program: Program, session: GuidedSession, target: Target, how: Keep, desk: bool
) -> KeepEnded | None:
    """Keep what the run that just ended confirmed, if that is agreed to; None where nothing is changed for it.

    Args:
        target: as the run left it; a server is connected to anew, after whatever time the answer took.
        desk: the client's DBA makes the changes.
    """
    try:
        found = find_to_keep(session.workplace, program.families, session.session_id)
    except BadInput as nothing:
        _say(str(nothing))
        return None
    if not _is_agreed(options, found, how):
        return None
    if is_lab_of_this_process(target.key):
        return _keep(options, session, target, found, how, desk=desk)
    again = session.open_target(found.run.target, options.seed)
    try:
        return _keep(options, session, again, found, how, desk=desk)
    finally:
        again.close()


def keep_earlier(options: argparse.Namespace, program: Program, how: Keep, journal: Path) -> KeepEnded | None:
    """Keep what an earlier run in `--out` confirmed, if that is agreed to.

    Raises:
        BadInput: it confirmed nothing that can be kept.
    """
    place = Workplace(options.out)
    found = find_to_keep(place, program.families, options.session_id)
    if not _is_agreed(options, found, how):
        return None
    opener = program.parts.open_target
    with GuidedSession(place, journal, opener, resume=True, session_id=found.session_id) as session:
        target = session.open_target(found.run.target, options.seed)
        try:
            return _keep(options, session, target, found, how, desk=options.guided or found.run.by_hand)
        finally:
            target.close()


def _is_agreed(options: argparse.Namespace, found: Keepable, how: Keep) -> bool:
    """Tell what is to be agreed to, and ask unless it was agreed to beforehand."""
    if why_not := found.why_not(how):
        _say(_("nothing is kept: {why}").format(why=why_not))
        return False
    _say(_("To be kept: {consent}.").format(consent=found.consent(how)))
    if options.agree_to_keep:
        return True
    sys.stderr.write(_("Type yes to agree, anything else keeps nothing: "))
    sys.stderr.flush()
    answer = sys.stdin.readline().strip().lower()
    is_agreed = answer in ("yes", _("yes"))
    if not is_agreed:
        _say(_("Nothing is kept."))
    return is_agreed


def _keep(
    options: argparse.Namespace, session: GuidedSession, target: Target, found: Keepable, how: Keep, *, desk: bool
) -> KeepEnded:
    by_hand = HandDesk() if desk else None
    with (
        RunProgress() as progress,
        cancel_on_interrupt(by_hand) as control,
        ending_with_open_changes(options, session),
    ):
        ended = keep_found(found, how, session, target, control, [progress.observe], by_hand)
    if ended.not_restored:
        for problem in ended.not_restored:
            _say(_("NOT UNDONE: {problem}").format(problem=problem))
        _say(not_restored_text(options))
    elif ended.is_kept:
        _say(
            _("To undo it: replitune undo {session}{journal}").format(
                session=session.session_id, journal=journal_option(options)
            )
        )
    return ended


def exit_code_of(ended: KeepEnded | None, how: Keep) -> int:
    """Return 4 where anything is to be undone and is not, 3 where it could not be kept, 130 where it was cancelled."""
    if ended is None or ended.is_kept:
        return 0
    if ended.not_restored:
        return EXIT_NOT_RESTORED
    if ended.is_cancelled:
        return EXIT_CANCELLED
    return 0 if ended.is_complete and how is Keep.UNTIL_CAUGHT_UP else EXIT_TARGET


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
