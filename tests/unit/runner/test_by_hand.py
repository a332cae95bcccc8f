"""Guided mode: changes are asked for, read back, and never sent by the program itself."""

import pytest

from app.domain.change import Change
from app.domain.errors import TargetError
from app.domain.rig import RunCancelled
from app.runner.by_hand import ChangesByHand, HandDesk, HandRequest
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


def test_a_change_is_asked_for_and_read_back() -> None:
    """The DBA gets the script, the program reads until the server shows the value, and sends nothing itself."""
    server, desk = MemoryServer(ReadBatchSize="500"), HandDesk(0.0)
    dba = Dba(server, desk)
    by_hand = ChangesByHand(server, desk, RunControl(), "DIST1")
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
    ChangesByHand(server, desk, RunControl(), "DIST1").apply(CHANGE)
    assert dba.asked == []


def test_a_cancel_ends_the_wait_for_a_change_but_not_for_its_undo() -> None:
    """After a cancel nothing new is asked for; what was changed is still asked back."""
    server, desk, control = MemoryServer(ReadBatchSize="500"), HandDesk(0.0), RunControl()
    idle = Dba(server, desk, changes=())
    by_hand = ChangesByHand(server, desk, control, "DIST1")
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
        ChangesByHand(server, desk, RunControl(), "DIST1").undo(CHANGE)
