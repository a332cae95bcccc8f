"""Readings of a trial that something passing kept from a server: skipped and counted, until several fail in a row.

A session sends a reading again where the server said that it may (`domain.errors.tries_of`); a tick that fails all the
same is skipped here.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from app.domain.errors import PASSING_AT_READING
from app.foundation.texts import _

MOST_IN_A_ROW: Final = 5
"""A server that does not answer so often in a row is no longer watched. Our choice: ten seconds to some minutes."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


@dataclass
class SkippedReadings:
    """Counts them over one trial; used by one thread."""

    count: int = 0

    def read(self, read: Callable[[], T], wait: Callable[[], None]) -> T:
        """Return a reading, where it fails that of a later moment.

        Args:
            wait: lets the time until that pass; may raise, as where the run is cancelled.

        Raises:
            TargetError: several failed in a row, or one did for another reason.
        """
        for number in range(1, MOST_IN_A_ROW + 1):
            try:
                return read()
            except PASSING_AT_READING as error:
                self.count += 1
                _log.info("a reading is skipped: %s", error)
                if number == MOST_IN_A_ROW:
                    raise
            wait()
        raise AssertionError("the last reading returns or raises")

    def tell(self, on_note: Callable[[str], None]) -> None:
        """Tell how many were skipped, once at the end of a trial; nothing where none was."""
        if self.count:
            on_note(
                _("readings skipped in a trial, because a server could not answer at that moment: {count}").format(
                    count=self.count
                )
            )
