"""A clock that jumps during a trial marks it, whichever clock it is; clocks that go together mark nothing."""

from datetime import UTC, datetime, timedelta

import pytest

from app.foundation.suspend_time import suspended_s
from app.runner.clock_witness import ClockWitness

_NOON = datetime(2026, 3, 29, 12, tzinfo=UTC)


class Clocks:
    """This computer's clocks and a server's, each set by hand."""

    def __init__(self) -> None:
        self.wall = self.server = _NOON
        self.monotonic = self.suspended = 0.0

    def now_utc(self) -> datetime:
        """Return the time of day."""
        return self.wall

    def monotonic_s(self) -> float:
        """Return the monotonic clock."""
        return self.monotonic

    def resolution_s(self) -> float:
        """Return none: this time is made up."""
        return 0.0

    def sleep(self, seconds: float) -> None:
        """Let time pass everywhere."""
        self.monotonic += seconds
        self.wall += timedelta(seconds=seconds)
        self.server += timedelta(seconds=seconds)

    def doze(self, seconds: float, *, stops: bool, told: bool) -> None:
        """Suspend this computer; its monotonic clock stops or not, and the operating system tells it or not."""
        self.wall += timedelta(seconds=seconds)
        self.server += timedelta(seconds=seconds)
        self.monotonic += 0.0 if stops else seconds
        self.suspended += seconds if told else 0.0


def witness_of(clocks: Clocks) -> ClockWitness:
    """Return a witness over clocks that went together for a while."""
    made = ClockWitness(clocks, lambda: clocks.suspended)
    for _tick in range(3):
        tick(made, clocks)
    return made


def tick(witness: ClockWitness, clocks: Clocks, took_s: float = 0.01) -> None:
    """Let five seconds pass and read the server."""
    clocks.sleep(5.0)
    witness.server_time(clocks.server, took_s)


def test_clocks_that_go_together_mark_nothing() -> None:
    """Also over a long trial with a little drift, and behind an answer that took long."""
    clocks = Clocks()
    witness = witness_of(clocks)
    for _tick in range(1_000):
        clocks.server += timedelta(milliseconds=2)
        tick(witness, clocks)
    clocks.server -= timedelta(seconds=20)
    tick(witness, clocks, took_s=30.0)
    clocks.server += timedelta(seconds=20)
    tick(witness, clocks)
    assert witness.sentences() == ()


@pytest.mark.parametrize(
    ("stops", "told"), [(True, True), (True, False), (False, True)], ids=["linux", "server_alone", "windows"]
)
def test_two_hours_asleep_are_told(*, stops: bool, told: bool) -> None:
    """Whether the monotonic clock stops in suspend or not."""
    clocks = Clocks()
    witness = witness_of(clocks)
    clocks.doze(7_200.0, stops=stops, told=told)
    tick(witness, clocks)
    tick(witness, clocks)
    assert witness.sentences() == ("this computer was asleep for 7200 s during the trial",)


@pytest.mark.parametrize("jump_s", [-3_600.0, -30.0, 30.0, 3_600.0])
def test_a_clock_that_was_set_is_told(jump_s: float) -> None:
    """The server goes on with the monotonic clock, so it is this computer's time of day that was set."""
    clocks = Clocks()
    witness = witness_of(clocks)
    clocks.wall += timedelta(seconds=jump_s)
    tick(witness, clocks)
    assert witness.sentences() == (f"this computer's clock was set {jump_s:+.0f} s during the trial",)


@pytest.mark.parametrize("jump_s", [-3_600.0, 3_600.0])
def test_a_server_clock_that_was_set_is_told(jump_s: float) -> None:
    """Both clocks of this computer go on together, so it is the server's that was set."""
    clocks = Clocks()
    witness = witness_of(clocks)
    clocks.server += timedelta(seconds=jump_s)
    tick(witness, clocks)
    (sentence,) = witness.sentences()
    assert sentence.startswith(f"the server's clock, by which the trial is timed, was set {jump_s:+.0f} s")


def test_a_server_clock_that_was_set_again_and_again_is_told_once() -> None:
    """How often and by how much in all: a reason is read by a person, not counted by its length."""
    clocks = Clocks()
    witness = witness_of(clocks)
    for _time in range(3):
        clocks.server += timedelta(seconds=600)
        tick(witness, clocks)
    (sentence,) = witness.sentences()
    assert sentence.endswith("was set 3 times during the trial, +1800 s in all")


def test_a_jump_without_a_server_is_told_all_the_same() -> None:
    """Where no reading follows, the time of day alone tells."""
    clocks = Clocks()
    witness = witness_of(clocks)
    clocks.wall += timedelta(seconds=600)
    assert witness.sentences() == ("this computer's clock was set +600 s during the trial",)


def test_an_end_is_never_before_its_beginning() -> None:
    """A clock put back shortens no duration, one that slept lengthens it."""
    clocks = Clocks()
    witness = witness_of(clocks)
    clocks.wall -= timedelta(hours=1)
    clocks.sleep(60.0)
    assert (witness.ended_utc() - witness.began_utc).total_seconds() == pytest.approx(75.0)
    clocks.wall += timedelta(hours=3)
    assert (witness.ended_utc() - witness.began_utc).total_seconds() == pytest.approx(7_275.0)


def test_this_computer_tells_how_long_it_was_suspended() -> None:
    """Two calls in a row lie no suspension apart."""
    assert suspended_s() == pytest.approx(suspended_s(), abs=1.0)
