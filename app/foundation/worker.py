"""A thread that makes the calls of one connection, and can be left behind when one of them does not end.

A statement has a deadline of ours: past it the thread is left behind and the connection given up.
"""

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")

# A thread left behind is known by its name: what ends the program must not wait for it, nor unload its driver under it.
LEFT_BEHIND: Final = "replitune-left-behind"


class Signal:
    """Comes once, for one thread that waits for it: a lock, where an Event would make five objects for every call."""

    __slots__ = ("_has_come", "_lock")

    def __init__(self) -> None:
        self._has_come = False
        self._lock = threading.Lock()
        self._lock.acquire()

    def set(self) -> None:
        """Let it come; from any thread."""
        self._has_come = True
        with contextlib.suppress(RuntimeError):  # it has come already
            self._lock.release()

    def is_set(self) -> bool:
        """Tell whether it has come."""
        return self._has_come

    def wait(self, seconds: float) -> bool:
        """Wait for it so long at most and tell whether it came."""
        return self._has_come or self._lock.acquire(timeout=seconds)


Wait = Callable[[Signal, float], bool]


@dataclass(frozen=True, kw_only=True)
class Waits:
    """The time a driver is waited for beyond its own time limit, whatever it makes of that, seconds.

    Drivers wait for minutes on a connection that is silent while the peer's host acknowledges.

    Attributes:
        grace_s: how much longer it may take to tell that a limit is over.
        hurry_s: how long a statement may still take once it was cancelled.
        wait: waits for a signal so many seconds and tells whether it came.
    """

    grace_s: float = 5.0
    hurry_s: float = 5.0
    wait: Wait = Signal.wait


class Abandoned(Exception):
    """A call did not end by its deadline; its thread was left behind.

    Attributes:
        was_hurried: it was wanted to end sooner than its own limit.
    """

    def __init__(self, *, was_hurried: bool) -> None:
        super().__init__("no answer by the deadline")
        self.was_hurried = was_hurried


class _Call(Generic[T]):
    """One call, handed to a worker."""

    def __init__(self, call: Callable[[], T]) -> None:
        self.ended = Signal()
        self.stirred = Signal()  # ended, or wanted to end
        self._call = call
        self._result: T
        self._error: BaseException | None = None

    def make(self) -> None:
        """Make it, in the worker's thread."""
        try:
            self._result = self._call()
        except BaseException as error:  # noqa: BLE001 - raised again where the call was wanted
            self._error = error
        self.ended.set()
        self.stirred.set()

    def outcome(self) -> T:
        """Return the call's result or raise its error."""
        if self._error is not None:
            raise self._error
        return self._result


class Worker:
    """Makes calls one after another in a thread of its own; the caller waits for each no longer than it says.

    The thread is a daemon and starts with the first call. Left behind, it makes the calls still handed to it, such as
    the one that closes its connection, should the call it hangs in ever end.

    Args:
        hurry_s: how long a call may still take once it is wanted to end.
        wait: waits for a signal so many seconds and tells whether it came.
    """

    def __init__(self, name: str, hurry_s: float, wait: Wait = Signal.wait) -> None:
        self._hurry_s = hurry_s
        self._wait = wait
        self._calls: queue.SimpleQueue[_Call[Any] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._present: _Call[Any] | None = None
        self._is_left = False
        self._is_finished = False

    @property
    def is_left(self) -> bool:
        """Whether its thread was left behind in a call."""
        return self._is_left

    def run(self, call: Callable[[], T], limit_s: float) -> T:
        """Make a call and return its result or raise its error; raises Abandoned where it has not ended after
        `limit_s`."""
        handed = _Call(call)
        self._present = handed
        self._hand(handed)
        has_stirred = self._wait(handed.stirred, limit_s)
        was_hurried = has_stirred and not handed.ended.is_set()
        if was_hurried:
            self._wait(handed.ended, self._hurry_s)
        self._present = None
        if not handed.ended.is_set():
            self._is_left = True
            self._thread.name = LEFT_BEHIND
            raise Abandoned(was_hurried=was_hurried)
        return handed.outcome()

    def hurry(self) -> None:
        """Have the call that runs now, if any, waited for only a little longer; from any thread."""
        present = self._present
        if present is not None:
            present.stirred.set()

    def finish(self, call: Callable[[], object], limit_s: float) -> None:
        """Make a last call behind all others, waiting for it at most so long, and end the thread; once only."""
        if self._is_finished:
            return
        self._is_finished = True
        last = _Call(call)
        self._hand(last)
        self.dismiss()
        if not limit_s:
            self._thread.name = LEFT_BEHIND  # until it has ended: a driver may hang in closing, too
        elif not self._is_left:
            self._wait(last.ended, limit_s)

    def dismiss(self) -> None:
        """End the thread behind the calls it was handed; nobody is going to hand it another."""
        self._calls.put(None)

    def _hand(self, call: _Call[Any]) -> None:
        self._calls.put(call)
        if self._thread.ident is None:
            self._thread.start()

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call.make()
            del call  # what it was made for may go, and with it the worker


def has_left_threads(patience_s: float = 0.0) -> bool:
    """Tell whether a thread that was left behind still hangs in its call, so long after it was asked for at most."""
    left = [thread for thread in threading.enumerate() if thread.name == LEFT_BEHIND]
    deadline_s = time.perf_counter() + patience_s
    for thread in left:
        thread.join(max(0.0, deadline_s - time.perf_counter()))
    return any(thread.is_alive() for thread in left)
