"""One change to a server, with its undo: what the journal keeps and a DBA can read."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from app.domain.setting import Value

INSTANCE: Final = "instance"
"""The detail that tells apart things of one subject none of which builds on another, such as marker after marker."""


LEFT: Final = "left"
"""The detail that tells how a process that is stopped and started time and again was left last, a `LeftAs`."""


class LeftAs(StrEnum):
    """How a run left what it changed: as it was found, or as it wanted it."""

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
    def of_what(self) -> tuple[str, str, str]:
        """What is changed: changes of the same thing build on one another and are undone newest first."""
        return self.kind, self.subject, str(self.detail_or(INSTANCE, ""))

    @property
    def left_as(self) -> LeftAs:
        """How it was left last; as it was made where nothing says otherwise."""
        return LeftAs(str(self.detail_or(LEFT, LeftAs.NEW)))

    def with_left(self, how: LeftAs) -> "Change":
        """Return it with how it was left last."""
        others = tuple((name, value) for name, value in self.details if name != LEFT)
        return replace(self, details=(*others, (LEFT, how.value)))

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
class StillRunning:
    """A process that could not be brought to stand before originals are put back.

    Attributes:
        problem: why, one sentence.
        parameters: changes whose originals can be put back, but count only from its next start.
        switches: changes of whether it runs; meaningless as long as it runs on with what was changed.
    """

    problem: str
    parameters: tuple[Change, ...]
    switches: tuple[Change, ...]


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
