"""The command line's words on runs that have ended: the exit code, files kept, and changes left."""

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from app.cli.ending import EndedAs
from app.cli.interrupt import SIGNALS
from app.domain.errors import ReplituneError
from app.domain.events import RunStatus
from app.foundation.texts import _
from app.services.hand_over.own_place import own_place
from app.services.run.guided_session import GuidedSession, RunOutcome
from app.services.workplace import Workplace

EXIT_TARGET = 3
EXIT_NOT_RESTORED = 4
EXIT_CANCELLED = 130


class LeftUnwritten(ReplituneError):
    """Ctrl+C came while the results of runs that had ended were handed over."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.exit_code = code


@contextmanager
def naming_kept_files(options: argparse.Namespace, place: Workplace, outcomes: Sequence[RunOutcome]) -> Iterator[None]:
    """Say how to get the report where Ctrl+C comes again once the runs are over and the servers seen to.

    Args:
        outcomes: of the runs that have ended, filled meanwhile.

    Raises:
        LeftUnwritten: so it came.
        KeyboardInterrupt: it came before any run had ended.
    """
    try:
        with _signals_as_ctrl_c(), _keeping_code(outcomes):
            yield
    except KeyboardInterrupt:
        if not outcomes:
            raise
        code = exit_code(outcomes) or EXIT_CANCELLED
        if code == EXIT_NOT_RESTORED:
            with suppress(OSError):
                sys.stderr.write(not_restored_text(options) + "\n")
            words = _(
                "interrupted before the report was written; to write it: replitune report {session} --out {report}"
            )
        else:
            words = _(
                "interrupted before the report was written, and no server is left changed; to write it: replitune "
                "report {session} --out {report}"
            )
        report = own_place(place).report
        raise LeftUnwritten(words.format(session=place.session_file, report=report), code) from None


@contextmanager
def _keeping_code(outcomes: Sequence[RunOutcome]) -> Iterator[None]:
    try:
        yield
    except EndedAs:
        raise
    except Exception as error:
        if code := exit_code(outcomes):
            raise EndedAs(code) from error
        raise


@contextmanager
def _signals_as_ctrl_c() -> Iterator[None]:
    """Let a polite kill and a closed terminal act as Ctrl+C, so that they leave the exit code its meaning, too."""
    ctrl_c = signal.getsignal(signal.SIGINT)

    def take(number: int, frame: FrameType | None) -> None:
        for other in before:
            signal.signal(other, _ignored)
        if callable(ctrl_c):
            ctrl_c(number, frame)

    before = {number: signal.signal(number, take) for number in SIGNALS - {signal.SIGINT}}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ignored(_number: int, _frame: FrameType | None) -> None:
    """A function, not SIG_IGN, which processes started from here would take over."""


@contextmanager
def ending_with_open_changes(options: argparse.Namespace, session: GuidedSession) -> Iterator[None]:
    """Let a run that broke off end with 4 where its changes are still open, whatever broke it off.

    Raises:
        EndedAs: so it is.
    """
    try:
        yield
    except Exception as error:
        if session.has_left_changes():
            with suppress(Exception):  # a terminal that was closed, no memory left
                sys.stderr.write(not_restored_text(options) + "\n")
            raise EndedAs(EXIT_NOT_RESTORED) from error
        raise


def exit_code(outcomes: Sequence[RunOutcome]) -> int:
    """Return 4 where anything is left changed, 3 where a run failed or was aborted, 130 where it was cancelled."""
    if any(outcome.not_restored for outcome in outcomes):
        return EXIT_NOT_RESTORED
    if any(outcome.status in (RunStatus.FAILED, RunStatus.ABORTED) for outcome in outcomes):
        return EXIT_TARGET
    return EXIT_CANCELLED if any(outcome.status is RunStatus.CANCELLED for outcome in outcomes) else 0


def not_restored_text(options: argparse.Namespace) -> str:
    """Return how to undo changes that a run left."""
    return _("To undo the rest: replitune restore{journal}, or give rollback.sql to the DBA").format(
        journal=journal_option(options)
    )


def journal_option(options: argparse.Namespace) -> str:
    """Return the journal as an option of a command to be typed, "" where it was not named."""
    return f" --journal {options.journal}" if options.journal else ""
