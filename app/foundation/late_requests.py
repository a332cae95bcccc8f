"""Waiting for requests of abandoned connections, before a reading is taken for final.

A request of an abandoned connection waits for a lock, or on the way, and is executed later. So each connection that
changes something is marked at its server, which alone tells that the connection has ended. Where nobody knows how a
change ended, and in a restore by another program, a reading counts only once no marked connection is left
(`Connection.after_late_requests`); else the entry stays open.
"""

import threading
from collections.abc import Callable
from typing import Final, Generic, TypeVar

P = TypeVar("P")

LIMIT_S: Final = 60.0
"""How long a server is given to end a connection: it notices within 30 s that nobody is there any more
(MicrosoftDocs/sql-docs:docs/tools/configuration-manager/tcp-ip-properties-protocols-tab.md, "Keep Alive"), and no
change waits longer than that for a lock."""

_ROUNDS: Final = 4


class LateRequests(Generic[P]):
    """Knows where the end of a change is not known, and does a thing again once nothing can arrive any more.

    Args:
        wait: waits until nothing sent to a place can still arrive there; raises where something may.
        telling: errors of an action that, like its success, say what stands there.
    """

    def __init__(self, wait: Callable[[P], None], telling: type[Exception]) -> None:
        self._wait: Final = wait
        self._telling: Final = telling
        self._unknown: set[P] = set()
        self._over: set[P] = set()
        self._asked: set[P] = set()
        self._turn = threading.Lock()

    def ask(self, place: P) -> None:
        """Something is sent to a place; from any thread."""
        with self._turn:
            self._asked.add(place)

    def note_unknown(self, place: P) -> None:
        """A change was sent to a place and nobody knows whether it was or will be carried out; from any thread."""
        with self._turn:
            self._unknown.add(place)
            self._over.discard(place)

    def after_late_requests(self, action: Callable[[], None], *, of_earlier: bool) -> None:
        """Do something until, at each place it asks, nothing sent before can arrive; see `Connection`."""
        for _round in range(_ROUNDS):
            with self._turn:
                self._asked.clear()
            problem: Exception | None = None
            try:
                action()
            except self._telling as error:
                problem = error
            if not self._wait_where_asked(of_earlier=of_earlier):
                if problem is not None:
                    raise problem
                return
        raise RuntimeError("a thing was done again and again, each time at other servers")

    def _wait_where_asked(self, *, of_earlier: bool) -> bool:
        """Wait at the places that were asked; return whether there was any to wait for."""
        with self._turn:
            places = [one for one in self._asked if one in self._unknown or (of_earlier and one not in self._over)]
        for place in places:
            self._wait(place)
            with self._turn:
                self._unknown.discard(place)
                self._over.add(place)
        return bool(places)
