"""The offer to undo changes that a crash left, as plain data."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path

from app.domain.change import JournalEntry
from app.domain.setting import value_text
from app.domain.view import TableContent
from app.flows.run.run_log import restored_line
from app.flows.shell.start_view import local_time
from app.flows.words import counted, sentence
from app.foundation.texts import _
from app.reporting.tables.changes import LEFT, change_values, journal_table
from app.services.run.journal_words import kept_sentences
from app.services.run.restoring import RestoreOutcome, Undoing, state_if_any
from app.services.run.running_mark import runs_elsewhere


@dataclass(frozen=True)
class RestoreOffer:
    """The offer to undo changes that a crash left.

    Attributes:
        headline: what happened, in one sentence.
        caution: when not to restore.
        changes: newest first.
        can_restore: nobody else is putting these back.
        restore_text: on the button that does.
    """

    headline: str
    caution: str
    changes: TableContent
    can_restore: bool = True
    restore_text: str = _("Restore no&w")


@dataclass(frozen=True)
class JournalReading:
    """The open changes of the undo journal, newest first, and whether another window runs an experiment right now.

    Attributes:
        problems: one sentence for each thing in it that is damaged and may hide a change.
        kept: one sentence for each session of which a client keeps something on purpose.
    """

    entries: tuple[JournalEntry, ...]
    runs_elsewhere: bool = False
    problems: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def read_journal(journal_path: Path) -> JournalReading:
    """Read the undo journal, which is empty where this user has made no change yet; for a worker thread.

    Raises:
        StoreError: the journal cannot be used.
    """
    state = state_if_any(journal_path)
    return JournalReading(state.entries, runs_elsewhere(journal_path), state.problems, kept_sentences(state.kept))


def restore_offer(
    entries: Sequence[JournalEntry],
    zone: tzinfo | None = None,
    *,
    runs_elsewhere: bool = False,
    problems: Sequence[str] = (),
) -> RestoreOffer | None:
    """Return the offer, None where nothing is open; while another window runs nothing can be put back here.

    Args:
        problems: what of the journal is damaged and may hide a change.
    """
    if not entries:
        return (
            RestoreOffer("", " ".join(f"{problem}." for problem in problems), TableContent(()), can_restore=False)
            if problems
            else None
        )
    targets = ", ".join(dict.fromkeys(entry.target for entry in entries))
    headline = _("An earlier run ended before everything was undone: {count} changes are still in effect on {targets}.")
    if len(entries) == 1:
        headline = _("An earlier run ended before everything was undone: 1 change is still in effect on {targets}.")
    return RestoreOffer(
        headline=headline.format(count=len(entries), targets=targets),
        caution=_(
            "Another window of Replitune is running an experiment: what it has changed is listed, too, and "
            "it undoes that itself. Come back when it has ended."
        )
        if runs_elsewhere
        else " ".join(f"{problem}." for problem in problems),
        changes=journal_table(entries, LEFT, lambda when: local_time(when, zone)),
        can_restore=not runs_elsewhere,
        restore_text=counted(len(entries), _("Restore 1 change no&w"), _("Restore {count} changes no&w")),
    )


def by_hand_question(entries: Sequence[JournalEntry]) -> str:
    """Return the question asked before changes are undone that a client's DBA has made, "" where there is none."""
    by_hand = [entry for entry in entries if entry.change.is_by_hand]
    if not by_hand:
        return ""
    return _(
        "The client's DBA made {count} of the {total} open changes in guided work. Ask the DBA to undo them, script by "
        "script? Undoing all from here changes the servers without the DBA."
    ).format(count=len(by_hand), total=len(entries))


def looking_text() -> str:
    """Return the text shown while nothing is asked of the DBA."""
    return _("For each change that the servers do not show undone yet, a script for the DBA stands here.")


def restoring_text() -> str:
    """Return the text shown until the first change is undone: the servers are reached first, and processes stopped."""
    return _("Undoing and checking what is still open …")


def undoing_text(undoing: Undoing) -> str:
    """Return which change is being undone right now, and how many there are."""
    now, before = change_values(undoing.change)
    return _("Undoing {place} of {count}: {subject}: {before} → {now}").format(
        place=value_text(undoing.place),
        count=value_text(undoing.count),
        subject=undoing.change.subject,
        before=before,
        now=now,
    )


def restore_result(outcome: RestoreOutcome, at: datetime) -> str:
    """Return the result of a restore that ended at a time of day, in one sentence."""
    if not outcome.problems:
        told = sentence(restored_line(at, len(outcome.restored)))
        return " ".join((told, *(_("Note: {text}").format(text=caution) for caution in outcome.cautions)))
    return _("Undone: {restored}; still open: {open}. {problem}").format(
        restored=len(outcome.restored), open=outcome.open_count, problem=outcome.problems[0]
    )
