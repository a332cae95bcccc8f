"""Whether the servers are as they were: every change undone and read back, or still open."""

from collections.abc import Sequence

from app.domain.change import EntryState, JournalEntry
from app.domain.session import SessionRecord
from app.foundation.texts import _
from app.reporting.blocks import Block, Callout, Code, Heading, Paragraph
from app.reporting.numbers import moment, number
from app.reporting.printed import printed
from app.reporting.tables.changes import NOT_UNDONE, from_to, journal_table


def restored_blocks(session: SessionRecord) -> list[Block]:
    """Return whether everything that was changed on a server has been put back."""
    entries = session.changes
    if not entries:
        if session.runs:
            return [
                Callout("good", _("Nothing was changed"), _("No setting of any server was changed in this session."))
            ]
        return [Paragraph(_("This program was connected to no server and changed nothing."))]
    left, kept = not_restored(entries), _kept(entries)
    if left:
        text = _(
            "{left} of {count} changes are not undone. The provenance page lists them with the script for each; run "
            "“replitune restore”, or rollback.sql beside the session."
        )
        return [
            Callout(
                "bad", _("Not everything was undone"), text.format(left=number(len(left)), count=number(len(entries)))
            )
        ]
    if kept:
        text = _(
            "{changes}, since {since}. Every other change is undone and checked (changes.csv). To undo this, too: "
            "“replitune undo {session}”, or rollback.sql beside the session."
        )
        told = ", ".join(f"{entry.change.subject}: {from_to(entry.change)}" for entry in reversed(kept))
        since = moment(kept[-1].recorded_utc)
        return [
            Callout("info", _("Kept on purpose"), text.format(changes=told, since=since, session=session.session_id))
        ]
    text = _("All {count} changes made for the trials are undone, and each original value was checked (changes.csv).")
    return [Callout("good", _("Your servers are as they were"), text.format(count=number(len(entries))))]


def open_changes(session: SessionRecord) -> list[Block]:
    """Return the changes that stand, with the script that undoes each; [] where all are undone."""
    blocks: list[Block] = []
    for title, standing in (
        (_("Changes not undone"), not_restored(session.changes)),
        (_("Changes kept on purpose"), _kept(session.changes)),
    ):
        if standing:
            scripts = (Code(e.change.undo_sql, f"#{e.entry_id} {e.change.subject}") for e in reversed(standing))
            blocks += [Heading(title, minor=True), printed(journal_table(standing, NOT_UNDONE)), *scripts]
    return blocks


def not_restored(entries: Sequence[JournalEntry]) -> tuple[JournalEntry, ...]:
    """Return the changes whose original value was not read back, though it was to be."""
    return tuple(entry for entry in entries if entry.state is not EntryState.RESTORED and not entry.is_kept)


def _kept(entries: Sequence[JournalEntry]) -> tuple[JournalEntry, ...]:
    """Return the values that a client keeps on purpose; the process that was restarted for them runs as before."""
    return tuple(entry for entry in entries if entry.is_kept and not entry.change.is_known_made)
