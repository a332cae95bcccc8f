"""Targets for tests: labs of this process opened as the program opens them, and targets over any connection."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from app.bootstrap import load_families, load_systems
from app.domain.family import ExperimentFamily
from app.domain.ports import ServerChanges, StatementSink
from app.domain.statement import CataloguedStatement, ReadingCost, StatementRecord
from app.domain.system import System, system_simulated
from app.domain.target import Connection, Target
from app.drivers.oracle.connection import OracleConnection
from app.drivers.oracle.session import Transport as OracleTransport
from app.drivers.sqlserver import catalogue as sqlserver
from app.drivers.sqlserver.connection import SqlServerConnection
from app.drivers.sqlserver.session import Transport as SqlServerTransport
from app.foundation.asked import Asked
from app.foundation.clock import Clock
from app.foundation.paths import systems_roots
from app.lab.scenario_file import scenario_kind, shipped_scenarios
from app.services.target.assembling import assemble
from app.systems.oracle_streams.lab.pipeline import StreamsLab
from app.systems.oracle_streams.lab_server.server import LabOracle
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.lab_server.server import LabSqlServer

# What an apply or a capture reads while it runs (see the lab's pipeline), so that its start says nothing of it.
_COUNTS_AT_ONCE: Final = frozenset({"PARALLELISM", "TXN_LCR_SPILL_THRESHOLD", "_CHECKPOINT_FREQUENCY"})
SYSTEMS: Final[Mapping[str, System]] = load_systems()
FAMILIES: Final[Mapping[str, ExperimentFamily]] = load_families()


def ignore(_record: StatementRecord) -> None:
    """Keep no statement."""


def families_of(system_id: str) -> dict[str, ExperimentFamily]:
    """Return the families of one system, by id."""
    return {name: family for name, family in FAMILIES.items() if family.system.system_id == system_id}


def own_statements(system_id: str, engine: str) -> set[str]:
    """Return the names of the statements in a system's folder."""
    folders = [root / system_id / "statements" / engine for root in systems_roots()]
    return {path.stem for folder in folders for path in folder.glob("*.sql")}


def asked_of_every_server() -> set[str]:
    """Return the names of the driver's own statements for SQL Server."""
    return {path.stem for path in (Path(sqlserver.__file__).parent / "statements").glob("*.sql")}


def answered_by(system_id: str) -> set[str]:
    """Return the names of the statements that the SQL Server lab of a system answers: the driver's and its own."""
    return asked_of_every_server() | own_statements(system_id, "sqlserver")


def system_of_lab(scenario: str | Path | None) -> System:
    """Return the system a scenario simulates, that of the program's default lab where none is named."""
    if scenario is None:
        return next(iter(SYSTEMS.values()))
    kind = scenario_kind(lab_file(scenario))
    system = system_simulated(SYSTEMS.values(), kind)
    assert system is not None
    return system


def lab_file(scenario: str | Path) -> Path:
    """Return the file of a scenario, by the name it is shipped under or its path."""
    return shipped_scenarios()[scenario] if isinstance(scenario, str) else scenario


def open_lab(
    scenario: str | Path | None = None,
    seed: int = 1,
    on_statement: StatementSink = ignore,
    noise: bool | None = None,
    faults: Sequence[Any] = (),
) -> Target:
    """Open a lab of any kind in this process; `scenario` is a shipped name or a file, None for the default lab."""
    system = system_of_lab(scenario)
    path = None if scenario is None else lab_file(scenario)
    return target_over(system.lab.open(path, seed, on_statement, noise, faults))


def build_lab(scenario: str | Path | None = None, seed: int = 1, noise: bool | None = None) -> Any:
    """Return the simulated servers of a lab alone, to be served or to stand behind a transport."""
    path = None if scenario is None else lab_file(scenario)
    return system_of_lab(scenario).lab.build(path, seed, noise)


def target_over(connection: Connection) -> Target:
    """Return a target with what the systems offer over a connection."""
    return assemble(connection, SYSTEMS)


def sqlserver_over(
    transport: SqlServerTransport,
    clock: Clock,
    on_statement: StatementSink = ignore,
    key: str = "lab",
    label: str = "lab",
    *,
    simulates: str = "",
) -> Target:
    """Return a target over any transport to SQL Servers; `simulates` leaves one system there."""
    return target_over(SqlServerConnection(transport, clock, on_statement, key, label, simulates=simulates))


def oracle_over(
    transport: OracleTransport,
    clock: Clock,
    on_statement: StatementSink = ignore,
    key: str = "lab",
    label: str = "lab",
) -> Target:
    """Return a target over any transport to the two databases of a pipeline."""
    return target_over(OracleConnection(transport, clock, on_statement, key, label))


@dataclass
class MemoryConnection:
    """A connection to servers that are values in memory: there is nothing to be sent."""

    clock: Clock
    key: str = "memory"
    label: str = "memory"
    engine: str = "memory"
    facts: tuple[tuple[str, str], ...] = ()
    is_lab: bool = False
    simulates: str = ""
    identity: str = ""
    asked: Asked = field(default_factory=Asked)
    session: Any = None

    def hold(self, owner: str) -> AbstractContextManager[None]:
        """Nobody else is there."""
        del owner
        return nullcontext()

    def statements(self) -> tuple[CataloguedStatement, ...]:
        """Return nothing: there are none."""
        return ()

    def after_late_requests(self, action: Callable[[], None], *, of_earlier: bool) -> None:
        """Do it: nothing is sent that could come later."""
        del of_earlier
        action()

    def reading_cost(self) -> tuple[ReadingCost, ...]:
        """Return nothing: reading costs nobody anything."""
        return ()

    def cancel(self) -> None:
        """Nothing runs for long."""

    def close(self) -> None:
        """Nothing is open."""


def lab_behind(target: Target) -> Any:
    """Return the simulated servers of a lab in this process, which know more than they are asked; None over sockets."""
    session = target.open_connection.session
    while not hasattr(session, "_transport"):
        session = session._session
    return getattr(session._transport, "_server", None)


def started_with(target: Target) -> dict[str, object]:
    """Return with which values each process that runs was started, as the simulation has it, whatever is set by now."""
    lab = lab_behind(target)
    if isinstance(lab, LabSqlServer):
        state = lab.state
        return {
            agent.name: state.lab.started_with(agent.pair, is_log_reader=agent.kind is AgentKind.LOG_READER)
            for agent in state.site.agents
        }
    if isinstance(lab, LabOracle):
        return started_in(lab.state.lab)
    return {}


def jobs_disabled(target: Target) -> frozenset[str]:
    """Return the ids of the jobs that no schedule starts, as the simulation has it."""
    lab = lab_behind(target)
    return frozenset(lab.state.disabled) if isinstance(lab, LabSqlServer) else frozenset()


def started_in(pipeline: StreamsLab) -> dict[str, object]:
    """Return with which values capture and apply were started, those they read only then, where they run."""
    return {
        name: {one: text for one, text in parameters.as_started().items() if one not in _COUNTS_AT_ONCE}
        for name, parameters, state in (
            ("capture", pipeline.capture_parameters, pipeline.capture()),
            ("apply", pipeline.apply_parameters, pipeline.apply()),
        )
        if state.is_running
    }


def with_changes(target: Target, wrap: Callable[[ServerChanges], ServerChanges]) -> Target:
    """Return a target with something in front of the changes of each system."""
    offers = {name: replace(offer, changes=wrap(offer.changes)) for name, offer in target.offers.items()}
    return Target(target.open_connection, offers)
