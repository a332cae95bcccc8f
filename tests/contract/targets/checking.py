"""A transport that holds the lab to the catalogue, and a journey that uses everything the adapter can do."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from app.domain.setting import Setting, Value
from app.domain.statement import StatementRecord
from app.domain.target import Target
from app.drivers.sqlserver.catalogue import Column, Statement
from app.drivers.sqlserver.lab.servers import LabClock, LabTransport, SimulatedServers
from app.drivers.sqlserver.server_clock import ServerClock
from app.drivers.sqlserver.session import Place, RecordingSession
from app.foundation.rows import Cell
from app.lab.faults import Fault
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.lab.scenario import load_scenario, scenario_path
from app.systems.transactional_replication.lab_server.server import LabSqlServer
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.rights import read_rights
from app.systems.transactional_replication.topology import Agent, Ending, Topology
from tests.labs import sqlserver_over

_TYPES: dict[str, type] = {
    "int": int,
    "bigint": int,
    "float": float,
    "nvarchar": str,
    "sysname": str,
    "varchar": str,
    "uniqueidentifier": str,
    "datetime": datetime,
}


class CheckingTransport(LabTransport):
    """Fails on a row that has not exactly the declared columns, types and NULLs."""

    def __init__(self, server: SimulatedServers) -> None:
        super().__init__(server)
        self.calls: Counter[str] = Counter()
        self.rows: Counter[str] = Counter()

    def send(self, statement: Statement, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement and check its rows."""
        rows = super().send(statement, place, parameters)
        self.calls[statement.name] += 1
        self.rows[statement.name] += len(rows)
        for row in rows:
            assert len(row) == len(statement.columns), statement.name
            for column, cell in zip(statement.columns, row, strict=True):
                _check_cell(statement.name, column, cell)
        return rows


def _check_cell(statement: str, column: Column, cell: Cell) -> None:
    if cell is None:
        assert column.nullable, f"{statement}.{column.name} is NULL"
    else:
        assert type(cell) is _TYPES[column.sql_type], f"{statement}.{column.name} is {type(cell).__name__}"


@dataclass
class Bench:
    """A target on a lab in this process, with everything a test wants to look at."""

    server: LabSqlServer
    transport: CheckingTransport
    target: Target
    session: RecordingSession
    records: list[StatementRecord]

    @property
    def topology(self) -> Topology:
        """The topology as discovered now."""
        return agent_ports(self.target).agents.discover()

    def reader(self) -> Agent:
        """Return the first Log Reader Agent."""
        return self.topology.agents_of(AgentKind.LOG_READER)[0]

    def own_server(self) -> Agent:
        """Return the first Distribution Agent."""
        return self.topology.agents_of(AgentKind.DISTRIBUTION)[0]

    def value(self, agent: Agent, name: str) -> tuple[str, str]:
        """Return value and origin of a parameter in effect."""
        found = next(p for p in agent_ports(self.target).agents.read_parameters(agent) if p.name == name)
        return found.value, found.origin


def make_bench(scenario: str = "lan", faults: tuple[Fault, ...] = ()) -> Bench:
    """Build a lab without noise and a target on it."""
    server = LabSqlServer(load_scenario(scenario_path(scenario)), seed=1, noise=False, faults=faults)
    transport = CheckingTransport(server)
    records: list[StatementRecord] = []
    clock = LabClock(server)
    target = sqlserver_over(transport, clock, records.append)
    return Bench(server, transport, target, RecordingSession(transport, clock, records.append), records)


def journey(bench: Bench) -> None:
    """Use every capability once: discovery, readings, tokens, workload, network, each kind of change and its undo."""
    with bench.target.hold("S1"):
        _travel(bench)


def _travel(bench: Bench) -> None:
    target = bench.target
    reader, agent = bench.reader(), bench.own_server()
    agent_ports(target).agents.read_parameters(reader)
    agent_ports(target).agents.read_subscriber_objects(agent)
    assert all(start.is_owner_known for start in agent_ports(target).agents.read_job_starts())
    agent_ports(target).agents.read_clock_offsets()
    read_rights(bench.session, agent_ports(target).agents.discover())
    agent_ports(target).network.read_round_trip(agent)
    agent_ports(target).network.read_bandwidth_kbps(agent)
    setting = Setting.of(CommitBatchSize=200, PacketSize=8192, SubscriptionStreams=4)
    agent_ports(target).agents.read_nature(agent)
    _see_one_elsewhere(bench)
    bench.server.state.scheduled.add(agent.job_id)
    ports = agent_ports(target).agent_changes
    changes = [*ports.plan_disabled(agent), ports.plan_stop(agent)]
    for change in changes:
        target.changes.apply(change)
    for change in agent_ports(target).agent_changes.plan_setting(agent, setting, "S1"):
        target.changes.apply(change)
        changes.append(change)
    agent_ports(target).agents.read_parameters(agent)
    agent_ports(target).agent_changes.read_leftovers()
    agent_ports(target).workload.write(reader, 4_000, (2.5, 2.5), 3)
    target.clock.sleep(10)
    agent_ports(target).agents.read_command_bytes(agent)
    agent_ports(target).agents.read_backlog(agent, 1_000)
    agent_ports(target).agents.start(agent)
    token = target.changes.apply(agent_ports(target).agent_changes.plan_tracer_token(agent))
    assert token is not None
    agent_ports(target).agents.read_token_clocks(agent)
    target.clock.sleep(60)
    agent_ports(target).agents.sample()
    agent_ports(target).agents.read_history(agent)
    agent_ports(target).agents.read_hours(24)
    agent_ports(target).agents.read_statistics(agent)
    agent_ports(target).agents.read_pending(agent)
    agent_ports(target).agents.read_tracer_token(token)
    target.changes.undo(token)
    target.changes.quiesce(changes)
    assert agent_ports(target).agents.read_ending(agent) is Ending.STOPPED
    for change in reversed(changes):
        target.changes.undo(change)
    bench.server.state.other_work.begin(bench.server.own_server)
    work, programs = agent_ports(target).agents.past_readings(bench.server.own_server, 60.0, [agent]).values()
    assert work()
    assert programs() == ()
    _beyond_the_ports(bench, agent)
    assert all(cost.cpu_ms > 0 and cost.logical_reads > 0 for cost in target.reading_cost())


def _see_one_elsewhere(bench: Bench) -> None:
    """Discover while a batch file runs one of the agents."""
    site = bench.server.state.site
    as_found, site.found = site.found, site.found.model_copy(update={"agents_elsewhere": (2,)})
    assert len(bench.topology.elsewhere) == 1
    site.found = as_found


def _beyond_the_ports(bench: Bench, agent: Agent) -> None:
    ServerClock(bench.session).sleep(1.0)
    bench.session.run("server_addresses", Place(bench.server.own_server, "master"))
