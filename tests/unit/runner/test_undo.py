"""Changes and their undo: the journal first, newest undone first, and one failure does not stop the rest."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

import pytest

from app.domain.change import Change, EntryState, LeftAs, OfProcess, StillRunning
from app.domain.errors import (
    ChangedMeanwhile,
    ConnectionLost,
    MayStillArrive,
    StoreError,
    TargetError,
    VerificationFailed,
)
from app.domain.target import Offer, Target
from app.runner.undo import UNDO_ATTEMPTS, UNDO_RETRY_PAUSE_S, SafeChanger, restore_entries
from tests.labs import MemoryConnection
from tests.unit.runner.memory import MemoryClock, MemoryJournal, MemoryServer, change


def _target_of(server: MemoryServer) -> Target:
    offer = Offer(frozenset(), None, server, frozenset({"value"}))
    return Target(MemoryConnection(MemoryClock()), {"memory": offer})


def _changer(server: MemoryServer) -> tuple[SafeChanger, MemoryJournal, Target]:
    journal = MemoryJournal(server.log)
    target = _target_of(server)
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


def test_what_somebody_else_changed_meanwhile_was_never_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was sent, so that nothing is open: a restore leaves the value and complains of nothing."""
    server = MemoryServer(a="3")
    changer, journal, _target = _changer(server)

    def refuse(_change: Change) -> None:
        raise ChangedMeanwhile("a reads 3")

    monkeypatch.setattr(server, "apply", refuse)
    with pytest.raises(ChangedMeanwhile):
        changer.apply(change("a", "1", "2"))
    assert journal.open_entries() == ()
    assert changer.restore(lambda _change: None) == ()
    assert server.values == {"a": "3"}


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


def test_what_a_lost_session_is_recognised_by_stays_with_what_is_still_changed() -> None:
    """Others would take a value nobody could put back for the original; once it is back, the mark goes, too."""
    server = MemoryServer(table="none", a="1")
    offer = Offer(frozenset(), None, server, frozenset({"value", "mark"}), {"mark": frozenset({"value"})})
    target, journal = Target(MemoryConnection(MemoryClock()), {"memory": offer}), MemoryJournal(server.log)
    changer = SafeChanger(target, journal, "S1")
    changer.apply(replace(change("table", "none", "made"), kind="mark"))
    changer.apply(change("a", "1", "2"))
    server.failing_undos["a"] = UNDO_ATTEMPTS
    problems = changer.restore(lambda _change: None)
    assert [problem.split(":")[0] for problem in problems] == ["a", "table"]
    assert "stays until the rest is undone" in problems[1]
    assert server.values == {"table": "made", "a": "2"}
    assert changer.restore(lambda _change: None) == ()
    assert server.values == {"table": "none", "a": "1"}


def test_passing_trouble_is_tried_again() -> None:
    """A failure that goes away is not reported."""
    server = MemoryServer(a="1")
    changer, _journal, target = _changer(server)
    changer.apply(change("a", "1", "2"))
    server.failing_undos["a"] = UNDO_ATTEMPTS - 1
    assert changer.restore(lambda _change: None) == ()
    assert target.clock.monotonic_s() > 0


def test_a_server_that_went_away_is_waited_for_once() -> None:
    """However many changes are open, the pauses are made for the first; each says why it is open, in one sentence."""
    server = MemoryServer(a="1", b="1", c="1")
    changer, journal, target = _changer(server)
    for name in "abc":
        changer.apply(change(name, "1", "2"))
    server.is_gone = True
    problems = changer.restore(lambda _change: None)
    assert problems == tuple(f"{name}: the server is gone" for name in "cba")
    assert target.clock.monotonic_s() == (UNDO_ATTEMPTS - 1) * UNDO_RETRY_PAUSE_S
    assert [e.problem for e in journal.open_entries()] == ["the server is gone"] * 3
    server.is_gone = False
    assert changer.restore(lambda _change: None) == ()
    assert server.values == {"a": "1", "b": "1", "c": "1"}


def test_restoring_twice_does_nothing_the_second_time() -> None:
    """A closed entry is not undone again."""
    server = MemoryServer(a="1")
    changer, journal, target = _changer(server)
    changer.apply(change("a", "1", "2"))
    changer.restore(lambda _change: None)
    del server.log[:]
    assert restore_entries(target, journal, journal.open_entries(), lambda _change: None) == ()
    assert server.log == []


def test_older_changes_of_a_subject_wait_for_the_newest() -> None:
    """Put back out of order they would leave what stood in between; in order the original comes back."""
    server = MemoryServer(a="1")
    changer, journal, _target = _changer(server)
    changer.apply(change("a", "1", "2"))
    changer.apply(change("a", "2", "3"))
    server.failing_undos["a"] = UNDO_ATTEMPTS
    assert changer.restore(lambda _change: None) == ("a: a is still 3",)
    assert server.values == {"a": "3"}
    assert len(journal.open_entries()) == 2
    assert changer.restore(lambda _change: None) == ()
    assert server.values == {"a": "1"}


