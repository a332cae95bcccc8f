"""The client's own backlogs: which agent is farthest behind, and where a plan's work comes from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.domain.errors import TargetError
from app.domain.limits import DATA_AGE, Limits
from app.domain.load import Load
from app.domain.naming import Word
from app.domain.target import Target
from app.domain.work_source import SOURCE, WorkSource, work_source_of
from app.drivers.sqlserver.counters import TOTAL
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.enumerations import PUSH
from app.systems.transactional_replication.load import OF_TEST_TABLE, workload_of
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.topology import NOTHING_NAMED, Agent, Topology

WORTH_S: Final = 300.0
"""A backlog is worth windows where it takes the agent so long: four of them, each with its switch."""

USUAL_RATE_PER_S: Final = 2_000.0
"""The published study's rate of one stream, where a server does not estimate the time."""
_USUAL_READ_RATE_PER_S: Final = 5_000.0
# Counting is a seek up to here; of more it is known that it is more.
_MOST_COUNTED: Final = 1_000_000
# Backlogs of so many agents of a site are read; a plan names another.
_MOST_ASKED: Final = 8


@dataclass(frozen=True)
class Waiting:
    """The backlog of one agent.

    Attributes:
        agent: its name.
        commands: stored for it, up to a bound where they were counted one by one.
        time_s: how long it takes, by the server's estimate or else a usual rate.
        is_counted: whether the server has a running total of a Log Reader Agent's commands, None where it stands.
    """

    agent: Word
    commands: int
    time_s: float
    is_counted: bool | None = None


def read_waiting(target: Target, agents: tuple[Agent, ...]) -> Mapping[str, Waiting]:
    """Read the backlogs of Distribution Agents, by name, as far as this login may."""
    waiting = {}
    for agent in agents[:_MOST_ASKED]:
        if (found := _waiting(target, agent)) is not None:
            waiting[agent.name] = found
    return waiting


def _waiting(target: Target, agent: Agent) -> Waiting | None:
    agents = agent_ports(target).agents
    try:
        counted = agents.read_backlog(agent, _MOST_COUNTED)
    except TargetError:
        return None
    if counted is None:
        return None
    if counted < _MOST_COUNTED:
        return Waiting(agent.name, counted, counted / USUAL_RATE_PER_S)
    try:
        pending = agents.read_pending(agent).commands
    except TargetError:
        pending = counted
    return Waiting(agent.name, pending, pending / USUAL_RATE_PER_S)


def read_log_waiting(target: Target, readers: tuple[Agent, ...]) -> Mapping[str, Waiting]:
    """Read the logs in front of Log Reader Agents, by the agent's name; their transactions are of the usual size."""
    now = agent_ports(target).agents.sample(readers)
    waiting = {}
    for reader in readers:
        session = now.of(reader)
        transactions = session.delivered_transactions if session is not None else 0
        size = session.delivered_commands / transactions if session is not None and transactions else 1.0
        commands = round(now.log_pending_of(reader) * size)
        is_counted = None
        if session is not None and session.is_running is not False:
            is_counted = session.counter_type == TOTAL
        waiting[reader.name] = Waiting(reader.name, commands, commands / _USUAL_READ_RATE_PER_S, is_counted)
    return waiting


def deliverers_here(topology: Topology) -> tuple[Agent, ...]:
    """Return the Distribution Agents that run at the Distributor for Subscribers that are reached, by agent id."""
    return tuple(
        agent
        for agent in topology.agents_of(AgentKind.DISTRIBUTION)
        if agent.job_id and agent.subscription_type == PUSH and agent.subscriber not in topology.silent
    )


def names_of(topology: Topology, agent: Agent) -> dict[str, str]:
    """Return a plan's names of a Distribution Agent, by the name of the field."""
    delivered = [publication.name for publication in topology.delivered_by(agent) if not publication.lacks_test_table]
    return {
        "publisher": agent.publisher,
        "database": agent.publisher_db,
        "publication": delivered[0] if agent.is_shared and delivered else agent.publication,
        "subscriber": agent.subscriber,
    }


def needs_no_table(topology: Topology) -> bool:
    """Tell whether no publication has the test table, so that a site's own work is all there is."""
    return not any(topology.has_test_table(agent) for agent in deliverers_here(topology))


def is_own_work(load: Load, topology: Topology) -> bool:
    """Tell whether a plan measures a site's own work: it says so, or there is nothing else."""
    return work_source_of(load).is_own_work or (SOURCE not in load and needs_no_table(topology))


def worst_named(load: Load, topology: Topology, waiting: Mapping[str, Waiting]) -> Load:
    """Return a load that names the agent with the most in front of it, where it is about own work and names none."""
    if not is_own_work(load, topology) or workload_of(load).named != NOTHING_NAMED or workload_of(load).agent_pairs > 1:
        return load
    pairs = [(r, d) for r, d in topology.pairs() if d is not None and r.name in waiting]
    in_front = {
        agent: waiting[agent.name].commands
        for agent in deliverers_here(topology)
        if agent.name in waiting and topology.delivered_by(agent)
    }
    in_front |= {deliverer: waiting[reader.name].commands for reader, deliverer in pairs}
    return load.but(**names_of(topology, max(in_front, key=in_front.__getitem__))) if in_front else load


def log_source_at(load: Load, deliverer: Agent, topology: Topology) -> WorkSource:
    """Return where the work of a Log Reader Agent's plan comes from: its log, where there is no test table."""
    if SOURCE in load:
        return work_source_of(load)
    return WorkSource.TEST_TABLE if topology.has_test_table(deliverer) else WorkSource.OWN_BACKLOG


def source_at(load: Load, limits: Limits, deliverer: Agent, topology: Topology, waiting: Waiting | None) -> WorkSource:
    """Return where the work of a plan comes from at a site: as the plan says, else the best the site has."""
    if SOURCE in load:
        return work_source_of(load)
    if topology.has_test_table(deliverer):
        return WorkSource.TEST_TABLE
    if waiting is not None and waiting.time_s >= WORTH_S:
        return WorkSource.OWN_BACKLOG
    return WorkSource.HELD if limits.get(DATA_AGE.name) else WorkSource.OWN_TRAFFIC


def own_load(load: Load, source: WorkSource, commands_per_transaction: float | None) -> Load:
    """Return a load on a site's own work: nothing in it tells of a test table."""
    if not source.is_own_work:
        return load
    size = commands_per_transaction
    sizes = None if size is None else (round(size, 1), round(size, 1))
    left_out = dict.fromkeys(OF_TEST_TABLE)
    return load.but(**left_out, **{SOURCE: str(source), "commands_per_transaction": sizes})
