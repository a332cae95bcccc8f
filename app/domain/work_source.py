"""Where the work of a trial comes from: a load of this program's own, or the client's work as it is."""

from enum import StrEnum
from typing import Final

from app.domain.load import Load

SOURCE: Final = "source"
"""The key of a load that tells it."""

SCENARIO: Final = "scenario"
"""The key of a load that tells how work of this program's own meets the process under test."""

WINDOWS: Final = "windows"
"""Its value where one backlog is written, and settings change in windows on it."""


class WorkSource(StrEnum):
    """Who made the work that a trial measures.

    A test table's is written by the trial. The others write nothing: the backlog that waits already, one that gathers
    while the process under test is held, or what arrives while nothing is held.
    """

    TEST_TABLE = "test_table"
    OWN_BACKLOG = "own_backlog"
    HELD = "held"
    OWN_TRAFFIC = "own_traffic"

    @property
    def is_own_work(self) -> bool:
        """Whether it is the client's own work, so that nothing is written."""
        return self is not WorkSource.TEST_TABLE

    @property
    def shows_capacity(self) -> bool:
        """Whether a backlog waits, so that a window's rate is what the setting can do rather than what arrives."""
        return self is not WorkSource.OWN_TRAFFIC


def work_source_of(load: Load) -> WorkSource:
    """Return the source a load names; plans of before named none and wrote to a test table."""
    return WorkSource(str(load.get(SOURCE, WorkSource.TEST_TABLE)))


def is_in_windows(load: Load) -> bool:
    """Tell whether trials are windows on one backlog: of the client's own work always, of a test table by its load."""
    return work_source_of(load).is_own_work or load.get(SCENARIO) == WINDOWS
