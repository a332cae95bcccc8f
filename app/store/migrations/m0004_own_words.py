"""A consultant's texts for a report: title, foreword, version, confidentiality, prose for each decision.

Like notes and tags it is no part of the evidence: the fingerprint of a session leaves it out.
"""

from typing import Final

STATEMENTS: Final = (
    """
    CREATE TABLE own_words (
        session_key INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
        place       TEXT NOT NULL,  -- 'foreword', 'decision <key>' ...
        text        TEXT NOT NULL,
        PRIMARY KEY (session_key, place)
    ) STRICT, WITHOUT ROWID
    """,
)
