"""Which agents take part in an experiment, and starting and stopping them under the journal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.change import Change
from app.domain.errors import BadInput, Disturbed
from app.domain.load import Load
from app.domain.target import Target
from app.foundation.texts import _
from app.runner.bench.switchboard import Switchboard
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.enumerations import ANONYMOUS, PULL, SUBSCRIPTION_TYPE
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.server.discover import is_azure, not_for_experiments
from app.systems.transactional_replication.topology import NOTHING_NAMED, Agent, Ending, Named, Topology

Participants = tuple[Agent, ...]


def choose_participants(topology: Topology, load: Load) -> tuple[Agent, ...]:
    """Return the Log Reader Agents of the publication databases a plan is for, each with its Distribution Agent.

    Databases that no experiment could measure are passed over (`Topology.pairs`).

    Raises:
        BadInput: there is nothing of the names the plan gives, fewer publication databases than it needs, or one
            without a Distribution Agent.
    """
    work = workload_of(load)
    pairs, measurable = work.agent_pairs, topology.pairs(work.named)
    if not measurable and work.named != NOTHING_NAMED:
        raise BadInput(_not_there(topology, work.named))
    if len(measurable) < pairs:
        raise BadInput(
            "; ".join(
                (
                    *_of_unknown_type(topology)[:_MOST_TOLD],
                    *((_ONLY_PULL,) if _are_all_pull(topology) else ()),
                    _too_few(work.named, bool(measurable)).format(
                        pairs=pairs, db=topology.distribution_db, have=len(measurable)
                    ),
                    *(server.reason for server in topology.unreached if server.role == "Publisher"),
                )
            )
        )
    _refuse_azure(topology, [reader.publisher_at for reader, _deliverer in measurable[:pairs]])
    chosen: list[Agent] = []
    for reader, deliverer in measurable[:pairs]:
        if deliverer is None:
            raise BadInput(
                _("{db} on {publisher} has no subscription, so there is no Distribution Agent to measure").format(
                    db=reader.publisher_db, publisher=reader.publisher
                )
            )
        chosen += [reader, deliverer]
    return tuple(chosen)


_MOST_TOLD: Final = 3
_NONE: Final = _(
    "{db} has no agents that an experiment could measure: it takes a transactional publication and the agents that "
    "read and deliver it, with their jobs at servers that answer"
)
_TOO_FEW: Final = _("the plan needs {pairs} agent pairs, but {db} has {have}; lower agent_pairs in [workload]")
_TOO_FEW_NAMED: Final = _(
    "the plan needs {pairs} agent pairs, but {db} has {have} under the names in [workload]; lower agent_pairs, or "
    "leave names out"
)
_ONLY_PULL: Final = _(
    "every subscription is a pull subscription, whose agent runs at its Subscriber and is left alone: measure a push "
    "subscription, if need be one made for this in a test database of the Subscriber"
)


def _too_few(named: Named, are_some: bool) -> str:
    """Return the refusal where there are fewer pairs than a plan needs; of none it is no matter of their number."""
    if not are_some:
        return _NONE
    return _TOO_FEW if named == NOTHING_NAMED else _TOO_FEW_NAMED


def _are_all_pull(topology: Topology) -> bool:
    agents = topology.agents_of(AgentKind.DISTRIBUTION)
    return bool(agents) and all(agent.subscription_type in (PULL, ANONYMOUS) for agent in agents)


def _of_unknown_type(topology: Topology) -> list[str]:
    """Return one sentence for each agent whose subscription is of a type this program does not know."""
    return [
        _("{agent} is left alone: this program does not know the type of its subscription, {type}").format(
            agent=agent.name, type=agent.subscription_type
        )
        for agent in topology.agents_of(AgentKind.DISTRIBUTION)
        if not SUBSCRIPTION_TYPE.knows(agent.subscription_type)
    ]


def _not_there(topology: Topology, named: Named) -> str:
    """Return the refusal of names under which nothing can be measured, with those that can."""
    wanted = ", ".join(f"{name} {value}" for name, value in vars(named).items() if value)
    found = "; ".join(place_of(reader, deliverer) for reader, deliverer in topology.pairs())
    other_kind = [
        agent.publication
        for agent in topology.agents_of(AgentKind.DISTRIBUTION)
        if named.publication and named.publication == agent.publication and not topology.delivered_by(agent)
    ]
    why = _("{name} is not a transactional publication, and others are left alone").format(name=named.publication)
    sentence = _("{db} has no agents that could be measured for {wanted} in [workload]; there are: {found}").format(
        db=topology.distribution_db, wanted=wanted, found=found or _("none")
    )
    return f"{why}; {sentence}" if other_kind else sentence


def place_of(reader: Agent, deliverer: Agent | None) -> str:
    """Return a pair's route in words."""
    source = _("{database} at {publisher}").format(database=reader.publisher_db, publisher=reader.publisher)
    if deliverer is None:
        return source
    return _("{publication} of {source}, delivered to {subscriber}").format(
        publication=deliverer.publication, source=source, subscriber=deliverer.subscriber
    )


