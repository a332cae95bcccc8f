"""Guided mode: changes are asked for, read back, and never sent by the program itself."""

import pytest

from app.domain.change import Change, OfProcess
from app.domain.errors import TargetError
from app.domain.rig import LimitExceeded, RunCancelled
from app.foundation.clock import SystemClock
from app.runner.asking import HandAsking, HandDesk, HandRequest
from app.runner.by_hand import ChangesByHand, HandGate
from app.runner.control import RunControl
from tests.unit.runner.memory import MemoryServer, change

CHANGE = change("ReadBatchSize", "500", "5000")


class Dba:
    """Somebody who runs every script, once asked so many times in vain."""

    def __init__(self, server: MemoryServer, desk: HandDesk, *, changes: tuple[Change, ...] = (CHANGE,)) -> None:
        self.asked: list[HandRequest] = []
        self.done: list[int] = []
        self._server = server
        self._changes = changes
        desk.attach(self.take, lambda request: self.done.append(request.number))

    def take(self, request: HandRequest) -> None:
        """Run the script."""
        self.asked.append(request)
        for known in self._changes:
            if request.script == known.apply_sql:
                self._server.values[known.subject] = known.new
            if request.script == known.undo_sql:
                self._server.values[known.subject] = known.original


def by_hand_over(server: MemoryServer, desk: HandDesk, control: RunControl | None = None) -> ChangesByHand:
    """Return the changes of a server that are asked for at a desk."""
    control = control or RunControl()
    return ChangesByHand(server, HandAsking(desk, SystemClock(), control, "DIST1"), control)


def test_a_change_is_asked_for_and_read_back() -> None:
    """The DBA gets the script, the program reads until the server shows the value, and sends nothing itself."""
    server, desk = MemoryServer(ReadBatchSize="500"), HandDesk(0.0)
    dba = Dba(server, desk)
    by_hand = by_hand_over(server, desk)
    by_hand.apply(CHANGE)
    by_hand.undo(CHANGE)
    assert [(r.script, r.server, r.is_undo) for r in dba.asked] == [
        (CHANGE.apply_sql, "DIST1", False),
        (CHANGE.undo_sql, "DIST1", True),
    ]
    assert "500 → 5000" in dba.asked[0].title
    assert dba.done == [1, 2]
    assert server.values == {"ReadBatchSize": "500"}
    assert server.log == []


def test_what_is_there_already_is_not_asked_for() -> None:
    """A value that is as wanted needs nobody."""
    server, desk = MemoryServer(ReadBatchSize="5000"), HandDesk(0.0)
    dba = Dba(server, desk)
    by_hand_over(server, desk).apply(CHANGE)
    assert dba.asked == []


def test_a_cancel_ends_the_wait_for_a_change_but_not_for_its_undo() -> None:
    """After a cancel nothing new is asked for; what was changed is still asked back."""
    server, desk, control = MemoryServer(ReadBatchSize="500"), HandDesk(0.0), RunControl()
    idle = Dba(server, desk, changes=())
    by_hand = by_hand_over(server, desk, control)
    control.cancel()
    with pytest.raises(RunCancelled):
        by_hand.apply(CHANGE)
    assert len(idle.asked) == 1
    server.values["ReadBatchSize"] = "5000"
    Dba(server, desk)
    by_hand.undo(CHANGE)
    assert server.values == {"ReadBatchSize": "500"}


def test_giving_up_leaves_the_change_open() -> None:
    """Where nobody will run the undo, the wait ends with a sentence that names it."""
    server, desk = MemoryServer(ReadBatchSize="5000"), HandDesk(0.0)
    Dba(server, desk, changes=())
    desk.give_up()
    with pytest.raises(TargetError, match="nobody ran the script: Undo ReadBatchSize"):
        by_hand_over(server, desk).undo(CHANGE)


def stop_of(server: MemoryServer) -> Change:
    """Return the stop of an apply process that runs."""
    server.values["apply"], server.runs["apply"] = "running", "run 0"
    server.processes["apply"] = OfProcess("apply", is_stop=True)
    return change("apply", "running", "stopped")


def test_changes_of_joined_steps_are_one_script_with_the_start_they_count_from() -> None:
    """The stop waits, as the process works on meanwhile, and is known to be made by the run the process is in then."""
    server, desk, control = MemoryServer(ReadBatchSize="500"), HandDesk(0.0), RunControl()
    stop, said = stop_of(server), list[str]()
    asking = HandAsking(desk, SystemClock(), control, "DIST1")
    by_hand, gate = ChangesByHand(server, asking, control), HandGate(asking, control)
    gate.changes(server)
    asked: list[HandRequest] = []

    def run_all(request: HandRequest) -> None:
        asked.append(request)
        assert said == [], "nothing is said to be made before"
        server.values["ReadBatchSize"] = "5000"
        server.start("apply")

    desk.attach(run_all, lambda _request: None)
    asking.begin(joins=True)
    by_hand.apply(stop)
    by_hand.apply(CHANGE)
    asking.then(lambda: said.append("made"))
    assert (asked, asking.awaits(stop), asking.awaits(CHANGE)) == ([], True, False)
    gate.switch("Start {name}", lambda: stop, lambda: None, lambda _change: server.runs["apply"] != "", is_undo=True)
    (request,) = asked
    assert request.script.split("\n") == [stop.apply_sql, CHANGE.apply_sql, stop.undo_sql, ""]
    assert (said, asking.awaits(stop)) == (["made"], False)


def test_a_step_that_does_not_join_finds_everything_made() -> None:
    """What waits is asked for before it begins; what a trial leaves that ends early is not asked for any more."""
    server, desk, control = MemoryServer(ReadBatchSize="500"), HandDesk(0.0), RunControl()
    dba = Dba(server, desk)
    asking = HandAsking(desk, SystemClock(), control, "DIST1")
    by_hand = ChangesByHand(server, asking, control)
    asking.begin(joins=True)
    by_hand.apply(CHANGE)
    assert dba.asked == []
    asking.begin(joins=False)
    assert server.values == {"ReadBatchSize": "5000"}
    asking.begin(joins=True)
    by_hand.undo(CHANGE)
    asking.drop()
    asking.settle()
    assert len(dba.asked) == 1


def test_a_wait_ends_with_the_time_of_the_run_but_not_that_for_an_undo() -> None:
    """At a deadline nothing is waited for but what puts back."""
    server, desk, control = MemoryServer(ReadBatchSize="500"), HandDesk(0.0), RunControl()
    Dba(server, desk, changes=())
    asking = HandAsking(desk, SystemClock(), control, "DIST1")

    def is_over() -> None:
        raise LimitExceeded("everything is to be undone by 17:00, so the run ends now")

    asking.until(is_over)
    with pytest.raises(LimitExceeded):
        ChangesByHand(server, asking, control).apply(CHANGE)
    server.values["ReadBatchSize"] = "5000"
    Dba(server, desk)
    ChangesByHand(server, asking, control).undo(CHANGE)
    assert server.values == {"ReadBatchSize": "500"}
