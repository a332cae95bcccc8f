"""What others do to replication agents while a session runs."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

from app.domain.ports import StatementSink
from app.domain.setting import Value
from app.domain.target import Target
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.faults import FaultKind
from app.drivers.sqlserver.lab.servers import LabClock, LabTransport
from app.drivers.sqlserver.lab.time_answers import moment_utc
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.systems.transactional_replication.lab.scenario import scenario_path
from app.systems.transactional_replication.lab_server.happenings import (
    AGENT_CRASHED,
    AGENT_RENAMED,
    AGENT_RESTARTED,
    AGENT_STOPPED,
    PUBLICATION_DROPPED,
)
from app.systems.transactional_replication.lab_server.site import LISTENER
from app.systems.transactional_replication.subjects import SYSTEM_ID
from tests.e2e.posed_lab import CLOCK_STATEMENTS, Pose, PosedLab, Truth, posed_lab
from tests.labs import sqlserver_over
from tests.prove.happenings import Ground, Happening
from tests.prove.killing import FAMILIES, OWN_WORK, OWN_WORK_PLAN, PLAN, STEADY_PLAN, windows_plan_of
from tests.prove.served import Served
from tests.prove.wire_session import open_target
from tests.writers import incident

# A lab of this process dies with it, and what was left there with it; this one is taken for another's.
KEY: Final = "lab@127.0.0.1:1"
_JUMP_S: Final = 3_600.0
_ASLEEP_S: Final = 7_200.0

IN_GROUPS: Final = """
[site]
offline_subscribers = []
refusing_subscribers = []
pull_subscriptions = []
stopped_agents = []
waiting_commands = 0
count_commands_per_s = 2000000.0
unreached_after_s = 0.0
redirected_publishers = [1]
is_distribution_db_in_group = true
"""


class ComputerClock(LabClock):
    """The clock of the computer the program runs on: it may be put, and stands while the computer is asleep.

    Attributes:
        put_s: how far the time of day was put. slept_s: how long it was asleep.
    """

    put_s = slept_s = 0.0

    def now_utc(self) -> datetime:
        """Return the computer's time of day."""
        return super().now_utc() + timedelta(seconds=self.put_s)

    def monotonic_s(self) -> float:
        """Return seconds awake, as Linux counts them."""
        return super().monotonic_s() - self.slept_s

    def put(self, seconds: float) -> None:
        """Somebody, or a time service, puts the computer's clock."""
        self.put_s += seconds

    def fall_asleep(self, seconds: float) -> None:
        """The lid is closed: the servers go on, and the computer's time of day is right again when it is opened."""
        super().sleep(seconds)
        self.slept_s += seconds