def _refuse_azure(topology: Topology, publishers: Sequence[str]) -> None:
    """Refuse an experiment at a service of Azure: changes there are untried."""
    for server in topology.servers:
        if is_azure(server) and (server.role == "Distributor" or server.name in publishers):
            raise BadInput(not_for_experiments(server))


@dataclass(frozen=True)
class AgentProcess:
    """An agent that a run stops and starts; its profile marks it before."""

    target: Target
    agent: Agent
    owner: str

    def marks(self) -> Iterable[Change]:
        """Return the change that gives it a profile of its own, and the one that keeps its schedules off."""
        changes = agent_ports(self.target).agent_changes
        return (*changes.plan_trace(self.agent, self.owner), *changes.plan_disabled(self.agent))

    def planned(self, *, running: bool) -> Iterable[Change]:
        """Return the change "agent started" or "agent stopped"."""
        changes = agent_ports(self.target).agent_changes
        return (changes.plan_start(self.agent) if running else changes.plan_stop(self.agent),)

    def start(self) -> None:
        """Start it and wait for its new session."""
        self._switch(_("Start {name}"), running=True)

    def stop(self) -> None:
        """Stop it and wait until it has ended."""
        self._switch(_("Stop {name}"), running=False)

    def _switch(self, text: str, *, running: bool) -> None:
        ports, agent = agent_ports(self.target), self.agent
        ports.gate.switch(
            text,
            lambda: ports.agent_changes.plan_start(agent) if running else ports.agent_changes.plan_stop(agent),
            lambda: ports.agents.start(agent) if running else ports.agents.stop(agent),
            lambda _change: ports.agents.is_running(agent) is running,
            is_stop=not running,
        )