def test_what_somebody_else_changed_stays_and_is_reported_at_once() -> None:
    """It is not overwritten, however often it is tried; everything else is put back."""
    server = MemoryServer(a="1", b="1")
    changer, journal, target = _changer(server)
    changer.apply(change("a", "1", "2"))
    changer.apply(change("b", "1", "2"))
    server.values["b"] = "theirs"
    assert changer.restore(lambda _change: None) == ("b: b is theirs, set by somebody else",)
    assert server.values == {"a": "1", "b": "theirs"}
    assert target.clock.monotonic_s() == 0
    assert [e.change.subject for e in journal.open_entries()] == ["b"]


def test_what_somebody_else_changed_is_no_problem_once_it_went_with_what_held_it() -> None:
    """A value in an object of ours, set by somebody else, is gone with the object: nothing is left to be told."""
    server = MemoryServer(profile="none", value="none")
    changer, journal, _target = _changer(server)
    changer.apply(change("profile", "none", "made"))
    changer.apply(change("value", "none", "2"))
    server.values["value"] = "theirs"
    undo = server.undo

    def dropping(one: Change) -> None:
        undo(one)
        if one.subject == "profile":
            server.values["value"] = "none"

    vars(server)["undo"] = dropping  # dropping a profile drops its values
    assert changer.restore(lambda _change: None) == ()
    assert journal.open_entries() == ()


def test_what_somebody_else_changed_can_be_left_for_good() -> None:
    """Told once, every change of it is closed, also one whose new value theirs happens to be."""
    server = MemoryServer(a="1")
    changer, journal, target = _changer(server)
    changer.apply(change("a", "1", "2"))
    changer.apply(change("a", "2", "3"))
    changer.apply(change("a", "3", "4"))
    server.values["a"] = "2"
    told: list[str] = []
    entries = journal.open_entries()
    problems = restore_entries(target, journal, entries, lambda _change: None, lambda _change, why: told.append(why))
    assert problems == ()
    assert told == ["a is 2, set by somebody else"]
    assert server.values == {"a": "2"}
    assert journal.open_entries() == ()


def test_what_was_read_back_and_is_wrong_is_told_at_once() -> None:
    """A second try could find the value right and hide what the first one saw, such as somebody else's work."""
    server = MemoryServer(a="1")
    changer, _journal, target = _changer(server)
    changer.apply(change("a", "1", "2"))
    server.failing_with, server.failing_undos["a"] = VerificationFailed, 1
    assert changer.restore(lambda _change: None) == ("a: a is still 2",)
    assert target.clock.monotonic_s() == 0
    assert changer.restore(lambda _change: None) == ()


class _FullDisk(MemoryJournal):
    """A journal whose disk is full since some moment."""

    is_full = False

    def mark_restored(self, entry_id: int) -> None:
        """Refuse."""
        if self.is_full:
            raise StoreError("undo.journal: the disk is full")
        super().mark_restored(entry_id)

    def mark_problem(self, entry_id: int, problem: str) -> None:
        """Refuse."""
        if self.is_full:
            raise StoreError("undo.journal: the disk is full")
        super().mark_problem(entry_id, problem)


def test_a_journal_that_cannot_be_written_keeps_nothing_from_being_put_back() -> None:
    """The servers come first; that the list is longer than the truth is told once."""
    server = MemoryServer(a="1", b="1", c="1")
    journal = _FullDisk(server.log)
    changer = SafeChanger(_target_of(server), journal, "S1")
    for name in "abc":
        changer.apply(change(name, "1", "2"))
    journal.is_full = True
    server.failing_undos["b"] = UNDO_ATTEMPTS
    told: list[str] = []
    problems = changer.restore(lambda done: told.append(done.subject))
    assert server.values == {"a": "1", "b": "2", "c": "1"}
    assert told == ["c", "a"]
    assert problems == (
        "b: b is still 2",
        "the undo journal could not be written (undo.journal: the disk is full); "
        "run `replitune restore` when it can be",
    )
    journal.is_full = False
    assert changer.restore(lambda _change: None) == ()
    assert server.values == {"a": "1", "b": "1", "c": "1"}