class StruckAgents(PosedLab):
    """A lab with agents that something happens to before one statement.

    The connection that one goes over breaks where it was to a server that is another one since.
    """

    def __init__(self, scenario: Path | None = None) -> None:
        super().__init__(scenario or scenario_path("lan"), seed=1, noise=False)
        self.strike: Any = None
        self.struck_at: datetime | None = None
        self.clock = ComputerClock(self)

    def run(self, name: str, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement, after what happens before it."""
        if name not in CLOCK_STATEMENTS and self.strike and self.strike.is_due(len(self.calls) + 1):
            self.struck_at = self.now()
            before = self.state.failovers.get(place.server)
            happen = self.strike.happen
            self.strike = None  # what is sent again over another connection is struck no more
            happen(self)
            if self.state.failovers.get(place.server) != before:
                raise SqlError(10054, "An existing connection was forcibly closed by the remote host.", "08S01")
        return super().run(name, place, parameters)

    def now(self) -> datetime:
        """Return the lab's time of day."""
        return moment_utc(self.now_s())

    def settle(self, seconds: float) -> None:
        """Let time pass."""
        self.state.advance(seconds)


def _open(lab: StruckAgents, on_statement: StatementSink) -> Target:
    return sqlserver_over(LabTransport(lab), lab.clock, on_statement, KEY, KEY, simulates=SYSTEM_ID)


def _happen(name: str, kind: str, *theirs: str, server: str = "DIST1") -> Happening:
    return Happening(name, partial(_happen_to, kind, server), frozenset(theirs), settle_s=60.0)


def _happen_to(kind: str, server: str, lab: PosedLab) -> None:
    lab.happenings.happen(kind, server)


def _fails_over_at_once(server: str, lab: PosedLab) -> None:
    lab.happenings.happen(FaultKind.FAILOVER, server)
    lab.state.opens_at_s.clear()


AGENTS: Final = Ground(
    plans={
        **{
            family: PLAN.format(family=family, factor=factor, levels=levels)
            for family, (factor, levels) in FAMILIES.items()
        },
        "steady": STEADY_PLAN,
        "windows": windows_plan_of("distribution_agent"),
    },
    make_lab=lambda: nullcontext(StruckAgents()),
    open=_open,
    key=KEY,
)


def _lab_at_work() -> AbstractContextManager[StruckAgents]:
    with tempfile.TemporaryDirectory() as folder:
        return nullcontext(StruckAgents(incident(Path(folder))))


AGENTS_AT_WORK: Final = replace(
    AGENTS,
    plans={
        source: OWN_WORK_PLAN.format(source=source, publication=publication) for source, publication in OWN_WORK.items()
    },
    make_lab=_lab_at_work,
)
"""Agents measured on the client's own work, while his applications write."""


def _build(scenario: Path | None, _seed: int, _noise: bool | None) -> StruckAgents:
    return StruckAgents(scenario)


@contextmanager
def _served(driver: str, scenario: Path | None) -> Iterator[Served[Truth]]:
    with posed_lab(Pose(scenario=scenario, build=_build)) as posed:
        yield Served(posed, posed.key(driver))


def scenario_in_groups(path: Path) -> Path:
    """Write a scenario whose publication database and distribution database are in availability groups."""
    text = scenario_path("lan").read_text(encoding="utf-8")
    path.write_text(f"{text}\n{IN_GROUPS}", encoding="utf-8")
    return path


def agents_in_groups(folder: Path) -> Ground:
    """Return the lab of this process with the publication database and the distribution database in groups."""
    return replace(AGENTS, make_lab=lambda: nullcontext(StruckAgents(scenario_in_groups(folder / "groups.toml"))))


def served_agents(driver: str, scenario: Path | None = None) -> Ground:
    """Return the lab with agents behind a port, reached through a driver."""
    return Ground(
        plans=AGENTS.plans,
        make_lab=partial(_served, driver, scenario),
        open=lambda lab, on_statement: open_target(lab.key, 1, on_statement),
        key="lab@127.0.0.1",
    )


TO_SERVERS: Final = (
    _happen("agents stopped", AGENT_STOPPED, "running", "started_with"),
    _happen("agents crashed", AGENT_CRASHED, "running", "started_with"),
    _happen("agents restarted", AGENT_RESTARTED),
    _happen("publication dropped", PUBLICATION_DROPPED, "running", "started_with", "assigned", "steps", "tokens"),
    _happen("Distributor restarted", FaultKind.SERVER_RESTARTED),
    _happen("Publisher restarted", FaultKind.SERVER_RESTARTED, server="PUB1"),
    _happen("summer time begins", FaultKind.SUMMER_TIME),
    _happen("agents renamed", AGENT_RENAMED),
)

GROUP_FAILS_OVER: Final = _happen("Publisher's group fails over", FaultKind.FAILOVER, server=LISTENER)
GROUP_FAILS_OVER_AT_ONCE: Final = Happening(
    "Publisher's group fails over at once", partial(_fails_over_at_once, LISTENER), settle_s=60.0
)
DISTRIBUTOR_FAILS_OVER: Final = Happening(
    "Distributor's group fails over at once", partial(_fails_over_at_once, "DIST1"), settle_s=60.0
)

HAPPENINGS: Final = (
    *TO_SERVERS,
    Happening("computer's clock put forward", lambda lab: lab.clock.put(_JUMP_S), settle_s=60.0, lasts_s=_JUMP_S),
    Happening("computer's clock put back", lambda lab: lab.clock.put(-_JUMP_S), settle_s=60.0),
    Happening("computer asleep", lambda lab: lab.clock.fall_asleep(_ASLEEP_S), settle_s=60.0, lasts_s=_ASLEEP_S),
)
