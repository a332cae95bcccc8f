"""A kind of change as a declaration: the statements that read and set it, and when two values are equal.

From one declaration come the journal entry, making the change, reading it back, undoing it, and every script of it: of
a dry run, of guided mode, and `rollback.sql`. A script holds the same catalogued statements that are sent.

Code of its own is left to a change that waits for something other than a value, such as a database carried to another
server. A change is sent from the value it was planned from; `ChangedMeanwhile` says that nothing was sent.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Generic, Protocol, TypeVar

from app.domain.change import Change
from app.domain.errors import ChangedByOthers, ChangedMeanwhile, VerificationFailed
from app.domain.setting import Value
from app.foundation.clock import Clock
from app.foundation.polling import polls
from app.foundation.rows import Row
from app.foundation.texts import _

P = TypeVar("P")
V = TypeVar("V")

Details = Mapping[str, Value]
"""What a change keeps of itself for another process: `Change.details` by name."""

EXPECTED: Final = "expected"
"""Parameter of a call that compares: what must stand there; a script that makes a change leaves it out."""

IS_EXPECTED: Final = "is_expected"
"""Column of its answer: 0 where another value stood there, which was then left."""

SUBJECT: Final = "subject"
"""Beside the details of a change that was planned: its subject, for the sentences of errors."""


class Scope(StrEnum):
    """The part of a server that a change touches."""

    PROCESS = "one process"
    OBJECT = "one object of the program's own"
    MEMBER = "one member of a group"
    INSTANCE = "the whole instance"


class Restart(StrEnum):
    """The process or server that must be restarted for a change to count."""

    NOTHING = "nothing"
    PROCESS = "the process it is about"


@dataclass(frozen=True)
class Call(Generic[P]):
    """A catalogued statement with its place and its parameters.

    Attributes:
        portions: how often it is sent, each time for a portion; 0 for all at once.
        title: what it does for a change of several calls, above its script; "" for the title of the change.
        guard: what a script that puts back checks ahead of it, beyond its place.
        about: the object a reading call must find; the executor reports it as gone where it does not. "" where
            nothing may be found.
        compares: whether the statement itself compares what stands there with `EXPECTED` before it sets anything.
    """

    statement: str
    at: P
    values: Mapping[str, Value | None]
    portions: int = 0
    title: str = ""
    guard: str = ""
    about: str = ""
    compares: bool = False


class ValueKept(Exception):
    """A call that compares met another value than the expected one, and left it."""


Run = Callable[[Call[P]], Sequence[Row]]
"""Sends a call and returns its rows; raises ValueKept."""


class Executor(Protocol[P]):
    """Runs the statements of an engine's changes and writes them as scripts."""

    clock: Clock

    def begin(self, *, is_apply: bool) -> Run[P]:
        """Return a callable that runs a change's statements; each engine documents how it treats `is_apply`."""
        ...

    def script(self, title: str, call: Call[P], *, is_undo: bool) -> str:
        """Return a call as a script that acts at its own place only and may be run twice."""
        ...


def changed_by_others(change: Change, value_now: str) -> str:
    """Return the sentence on a value, as a person reads it, that somebody else set since the change was made."""
    return _(
        '{subject} was changed to "{found}" by somebody else and stays so; set it to {original} and '
        "restore again, or keep it with `replitune restore --keep-others`"
    ).format(subject=change.subject, found=value_now, original=change.original)


def changed_meanwhile(change: Change, value_now: str) -> str:
    """Return the sentence on a value, as a person reads it, that is not the one a change was planned from."""
    return _(
        '{subject} reads "{found}" instead of {original}: somebody else changed it since it was read, so '
        "nothing was changed; check it, then start again"
    ).format(subject=change.subject, found=value_now, original=change.original or "–")


def reads_otherwise(change: Change, value_now: str, wanted: str) -> str:
    """Return the sentence on a value that was set and does not read so."""
    return _('{subject} reads "{found}" instead of "{wanted}"').format(
        subject=change.subject, found=value_now, wanted=wanted
    )