def test_a_journal_that_cannot_be_read_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run still comes to its end, and says where the undo stands besides."""
    changer, journal, _target = _changer(MemoryServer(a="1"))

    def refuse(_target: str | None = None) -> None:
        raise StoreError("undo.journal: reading failed")

    monkeypatch.setattr(journal, "open_entries", refuse)
    (problem,) = changer.restore(lambda _change: None)
    assert problem == "the undo journal cannot be read (undo.journal: reading failed); use rollback.sql"


def test_a_mistake_of_the_program_keeps_nothing_else_from_being_put_back(caplog: pytest.LogCaptureFixture) -> None:
    """Neither one in an undo nor one of whoever is told; both are in the log, the first one's entry stays open."""
    server = MemoryServer(a="1", b="1", c="1")
    changer, journal, _target = _changer(server)
    for name in "abc":
        changer.apply(change(name, "1", "2"))
    server.failing_with, server.failing_undos["c"] = LookupError, 1

    def cannot_be_told(done: object) -> None:
        raise BrokenPipeError("nobody listens")

    with caplog.at_level(logging.ERROR):
        problems = changer.restore(cannot_be_told)
    assert problems == ("c: an unexpected error (c is still 2); restore again, or use rollback.sql",)
    assert server.values == {"a": "1", "b": "1", "c": "2"}
    assert [e.change.subject for e in journal.open_entries()] == ["c"]
    assert [type(record.exc_info[1]) for record in caplog.records if record.exc_info] == [
        LookupError,
        BrokenPipeError,
        BrokenPipeError,
    ]


def test_an_agent_that_resists_is_not_forgotten() -> None:
    """Its originals are set again, oldest last, and everything else is put back; its entries stay until it stopped."""
    server = MemoryServer(agent="running", size="1", other="1")
    changer, journal, _target = _changer(server)
    switch, first, second = change("agent", "running", "stopped"), change("size", "1", "2"), change("size", "2", "3")
    for made in (switch, first, second, change("other", "1", "2")):
        changer.apply(made)
    server.resisting = (StillRunning("it still runs.", (first, second), (switch,)),)
    problems = changer.restore(lambda _change: None)
    assert problems == (
        "size: 1 is set again, but is not in effect yet: it still runs; restore again when it has stopped",
        "agent: it still runs.",
    )
    assert server.values == {"agent": "stopped", "size": "1", "other": "1"}
    assert [e.change for e in journal.open_entries()] == [first, switch]
    server.resisting = ()
    assert changer.restore(lambda _change: None) == ()
    assert server.values == {"agent": "running", "size": "1", "other": "1"}
    assert journal.open_entries() == ()


def _size_of_an_agent(server: MemoryServer) -> tuple[Change, Change]:
    """Return what stops an agent, and what gives it another size from its next start; it runs now."""
    server.processes = {"agent": OfProcess("agent A", is_stop=True), "size": OfProcess("agent A", is_stop=False)}
    server.start("agent A")
    return change("agent", "running", "stopped"), change("size", "1", "2").found_in("run 1")


def test_an_agent_that_had_to_run_on_is_restarted_once_its_value_is_back() -> None:
    """A value that cannot be put back keeps the stop open, so that whoever puts it back restarts the agent, too."""
    server = MemoryServer(agent="running", size="1")
    changer, journal, _target = _changer(server)
    stop, size = _size_of_an_agent(server)
    changer.apply(stop)
    changer.apply(size)
    server.start("agent A")
    server.failing_undos["size"] = UNDO_ATTEMPTS
    problems = changer.restore(lambda _change: None)
    assert [problem.split(":")[0] for problem in problems] == ["size", "agent"]
    assert server.runs == {"agent A": "run 3"}  # delivery goes on
    assert [entry.change.left_as for entry in journal.open_entries()] == [LeftAs.NEW, LeftAs.ORIGINAL]
    del server.log[:]
    assert changer.restore(lambda _change: None) == ()
    assert server.log[:5] == ["quiesce", "undo size", "restored size", "undo agent", "start agent A"]
    assert journal.open_entries() == ()


@pytest.mark.parametrize("restarted", [False, True])
def test_what_an_agent_was_started_with_is_told_until_its_next_start(restarted: bool) -> None:
    """Where nothing is open that would restart it, an original that is set again is not taken for one in effect."""
    server = MemoryServer(agent="running", size="1")
    changer, journal, _target = _changer(server)
    _stop, size = _size_of_an_agent(server)
    changer.apply(size)
    assert changer.restore(lambda _change: None) == ()  # it was never restarted
    changer.apply(size)
    server.start("agent A")
    for _turn in range(2):
        (problem,) = changer.restore(lambda _change: None)
        assert problem.startswith("size: 1 is set again, but not in effect until the next start of agent A")
        assert server.values["size"] == "1"
        assert [entry.problem for entry in journal.open_entries()] == [problem.removeprefix("size: ")]
    if restarted:
        server.start("agent A")
    else:
        server.runs["agent A"] = ""
    assert changer.restore(lambda _change: None) == ()
    assert journal.open_entries() == ()


