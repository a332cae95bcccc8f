"""A run's changes on the server that are not yet undone, as one line for each object."""

from collections.abc import Sequence
from dataclasses import replace

from app.domain.change import Change


class OpenChanges:
    """The changes open right now, in the order they were made."""

    def __init__(self) -> None:
        self._changes: list[Change] = []

    def __bool__(self) -> bool:
        """Tell whether anything is open."""
        return bool(self._changes)

    def add(self, change: Change) -> None:
        """Take note of a change."""
        self._changes.append(change)

    def forget(self, change: Change) -> None:
        """Take note that a change was put back."""
        self._changes = list(without(self._changes, change))

    def clear(self) -> None:
        """Take note that everything was put back."""
        self._changes.clear()

    @property
    def lines(self) -> tuple[Change, ...]:
        """Return the present changes, the newest first; chained changes of one object are one line."""
        by_subject: dict[tuple[str, str], list[Change]] = {}
        for change in self._changes:
            chain = by_subject.pop((change.kind, change.subject), [])
            by_subject[(change.kind, change.subject)] = [*chain, change]
        lines = [replace(chain[-1], original=chain[0].original) for chain in by_subject.values()]
        return tuple(reversed(lines))


def without(changes: Sequence[Change], restored: Change) -> tuple[Change, ...]:
    """Return the changes that are still open after one was put back: of several like it, it was the last."""
    for position in reversed(range(len(changes))):
        if _tells(changes[position]) == _tells(restored):
            return (*changes[:position], *changes[position + 1 :])
    return tuple(changes)


def _tells(change: Change) -> tuple[str, str, str, str]:
    """Return the key that tells one change from another."""
    return change.kind, change.subject, change.original, change.new
