"""Steps that make an undo journal, in order; a released step is never edited."""

from typing import Final

from app.store.journal_migrations import m0001_initial, m0002_places, m0003_seals

JOURNAL_STEPS: Final[tuple[tuple[str, ...], ...]] = (
    m0001_initial.STATEMENTS,
    m0002_places.STATEMENTS,
    m0003_seals.STATEMENTS,
)
