"""What an undo finds that neither this program set nor was there before: somebody else's value, which stays."""

from app.domain.change import Change
from app.domain.errors import ChangedByOthers
from app.foundation.texts import _


def changed_by_others(change: Change, found: str) -> ChangedByOthers:
    """Return the error for a value, as a person reads it, that somebody else set since the change was made."""
    return ChangedByOthers(
        _(
            '{subject} was changed to "{found}" by somebody else and is left so; put back {original}, '
            "and restore again, or keep it with `replitune restore --keep-others`"
        ).format(subject=change.subject, found=found, original=change.original)
    )