class AgentSwitch:
    """Starts and stops the participants; the first change of each agent's state goes through the journal."""

    def __init__(self, target: Target, board: Switchboard, participants: tuple[Agent, ...], owner: str) -> None:
        self._target = target
        self._owner = owner
        self._board = board
        self.participants = participants
        self._left_running: dict[tuple[AgentKind, int], bool] = {}
        self._kept_off: set[tuple[AgentKind, int]] = set()

    def forget(self) -> None:
        """Start afresh after a restore: agents are as they were found."""
        self._left_running.clear()
        self._kept_off.clear()

    def of(self, kind: AgentKind) -> tuple[Agent, ...]:
        """Return the participants of one kind."""
        return of_kind(self.participants, kind)

    def stop(self, kind: AgentKind) -> None:
        """Stop every participant of a kind that runs, and wait for it.

        Raises:
            Disturbed: one that this run had found or left running was stopped by somebody, or failed.
        """
        self._look_first()
        for agent in self.of(kind):
            self._keep_off(agent)
            if agent_ports(self._target).agents.is_running(agent):
                self._switch(agent, running=False)
            elif self._left_running.get(_key(agent)):
                ending = agent_ports(self._target).agents.read_ending(agent)
                if ending in (Ending.STOPPED, Ending.FAILED):
                    raise self.ended(agent, ending)

    def start(self, kind: AgentKind) -> None:
        """Start every participant of a kind that stands, and wait for its new session.

        Raises:
            Disturbed: one that this run had found or left running stands, or one it had stopped runs.
        """
        self._look_first()
        for agent in self.of(kind):
            was_left, runs = self._left_running.get(_key(agent)), self._is_running(agent)
            if was_left is False and runs:
                raise Disturbed(
                    _("{agent} was started by somebody else while it had to be stopped; the run ends").format(
                        agent=agent.name
                    )
                )
            if was_left and not runs:
                raise self.ended(agent, agent_ports(self._target).agents.read_ending(agent))
            if not runs:
                self._switch(agent, running=True)

    def _is_running(self, agent: Agent) -> bool:
        """Tell whether an agent runs, and is not asked to stop by the script that is to start it again."""
        ports = agent_ports(self._target)
        is_ending = self._target.asking.awaits(ports.agent_changes.plan_stop(agent))
        return ports.agents.is_running(agent) and not is_ending

    def _keep_off(self, agent: Agent) -> None:
        """Have no schedule start an agent that must stand from now on, whether it runs or stands already."""
        if _key(agent) in self._kept_off:
            return
        self._kept_off.add(_key(agent))
        changes = agent_ports(self._target).agent_changes
        if changes.plan_disabled(agent):
            self._board.make(("mark", _key(agent)), changes.plan_trace(agent, self._owner))
            self._board.make(("schedules", _key(agent)), changes.plan_disabled(agent))

    def let_schedules_start(self, kind: AgentKind) -> None:
        """Let schedules start the agents of a kind again, which run and need not stand any more."""
        for agent in self.of(kind):
            self._board.take_back(("schedules", _key(agent)))
            self._kept_off.discard(_key(agent))

    def _look_first(self) -> None:
        """Note which agents run before any is switched.

        One that ends later without being asked to, as with a failover, was not found standing: started under the
        journal as if it had been, it would be stopped by a restore.
        """
        if self._left_running:
            return
        running = [agent for agent in self.participants if agent_ports(self._target).agents.is_running(agent)]
        self._left_running.update((_key(agent), True) for agent in running)

    def ended(self, agent: Agent, ending: Ending) -> Disturbed:
        """Return the error for an agent that stands though it should run; where somebody stopped it, it is left so."""
        if ending is Ending.STOPPED:
            self.leave(agent)
            return Disturbed(
                _("{agent} was stopped by somebody else during the trial and is left stopped; the run ends").format(
                    agent=agent.name
                )
            )
        return Disturbed(
            _("{agent} ended during the trial without being asked to ({ending}); the run ends").format(
                agent=agent.name, ending=_ending_word(ending)
            )
        )

    def leave(self, agent: Agent) -> None:
        """Have an agent neither started nor stopped any more: it is as somebody else decided."""
        self._board.leave(_key(agent))

    def _switch(self, agent: Agent, *, running: bool) -> None:
        self._board.switch(_key(agent), AgentProcess(self._target, agent, self._owner), running=running)
        self._left_running[_key(agent)] = running


def of_kind(participants: Iterable[Agent], kind: AgentKind) -> tuple[Agent, ...]:
    """Return the participants of one kind."""
    return tuple(agent for agent in participants if agent.kind is kind)


def _key(agent: Agent) -> tuple[AgentKind, int]:
    return agent.kind, agent.agent_id


def _ending_word(ending: Ending) -> str:
    return {
        Ending.STOPPED: _("its job was stopped"),
        Ending.FAILED: _("its job failed"),
        Ending.BY_ITSELF: _("its job ended by itself"),
        Ending.UNKNOWN: _("its job's history does not say why"),
    }[ending]
