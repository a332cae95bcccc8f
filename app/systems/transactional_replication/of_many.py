"""Of hundreds of agents a few are read one by one, the worst first; the others are counted."""

from collections import Counter
from collections.abc import Sequence

from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.observed import AgentHour
from app.systems.transactional_replication.readings import ReplicationSample
from app.systems.transactional_replication.tables import agent_kind_title
from app.systems.transactional_replication.topology import Agent, Topology

_Key = tuple[AgentKind, int]


def worst_first(topology: Topology, hours: Sequence[AgentHour]) -> tuple[Agent, ...]:
    """Return the agents in the order in which they deserve a look: most errors, then most commands delivered."""
    problems, commands = _sums(hours)
    names: list[_Key] = [(agent.kind, agent.agent_id) for agent in topology.agents]
    rank = {key: (-problems[key], -commands[key], key[1]) for key in names}
    ordered = sorted(topology.agents, key=lambda agent: rank[agent.kind, agent.agent_id])
    busiest = sorted(topology.agents, key=lambda agent: -commands[agent.kind, agent.agent_id])
    # every second one is among the busiest: errors alone show those that deliver nothing
    return tuple(dict.fromkeys(agent for pair in zip(ordered, busiest, strict=True) for agent in pair))


def rest_of(
    topology: Topology, examined: Sequence[Agent], hours: Sequence[AgentHour], sample: ReplicationSample | None
) -> tuple[str, ...]:
    """Return a sentence for each kind of agent of which not all were examined: their number, and how they fare."""
    problems, commands = _sums(hours)
    seen = set(examined)
    told: list[str] = []
    for kind in AgentKind:
        others = [agent for agent in topology.agents if agent.kind is kind and agent not in seen]
        if not others:
            continue
        keys = [(agent.kind, agent.agent_id) for agent in others]
        words = _(
            "{kind}: {count} more are counted and not read one by one; {running} of them run, {troubled} had errors or "
            "retries in these hours, and they delivered {commands:,} commands in all"
        )
        told.append(
            words.format(
                kind=agent_kind_title(kind),
                count=len(others),
                running=_running(others, sample),
                troubled=sum(problems[key] > 0 for key in keys),
                commands=sum(commands[key] for key in keys),
            )
        )
    return tuple(told)


def _sums(hours: Sequence[AgentHour]) -> tuple[Counter[_Key], Counter[_Key]]:
    """Return the rows with errors or retries, and the commands delivered, of each agent."""
    problems: Counter[_Key] = Counter()
    commands: Counter[_Key] = Counter()
    for hour in hours:
        problems[hour.kind, hour.agent_id] += hour.problems
        commands[hour.kind, hour.agent_id] += hour.commands
    return problems, commands


def _running(agents: Sequence[Agent], sample: ReplicationSample | None) -> str:
    if sample is None:
        return _("an unknown number")
    running = {(one.kind, one.agent_id) for one in sample.agents if one.is_running}
    return str(sum((agent.kind, agent.agent_id) in running for agent in agents))
