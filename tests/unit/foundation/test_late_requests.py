"""What was sent over a connection that was given up is waited for before what is read counts."""

from collections.abc import Callable

import pytest

from app.foundation.late_requests import LateRequests


class Telling(Exception):
    """Says what stands there, as a success does."""


class Servers:
    """Servers that are asked and waited for, in the order it happens."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.stuck: set[str] = set()
        self.late: LateRequests[str] = LateRequests(self._wait, Telling)

    def _wait(self, place: str) -> None:
        self.log.append(f"wait for {place}")
        if place in self.stuck:
            raise TimeoutError(place)

    def asking(self, *places: str, error: Exception | None = None) -> Callable[[], None]:
        """Return an action that asks these places."""

        def ask() -> None:
            for place in places:
                self.late.ask(place)
                self.log.append(f"ask {place}")
            if error is not None:
                raise error

        return ask


def test_where_all_ends_are_known_nothing_is_waited_for() -> None:
    """The usual case costs no statement."""
    servers = Servers()
    servers.late.after_late_requests(servers.asking("A", "B"), of_earlier=False)
    assert servers.log == ["ask A", "ask B"]


def test_what_was_read_before_the_wait_is_read_again() -> None:
    """Only where the end is unknown and only once: another server's change does not come here."""
    servers = Servers()
    servers.late.note_unknown("A")
    servers.late.after_late_requests(servers.asking("B"), of_earlier=False)
    servers.late.after_late_requests(servers.asking("A"), of_earlier=False)
    servers.late.after_late_requests(servers.asking("A"), of_earlier=False)
    assert servers.log == ["ask B", "ask A", "wait for A", "ask A", "ask A"]


def test_another_program_may_have_left_something_at_each_server() -> None:
    """A restore cannot know what the run before it sent: each server is waited for once."""
    servers = Servers()
    for _time in range(2):
        servers.late.after_late_requests(servers.asking("A"), of_earlier=True)
    assert servers.log == ["ask A", "wait for A", "ask A", "ask A"]
    servers.late.note_unknown("A")
    servers.late.after_late_requests(servers.asking("A"), of_earlier=True)
    assert servers.log[4:] == ["ask A", "wait for A", "ask A"]


def test_what_may_still_arrive_is_an_error() -> None:
    """Also where the action says that it is somebody else's value: it could be one that has yet to arrive."""
    servers = Servers()
    servers.late.note_unknown("A")
    servers.stuck.add("A")
    for action in (servers.asking("A"), servers.asking("A", error=Telling())):
        with pytest.raises(TimeoutError):
            servers.late.after_late_requests(action, of_earlier=False)
    servers.stuck.clear()
    with pytest.raises(Telling):
        servers.late.after_late_requests(servers.asking("A", error=Telling()), of_earlier=False)


def test_an_action_that_failed_is_not_waited_for() -> None:
    """It says nothing of what stands there; whoever tries again waits then."""
    servers = Servers()
    servers.late.note_unknown("A")
    with pytest.raises(ValueError, match="refused"):
        servers.late.after_late_requests(servers.asking("A", error=ValueError("refused")), of_earlier=False)
    assert servers.log == ["ask A"]
