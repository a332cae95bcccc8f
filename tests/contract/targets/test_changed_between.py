"""Somebody sets a value between the reading and the sending of a set: the batch itself leaves it, and it is told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import pytest

from app.domain.change import Change
from app.domain.declared_change import IS_EXPECTED
from app.domain.errors import ChangedByOthers, ChangedMeanwhile
from app.domain.setting import Setting, Value
from app.domain.target import Target
from app.drivers.sqlserver.catalogue import Statement, catalogue
from app.drivers.sqlserver.lab.servers import LabClock, SimulatedServers
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.systems.change_data_capture.lab_server import LabCaptureServer
from app.systems.change_data_capture.server import CaptureServer
from app.systems.change_data_capture.subjects import SYSTEM_ID
from tests.contract.targets.checking import Bench, CheckingTransport, make_bench
from tests.contract.targets.group_checking import GroupBench, make_group_bench
from tests.contract.targets.test_changes import all_changes, fingerprint
from tests.contract.targets.test_group_changes import PLANS
from tests.labs import build_lab, sqlserver_over

COMPARING: Final = {name for name, one in catalogue().items() if IS_EXPECTED in one.column_names}
# Of what has two values only, the other one is what the program wanted: who set it is all that differs.
OTHER_VALUES: Final[Mapping[str, Callable[[Mapping[str, Value]], Value]]] = {
    "parameter_value": lambda _given: "7",
    "value": lambda given: type(given["value"])(7),
    "maxtrans": lambda _given: 777,
    "profile_id": lambda given: {2: 4, 3: 5}[int(given["agent_type"])],
}
DROPPING: Final = "drop_profile_parameter"


@dataclass
class Between:
    """Comes ahead of the first comparing statement that is sent while it waits, and sets another value by the same."""

    transport: CheckingTransport
    server: SimulatedServers
    state: Callable[[], object]
    met: set[str] = field(default_factory=set)
    is_waiting: bool = False
    left: object = None

    def __post_init__(self) -> None:
        self._send = self.transport.send
        vars(self.transport)["send"] = self.send  # stands in front of it

    def send(self, statement: Statement, place: Place, given: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Set another value ahead of a comparing statement, once, then send what was to be sent."""
        if self.is_waiting and statement.name in COMPARING:
            self.is_waiting = False
            self.met.add(statement.name)
            name, others = statement.name, {key: value for key, value in given.items() if key != "expected"}
            if name == DROPPING:
                name, others = "set_profile_parameter", {**others, "parameter_value": "7"}
            others |= {key: other(given) for key, other in OTHER_VALUES.items() if key in others}
            self.server.run(name, place, others)
            self.left = self.state()
        return self._send(statement, place, given)

    def disturb(self, work: Callable[[Change], object], change: Change) -> ChangedByOthers | None:
        """Return what a piece of work says of it."""
        self.is_waiting = True
        try:
            work(change)
        except ChangedByOthers as said:
            return said
        finally:
            self.is_waiting = False
        return None


def _agents() -> tuple[Bench, list[Change], Callable[[], object]]:
    bench = make_bench()
    return bench, all_changes(bench), lambda: fingerprint(bench)


def _groups(name: str) -> tuple[GroupBench, list[Change], Callable[[], object]]:
    bench = make_group_bench()
    return bench, list(PLANS[name](bench)), bench.state


@dataclass
class CaptureBench:
    """A target on an instance of this process that captures changes."""

    server: LabCaptureServer
    transport: CheckingTransport
    target: Target

    @property
    def port(self) -> CaptureServer:
        """The port of Change Data Capture."""
        port: CaptureServer = self.target.ports(SYSTEM_ID)
        return port


def _capture() -> tuple[CaptureBench, list[Change], Callable[[], object]]:
    server = build_lab("capture", noise=False)
    transport = CheckingTransport(server)
    bench = CaptureBench(server, transport, sqlserver_over(transport, LabClock(server), simulates=SYSTEM_ID))
    found = bench.port.discover(lambda error: pytest.fail(str(error)))
    assert found is not None
    [job] = [job for job in found.jobs if job.server == found.connected_to]
    plan = bench.port.changes.plan_values(job, Setting.of(maxscans=50))
    return bench, list(plan), lambda: [found.text for found in server.state.jobs.values()]


_Made = tuple[Bench | GroupBench | CaptureBench, list[Change], Callable[[], object]]
_CASES: Final[dict[str, Callable[[], _Made]]] = {
    "agents": _agents,
    "capture": _capture,
    **{name: lambda name=name: _groups(name) for name in PLANS},  # type: ignore[misc]  # the name of each
}


def _disturb(make: Callable[[], _Made], *, is_undo: bool) -> set[str]:
    """Disturb each change of a plan by itself and return the statements that were met."""
    met: set[str] = set()
    for number in range(len(make()[1])):
        bench, changes, state = make()
        between = Between(bench.transport, bench.server, state)
        for change in changes[: number + is_undo]:
            bench.target.changes.apply(change)
        change = changes[number]
        said = between.disturb(bench.target.changes.undo if is_undo else bench.target.changes.apply, change)
        if not between.met:
            continue
        met |= between.met
        if is_undo and said is None:
            assert bench.target.changes.is_undone(change), change.subject  # they put the original back themselves
        else:
            assert said is not None, change.subject
            assert "somebody else" in str(said)
            assert isinstance(said, ChangedMeanwhile) is not is_undo
            assert state() == between.left, change.subject
    return met


@pytest.mark.parametrize("is_undo", [False, True], ids=["made", "put back"])
def test_what_somebody_set_between_reading_and_sending_stays(is_undo: bool) -> None:
    """Every statement that compares is met by somebody who comes a moment before it."""
    met = {name for make in _CASES.values() for name in _disturb(make, is_undo=is_undo)}
    # the undo of a database taken into a group is to take it out, whoever had it taken in meanwhile
    assert met == COMPARING - ({"add_group_database"} if is_undo else {DROPPING})
