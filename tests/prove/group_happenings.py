"""What others do to availability groups while a session runs."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from app.domain.ports import StatementSink
from app.domain.setting import Value
from app.domain.target import Target
from app.drivers.sqlserver.lab.faults import FaultKind
from app.drivers.sqlserver.lab.servers import LabClock, LabTransport
from app.drivers.sqlserver.lab.time_answers import moment_utc
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.systems.availability_groups.lab.scenario import availability_scenario_path
from app.systems.availability_groups.lab_server.server import DATABASE_REMOVED, REPLICA_DOWN
from app.systems.availability_groups.subjects import SYSTEM_ID
from tests.e2e.posed_lab import ALIAS, Pose, posed_lab
from tests.labs import sqlserver_over
from tests.prove.group_faults import SETTLE_S
from tests.prove.group_session import KEY, PLANS, UNCOUNTED, GroupTruth, PosedGroups
from tests.prove.happenings import Ground, Happening
from tests.prove.served import Served
from tests.prove.wire_session import open_target

_HOME: Final = "SQLNODE1"
_SECONDARY: Final = "SQLNODE2"


class StruckGroups(PosedGroups):
    """A lab with groups that something happens to before one statement."""

    def __init__(self) -> None:
        super().__init__(availability_scenario_path("ag-2016"))
        self.strike: Any = None
        self.struck_at: datetime | None = None

    def run(self, name: str, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement, after what happens before it."""
        if name not in UNCOUNTED and self.strike and self.strike.is_due(len(self.calls) + 1):
            self.struck_at = self.now()
            happen = self.strike.happen
            self.strike = None  # what is sent again over another connection is struck no more
            happen(self)
        return super().run(name, place, parameters)

    def now(self) -> datetime:
        """Return the lab's time of day."""
        return moment_utc(self.now_s())


def _open(lab: StruckGroups, on_statement: StatementSink) -> Target:
    return sqlserver_over(LabTransport(lab), LabClock(lab), on_statement, KEY, KEY, simulates=SYSTEM_ID)


def _happen(name: str, kind: str, *theirs: str, server: str = _HOME) -> Happening:
    return Happening(name, lambda lab: lab._prepare(kind, Place(server, "master")), frozenset(theirs), SETTLE_S)


def _build(_scenario: Path | None, _seed: int, _noise: bool | None) -> StruckGroups:
    return StruckGroups()


def _leads_to(lab: StruckGroups) -> str:
    """An alias of the first group's primary replica that the servers know nothing of: no listener of theirs."""
    return str(lab.state.lab.groups()[0].primary)


@contextmanager
def _served(driver: str, *, is_home_told: bool) -> Iterator[Served[GroupTruth]]:
    with posed_lab(Pose(build=_build, home=_HOME, leads_to=_leads_to)) as posed:
        told = f"&server.{_HOME}=127.0.0.1,{posed.port}" if is_home_told else ""
        yield Served(posed, replace(posed, home=ALIAS).key(driver) + told)


def groups_by_alias(driver: str, *, is_home_told: bool = False) -> Ground:
    """Return the lab with groups, reached through a driver and an address that leads to whichever replica is primary.

    What the servers say of one another's addresses is true.

    Args:
        is_home_told: whether the target says where the first primary replica is reached by its own name.
    """
    return Ground(
        plans=PLANS,
        make_lab=partial(_served, driver, is_home_told=is_home_told),
        open=lambda lab, on_statement: open_target(lab.key, 1, on_statement),
        key="lab@127.0.0.1",
    )


def _fail_over_at_once(lab: StruckGroups) -> None:
    lab._prepare(FaultKind.FAILOVER, Place(_HOME, "master"))
    lab.settle(SETTLE_S)


FAILS_OVER_AT_ONCE: Final = Happening("failover at once", _fail_over_at_once, settle_s=SETTLE_S)

GROUPS: Final = Ground(PLANS, lambda: nullcontext(StruckGroups()), _open, KEY)

HAPPENINGS: Final = (
    _happen("failover", FaultKind.FAILOVER),
    _happen("replicas down", REPLICA_DOWN),
    _happen("databases removed", DATABASE_REMOVED, "databases"),
    _happen("primary restarted", FaultKind.SERVER_RESTARTED, "flags"),
    _happen("secondary restarted", FaultKind.SERVER_RESTARTED, "flags", server=_SECONDARY),
)
