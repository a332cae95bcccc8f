"""Published means with their number of runs and standard deviation, and values a document gives as a range."""

from typing import Final

STATEMENTS: Final = (
    "ALTER TABLE imported ADD COLUMN runs INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE imported ADD COLUMN sd REAL NOT NULL DEFAULT 0",
    "ALTER TABLE imported ADD COLUMN half_range REAL NOT NULL DEFAULT 0",
)
