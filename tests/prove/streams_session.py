"""Whole sessions on a lab with Oracle Streams, in which something goes wrong at one statement."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Final

from app.domain.ports import StatementSink
from app.domain.target import Target
from app.drivers.oracle.catalogue import Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.lab_faults import FaultKind, RequestHeld, error_of
from app.drivers.oracle.session import End
from app.foundation.rows import Cell
from app.lab.held_requests import LATE_BY_S
from app.systems.oracle_streams.lab.scenario import load_scenario, scenario_path
from app.systems.oracle_streams.lab_server.server import LabClock, LabOracle, LabTransport
from tests.labs import oracle_over, started_in
from tests.prove.group_session import TOO_LATE_S, Call, Due, Kind

_load_scenario: Final = cache(load_scenario)

# A lab of this process dies with it, and what was left there with it; this one is taken for another's.
KEY: Final = "oracle://replitune@lab/SOURCE"

PLANS: Final = {
    "apply": """
family = "streams_apply"
[factors]
TXN_LCR_SPILL_THRESHOLD = [50, 10000]
PARALLELISM = [1, 4]
[workload]
rows = 100
rows_per_commit = 100
trace_10046 = "yes"
[design]
blocks = 1
confirm_blocks = 1
[limits]
streams_pool_share = 1
""",
    "capture": """
family = "streams_apply"
[factors]
_SGA_SIZE = [10, 40]
LATENCY = [5, 60]
[workload]
rows = 100
rows_per_commit = 50
operation = "insert"
confirm_hidden = "yes"
[design]
blocks = 1
confirm_blocks = 1
[limits]
streams_pool_share = 1
""",
}

OWN_WORK_PLANS: Final = {
    source: f"""
family = "streams_apply"
[factors]
PARALLELISM = [1, 4]
[workload]
source = "{source}"
[design]
stop = "blocks"
blocks = 1
confirm_blocks = 0
settling_trials = 0
[limits]
data_age_s = 120
"""
    for source in ("own_backlog", "held")
}
"""One window for each setting, on the client's own work."""

KINDS: Final = tuple(kind for kind in Kind if not kind.kills and kind is not Kind.FAILOVER)

_REPORTED: Final = {
    Kind.LATE: FaultKind.EXECUTED_LATE,
    Kind.TOO_LATE: FaultKind.EXECUTED_LATE,
    Kind.LOST_BEFORE: FaultKind.LOST_BEFORE,
    Kind.LOST_AFTER: FaultKind.LOST_AFTER,
    Kind.TIMEOUT_BEFORE: FaultKind.TIMEOUT,
    Kind.TIMEOUT_AFTER: FaultKind.TIMEOUT,
    Kind.DENIED: FaultKind.PERMISSION_DENIED,
    Kind.DEADLOCK: FaultKind.DEADLOCK,
    Kind.STAYS_DENIED: FaultKind.PERMISSION_DENIED,
    Kind.STAYS_LOST: FaultKind.LOST_BEFORE,
}


@dataclass(frozen=True)
class StreamsTruth:
    """What stands where in both databases.

    Attributes:
        parameters: name, value and whether a user set it, of capture and apply.
        pools: pool setting of each database. retention_days, latency_s: of capture and propagation.
        tables: end and schema of test tables. traced: traced sessions.
        states: of capture, propagation and apply. started: with which values those run that count from a start.
    """

    parameters: tuple[object, ...]
    pools: tuple[object, ...]
    retention_days: float
    latency_s: float
    tables: tuple[object, ...]
    prepared: tuple[str, ...]
    instantiated: tuple[str, ...]
    traced: tuple[object, ...]
    open_updates: int
    states: tuple[str, str, str]
    started: tuple[object, ...]


class PosedStreams(LabOracle):
    """A lab with Streams that keeps what it was sent, and has something go wrong.

    Attributes:
        calls: every statement.
        mishap: what is to go wrong, if anything.
    """

    def __init__(self, scenario: str | Path = "streams-2009") -> None:
        path = scenario_path(scenario) if isinstance(scenario, str) else scenario
        super().__init__(_load_scenario(path), seed=1, noise=False)
        self.calls: list[Call] = []
        self.mishap: Due | None = None
        self.live_through_past()

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement, unless this is where something goes wrong."""
        self.calls.append(Call(statement.name, statement.access))
        mishap = self.mishap
        if mishap is None or not mishap.is_due(self.calls):
            return super().run(statement, end, binds)
        if mishap.kind.comes_after:
            super().run(statement, end, binds)
        error = error_of(_REPORTED[mishap.kind])
        assert isinstance(error, OracleError)
        if mishap.kind.is_late:
            self.held.late_by_s = TOO_LATE_S if mishap.kind is Kind.TOO_LATE else LATE_BY_S
            raise RequestHeld(self.held.hold(end.value, partial(super().run, statement, end, dict(binds))), error)
        raise error

    def settle(self, seconds: float) -> None:
        """Let time pass, and all arrive that is still to be carried out."""
        self.state.lab.advance(max(seconds, self.held.due_in_s()))
        self.held.catch_up()

    def truth(self) -> StreamsTruth:
        """Return everything a session could leave changed, as the simulation itself has it."""
        state, lab = self.state, self.state.lab
        return StreamsTruth(
            parameters=tuple(
                (name, found.value(name), found.is_set_by_user(name))
                for found in (lab.capture_parameters, lab.apply_parameters)
                for name in found.names
            ),
            pools=tuple(sorted((end.value, size) for end, size in state.pool_settings.items())),
            retention_days=state.retention_days,
            latency_s=lab.propagation().latency_s,
            tables=tuple(sorted((end.value, schema) for end, schema in state.tables)),
            prepared=tuple(sorted(state.prepared)),
            instantiated=tuple(sorted(state.instantiated)),
            traced=tuple(sorted(state.traced_sessions())),
            open_updates=state.open_updates,
            states=(lab.capture().status, lab.propagation().status, lab.apply().status),
            started=tuple(started_in(lab).items()),
        )


@dataclass
class StreamsBench:
    """A lab of this process that outlives the targets opened on it, as databases do."""

    lab: PosedStreams = field(default_factory=PosedStreams)
    key: str = KEY

    def open(self, _target: str, _seed: int, on_statement: StatementSink) -> Target:
        """Open a target on it."""
        return oracle_over(LabTransport(self.lab), LabClock(self.lab), on_statement, KEY, KEY)
