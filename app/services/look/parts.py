"""Parts of a look that may fail: a login that may only monitor still sees the rest."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from app.domain.errors import TargetError

T = TypeVar("T")


@dataclass
class Parts:
    """Reads parts of a target.

    Attributes:
        unread: one sentence for each that could not be read.
    """

    unread: list[str] = field(default_factory=list)

    def read(self, part: Callable[[], T], missing: T) -> T:
        """Return a reading, or `missing` with the sentence kept."""
        try:
            return part()
        except TargetError as error:
            self.unread.append(str(error))
            return missing
