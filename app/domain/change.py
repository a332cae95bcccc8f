"""One change to a server with its undo, as the journal keeps it and a DBA can read it."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from app.domain.setting import Value

INSTANCE: Final = "instance"
"""The detail that tells apart things of one subject none of which builds on another, such as marker after marker."""


LEFT: Final = "left"
"""The detail that tells how a process that is stopped and started time and again was left last, a `LeftAs`."""

BY_HAND: Final = "by_hand"
"""The detail that tells that the client's DBA makes a change and undoes it, 1 where it is so."""


RUN_FOUND: Final = "run_found"
"""The detail of a change that counts from a process's start: in which run it was when this was planned, "" stood."""


RUN_LEFT: Final = "run_left"
"""The detail that tells which run of the process went on when the original was set again."""


KEPT: Final = "kept"
"""The detail that tells that a client keeps a change on purpose, a `Keep`."""


class Keep(StrEnum):
    """How long a client keeps a setting that was found; nothing undoes it unasked, whatever ends this program."""

    UNTIL_CAUGHT_UP = "until_caught_up"
    FOR_GOOD = "keep"


class LeftAs(StrEnum):
    """How a run left the object of a change: as it was found, or as the run wanted it."""

    ORIGINAL = "original"
    NEW = "new"


@dataclass(frozen=True)
class Change:
    """A change that can be applied, verified and undone by the target that planned it.

    Attributes:
        kind: what it is, in the target's vocabulary, such as `parameter_set`; the target knows how to apply,
            read back and undo each kind, whether or not the change was ever sent.
        subject: what is changed, for a person: "parallelism of process SALES".
        original, new: the values before and after, for a person; never a secret.
        details: what the target needs to do and undo it (ids, names, numbers); JSON-compatible, never a secret.
        apply_sql, undo_sql: stand-alone scripts for a DBA without this tool; `undo_sql` may be run twice.
        needs_consent: one sentence on the effect on production ("stops delivery while it restarts").
    """

    kind: str
    subject: str
    original: str
    new: str
    details: tuple[tuple[str, Value], ...]
    apply_sql: str
    undo_sql: str
    needs_consent: str = ""

    @property
    def object_key(self) -> tuple[str, str, str]:
        """Identify the changed object: changes to one object build on one another and are undone newest first."""
        return self.kind, self.subject, str(self.detail_or(INSTANCE, ""))

    @property
    def left_as(self) -> LeftAs:
        """How it was left last; as it was made where nothing says otherwise."""
        return LeftAs(str(self.detail_or(LEFT, LeftAs.NEW)))

    @property
    def is_known_made(self) -> bool:
        """Whether it was kept that it was made, of a process that is stopped and started time and again."""
        return self.detail_or(LEFT, "") != ""

    def with_left(self, how: LeftAs) -> "Change":
        """Return it with how it was left last."""
        return self._with(LEFT, how.value)

    def found_in(self, run: str) -> "Change":
        """Return it with the run its process was in when it was planned, as `ServerChanges.run_of` tells it."""
        return self._with(RUN_FOUND, run)

    def undone_in(self, run: str) -> "Change":
        """Return it with the run its process went on in when the original was set again, "" where that is not known."""
        return self._with(RUN_LEFT, run)

    @property
    def tells_run_left(self) -> bool:
        """Whether it tells in which run its process went on when the original was set again."""
        return bool(self.detail_or(RUN_LEFT, ""))

    def may_run_on(self, run: str) -> bool:
        """Tell whether a process in this run may work with the new value, though the original is set again.

        One that stands reads the original at its next start, and one that was never restarted still has it. What no
        entry tells of a run may be.
        """
        left = str(self.detail_or(RUN_LEFT, ""))
        return bool(run) and (run == left if left else run != self.detail_or(RUN_FOUND, ""))

    def _with(self, name: str, value: Value) -> "Change":
        others = tuple((key, given) for key, given in self.details if key != name)
        return replace(self, details=(*others, (name, value)))

    @property
    def is_by_hand(self) -> bool:
        """Whether the client's DBA made it: undoing it is asked of them, too."""
        return bool(self.detail_or(BY_HAND, 0))

    def made_by_hand(self) -> "Change":
        """Return it as one the client's DBA makes."""
        return self if self.is_by_hand else self._with(BY_HAND, 1)

    @property
    def kept(self) -> Keep | None:
        """How long it is kept on purpose, None where it is to be undone."""
        how = str(self.detail_or(KEPT, ""))
        return Keep(how) if how else None

    def kept_as(self, how: Keep | None) -> "Change":
        """Return it as one that is kept on purpose, or, for None, to be undone."""
        if how is not None:
            return self._with(KEPT, how.value)
        return replace(self, details=tuple((name, value) for name, value in self.details if name != KEPT))

    def detail(self, name: str) -> Value:
        """Return one of the details; raises KeyError where there is none of that name."""
        for key, value in self.details:
            if key == name:
                return value
        raise KeyError(name)

    def detail_or(self, name: str, default: Value) -> Value:
        """Return one of the details, or a default for kinds and journals that do not have it."""
        return next((value for key, value in self.details if key == name), default)


@dataclass(frozen=True)
class OfProcess:
    """How a change affects a process.

    Attributes:
        process: as a person calls it; the same for all changes of one process.
        is_stop: it stopped the process, and its undo starts it again; else it is a value that counts from its start.
    """

    process: str
    is_stop: bool


@dataclass(frozen=True)
class StillRunning:
    """A process that could not be brought to stand before originals are put back.

    Attributes:
        problem: why, one sentence.
        parameters: changes whose originals can be put back, but count only from its next start.
        switches: changes of whether it runs; meaningless as long as it runs on with what was changed.
        is_gone: it is no longer there, so nothing runs on.
    """

    problem: str
    parameters: tuple[Change, ...]
    switches: tuple[Change, ...]
    is_gone: bool = False


class EntryState(StrEnum):
    """Life of a journal entry: on disk as `intent` before the change is sent."""

    INTENT = "intent"
    APPLIED = "applied"
    RESTORED = "restored"


@dataclass(frozen=True)
class JournalEntry:
    """A change as the undo journal holds it.

    Attributes:
        entry_id: ascending; undone in descending order.
        session_id: the session that made it.
        target: how to reach the server again (no password), as accepted by `--target`.
        problem: why the last attempt to undo it failed, or "".
    """

    entry_id: int
    session_id: str
    target: str
    change: Change
    state: EntryState
    recorded_utc: datetime
    problem: str = ""

    @property
    def is_kept(self) -> bool:
        """Whether it stands on the server because the client keeps it on purpose."""
        return self.state is not EntryState.RESTORED and self.change.kept is not None
