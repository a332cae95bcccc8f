"""Whether the client's DBA makes a run's changes, so that a run which goes on asks for them, too."""

from typing import Final

STATEMENTS: Final = ("ALTER TABLE run ADD COLUMN by_hand INTEGER NOT NULL DEFAULT 0",)
