"""Whether the servers are as they were: every change undone and read back, or still open."""

from collections.abc import Sequence

from app.domain.change import EntryState, JournalEntry
from app.domain.session import SessionRecord
from app.foundation.texts import _
from app.reporting.blocks import Block, Callout, Code, Heading, Paragraph
from app.reporting.numbers import number
from app.reporting.printed import printed
from app.reporting.tables.changes import NOT_UNDONE, journal_table


def restored_blocks(session: SessionRecord) -> list[Block]:
    """Return whether everything that was changed on a server has been put back."""
    entries = session.changes
    if not entries:
        if session.runs:
            return [
                Callout("good", _("Nothing was changed"), _("No setting of any server was changed in this session."))
            ]
        return [Paragraph(_("This program was connected to no server and changed nothing."))]
    left = not_restored(entries)
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
    text = _("All {count} changes made for the trials are undone, and each original value was checked (changes.csv).")
    return [Callout("good", _("Your servers are as they were"), text.format(count=number(len(entries))))]


def open_changes(session: SessionRecord) -> list[Block]:
    """Return the open changes, with the script for each; [] where all are undone."""
    left = not_restored(session.changes)
    if not left:
        return []
    scripts = (Code(e.change.undo_sql, f"#{e.entry_id} {e.change.subject}") for e in reversed(left))
    return [Heading(_("Changes not undone"), minor=True), printed(journal_table(left, NOT_UNDONE)), *scripts]


def not_restored(entries: Sequence[JournalEntry]) -> tuple[JournalEntry, ...]:
    """Return the changes whose original value was not read back."""
    return tuple(entry for entry in entries if entry.state is not EntryState.RESTORED)


def is_lab(target: str) -> bool:
    """Tell whether a target is simulated, in the program or in a process of its own."""
    return target == "lab" or target.startswith(("lab:", "lab@"))