def test_what_a_journal_does_not_tell_of_a_run_may_be_one_with_the_value() -> None:
    """Journals of earlier releases do not say in which run a process was."""
    server = MemoryServer(agent="running", size="1")
    changer, _journal, _target = _changer(server)
    _size_of_an_agent(server)
    changer.apply(change("size", "1", "2"))
    (problem,) = changer.restore(lambda _change: None)
    assert "not in effect until the next start of agent A" in problem


def test_a_value_taken_back_stays_open_while_its_process_runs_on_with_it() -> None:
    """It may be set again meanwhile: two entries are open at most, and both close with the next start."""
    server = MemoryServer(agent="running", size="1")
    changer, journal, _target = _changer(server)
    _stop, first = _size_of_an_agent(server)
    size = first
    for run in ("run 2", "run 3", "run 4"):
        changer.apply(size)
        assert server.start("agent A") == run
        changer.take_back([size])
        assert [entry.change for entry in journal.open_entries()] == [first.undone_in(run)]
        size = change("size", "1", f"{run} and more").found_in(run)
    server.start("agent A")
    assert changer.restore(lambda _change: None) == ()
    assert journal.open_entries() == ()


def test_what_a_newer_entry_knew_of_a_run_is_not_lost_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a value is in effect cannot be read when it is put back: later it is not taken to be."""
    server = MemoryServer(size="1")
    changer, journal, _target = _changer(server)
    _stop, size = _size_of_an_agent(server)
    del server.processes["agent"]
    for run in ("run 2", "run 3"):
        changer.apply(size)
        assert server.start("agent A") == run
        if run == "run 2":
            changer.take_back([size])
        size = change("size", "1", f"{run} and more").found_in(run)

    def refuse(_change: Change) -> str:
        raise TargetError("denied")

    with monkeypatch.context() as denied:
        denied.setattr(server, "run_of", refuse)
        (problem,) = changer.restore(lambda _change: None)
    assert "could not be read" in problem
    (problem,) = changer.restore(lambda _change: None)
    assert "not in effect" in problem
    server.start("agent A")
    assert changer.restore(lambda _change: None) == ()
    assert journal.open_entries() == ()


class _Waiting(MemoryConnection):
    """A connection to a server at which something may still arrive, as long as it says so."""

    asked_of_earlier: ClassVar[list[bool]] = []
    is_waiting = True

    def after_late_requests(self, action: Callable[[], None], *, of_earlier: bool) -> None:
        """Do it, and say so."""
        self.asked_of_earlier.append(of_earlier)
        action()
        if self.is_waiting:
            raise MayStillArrive("a change may still arrive")


def test_what_may_still_arrive_keeps_its_entry_open() -> None:
    """The original is put back now and read back later, by a restore that waits for what another program sent."""
    server = MemoryServer(a="1")
    connection = _Waiting(MemoryClock())
    offer = Offer(frozenset(), None, server, frozenset({"value"}))
    target = Target(connection, {"memory": offer})
    journal = MemoryJournal(server.log)
    changer = SafeChanger(target, journal, "S1")
    changer.apply(change("a", "1", "2"))
    assert changer.restore(lambda _change: None) == ("a: a change may still arrive",)
    assert server.values == {"a": "1"}
    assert journal.entries[1].state is EntryState.APPLIED
    assert set(connection.asked_of_earlier) == {False}
    connection.is_waiting = False
    assert restore_entries(target, journal, journal.open_entries(), lambda _change: None) == ()
    assert journal.open_entries() == ()
    assert connection.asked_of_earlier[-1] is True


class _Twice(MemoryConnection):
    """A connection to a server at which something arrived late, so that everything is done once more."""

    def __init__(self, clock: MemoryClock, arrives: Callable[[], None]) -> None:
        super().__init__(clock)
        self._arrives = arrives

    def after_late_requests(self, action: Callable[[], None], *, of_earlier: bool) -> None:
        """Do it twice."""
        del of_earlier
        action()
        self._arrives()
        action()


def test_an_agent_that_stops_at_the_second_try_held_nothing() -> None:
    """What counts is who resisted when nothing could arrive any more: everything is put back and closed."""
    server = MemoryServer(agent="running", size="1")
    journal = MemoryJournal(server.log)
    offer = Offer(frozenset(), None, server, frozenset({"value"}))
    connection = _Twice(MemoryClock(), arrives=lambda: setattr(server, "resisting", ()))
    changer = SafeChanger(Target(connection, {"memory": offer}), journal, "S1")
    switch, size = change("agent", "running", "stopped"), change("size", "1", "2")
    changer.apply(switch)
    changer.apply(size)
    server.resisting = (StillRunning("it still runs.", (size,), (switch,)),)
    assert changer.restore(lambda _change: None) == ()
    assert server.values == {"agent": "running", "size": "1"}
    assert journal.open_entries() == ()
