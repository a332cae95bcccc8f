"""Bit flips in an undo journal: what is read must be what was written, and what is not read must be told."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from app.domain.change import JournalEntry
from app.domain.errors import StoreError
from app.store.journal import UndoJournalFile
from app.store.journal_witness import SessionPlace
from tests.store.sample import SESSION_ID, TARGET, make_change

ENTRIES = 4


@dataclass(frozen=True)
class Written:
    """A journal and all it ever said.

    Attributes:
        raw: the bytes of its file.
        states: the states each entry went through, by id; the last is the present one.
    """

    raw: bytes
    states: dict[int, list[JournalEntry]]

    @property
    def open_ids(self) -> set[int]:
        """Return the entries that are to be undone."""
        return {number for number, states in self.states.items() if states[-1].state.value != "restored"}


def write_journal(path: Path) -> Written:
    """Write a journal whose entries are short, longer than a page, with names beyond ASCII, and in each state."""
    states: dict[int, list[JournalEntry]] = {}
    with UndoJournalFile(path) as journal:
        journal.keep_place(SESSION_ID, SessionPlace(path.with_name("session.replitune"), path.with_name("back.sql")))

        def note() -> None:
            for entry in journal.entries_of(SESSION_ID):
                if entry not in states.setdefault(entry.entry_id, []):
                    states[entry.entry_id].append(entry)

        for number in range(1, ENTRIES + 1):
            change = make_change(number)
            if number == 2:
                change = replace(change, subject="Größe „α“", undo_sql="-- Größe\n" * 500)
            entry_id = journal.record_intent(SESSION_ID, TARGET, change)
            note()
            if number < ENTRIES:
                journal.mark_applied(
                    entry_id, replace(change, undo_sql=change.undo_sql + "-- made") if number == 3 else None
                )
                note()
        journal.mark_problem(2, "login refused")
        note()
        journal.mark_restored(1)
        note()
    return Written(path.read_bytes(), states)


@dataclass(frozen=True)
class Tally:
    """What came of a number of flips.

    Attributes:
        refused: entries that were told to be damaged, missing or unreadable, one for each flip.
        failures: flips after which something untrue was read, or an open entry was neither read nor told.
        lost: flips outside of all entries after which an open entry could not be read.
    """

    cases: int
    refused: int
    failures: tuple[str, ...]
    lost: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.cases} cases, {self.refused} with an entry refused, {len(self.lost)} that lost an intact entry, "
            f"{len(self.failures)} left changed and unreported"
        )


def flip_bits(written: Written, places: Iterable[int], folder: Path) -> Tally:
    """Flip one bit of each of some bytes, which one follows from the place, and open the journal."""
    cases = refused = 0
    failures: list[str] = []
    lost: list[str] = []
    for place in places:
        bit = random.Random(place).randrange(8)
        spoiled = bytearray(written.raw)
        spoiled[place] ^= 1 << bit
        path = folder / f"{place}.sqlite"
        path.write_bytes(spoiled)
        cases += 1
        read, told = _read(path)
        for file in folder.glob(f"{path.name}*"):
            file.unlink()
        untrue = [entry for entry in read if entry not in written.states.get(entry.entry_id, [])]
        gone = written.open_ids - {entry.entry_id for entry in read}
        refused += bool(gone)
        if untrue or (gone and not told):
            failures.append(f"byte {place}, bit {bit}: untrue {untrue}, gone {gone}, told {told!r}")
        if len(gone) > 1:
            lost.append(f"byte {place}, bit {bit}: {gone}, told {told!r}")
    return Tally(cases, refused, tuple(failures), tuple(lost))


def _read(path: Path) -> tuple[tuple[JournalEntry, ...], str]:
    try:
        with UndoJournalFile(path, create=False) as journal:
            return journal.open_entries(), str(journal.damage) if journal.damage.hides_changes else ""
    except StoreError as error:
        return (), str(error)
