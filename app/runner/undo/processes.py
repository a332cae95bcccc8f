"""In which run of its process a value is in effect: one that is set again may count from the next start only."""

from collections.abc import Sequence

from app.domain.change import Change, OfProcess
from app.domain.errors import TargetError
from app.domain.target import Target
from app.foundation.texts import _


def run_with(target: Target, change: Change, alike: Sequence[Change]) -> str:
    """Return the run in which the process of a change that was undone may work with its new value, "" for none.

    Args:
        alike: every change of the same value that was open, whatever each knows of the process.
    """
    of = target.changes.process_of(change)
    if of is None or of.is_stop:
        return ""
    run = target.changes.run_of(change)
    return run if any(one.may_run_on(run) for one in alike) else ""


def counts_later(change: Change, why: str) -> str:
    """Return the sentence on an original that counts once its process has stopped, and why it has not."""
    return _("{original} is set again, but is not in effect yet: {why}; restore again when it has stopped").format(
        original=change.original or "–", why=why.rstrip(".")
    )


def process_of(target: Target, change: Change) -> OfProcess | None:
    """Return the process of a change, None also for a kind this program does not know."""
    try:
        return target.changes.process_of(change)
    except TargetError:
        return None


def is_stop(target: Target, change: Change) -> bool:
    """Tell whether a change stopped a process."""
    of = process_of(target, change)
    return of is not None and of.is_stop


def not_in_effect(target: Target, change: Change, run: str) -> str:
    """Return the sentence on an original that its process, in that run, does not work with yet, or ""."""
    of = process_of(target, change)
    if not run or of is None:
        return ""
    return _(
        "{original} is set again, but not in effect until the next start of {process}, which was started since "
        "this was changed; restart it, then restore again"
    ).format(original=change.original or "–", process=of.process)
