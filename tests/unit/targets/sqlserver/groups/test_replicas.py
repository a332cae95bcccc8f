"""Finding the primary replica, also during a role change and with servers that cannot be asked."""

import pytest

from app.domain.errors import ConnectionLost, TargetError
from app.systems.availability_groups.server.replicas import GroupPlace, Primaries, group_place
from tests.unit.targets.sqlserver.scripted import FakeClock, ScriptedSession

PLACE = group_place("AG", "A", ("B", "A"))


def test_home_is_asked_first() -> None:
    """The servers of a place begin with its home, each once."""
    assert group_place("AG", "A", ("B", "A")) == GroupPlace("AG", "A", ("A", "B"))


def test_any_replica_can_tell() -> None:
    """A home that is down does not keep the primary from being found."""
    session = ScriptedSession({"group_primary": [ConnectionLost("down"), [{"primary_replica": "B"}]]})
    assert Primaries(session, FakeClock()).find(PLACE) == "B"
    assert [server for _name, server, _values in session.sent] == ["A", "B"]


def test_role_change_is_waited_for() -> None:
    """While nobody knows, it asks again."""
    session = ScriptedSession({"group_primary": [[], [{"primary_replica": None}], [{"primary_replica": "B"}]]})
    clock = FakeClock()
    assert Primaries(session, clock).find(PLACE) == "B"
    assert clock.now_s == pytest.approx(1.0)


def test_group_without_a_primary_is_an_error_after_a_while() -> None:
    """What cannot be found within two minutes is a sentence, or the last error where no server answered."""
    with pytest.raises(TargetError, match="knows which one is primary"):
        Primaries(ScriptedSession({"group_primary": [[]]}), FakeClock()).find(PLACE)
    with pytest.raises(ConnectionLost, match="down"):
        Primaries(ScriptedSession({"group_primary": [ConnectionLost("down")]}), FakeClock()).find(PLACE)


def test_standalone_database_has_its_home() -> None:
    """Nobody is asked where there is no group."""
    session = ScriptedSession({})
    assert Primaries(session, FakeClock()).find(group_place("", "A", ())) == "A"
    assert session.sent == []
