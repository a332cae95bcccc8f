"""What every kind of change can do, whether it is declared or has code of its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from app.domain.change import Change
from app.domain.declared_change import changed_meanwhile
from app.domain.errors import ChangedMeanwhile, Unsupported
from app.foundation.texts import _


class ChangeKind(Protocol):
    """One kind of change: how it is made and undone, and how both are seen."""

    def apply(self, change: Change) -> Change | None:
        """Send it and read it back; return it where making it showed what the plan could not know."""
        ...

    def undo(self, change: Change) -> None:
        """Put the original back and read it back; nothing where it is there."""
        ...

    def is_applied(self, change: Change) -> bool:
        """Tell, by reading only, whether it is in effect."""
        ...

    def is_undone(self, change: Change) -> bool:
        """Tell, by reading only, whether the original is in effect."""
        ...


@dataclass(frozen=True)
class Switch:
    """A kind of change of whether something runs; what starts and stops it waits, and reads back, by itself.

    Attributes:
        make, put_back: do nothing where it is so already.
        is_made, is_back: tell by reading.
    """

    make: Callable[[Change], None]
    put_back: Callable[[Change], None]
    is_made: Callable[[Change], bool]
    is_back: Callable[[Change], bool]

    def apply(self, change: Change) -> None:
        """Make it and wait for it; raises ChangedMeanwhile where somebody else made it since it was planned."""
        if self.is_made(change):
            raise ChangedMeanwhile(changed_meanwhile(change, change.new))
        self.make(change)

    def undo(self, change: Change) -> None:
        """Put it back and wait for it."""
        self.put_back(change)

    def is_applied(self, change: Change) -> bool:
        """Tell, by reading only, whether it is in effect."""
        return self.is_made(change)

    def is_undone(self, change: Change) -> bool:
        """Tell, by reading only, whether the original is in effect."""
        return self.is_back(change)


class ChangesByKind:
    """Makes and undoes changes of several kinds, each by what is known of its kind."""

    def __init__(self, kinds: Mapping[str, ChangeKind]) -> None:
        self.kinds = kinds

    def apply(self, change: Change) -> Change | None:
        """Send the change and read it back; raises VerificationFailed where it reads otherwise."""
        return self._kind(change).apply(change)

    def undo(self, change: Change) -> None:
        """Put the original back and read it back; does nothing where it is already there."""
        self._kind(change).undo(change)

    def is_applied(self, change: Change) -> bool:
        """Tell, by reading only, whether the change is in effect, whoever made it."""
        return self._kind(change).is_applied(change)

    def is_undone(self, change: Change) -> bool:
        """Tell, by reading only, whether the original is in effect, whoever put it back."""
        return self._kind(change).is_undone(change)

    def _kind(self, change: Change) -> ChangeKind:
        kind = self.kinds.get(change.kind)
        if kind is None:
            raise Unsupported(
                _('this program does not know changes of kind "{kind}"; use the newer one that made it').format(
                    kind=change.kind
                )
            )
        return kind
