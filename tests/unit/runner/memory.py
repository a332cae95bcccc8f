"""Doubles that implement the ports: a server of named values, and a journal in memory."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from app.domain.change import Change, EntryState, JournalEntry, Keep, OfProcess, StillRunning
from app.domain.errors import ChangedByOthers, ConnectionLost, Deadlock


class MemoryClock:
    """A clock that only moves when someone sleeps."""

    def __init__(self) -> None:
        self.slept_s = 0.0

    def now_utc(self) -> datetime:
        """Return the start of 2026 plus what was slept."""
        return datetime.fromtimestamp(1_767_225_600 + self.slept_s, UTC)

    def monotonic_s(self) -> float:
        """Return what was slept."""
        return self.slept_s

    def resolution_s(self) -> float:
        """Return 0: simulated time is exact."""
        return 0.0

    def sleep(self, seconds: float) -> None:
        """Let time pass at once."""
        self.slept_s += seconds


class MemoryServer:
    """A server whose whole state is named values; some failures can be asked for.

    Attributes:
        processes: by subject, what it is to a process. runs: the run each process is in, "" while it stands.
    """

    def __init__(self, **values: str) -> None:
        self.values = dict(values)
        self.log: list[str] = []
        self.failing_undos: dict[str, int] = {}
        self.failing_with: type[Exception] = Deadlock
        self.is_gone = False
        self.resisting: tuple[StillRunning, ...] = ()
        self.lose_before_sending = False
        self.lose_after_sending = False
        self.processes: dict[str, OfProcess] = {}
        self.runs: dict[str, str] = {}

    def is_applied(self, change: Change) -> bool:
        """Tell whether the new value is there."""
        return self.values.get(change.subject) == change.new

    def is_undone(self, change: Change) -> bool:
        """Tell whether the original is there."""
        return self.values.get(change.subject) == change.original

    def plan_quiesce(self, changes: object) -> tuple[Change, ...]:
        """Nothing has to stand for a named value."""
        return ()

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Stop the processes that a change stopped before; return those that resist."""
        self._answer()
        self.log.append("quiesce")
        for one in changes:
            of = self.process_of(one)
            if of is not None and of.is_stop:
                self.runs[of.process] = ""
        return self.resisting

    def process_of(self, change: Change) -> OfProcess | None:
        """Return what the named value is to a process."""
        return self.processes.get(change.subject)

    def run_of(self, change: Change) -> str:
        """Return the run of its process."""
        self._answer()
        return self.runs[self.processes[change.subject].process]

    def restart(self, change: Change, make: Callable[[Change], None], take_back: Callable[[Change], None]) -> bool:
        """Whoever stopped a process starts it."""
        del change, make, take_back
        return False

    def start(self, process: str) -> str:
        """Start a process, which reads what is set by then; return its run."""
        self.runs[process] = f"run {sum(line.startswith('start ') for line in self.log) + 1}"
        self.log.append(f"start {process}")
        return self.runs[process]

    def apply(self, change: Change) -> None:
        """Set the value, or lose the connection before or after the server took it."""
        if self.lose_before_sending:
            raise ConnectionLost("the connection broke")
        self.log.append(f"apply {change.subject}")
        self.values[change.subject] = change.new
        if self.lose_after_sending:
            raise ConnectionLost("the connection broke")

    def undo(self, change: Change) -> None:
        """Put the original back, or fail as often as was asked for."""
        self._answer()
        if self.failing_undos.get(change.subject, 0) > 0:
            self.failing_undos[change.subject] -= 1
            raise self.failing_with(f"{change.subject} is still {self.values[change.subject]}")
        if self.values[change.subject] not in (change.original, change.new):
            raise ChangedByOthers(f"{change.subject} is {self.values[change.subject]}, set by somebody else")
        self.log.append(f"undo {change.subject}")
        self.values[change.subject] = change.original
        of = self.process_of(change)
        if of is not None and of.is_stop and not self.runs[of.process]:
            self.start(of.process)

    def _answer(self) -> None:
        if self.is_gone:
            raise ConnectionLost("the server is gone")


class MemoryJournal:
    """An undo journal in memory that notes the order of everything, with the server's own log."""

    def __init__(self, log: list[str]) -> None:
        self.entries: dict[int, JournalEntry] = {}
        self._log = log

    def record_intent(self, session_id: str, target: str, change: Change) -> int:
        """Keep an entry."""
        entry_id = len(self.entries) + 1
        now = datetime(2026, 1, 1, tzinfo=UTC)
        self.entries[entry_id] = JournalEntry(entry_id, session_id, target, change, EntryState.INTENT, now)
        self._log.append(f"intent {change.subject}")
        return entry_id

    def mark_applied(self, entry_id: int, made: Change | None = None) -> None:
        """Keep that it was applied, and how."""
        entry = self.entries[entry_id]
        self.entries[entry_id] = replace(entry, state=EntryState.APPLIED, change=made or entry.change)

    def mark_restored(self, entry_id: int) -> None:
        """Keep that it was restored."""
        self.entries[entry_id] = replace(self.entries[entry_id], state=EntryState.RESTORED)
        self._log.append(f"restored {self.entries[entry_id].change.subject}")

    def mark_left(self, entry_id: int, change: Change) -> None:
        """Keep how it was left."""
        self.entries[entry_id] = replace(self.entries[entry_id], change=change)

    def mark_kept(self, entry_ids: Sequence[int], how: Keep | None) -> None:
        """Keep that they stay on purpose, or no longer."""
        for entry_id in entry_ids:
            entry = self.entries[entry_id]
            self.entries[entry_id] = replace(entry, change=entry.change.kept_as(how))
        self._log.append("kept" if how else "no longer kept")

    def mark_problem(self, entry_id: int, problem: str) -> None:
        """Keep why it was not."""
        self.entries[entry_id] = replace(self.entries[entry_id], problem=problem)

    def open_entries(self, target: str | None = None) -> tuple[JournalEntry, ...]:
        """Return what is open, newest first."""
        found = [e for e in self.entries.values() if e.state is not EntryState.RESTORED]
        return tuple(reversed([e for e in found if target in (None, e.target)]))

    def entries_of(self, session_id: str) -> tuple[JournalEntry, ...]:
        """Return everything of a session."""
        return tuple(e for e in self.entries.values() if e.session_id == session_id)


def change(subject: str, original: str, new: str) -> Change:
    """Return a change of one named value."""
    return Change("value", subject, original, new, (), f"set {subject}", f"unset {subject}")
