"""Which agents take part in an experiment, and starting and stopping them under the journal."""

from app.domain.errors import BadInput
from app.domain.rig import Changer
from app.domain.target import Target
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.topology import Agent, Topology


def choose_participants(topology: Topology, pairs: int) -> tuple[Agent, ...]:
    """Return the Log Reader Agents of the first `pairs` publication databases and their Distribution Agents.

    Raises:
        BadInput: the Distributor has fewer publication databases than the plan needs, or one without a
            Distribution Agent.
    """
    readers = topology.agents_of(AgentKind.LOG_READER)
    if len(readers) < pairs:
        raise BadInput(
            _("the plan needs {pairs} agent pairs, but {db} has {have}; lower agent_pairs in [workload]").format(
                pairs=pairs, db=topology.distribution_db, have=len(readers)
            )
        )
    chosen: list[Agent] = []
    for reader in readers[:pairs]:
        deliverers = [
            agent
            for agent in topology.agents_of(AgentKind.DISTRIBUTION)
            if (agent.publisher, agent.publisher_db) == (reader.publisher, reader.publisher_db)
        ]
        if not deliverers:
            raise BadInput(
                _("{db} on {publisher} has no subscription, so there is no Distribution Agent to measure").format(
                    db=reader.publisher_db, publisher=reader.publisher
                )
            )
        chosen += [reader, deliverers[0]]
    return tuple(chosen)


class AgentSwitch:
    """Starts and stops the participants; the first change of each agent's state goes through the journal."""

    def __init__(self, target: Target, changer: Changer, participants: tuple[Agent, ...], owner: str) -> None:
        self._target = target
        self._owner = owner
        self._changer = changer
        self._participants = participants
        self._journalled: set[tuple[AgentKind, int]] = set()

    def forget(self) -> None:
        """Start afresh after a restore: agents are as they were found, the next change is journalled again."""
        self._journalled.clear()

    def of(self, kind: AgentKind) -> tuple[Agent, ...]:
        """Return the participants of one kind."""
        return tuple(agent for agent in self._participants if agent.kind is kind)

    def stop(self, kind: AgentKind) -> None:
        """Stop every participant of a kind that runs, and wait for it."""
        for agent in self.of(kind):
            if agent_ports(self._target).agents.is_running(agent):
                self._switch(agent, running=False)

    def start(self, kind: AgentKind) -> None:
        """Start every participant of a kind that stands, and wait for its new session."""
        for agent in self.of(kind):
            if not agent_ports(self._target).agents.is_running(agent):
                self._switch(agent, running=True)

    def _switch(self, agent: Agent, *, running: bool) -> None:
        key = (agent.kind, agent.agent_id)
        if key not in self._journalled:
            for trace in agent_ports(self._target).agent_changes.plan_trace(agent, self._owner):
                self._changer.apply(trace)
            self._journalled.add(key)
            plan = (
                agent_ports(self._target).agent_changes.plan_start
                if running
                else agent_ports(self._target).agent_changes.plan_stop
            )
            self._changer.apply(plan(agent))
        elif running:
            agent_ports(self._target).agents.start(agent)
        else:
            agent_ports(self._target).agents.stop(agent)