@dataclass(frozen=True)
class Words(Generic[V]):
    """The words of a kind of change, for people.

    Attributes:
        subject, consent: of a change with these details.
        shown: a value.
        making, undoing: titles of the scripts, of the subject and the value.
        unread: the sentence where a value was set and another is found.
        others: the sentence where the value found is neither the original nor the new one, which then stays; None
            where there is no third value to lose, and the original is put back whatever is found.
    """

    subject: Callable[[Details], str]
    shown: Callable[[V], str]
    making: Callable[[str, str], str]
    undoing: Callable[[str, str], str]
    unread: Callable[[Change, V, V], str]
    consent: Callable[[Details], str] = lambda _details: ""
    others: Callable[[Change, V], str] | None = None


@dataclass(frozen=True)
class Declaration(Generic[P, V]):
    """All there is to know of a kind of change.

    Attributes:
        kind: its name in journals.
        scope: what of the server it touches.
        read: reads the value now; `found` of the others is what it returns.
        set: the calls that set a value, in order. Who may make the change, the headers of their statements say.
        original, new: the values before and after, from the details.
        words: what a person reads.
        restarts: what must be restarted for it to count.
        same: when a value found is the wanted one.
        is_set: when nothing more is to be sent for it, though what it brings about may lag; `same` for None.
        verified: of the values found before and after setting a third, whether that went well; `same` for None.
        complaint: what is not as before although the original is back, from the value found before; "" for nothing.
        limit_s: how long a value that was set may take to show.
        every_s: how often it is read until then, 0 for growing intervals.
        settle: waits for what the server does by itself once the value shows.
        waiting: ends the scripts of a value whose effect takes time.
        expected: what a call that compares takes for a value read a moment ago; None where no call of it compares.
        guard: what a script that puts back does ahead of a call that compares, beyond its place.
        is_blind: whether it also sets what cannot be read; its undo is then sent whatever is read.
        is_undone_if_gone: None, read where what held the value is gone, counts as undone.
        replaced: values of this program that the new one replaces where nothing was put back in between, so that they
            may still stand there.
    """

    kind: str
    scope: Scope
    read: Callable[[Run[P], Details], V]
    set: Callable[[Run[P], Details, V], tuple[Call[P], ...]]
    original: Callable[[Details], V]
    new: Callable[[Details], V]
    words: Words[V]
    restarts: Restart = Restart.NOTHING
    same: Callable[[V, V], bool] = operator.eq
    is_set: Callable[[V, V], bool] | None = None
    verified: Callable[[V, V, V], bool] | None = None
    complaint: Callable[[Change, V], str] = lambda _change, _found: ""
    limit_s: float = 0.0
    every_s: float = 0.0
    settle: Callable[[Details], None] = lambda _details: None
    waiting: Callable[[Details, V], str] = lambda _details, _value: ""
    expected: Callable[[V], Value] | None = None
    guard: Callable[[Details], str] = lambda _details: ""
    is_blind: Callable[[Details], bool] = lambda _details: False
    is_undone_if_gone: bool = False
    replaced: Callable[[Details], Sequence[V]] = lambda _details: ()

    def written(self, details: Details, value: V) -> tuple[Call[P], ...]:
        """Return the calls that set a value, for a script that is written without a server."""
        return self.set(_unasked, details, value)


def _unasked(call: Call[P]) -> Sequence[Row]:
    raise RuntimeError(f"{call.statement}: a script is written without a server")


