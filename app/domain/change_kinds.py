"""The interface of every kind of change, whether it is declared or has code of its own."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.domain.change import Change, LeftAs, OfProcess, StillRunning
from app.domain.declared_change import changed_meanwhile
from app.domain.errors import PASSING_ERRORS, ChangedByOthers, ChangedMeanwhile, Gone, TargetError, Unsupported
from app.foundation.texts import _


class ChangeKind(Protocol):
    """One kind of change: how it is made and undone, and how both are seen."""

    def apply(self, change: Change) -> Change | None:
        """Send the change and read it back; return it where applying it revealed details that the plan could not
        know."""
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
    """A kind of change that starts or stops something; the switch itself waits and reads back.

    Attributes:
        make, put_back: do nothing where it is so already; `make` returns whether it was this that made it.
        is_made, is_back: tell by reading.
        is_decided: tells, of one that is not as it was left, whether somebody decided so; it may have failed instead.
        is_anothers: tells that what is there cannot come from this change, of which nobody knows whether it was sent.
    """

    make: Callable[[Change], bool]
    put_back: Callable[[Change], object]
    is_made: Callable[[Change], bool]
    is_back: Callable[[Change], bool]
    is_decided: Callable[[Change], bool]
    is_anothers: Callable[[Change], bool] = lambda _change: False

    def apply(self, change: Change) -> None:
        """Make it and wait for it; raises ChangedMeanwhile where somebody else made it since it was planned."""
        if self.is_made(change) or not self.make(change):
            raise ChangedMeanwhile(changed_meanwhile(change, change.new))

    def undo(self, change: Change) -> None:
        """Put it back and wait for it.

        Raises:
            ChangedByOthers: it had been left as it was found, and somebody else made it otherwise since; it stays so.
        """
        if self.is_others(change):
            raise ChangedByOthers(
                _(
                    "{subject} is {now}, though it was left {original}: somebody else changed it since, so it stays; "
                    "make it {original} and restore again, or keep it with `replitune restore --keep-others`"
                ).format(subject=change.subject, now=change.new, original=change.original)
            )
        self.put_back(change)

    def is_others(self, change: Change) -> bool:
        """Tell whether somebody else decided on it since a run left it as it was found, or never changed it."""
        if change.left_as is LeftAs.NEW:
            return self.is_anothers(change) and not self.is_back(change)
        return not self.is_back(change) and self.is_decided(change)

    def is_applied(self, change: Change) -> bool:
        """Tell, by reading only, whether it is in effect."""
        return self.is_made(change)

    def is_undone(self, change: Change) -> bool:
        """Tell, by reading only, whether the original is in effect."""
        return self.is_back(change)


def stop_each(
    concerned: Iterable[Change],
    stop: Callable[[Change], object],
    hanging_on: Callable[[Change], tuple[tuple[Change, ...], tuple[Change, ...]]],
) -> tuple[StillRunning, ...]:
    """Stop the process of each change, and return those that resist.

    Args:
        hanging_on: tells the changes of its parameters, and those of whether it runs.
    """
    resisting = []
    for change in concerned:
        try:
            stop(change)
        except PASSING_ERRORS:
            raise
        except TargetError as error:
            resisting.append(StillRunning(str(error), *hanging_on(change), isinstance(error, Gone)))
    return tuple(resisting)


class ChangesByKind:
    """Makes and undoes changes, dispatching each to its kind."""

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

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Stop nothing: such changes count at once, or their change restarts the process."""
        return ()

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Plan nothing, as `quiesce`."""
        return ()

    def process_of(self, change: Change) -> OfProcess | None:
        """Return None: the change takes effect at once."""
        del change
        return None

    def run_of(self, change: Change) -> str:
        """Return nothing: no process has to start for it."""
        del change
        return ""

    def restart(self, change: Change, make: Callable[[Change], None], take_back: Callable[[Change], None]) -> bool:
        """Restart nothing: whoever stopped a process starts it."""
        del change, make, take_back
        return False

    def _kind(self, change: Change) -> ChangeKind:
        kind = self.kinds.get(change.kind)
        if kind is None:
            raise Unsupported(
                _('this program does not know changes of kind "{kind}"; use the newer one that made it').format(
                    kind=change.kind
                )
            )
        return kind
