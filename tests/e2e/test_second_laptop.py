"""One server, one experiment: some meetings of two laptops over TDS, always the same, and what holds a server."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest

from app.bootstrap import build_program
from app.domain.errors import ServerBusy
from app.domain.target import Target
from app.drivers.oracle.connection import OracleConnection
from app.services.look.discovering import read_discovery
from app.services.look.look_cost import LookCost
from app.services.look.looking import Looking, look_at
from app.services.run.running_mark import hold_target, refuse_marked
from app.systems.availability_groups.offer import group_ports
from app.systems.oracle_streams.lab_server.server import LabClock, LabTransport
from app.systems.oracle_streams.offer import streams_port
from tests.e2e.posed_lab import Pose, Posed, posed_lab
from tests.labs import ignore, target_over
from tests.prove.group_happenings import GROUPS, StruckGroups
from tests.prove.happenings import Ground
from tests.prove.happenings import run_session as run_on
from tests.prove.killing import FAMILIES, write_plan
from tests.prove.second_laptop import Deed, meet, meetings_of
from tests.prove.streams_happenings import STREAMS, StruckStreams
from tests.prove.streams_session import KEY
from tests.prove.wire_faults import installed_drivers
from tests.prove.wire_session import open_target

LOST: Final = "S20260101-120000-abcdef"
"""A session of another computer that was lost."""


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


def _groups_with(kind: str) -> tuple[StruckGroups, Target]:
    lab = StruckGroups()
    target = GROUPS.open(lab, lambda _record: None)
    ports = group_ports(target)
    planned = (
        ports.groups.plan_test_tables("LoadSync", 1_000, LOST)
        if kind == "tables"
        else ports.seeding.plan_event_session(LOST)
    )
    for change in planned:
        target.changes.apply(change)
    return lab, target


def _streams_with_a_table(schema: str = "") -> tuple[StruckStreams, Target]:
    lab = StruckStreams()
    transport, clock = LabTransport(lab), LabClock(lab)
    target = target_over(OracleConnection(transport, clock, ignore, KEY, KEY, load_schema=schema))
    port = streams_port(target)
    (path, *_others) = port.discover().paths
    for change in port.plan_test_table(path, 100, LOST):
        target.changes.apply(change)
    return lab, target


@pytest.mark.parametrize(
    ("ground", "plan", "leave", "left"),
    [
        (GROUPS, "commit_mode", lambda: _groups_with("tables"), f"table Replitune source {LOST} in database"),
        (GROUPS, "seeding", lambda: _groups_with("events"), f"extended events session Replitune seeding {LOST}"),
        (STREAMS, "apply", _streams_with_a_table, f"STRMADMIN.REPLITUNE_LOAD, the Replitune test table of {LOST}"),
        (
            STREAMS,
            "apply",
            lambda: _streams_with_a_table("SCOTT"),
            f"SCOTT.REPLITUNE_LOAD, the Replitune test table of {LOST}",
        ),
    ],
    ids=["commit mode", "seeding", "streams", "streams, another login"],
)
def test_what_a_lost_session_left_is_no_original(
    tmp_path: Path, ground: Ground, plan: str, leave: Callable[[], tuple[Any, Target]], left: str
) -> None:
    """Whoever comes next with another journal is told, also by a look, and changes nothing."""
    lab, target = leave()
    before = lab.truth()
    program = build_program()
    assert any(left in found for found in read_discovery(target, program.systems).left)
    looked = look_at(target, Looking(program.advisor, LookCost(), watch_s=1.0))
    assert any(left in found for found in looked.left)
    ended = run_on(ground, lab, plan, tmp_path)
    assert "is not as an earlier session found it" in ended.problem
    assert left in ended.problem
    assert lab.truth() == before
