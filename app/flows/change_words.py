"""How a change on a server is told while it is open."""

from typing import Final

from app.domain.change import Change
from app.foundation.texts import _

# How the kind of a change ends that a first stop is kept as. Later starts and stops of the same run stay under it: what
# was stopped runs while it is measured, and the change is undone by starting it for good.
_STOPPED: Final = "_stopped"


def value_text(value: str) -> str:
    """Return a value of a change; an empty one is said to be."""
    return value or _("(empty)")


def value_now(change: Change) -> str:
    """Return what a change has set, as long as it is open."""
    if change.kind.endswith(_STOPPED):
        return _("stopped between trials")
    return value_text(change.new)


def from_to(change: Change) -> str:
    """Return the value before and the one now, as long as the change is open."""
    return f"{value_text(change.original)} → {value_now(change)}"
