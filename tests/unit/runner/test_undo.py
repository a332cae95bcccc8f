"""Changes and their undo: the journal first, newest undone first, and one failure does not stop the rest."""

from dataclasses import dataclass, field
from typing import cast

import pytest

from app.domain.change import EntryState
from app.domain.errors import ConnectionLost
from app.domain.ports import Target
from app.runner.undo import UNDO_ATTEMPTS, SafeChanger, restore_entries
from tests.unit.runner.memory import MemoryClock, MemoryJournal, MemoryServer, change


@dataclass
class _Target:
    """The part of a target that undoing needs."""

    changes: MemoryServer
    key: str = "memory"
    clock: MemoryClock = field(default_factory=MemoryClock)


def _changer(server: MemoryServer) -> tuple[SafeChanger, MemoryJournal, Target]:
    journal = MemoryJournal(server.log)
    target = cast(Target, _Target(server))
    return SafeChanger(target, journal, "S1"), journal, target


def test_intent_is_recorded_before_the_change_is_sent() -> None:
    """The undo is on record before the server hears anything."""
    server = MemoryServer(a="1")
    changer, journal, _target = _changer(server)
    changer.apply(change("a", "1", "2"))
    assert server.log == ["intent a", "apply a"]
    assert journal.entries[1].state is EntryState.APPLIED


def test_newest_change_is_undone_first_and_agents_are_stopped_before() -> None:
    """Undo runs backwards, after the agents concerned were stopped."""
    server = MemoryServer(a="1", b="1")
    changer, _journal, _target = _changer(server)
    changer.apply(change("a", "1", "2"))
    changer.apply(change("b", "1", "2"))
    del server.log[:]
    assert changer.restore(lambda _change: None) == ()
    assert server.log == ["quiesce", "undo b", "restored b", "undo a", "restored a"]
    assert server.values == {"a": "1", "b": "1"}


@pytest.mark.parametrize("moment", ["lose_before_sending", "lose_after_sending"])
def test_change_of_unknown_fate_is_undone(moment: str) -> None:
    """Whether or not the server took the change before the connection broke, the original is put back."""
    server = MemoryServer(a="1")
    changer, journal, _target = _changer(server)
    setattr(server, moment, True)
    with pytest.raises(ConnectionLost):
        changer.apply(change("a", "1", "2"))
    assert journal.entries[1].state is EntryState.INTENT
    assert changer.restore(lambda _change: None) == ()
    assert server.values == {"a": "1"}


def test_one_failure_does_not_keep_the_others_from_being_undone() -> None:
    """What cannot be undone stays open with its reason; everything else is put back."""
    server = MemoryServer(a="1", b="1")
    changer, journal, _target = _changer(server)
    changer.apply(change("a", "1", "2"))
    changer.apply(change("b", "1", "2"))
    server.failing_undos["b"] = UNDO_ATTEMPTS
    problems = changer.restore(lambda _change: None)
    assert problems == ("b: b is still 2",)
    assert server.values == {"a": "1", "b": "2"}
    assert [e.change.subject for e in journal.open_entries()] == ["b"]
    assert journal.entries[2].problem == "b is still 2"


def test_passing_trouble_is_tried_again() -> None:
    """A failure that goes away is not reported."""
    server = MemoryServer(a="1")
    changer, _journal, target = _changer(server)
    changer.apply(change("a", "1", "2"))
    server.failing_undos["a"] = UNDO_ATTEMPTS - 1
    assert changer.restore(lambda _change: None) == ()
    assert target.clock.monotonic_s() > 0


def test_restoring_twice_does_nothing_the_second_time() -> None:
    """A closed entry is not undone again."""
    server = MemoryServer(a="1")
    changer, journal, target = _changer(server)
    changer.apply(change("a", "1", "2"))
    changer.restore(lambda _change: None)
    del server.log[:]
    assert restore_entries(target, journal, journal.open_entries(), lambda _change: None) == ()
    assert server.log == []
