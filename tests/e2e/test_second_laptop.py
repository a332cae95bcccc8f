"""One server, one experiment: some meetings of two laptops over TDS, always the same, and what holds a server."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from app.domain.errors import ServerBusy
from app.domain.target import Target
from app.services.run.running_mark import hold_target, refuse_marked
from tests.e2e.posed_lab import Pose, Posed, posed_lab
from tests.prove.killing import FAMILIES, write_plan
from tests.prove.second_laptop import Deed, meet, meetings_of
from tests.prove.wire_faults import installed_drivers
from tests.prove.wire_session import open_target


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_second_laptop_is_told(tmp_path: Path, family: str) -> None:
    """It is refused as long as the first one is there; what that one left is told, and never taken for an original."""
    meetings = meetings_of(write_plan(tmp_path, family), list(Deed), tmp_path)
    of_each = [[meeting for meeting in meetings if meeting.deed is deed] for deed in Deed]
    chosen = [own[2 * position] for position, own in enumerate(of_each)][sorted(FAMILIES).index(family) :: 2]
    assert meet(chosen, tmp_path).failures == ()


@pytest.fixture(scope="module")
def lab() -> Iterator[Posed]:
    """A lab that is served."""
    with posed_lab(Pose()) as posed:
        yield posed


def opened(target: str) -> Target:
    """Open a target as the program does, its statements kept nowhere."""
    return open_target(target, 1, lambda _record: None)


@pytest.mark.parametrize("driver", installed_drivers())
def test_a_mark_ends_with_its_holder(lab: Posed, driver: str) -> None:
    """Whoever held a server, through whatever driver: afterwards the next one does."""
    first, second = opened(lab.key(driver)), opened(lab.key(driver))
    with first.hold("one"), pytest.raises(ServerBusy, match="DIST1: another computer"), second.hold("other"):
        raise AssertionError("two hold one server")
    with second.hold("other"):
        pass
    first.close()
    second.close()


def test_an_abandoned_connection_keeps_nobody_of_its_own_out(lab: Posed) -> None:
    """A connection the server still takes for alive holds the server for its owner, who goes on at once."""
    abandoned, restoring, others = (opened(lab.key()) for _number in range(3))
    with ExitStack() as held:
        held.enter_context(abandoned.hold("one"))
        with restoring.hold("one"), pytest.raises(ServerBusy), others.hold("other"):
            raise AssertionError("two hold one server")
        with pytest.raises(ServerBusy), others.hold("other"):
            raise AssertionError("two hold one server")
    with others.hold("other"):
        pass
    for target in (abandoned, restoring, others):
        target.close()


def test_one_server_by_two_addresses_is_one_server(lab: Posed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two windows with one journal are told apart by the lock beside it, whatever address each was given."""
    monkeypatch.setenv("REPLITUNE_PASSWORD", "lab")
    driver, journal = installed_drivers()[0], tmp_path / "undo.journal"
    by_number = opened(lab.url(driver))
    by_name = opened(lab.url(driver).replace("127.0.0.1", "localhost"))
    assert by_number.key != by_name.key
    assert by_number.identity == by_name.identity == "sqlserver dist1"
    with hold_target(journal, by_number):
        with pytest.raises(ServerBusy), hold_target(journal, by_name):
            raise AssertionError("two hold one server")
        with pytest.raises(ServerBusy, match="another computer"):
            refuse_marked(tmp_path / "another.journal", by_name)
    by_number.close()
    by_name.close()
