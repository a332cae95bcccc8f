"""Problems of an undo journal in words: the known parts of each entry that cannot be used, and the way on."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from app.domain.change import JournalEntry, Keep
from app.domain.errors import StoreError
from app.foundation.texts import _
from app.services.target.target_spec import server_of
from app.store import DamagedEntry, JournalDamage, SessionPlace, UndoJournalFile, sentence_of_lost

_MOST_IDS: Final = 20


def damage_sentences(journal: UndoJournalFile) -> tuple[str, ...]:
    """Return a sentence for each thing that may be left changed on a server and that no intact entry tells of."""
    damage = journal.damage
    sentences = [_of_damaged(entry, journal) for entry in damage.damaged]
    if damage.lost is not None:
        sentences.append(sentence_of_lost(journal.path, damage.lost))
    if damage.missing:
        sentences.append(
            _(
                "entries are missing from the undo journal {journal} ({ids}), and what they changed is not "
                "known; run the rollback.sql of its sessions, then move the journal aside to begin a new one"
            ).format(journal=journal.path, ids=_listed(damage.missing))
        )
    if not damage.end_known:
        sentences.append(
            _(
                "the end of the undo journal {journal} is damaged, and later changes than it lists may be open; run "
                "the rollback.sql of its sessions, then move the journal aside to begin a new one"
            ).format(journal=journal.path)
        )
    return tuple(sentences)


def caution_sentences(journal: UndoJournalFile) -> tuple[str, ...]:
    """Return cautions on a journal even though everything in it can be undone."""
    damage = journal.damage
    sentences = []
    if damage.unchecked:
        sentences.append(
            _(
                "entries of an earlier version of Replitune have no checksum ({ids}): whether they say what was "
                "written cannot be checked, and they are undone as they stand"
            ).format(ids=_listed(damage.unchecked))
        )
    if damage.kept is not None:
        sentences.append(
            _(
                "the undo journal was damaged: its intact entries were written to a new one, and it is kept as {file}"
            ).format(file=damage.kept)
        )
    return tuple(sentences)


def doubt_of(damage: JournalDamage) -> Callable[[JournalEntry], str]:
    """Return a function that tells why this program may have set a value that a damaged entry does not hold.

    A later entry that is damaged or gone may be of the same value: what it says of itself is not certain.
    """
    doubtful = sorted({*(entry.entry_id for entry in damage.damaged), *damage.missing})

    def doubt(entry: JournalEntry) -> str:
        later = [number for number in doubtful if number > entry.entry_id]
        if not later and damage.end_known and damage.lost is None:
            return ""
        return _(
            "{subject} is neither as entry {entry_id} of the undo journal set it nor as it was before; later "
            "entries are damaged or missing ({ids}), so this program may have set it as well as somebody "
            "else: have it set to {original} by hand, then restore again"
        ).format(
            subject=entry.change.subject,
            entry_id=entry.entry_id,
            ids=_listed(later) if later else _("how many is not known"),
            original=entry.change.original or "–",
        )

    return doubt


def kept_sentences(entries: Iterable[JournalEntry]) -> tuple[str, ...]:
    """Return a sentence for each session of which the client keeps something on purpose, with the way to undo it."""
    by_session: dict[tuple[str, str], list[JournalEntry]] = {}
    for entry in entries:
        if entry.is_kept:
            by_session.setdefault((entry.session_id, entry.target), []).append(entry)
    return tuple(map(_of_kept, by_session.values()))


def _of_kept(entries: Sequence[JournalEntry]) -> str:
    """Return the sentence of one session; a process that was restarted for it is not worth a word."""
    oldest_first = sorted(entries, key=lambda entry: entry.entry_id)
    changes = [entry.change for entry in reversed(oldest_first)]
    values = [change for change in changes if not change.is_known_made] or changes
    words = _("{target} keeps on purpose, since {since}: {changes}; to undo it: replitune undo {session}")
    if oldest_first[0].change.kept is Keep.UNTIL_CAUGHT_UP:
        words = _(
            "{target} keeps on purpose until its backlog is processed, since {since}: {changes}; to undo it: "
            "replitune undo {session}"
        )
    return words.format(
        target=oldest_first[0].target,
        since=oldest_first[0].recorded_utc.isoformat(" ", "minutes"),
        changes=", ".join(f"{change.subject} {change.original or '–'} → {change.new or '–'}" for change in values),
        session=oldest_first[0].session_id,
    )


def changed_there(entries: Iterable[JournalEntry], *targets: str) -> tuple[str, ...]:
    """Return the changes of open entries at a target, by any of its names, oldest first, from which value to which."""
    servers = {server_of(target) for target in targets}
    there = sorted((e for e in entries if server_of(e.target) in servers), key=lambda entry: entry.entry_id)
    return tuple(f"{e.change.subject} {e.change.original or '–'} → {e.change.new or '–'}" for e in there)


def all_undone_sentence(journal_path: Path) -> str:
    """Return a sentence for a lost journal whose open changes were all undone from its sessions' files."""
    return _(
        "{path}: this undo journal was gone, empty or an older copy; the session files hold all that was open in it, "
        "and that is undone"
    ).format(path=journal_path)


def behind_sentence(trouble: str) -> str:
    """Return a sentence for a journal that could not be used while its changes were undone from memory."""
    return _(
        "the undo journal lacks what was done last ({why}); what is open is undone from memory, and what "
        "the journal still lists may safely be restored again"
    ).format(why=trouble)


def _of_damaged(entry: DamagedEntry, journal: UndoJournalFile) -> str:
    place = _place_of(journal, entry.session_id)
    way_on = (
        _("run the rollback.sql of its session")
        if place is None
        else _("run {script}, or have a DBA set what {session} lists of it").format(
            script=place.rollback_script, session=place.session_file
        )
    )
    return _(
        "entry {entry_id} of the undo journal {journal} is damaged and was not used; as far as it can be read it says: "
        "{subject} on {target}, {original} → {new}; {way_on}, then move the journal aside to begin a new one"
    ).format(
        entry_id=entry.entry_id,
        journal=journal.path,
        subject=entry.subject or "?",
        target=entry.target or "?",
        original=entry.original or "–",
        new=entry.new or "–",
        way_on=way_on,
    )


def _place_of(journal: UndoJournalFile, session_id: str) -> SessionPlace | None:
    try:
        return journal.place_of(session_id)
    except StoreError:
        return None


def _listed(ids: Sequence[int]) -> str:
    shown = ", ".join(str(number) for number in ids[:_MOST_IDS])
    return f"{shown}, …" if len(ids) > _MOST_IDS else shown
