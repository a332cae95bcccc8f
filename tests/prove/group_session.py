"""Whole sessions on labs with availability groups, in which something goes wrong at one statement."""

import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from typing import Any, Protocol

from app.bootstrap import load_families
from app.domain.errors import ReplituneError
from app.domain.events import RunStatus
from app.domain.ports import StatementSink
from app.domain.setting import Value
from app.domain.statement import Access
from app.domain.target import Target
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.faults import FaultKind, RequestHeld, error_of
from app.drivers.sqlserver.lab.servers import LabClock, LabTransport
from app.drivers.sqlserver.lab.simulated import SimulatedSqlServers
from app.drivers.sqlserver.session import Place
from app.foundation.late_requests import LIMIT_S
from app.foundation.rows import Cell
from app.lab.held_requests import LATE_BY_S
from app.runner.control import RunControl
from app.services.plan.checking import prepare_run
from app.services.plan.plan_file import load_plan
from app.services.run.guided_session import GuidedSession
from app.services.workplace import open_workplace
from app.systems.availability_groups.lab.scenario import availability_scenario_path, load_availability_scenario
from app.systems.availability_groups.lab_server.server import LabGroupServer
from app.systems.availability_groups.subjects import SYSTEM_ID
from tests.labs import sqlserver_over

_FAMILIES = load_families()
_load_scenario = cache(load_availability_scenario)

# Sent by a simulated target's clock; no server ever gets them.
CLOCK_STATEMENTS = frozenset({"lab_wait", "server_time"})
UNCOUNTED = CLOCK_STATEMENTS | {"server_name"}
"""Nor are those counted by which each new connection asks whose it is: where a server is off, how many connections are
made depends on how long it was waited for."""

# A lab of this process dies with it, and what was left there with it; this one is taken for another's.
KEY = "lab@127.0.0.1:1"

PLANS = {
    "commit_mode": """
family = "commit_mode"
[factors]
availability_mode = ["async", "sync"]
log_stream_compression = ["default", "on"]
[workload]
group = "AG_SYNC"
inserts = [1, 10]
rows_total = 1000
settle_s = 1
[design]
blocks = 1
""",
    "seeding": """
family = "seeding"
[factors]
seeding_method = ["backup_restore", "direct", "direct_compressed"]
[workload]
group = "AG_SYNC"
database_mb = 50
backup_folder = '\\\\share\\backups'
settle_s = 1
watch_s = 5
[design]
blocks = 1
""",
}

ON_SITE = "on-site-group"

OWN_LOAD_PLANS = {
    "commit_mode_on_own_load": """
family = "commit_mode"
[factors]
availability_mode = ["async", "sync"]
[workload]
group = "AG_SYNC"
source = "own_traffic"
window_s = 60
settle_s = 1
[design]
blocks = 2
""",
}
"""A session on the client's own load, which changes little."""

COMMIT_TIME_LAB = "ag-2025"

COMMIT_TIME_PLANS = {
    "commit_time": """
family = "commit_mode"
[factors]
group_commit_time = [0, 1]
[workload]
source = "own_traffic"
window_s = 60
settle_s = 1
[design]
blocks = 1
""",
}
"""Options of the instances are set, and nothing else."""


class Kind(StrEnum):
    """What goes wrong at one statement; "after" means that the server has run it by then."""

    LOST_BEFORE = "connection lost before"
    LOST_AFTER = "connection lost after"
    TIMEOUT_BEFORE = "timeout before"
    TIMEOUT_AFTER = "timeout after"
    LATE = "carried out after the client gave it up"
    TOO_LATE = "carried out later than the client waits for"
    DENIED = "permission denied"
    DEADLOCK = "deadlock"
    FAILOVER = "failover"
    STAYS_DENIED = "this statement denied from there on"
    STAYS_LOST = "no connection from there on"
    KILLED_BEFORE = "program killed before"
    KILLED_AFTER = "program killed after"

    @property
    def kills(self) -> bool:
        """Whether the program itself ends, by signal 9."""
        return self in (Kind.KILLED_BEFORE, Kind.KILLED_AFTER)

    @property
    def is_late(self) -> bool:
        """Whether the server runs it when nobody waits for it any more."""
        return self in (Kind.LATE, Kind.TOO_LATE)

    @property
    def comes_after(self) -> bool:
        """Whether the statement runs first."""
        return self.value.endswith(" after")

    def error(self) -> SqlError | None:
        """Return what the client is told, None where it is told nothing."""
        return error_of(_REPORTED[self])


# Longer than a restore waits for it.
TOO_LATE_S = LIMIT_S + 30.0

