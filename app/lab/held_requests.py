"""Requests that a lab's server carries out after their client gave them up, as one does that waited for a lock."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

LATE_BY_S: Final = 20.0


@dataclass(eq=False)
class HeldRequest:
    """One request.

    Attributes:
        server: the one that carries it out.
        due_s: when, on the lab's clock.
        when_over: called once it was carried out.
    """

    server: str
    due_s: float
    carry_out: Callable[[], object]
    when_over: Callable[[], None] = lambda: None
    is_over: bool = False


class HeldRequests:
    """The requests that the servers of one lab have yet to carry out.

    Attributes:
        late_by_s: how much later than it was sent a request is carried out.
    """

    def __init__(self, now_s: Callable[[], float], refusals: type[Exception]) -> None:
        """Hold nothing yet.

        Args:
            refusals: what a statement raises that a server refuses; nobody is left to be told.
        """
        self.late_by_s = LATE_BY_S
        self._now_s = now_s
        self._refusals = refusals
        self._requests: list[HeldRequest] = []

    def hold(self, server: str, carry_out: Callable[[], object]) -> HeldRequest:
        """Keep a request for later."""
        request = HeldRequest(server, self._now_s() + self.late_by_s, carry_out)
        self._requests.append(request)
        return request

    def catch_up(self) -> None:
        """Carry out the requests that are due; called before each statement."""
        for request in [one for one in self._requests if one.due_s <= self._now_s()]:
            self._requests.remove(request)
            request.is_over = True
            try:
                request.carry_out()
            except self._refusals:
                continue
            finally:
                request.when_over()

    def due_in_s(self, server: str = "") -> float:
        """Return in how many seconds the last request of a server, or of any, is due; 0 where there is none."""
        held = [one for one in self._requests if server in ("", one.server)]
        return max((one.due_s - self._now_s() for one in held), default=0.0)

    def count(self, server: str) -> int:
        """Return how many requests a server has yet to carry out."""
        return sum(one.server == server for one in self._requests)
