"""Ports of experiments and services to the outside, as protocols; systems, store and charts implement them."""

from collections.abc import Callable, Sequence
from typing import Protocol

from app.domain.change import Change, JournalEntry, Keep, OfProcess, StillRunning
from app.domain.plot import Figure
from app.domain.statement import StatementRecord

StatementSink = Callable[[StatementRecord], None]


class ServerChanges(Protocol):
    """Making and undoing changes; knows nothing of the journal, which its caller keeps.

    Undo works from a `Change` alone, also in another process, and whether or not the change was ever sent.
    """

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Stop the processes whose parameters these changes concern, so that originals count from their next start.

        Called before `undo`; the entry that recorded one as running starts it again when it is undone. Every
        one is tried; returned are those that resist.

        Raises:
            ConnectionLost, StatementTimeout: the server does not answer.
        """
        ...

    def apply(self, change: Change) -> Change | None:
        """Send the change and read it back; return it where applying it revealed details that the plan could not know,
        else None.

        Raises:
            VerificationFailed: the value read back is not the new one.
        """
        ...

    def undo(self, change: Change) -> None:
        """Put the original back and read it back; does nothing where it is already there.

        Raises:
            VerificationFailed: the value read back is not the original.
        """
        ...

    def is_applied(self, change: Change) -> bool:
        """Tell, by reading only, whether the change is in effect, whoever made it."""
        ...

    def is_undone(self, change: Change) -> bool:
        """Tell, by reading only, whether the original is in effect, whoever put it back."""
        ...

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Return the changes that `quiesce` would make now, with scripts for someone else to run."""
        ...

    def process_of(self, change: Change) -> OfProcess | None:
        """Return the process whose start makes a change count, or that it stopped; None for any other change."""
        ...

    def run_of(self, change: Change) -> str:
        """Read which run the process of a change is in: another text after each start, "" while it stands."""
        ...

    def restart(self, change: Change, make: Callable[[Change], None], take_back: Callable[[Change], None]) -> bool:
        """Have the process of a change that is undone start anew; tell whether that was done.

        Only where the server does so by itself once something is changed: any other is started by what stopped it, or
        by its owner.

        Args:
            make, take_back: make and undo a change under the journal.

        Raises:
            TargetError: it did not start again in time, or a change was refused.
        """
        ...


class UndoJournal(Protocol):
    """The list of changes on disk. Every call returns only when its write is on disk (fsync)."""

    def record_intent(self, session_id: str, target: str, change: Change) -> int:
        """Write a change before it is sent; return its entry id."""
        ...

    def mark_applied(self, entry_id: int, made: Change | None = None) -> None:
        """Write that the change was sent and read back, and how it was made where the plan could not know."""
        ...

    def mark_restored(self, entry_id: int) -> None:
        """Write that the original was read back."""
        ...

    def mark_left(self, entry_id: int, change: Change) -> None:
        """Record the state in which a changed object is left; held in memory where it cannot be written."""
        ...

    def mark_kept(self, entry_ids: Sequence[int], how: Keep | None) -> None:
        """Write that the client keeps these changes on purpose, or, for None, no longer: all of them, or none.

        Raises:
            StoreError: it cannot be written, so they are to be undone as before.
        """
        ...

    def mark_problem(self, entry_id: int, problem: str) -> None:
        """Write why undoing failed; the entry stays open."""
        ...

    def open_entries(self, target: str | None = None) -> tuple[JournalEntry, ...]:
        """Return entries not restored, newest first: the order to undo them in."""
        ...

    def entries_of(self, session_id: str) -> tuple[JournalEntry, ...]:
        """Return all entries of a session, oldest first."""
        ...


class FigureRenderer(Protocol):
    """Draws plots and pictures of sites as vector figures for the report."""

    def render_svg(self, plots: Sequence[Figure]) -> tuple[bytes, ...]:
        """Return one SVG document for each figure, text as text."""
        ...
