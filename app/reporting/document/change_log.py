"""Every change to a server, its original value, and the proof that it was put back."""

from collections.abc import Sequence

from app.domain.change import JournalEntry
from app.domain.session import SessionRecord
from app.foundation.texts import _
from app.reporting.blocks import Block, Code, Column, Heading, Paragraph, Section, Start, Table
from app.reporting.document.summary import not_restored, restored_blocks
from app.reporting.numbers import number


def changes_section(session: SessionRecord) -> Section:
    """Return every change with its original value and the proof that it was put back, open ones with their undo."""
    blocks: list[Block] = list(restored_blocks(session))
    if session.changes:
        blocks.append(
            Paragraph(
                _(
                    "The undo of each change was written to disk before the change was sent. “Put back” means that the "
                    "original value was read from the server again after the undo. Each single change, with the "
                    "time it was made, is "
                    "in the attached changes.csv."
                )
            )
        )
        blocks.append(_changes_table(session.changes))
        blocks += _undo_scripts(session.changes)
    return Section(_("Changes and their undo"), tuple(blocks), Start.BY_SIZE)


def _changes_table(entries: Sequence[JournalEntry]) -> Table:
    """Return one row for each thing that was changed, with its first value and every value it was given."""
    groups: dict[tuple[str, str], list[JournalEntry]] = {}
    for entry in sorted(entries, key=lambda entry: entry.entry_id):
        groups.setdefault((entry.target, entry.change.subject), []).append(entry)
    columns = (
        Column(_("What"), width=2.2),
        Column(_("Target"), width=1),
        Column(_("Original"), width=1.1),
        Column(_("Changed to"), width=1.4),
        Column(_("Times"), "right"),
        Column(_("State"), width=1.3),
    )
    # Open ones first: they are what somebody has to act on.
    ordered = sorted(groups.items(), key=lambda item: not not_restored(item[1]))
    rows = tuple(
        (
            subject,
            target,
            group[0].change.original or "–",
            ", ".join(dict.fromkeys(entry.change.new or "–" for entry in group)),
            number(len(group)),
            _state(group),
        )
        for (target, subject), group in ordered
    )
    return Table(columns, rows, small=True)


def _state(group: Sequence[JournalEntry]) -> str:
    left = not_restored(group)
    if not left:
        return _("put back, read back")
    return _("NOT PUT BACK: {problem}").format(problem=left[-1].problem or _("not yet undone"))


def _undo_scripts(entries: Sequence[JournalEntry]) -> list[Block]:
    """Return the undo of every open change; of the others one of each kind, as all are attached."""
    open_entries = not_restored(entries)
    blocks: list[Block] = []
    if open_entries:
        blocks.append(Heading(_("Undo of what is not put back"), minor=True))
        blocks += [Code(e.change.undo_sql, f"#{e.entry_id} {e.change.subject}") for e in reversed(open_entries)]
        return blocks
    examples = {entry.change.kind: entry for entry in reversed(entries) if entry.change.undo_sql}
    if examples:
        note = _("One of each kind; the undo of every change is in the attached changes.csv.")
        blocks += [Heading(_("Undo scripts"), minor=True), Paragraph(note, quiet=True)]
        blocks += [Code(e.change.undo_sql, f"#{e.entry_id} {e.change.subject}") for e in examples.values()]
    return blocks
