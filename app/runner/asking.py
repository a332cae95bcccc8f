"""Asking the client's DBA: where scripts are handed over, and how the changes of one window become one of them."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.domain.change import Change
from app.domain.errors import NotDoneByHand
from app.domain.ports import ServerChanges
from app.domain.rig import Control
from app.domain.target import Asking
from app.foundation.clock import Clock
from app.foundation.texts import _

# Often enough that nobody waits for the program, rarely enough to be no load.
LOOK_AGAIN_S = 2.0
FIRST_WAIT_S: Final = 120.0
"""Expected of somebody who is asked for the first time: to read a script, and to run it. Our choice."""


@dataclass(frozen=True)
class HandRequest:
    """One script somebody is asked to run.

    Attributes:
        number: counts the requests of a run, from 1.
        is_undo: it puts something back.
    """

    number: int
    title: str
    server: str
    script: str
    is_undo: bool


class HandDesk:
    """Where requests lie until the server shows them done; safe to use from any thread."""

    def __init__(self, look_again_s: float = LOOK_AGAIN_S) -> None:
        """Prepare the desk.

        Args:
            look_again_s: real seconds between two looks at the server.
        """
        self._on_request: Callable[[HandRequest], None] = _ignore
        self._on_done: Callable[[HandRequest], None] = _ignore
        self._look_again_s = look_again_s
        self._look_now = threading.Event()
        self._given_up = threading.Event()
        self._count = 0

    def attach(self, on_request: Callable[[HandRequest], None], on_done: Callable[[HandRequest], None]) -> None:
        """Name who is told of requests, in the run's own thread."""
        self._on_request, self._on_done = on_request, on_done

    def say_done(self) -> None:
        """Look at the server now: somebody says the script was run."""
        self._look_now.set()

    def give_up(self) -> None:
        """Stop waiting for anything: changes that are not undone stay in the journal and in rollback.sql."""
        self._given_up.set()
        self._look_now.set()

    def obtain(self, asked: HandRequest, is_there: Callable[[], bool], check: Callable[[], None]) -> None:
        """Ask for a script to be run, unless its effect is there already, and wait until the server shows it.

        Args:
            asked: without its number.
            is_there: reads the server.
            check: raises where the wait must end for another reason.

        Raises:
            NotDoneByHand: nobody is going to run it.
        """
        if is_there():
            return
        self._count += 1
        request = replace(asked, number=self._count)
        self._look_now.clear()
        self._on_request(request)
        while not is_there():
            check()
            if self._given_up.is_set():
                raise NotDoneByHand(_("nobody ran the script: {title}").format(title=asked.title))
            self._look_now.wait(self._look_again_s)
            self._look_now.clear()
        self._on_done(request)


@dataclass(frozen=True)
class Part:
    """One change that is asked for.

    Attributes:
        is_there: reads whether it is made.
        change: what it is about.
        is_stop: it stops a process.
    """

    title: str
    script: str
    is_there: Callable[[], bool]
    change: Change
    is_undo: bool = False
    is_stop: bool = False


class HandAsking(Asking):
    """Asks at a desk; used by one thread.

    Changes of joined steps wait, and become one script with the start of the process they count from: it stops the
    process, changes all, and starts it again, so that the process stands for a moment and not while somebody reads.

    Args:
        clock: of the target.
        server: where scripts are to be run, for a person.
    """

    def __init__(self, desk: HandDesk, clock: Clock, control: Control, server: str) -> None:
        self._desk = desk
        self._clock = clock
        self._control = control
        self._server = server
        self._until: Callable[[], None] = _nothing
        self._joins = False
        self._parts: list[Part] = []
        self._after: list[Callable[[], None]] = []
        self.usual_wait_s = FIRST_WAIT_S
        self._has_waited = False

    @property
    def is_waiting(self) -> bool:
        """Whether something waits to be asked for with what follows."""
        return bool(self._parts)

    def until(self, check: Callable[[], None]) -> None:
        """Have a wait for anything but an undo end where this raises, as at a deadline."""
        self._until = check

    def begin(self, *, joins: bool) -> None:
        """Begin a step."""
        if not joins:
            self.settle()
        self._joins = joins

    def ask(self, part: Part, changes: ServerChanges | None, check: Callable[[], None], *, now: bool = False) -> None:
        """Ask for a change, at once or with those of the steps around it.

        Args:
            changes: tells which run a process is in.
            check: raises where the wait must end for another reason.
            now: it must be done when this returns, and all that waits before it.

        Raises:
            NotDoneByHand: nobody is going to run it.
        """
        if not self._joins and not self._parts:
            self._obtain(part, part.is_there, check)
            return
        if part.is_stop and changes is not None and not now:
            part = _ended_or_begun_anew(part, changes)
        # what is set again from what was found need not be put back first
        key = part.change.object_key
        self._parts = [one for one in self._parts if not one.is_undo or one.change.object_key != key]
        self._parts.append(part)
        if now or not self._joins:
            self.settle()

    def settle(self, *, but_stops: bool = False) -> None:
        """Ask for what waits, in one script, and wait until all of it shows."""
        if but_stops and all(part.is_stop for part in self._parts):
            return
        parts, after = self._parts, self._after
        self._parts, self._after = [], []
        if parts:
            whole = parts[0] if len(parts) == 1 else _joined(parts)
            self._obtain(whole, whole.is_there, self._control.check)
        for action in after:
            action()

    def drop(self) -> None:
        """Forget what waits."""
        self._joins = False
        self._parts.clear()
        self._after.clear()

    def then(self, action: Callable[[], None]) -> None:
        """Do something once what was asked for so far is done."""
        if self._parts:
            self._after.append(action)
        else:
            action()

    def undone_soon(self) -> tuple[Change, ...]:
        """Return the changes whose undo waits."""
        return tuple(part.change for part in self._parts if part.is_undo)

    def awaits(self, change: Change) -> bool:
        """Tell whether a stop waits that this change describes."""
        return any(part.is_stop and part.change.object_key == change.object_key for part in self._parts)

    def _obtain(self, part: Part, is_there: Callable[[], bool], check: Callable[[], None]) -> None:
        asked = HandRequest(0, part.title, self._server, part.script, part.is_undo)
        began_s = self._clock.monotonic_s()

        def look() -> None:
            check()
            if not part.is_undo:
                self._until()

        try:
            self._desk.obtain(asked, is_there, look)
        finally:
            took_s = self._clock.monotonic_s() - began_s
            self.waited_s += took_s
            self.usual_wait_s = max(self.usual_wait_s, took_s) if self._has_waited else took_s
            self._has_waited = True


def _joined(parts: Sequence[Part]) -> Part:
    """Return one part for all: its script holds theirs in their order, each with its own place and check."""
    return Part(
        "; ".join(part.title for part in parts),
        "".join(f"{part.script.rstrip()}\n" for part in parts),
        lambda: all(part.is_there() for part in parts),
        parts[0].change,
        is_undo=all(part.is_undo for part in parts),
    )


def _ended_or_begun_anew(part: Part, changes: ServerChanges) -> Part:
    """Return a stop that is done, too, where the process runs again since, as the same script starts it."""
    before = changes.run_of(part.change)
    return replace(part, is_there=lambda: changes.run_of(part.change) != before)


def _nothing() -> None:
    """No end was named."""


def _ignore(_request: HandRequest) -> None:
    """Until someone is attached."""
