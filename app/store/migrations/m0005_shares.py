"""How much of a server's processors other work took while a trial was measured."""

from typing import Final

STATEMENTS: Final = (
    "ALTER TABLE happening ADD COLUMN share REAL NOT NULL DEFAULT 0.0",  # of the processors, 0 where not known
)
