"""The switchboard: which changes a run has open, and how a process it stops and starts is left."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import pytest

from app.domain.change import Change, LeftAs
from app.runner.bench.switchboard import Switchboard


@dataclass
class _Log:
    """A changer, and a process, that note what is asked of them in order."""

    said: list[str] = field(default_factory=list)
    is_marked: bool = True
    has_start_change: bool = False

    def apply(self, change: Change) -> Change:
        self.said.append(f"make {change.new}")
        return change

    def take_back(self, changes: Sequence[Change]) -> None:
        self.said.append("take back " + ", ".join(change.new for change in changes))

    def note_left(self, change: Change, how: LeftAs) -> None:
        self.said.append(f"{change.new} left {how.value}")

    def leave(self, changes: Sequence[Change]) -> None:
        self.said.append("leave " + ", ".join(change.new for change in changes))

    def marks(self) -> Iterable[Change]:
        return (_change("mark"),) if self.is_marked else ()

    def planned(self, *, running: bool) -> Iterable[Change]:
        return () if running and not self.has_start_change else (_change("started" if running else "stopped"),)

    def start(self) -> None:
        self.said.append("start")

    def stop(self) -> None:
        self.said.append("stop")


def _change(new: str) -> Change:
    return Change("kind", "subject", "", new, (), "", "")


def _only(new: str) -> list[Change]:
    return [_change(new)]


@pytest.fixture
def log() -> _Log:
    """A log of what is done."""
    return _Log()


@pytest.fixture
def board(log: _Log) -> Switchboard:
    """A switchboard nothing of which is open."""
    return Switchboard(log)


def test_what_is_made_once_is_made_again_after_a_restore(board: Switchboard, log: _Log) -> None:
    """Until then it stands."""
    for _trial in range(2):
        board.make_once("table", lambda: [_change("table")])
    board.forget()
    board.make_once("table", lambda: [_change("table")])
    assert log.said == ["make table", "make table"]


def test_of_two_values_the_other_one_is_the_one_that_was_found(board: Switchboard, log: _Log) -> None:
    """So one change is open at most, and it is from what was found."""
    for _trial in range(3):
        board.to_and_fro("mode", lambda: [_change("failover"), _change("mode")])
    assert log.said == ["make failover", "make mode", "take back failover, mode", "make failover", "make mode"]


def test_one_of_several_values_is_set_from_the_one_that_was_found(board: Switchboard, log: _Log) -> None:
    """A value that stands is left."""
    for value in (1, 1, 2):
        board.set("parallelism", value, partial(_only, str(value)))
    board.take_back("parallelism")
    board.set("parallelism", 2, lambda: [_change("2")])
    assert log.said == ["make 1", "take back 1", "make 2", "take back 2", "make 2"]


def test_a_change_the_server_refuses_is_open_all_the_same(log: _Log) -> None:
    """Nobody knows what came of it: taking back what was planned under its name takes it back, too."""

    @dataclass
    class _Refusing(_Log):
        def apply(self, change: Change) -> Change:
            super().apply(change)
            if change.new == "second":
                raise ValueError("refused")
            return change

    refusing = _Refusing()
    board = Switchboard(refusing)
    with pytest.raises(ValueError, match="refused"):
        board.make("trial", [_change("first"), _change("second"), _change("third")])
    board.take_back("trial")
    assert refusing.said == ["make first", "make second", "take back first, second"]


def test_a_process_is_stopped_by_a_change_once_and_left_as_that_says(board: Switchboard, log: _Log) -> None:
    """That it is stopped again is said before it is done, that it runs as it did once it does."""
    for running in (False, True, False):
        board.switch("apply", log, running=running)
    assert log.said == [
        "make mark",
        "make stopped",
        "start",
        "stopped left original",
        "stopped left new",
        "stop",
    ]


def test_a_process_found_standing_is_left_the_other_way_round(board: Switchboard, log: _Log) -> None:
    """Then it is the start that is undone."""
    log.has_start_change = True
    for running in (True, False):
        board.switch("agent", log, running=running)
    assert log.said == ["make mark", "make started", "started left new", "started left original", "stop"]


def test_what_somebody_else_decided_of_a_process_is_left(board: Switchboard, log: _Log) -> None:
    """One whose state no change was made of, is not told of."""
    board.leave("agent")
    board.switch("agent", log, running=False)
    board.leave("agent")
    assert log.said == ["make mark", "make stopped", "leave stopped"]