_REPORTED = {
    Kind.LATE: FaultKind.EXECUTED_LATE,
    Kind.TOO_LATE: FaultKind.EXECUTED_LATE,
    Kind.LOST_BEFORE: FaultKind.LOST_BEFORE,
    Kind.LOST_AFTER: FaultKind.LOST_AFTER,
    Kind.TIMEOUT_BEFORE: FaultKind.TIMEOUT,
    Kind.TIMEOUT_AFTER: FaultKind.TIMEOUT,
    Kind.DENIED: FaultKind.PERMISSION_DENIED,
    Kind.DEADLOCK: FaultKind.DEADLOCK,
    Kind.FAILOVER: FaultKind.FAILOVER,
    Kind.STAYS_DENIED: FaultKind.PERMISSION_DENIED,
    Kind.STAYS_LOST: FaultKind.LOST_BEFORE,
    Kind.KILLED_BEFORE: FaultKind.LOST_BEFORE,
    Kind.KILLED_AFTER: FaultKind.LOST_AFTER,
}


@dataclass(frozen=True)
class Mishap:
    """Something that goes wrong at the n-th statement, from 1; a clock's own are not counted.

    Attributes:
        process_id: whom the kinds that kill do.
    """

    at: int
    kind: Kind
    process_id: int = 0

    def is_due(self, calls: "Sequence[Call]") -> bool:
        """Tell whether the newest of the calls is met by it."""
        if self.kind is Kind.STAYS_LOST:
            return len(calls) >= self.at
        if self.kind is Kind.STAYS_DENIED:
            return len(calls) >= self.at and calls[-1].name == calls[self.at - 1].name
        return len(calls) == self.at


class Due(Protocol):
    """What goes wrong at some statement, as a `Mishap` does."""

    @property
    def at(self) -> int:
        """The statement, from 1."""
        ...

    @property
    def kind(self) -> Kind:
        """What goes wrong."""
        ...

    @property
    def process_id(self) -> int:
        """Whom the kinds that kill do."""
        ...

    def is_due(self, calls: "Sequence[Call]") -> bool:
        """Tell whether the newest of the calls is met by it; asked once of each."""
        ...


@dataclass(frozen=True)
class Call:
    """A statement that reached the lab."""

    name: str
    access: Access