class Declared(Generic[P, V]):
    """Plans, makes and undoes the changes of one declaration; knows nothing of the journal."""

    def __init__(self, declaration: Declaration[P, V], executor: Executor[P]) -> None:
        self.declaration = declaration
        self._executor = executor

    def read(self, details: Details) -> V:
        """Read the value now; `details` need no values yet."""
        return self.declaration.read(self._executor.begin(is_apply=False), details)

    def plan(self, details: tuple[tuple[str, Value], ...], aside: Details | None = None) -> Change:
        """Return the change with these details, its scripts written.

        Args:
            aside: what only its words need, such as an address; it is not kept.
        """
        declared, all_details = self.declaration, {**(aside or {}), **dict(details)}
        words, original, new = declared.words, declared.original(all_details), declared.new(all_details)
        subject = words.subject(all_details)
        return Change(
            kind=declared.kind,
            subject=subject,
            original=words.shown(original),
            new=words.shown(new),
            details=details,
            apply_sql=self._script(words.making(subject, words.shown(new)), all_details, new, is_undo=False),
            undo_sql=self._script(words.undoing(subject, words.shown(original)), all_details, original, is_undo=True),
            needs_consent=words.consent(all_details),
        )

    def _script(self, title: str, details: Details, value: V, *, is_undo: bool) -> str:
        declared = self.declaration
        calls = declared.set(self._executor.begin(is_apply=False), details, value)
        if is_undo and declared.expected is not None:
            expected, guard = declared.expected(declared.new(details)), declared.guard(details)
            calls = tuple(
                replace(call, values={**call.values, EXPECTED: expected}, guard=guard) if call.compares else call
                for call in calls
            )
        scripts = (self._executor.script(call.title or title, call, is_undo=is_undo) for call in calls)
        return "".join(scripts) + self.declaration.waiting(details, value)

    def is_applied(self, change: Change) -> bool:
        """Tell whether the new value is there."""
        details = _known(change)
        return self.declaration.same(self.read(details), self.declaration.new(details))

    def is_undone(self, change: Change) -> bool:
        """Tell whether the original value is back, or the object that held it is gone."""
        details = _known(change)
        return self._is_original(self.read(details), details)

    def apply(self, change: Change) -> None:
        """Set the new value where the one it was planned from still stands, and read it back.

        Raises:
            ChangedMeanwhile: another value stands there; nothing was sent.
            VerificationFailed: it does not read so in time.
        """
        declared, details = self.declaration, _known(change)
        run = self._executor.begin(is_apply=True)
        before = declared.read(run, details)
        planned_from = (declared.original(details), *declared.replaced(details))
        if not any((declared.is_set or declared.same)(before, value) for value in planned_from):
            raise ChangedMeanwhile(changed_meanwhile(change, declared.words.shown(before)))
        try:
            self._send(run, details, declared.new(details), before)
        except ValueKept:
            value_now = declared.words.shown(declared.read(run, details))
            raise ChangedMeanwhile(changed_meanwhile(change, value_now)) from None
        self._read_back(change, run, declared.new(details), before)

    def undo(self, change: Change) -> None:
        """Put the original back and read it back, unless it is there.

        Raises:
            ChangedByOthers: it is neither the original nor the new value; it is left as it is.
            VerificationFailed: it does not read so in time, or is back with something else changed.
        """
        declared, details = self.declaration, _known(change)
        run, original = self._executor.begin(is_apply=False), declared.original(details)
        before, is_blind = declared.read(run, details), declared.is_blind(details)
        if self._is_original(before, details) and not is_blind:
            return
        is_set = (declared.is_set or declared.same)(before, original)
        if not is_set:
            self._leave_others(change, before)
        try:
            if is_blind or not is_set:
                self._send(run, details, original, before)
        except ValueKept:
            self._leave_others(change, declared.read(run, details))
        self._read_back(change, run, original, before)
        if problem := declared.complaint(change, before):
            raise VerificationFailed(problem)

    def _is_original(self, reading: V, details: Details) -> bool:
        is_gone = self.declaration.is_undone_if_gone and reading is None
        return is_gone or self.declaration.same(reading, self.declaration.original(details))

    def _leave_others(self, change: Change, reading: V) -> None:
        declared, details = self.declaration, _known(change)
        own = (declared.original(details), declared.new(details), *declared.replaced(details))
        is_ours = any(declared.same(reading, value) for value in own)
        if not is_ours and declared.words.others is not None:
            raise ChangedByOthers(declared.words.others(change, reading))

    def _send(self, run: Run[P], details: Details, value: V, before: V) -> None:
        for call in self.declaration.set(run, details, value):
            if call.compares and self.declaration.expected is not None:
                call = replace(call, values={**call.values, EXPECTED: self.declaration.expected(before)})
            for _portion in range(call.portions or 1):
                run(call)

    def _read_back(self, change: Change, run: Run[P], wanted: V, before: V | None) -> None:
        declared, details = self.declaration, _known(change)
        for _waited_s in polls(self._executor.clock, declared.limit_s, declared.every_s):
            reading = declared.read(run, details)
            if declared.same(reading, wanted):
                break
            if declared.is_set is not None and not declared.is_set(reading, wanted):
                break
        is_well = declared.same(reading, wanted)
        if is_well and declared.verified is not None and before is not None:
            is_well = declared.verified(before, reading, wanted)
        if not is_well:
            raise VerificationFailed(declared.words.unread(change, reading, wanted))
        declared.settle(details)


def _known(change: Change) -> Details:
    return {SUBJECT: change.subject, **dict(change.details)}
