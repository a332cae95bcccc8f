"""Steps that make a session file, in order; a released step is never edited."""

from typing import Final

from app.store.migrations import (
    m0001_initial,
    m0002_annotations,
    m0003_happenings,
    m0004_own_words,
    m0005_shares,
    m0006_published_means,
    m0007_by_hand,
)

SESSION_STEPS: Final[tuple[tuple[str, ...], ...]] = (
    m0001_initial.STATEMENTS,
    m0002_annotations.STATEMENTS,
    m0003_happenings.STATEMENTS,
    m0004_own_words.STATEMENTS,
    m0005_shares.STATEMENTS,
    m0006_published_means.STATEMENTS,
    m0007_by_hand.STATEMENTS,
)