class DisturbedServers(SimulatedSqlServers):
    """Mixed into the servers of a lab, keeps what they were sent, and has something go wrong.

    Attributes:
        calls: every statement, those that are not counted left out, and those to a server that is off: how often one
            is tried over a line depends on how long it was waited for, too.
        mishap: what is to go wrong, if anything.
    """

    state: Any  # each system's own
    calls: list[Call]
    mishap: Due | None

    def run(self, name: str, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement, unless this is where something goes wrong."""
        if name in UNCOUNTED or self.server_there(place) is None:
            return super().run(name, place, parameters)
        self.calls.append(Call(name, catalogue()[name].access))
        mishap = self.mishap
        if mishap is None or not mishap.is_due(self.calls):
            return super().run(name, place, parameters)
        if mishap.kind.comes_after:
            super().run(name, place, parameters)
        if mishap.kind is Kind.FAILOVER:
            self.meet(FaultKind.FAILOVER, place, parameters)
        if mishap.kind.kills:
            os.kill(mishap.process_id, signal.SIGKILL)
        error = mishap.kind.error()
        if error is not None and mishap.kind.is_late:
            self.held.late_by_s = TOO_LATE_S if mishap.kind is Kind.TOO_LATE else LATE_BY_S
            carry_out = partial(super().run, name, place, dict(parameters))
            raise RequestHeld(self.held.hold(place.server, carry_out), error)
        if error is not None:
            raise error
        return super().run(name, place, parameters)

    def settle(self, seconds: float) -> None:
        """Let time pass, and all arrive that is still to be carried out."""
        self.state.advance(max(seconds, self.held.due_in_s()))
        self.held.catch_up()

    def sent(self) -> list[Call]:
        """Return the statements it was sent."""
        return self.calls

    def truth(self) -> Any:
        """Return everything a session could leave changed; a dataclass that compares."""
        raise NotImplementedError  # each system's own


class PosedGroups(DisturbedServers, LabGroupServer):
    """A lab with groups on which something goes wrong."""

    def __init__(self, scenario: Path, seed: int = 1, noise: bool | None = False) -> None:
        self.calls, self.mishap = [], None
        super().__init__(_load_scenario(scenario), seed, noise)

    def truth(self) -> "GroupTruth":
        """Return everything a session could leave changed, as the simulation itself has it.

        Which replica is primary is not among it: a failover is the site's own doing.
        """
        lab, state = self.state.lab, self.state
        return GroupTruth(
            replicas=tuple(
                (r.group, r.server, r.availability_mode, r.failover_mode, r.seeding_mode, r.may_create_any_database)
                for group in lab.groups()
                for r in sorted(group.replicas, key=lambda replica: replica.server)
            ),
            flags=tuple((server.name, tuple(sorted(server.trace_flags))) for server in lab.servers()),
            options=tuple((server.name, tuple(sorted(lab.options(server.name).items()))) for server in lab.servers()),
            databases=tuple(sorted(self._database(found.name, found.group, found.server) for found in lab.databases())),
            tables=tuple(sorted(state.tables)),
            test_databases=tuple(sorted(state.test_databases)),
            event_sessions=tuple(sorted(state.event_sessions)),
            jobs=repr(state.jobs.all()),
            backup_files=tuple(sorted(key for key, ids in state.backups.items() if ids)),
        )

    def _database(self, name: str, group: str, server: str) -> tuple[str, str, tuple[str, ...]]:
        copies = {one.name for one in self.state.lab.servers() if name in self.state.lab.copies_at(one.name)}
        return name, group, tuple(sorted({server, *copies} - {""}))


@dataclass(frozen=True)
class GroupTruth:
    """What stands where.

    Attributes:
        replicas: group, server, modes and right of each. flags, options: by server. databases: name, group, servers.
        tables: database and owner of test tables. backup_files: database and name of backups whose files are there.
    """

    replicas: tuple[tuple[object, ...], ...]
    flags: tuple[tuple[str, tuple[int, ...]], ...]
    options: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
    databases: tuple[tuple[str, str, tuple[str, ...]], ...]
    tables: tuple[tuple[str, str], ...]
    test_databases: tuple[str, ...]
    event_sessions: tuple[tuple[str, str], ...]
    jobs: str
    backup_files: tuple[tuple[str, str], ...]


def pose_groups(scenario: Path | None, seed: int, noise: bool | None) -> PosedGroups:
    """Build a lab with groups, for a process of its own."""
    return PosedGroups(scenario or availability_scenario_path("ag-2016"), seed, noise)


@dataclass
class ServersBench:
    """A lab of this process that outlives the targets opened on it, as a server does.

    Attributes:
        simulates: its system.
    """

    lab: DisturbedServers
    simulates: str
    key: str = KEY

    def open(self, _target: str, _seed: int, on_statement: StatementSink) -> Target:
        """Open a target on it."""
        return sqlserver_over(
            LabTransport(self.lab), LabClock(self.lab), on_statement, KEY, KEY, simulates=self.simulates
        )


@dataclass
class GroupBench(ServersBench):
    """A lab with groups."""

    lab: PosedGroups = field(default_factory=lambda: PosedGroups(availability_scenario_path("ag-2016")))
    simulates: str = SYSTEM_ID


def on_site_bench() -> GroupBench:
    """Return a bench of the groups that others built: without a cluster, with a witness, and a server that is off."""
    return GroupBench(PosedGroups(availability_scenario_path(ON_SITE)))


def commit_time_bench() -> GroupBench:
    """Return a bench of instances that can be told for how long they group commits."""
    return GroupBench(PosedGroups(availability_scenario_path(COMMIT_TIME_LAB)))


class DisturbedLab(Protocol):
    """A lab something can go wrong on.

    Attributes:
        calls: every statement it was sent. mishap: what is to go wrong, if anything.
    """

    calls: list[Call]
    mishap: Due | None

    def truth(self) -> Any:
        """Return everything a session could leave changed; a dataclass that compares."""
        ...

    def settle(self, seconds: float) -> None:
        """Let time pass."""
        ...


class Bench(Protocol):
    """A lab of this process that outlives the targets opened on it.

    Attributes:
        key: how its targets are called.
    """

    key: str

    @property
    def lab(self) -> DisturbedLab:
        """The lab."""
        ...

    def open(self, _target: str, _seed: int, on_statement: StatementSink) -> Target:
        """Open a target on it."""
        ...


@dataclass(frozen=True)
class Ended:
    """How a session ended.

    Attributes:
        status: of its run, None where none began.
        problem: the sentence a person reads.
    """

    status: RunStatus | None
    problem: str
    not_restored: tuple[str, ...] = ()


def write_plan(folder: Path, name: str, plans: Mapping[str, str] = PLANS) -> Path:
    """Write a small plan."""
    path = folder / f"{name}.toml"
    path.write_text(plans[name], encoding="utf-8")
    return path


def run_session(bench: Bench, plan_path: Path, out: Path) -> Ended:
    """Run one plan as the program does; the journal is kept in `out`."""
    plan = load_plan(plan_path, dict(_FAMILIES))
    try:
        with GuidedSession(open_workplace(out), out / "undo.journal", bench.open, title="faults") as session:
            opened = session.open_target(bench.key, 1)
            try:
                prepared = prepare_run(plan, _FAMILIES[plan.family], opened, str(plan_path))
                outcome = session.run(prepared, opened, RunControl(), [])
            finally:
                opened.close()
    except ReplituneError as error:
        return Ended(None, str(error))
    return Ended(outcome.status, outcome.reason, outcome.not_restored)
