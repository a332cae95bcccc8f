"""One look at a target: at its replication agents, its availability groups, its Streams, whatever is there."""

from dataclasses import dataclass, replace

from app.domain.availability import GroupTopology
from app.domain.errors import BadInput, ReplituneError, Unsupported
from app.domain.observing import ReplicationObservation
from app.domain.observing_groups import GroupsObservation
from app.domain.observing_streams import StreamsObservation
from app.domain.ports import Capability, Target
from app.foundation.texts import _
from app.services.advising import Advisor
from app.services.look_cost import LookCost
from app.services.observing import DEFAULT_WINDOW_H, observe_agents
from app.services.observing_groups import DEFAULT_WATCH_S, observe_groups
from app.services.observing_streams import observe_streams
from app.services.ports import TargetOpener


@dataclass(frozen=True)
class Look:
    """What was seen; None for what is not there, never all of them."""

    replication: ReplicationObservation | None
    groups: GroupsObservation | None
    streams: StreamsObservation | None = None


def look(
    target: str,
    advisor: Advisor,
    open_target: TargetOpener,
    *,
    window_h: int = DEFAULT_WINDOW_H,
    watch_s: float = DEFAULT_WATCH_S,
) -> Look:
    """Look at what a target has; only statements marked as reading are sent.

    Args:
        window_h: hours of the agents' history to look at.
        watch_s: seconds to watch availability groups and Streams for, which keep no history.

    Raises:
        BadInput: it has neither replication agents nor availability groups; an Oracle target no Streams process.
        TargetError: nothing of it can be read; the sentence is that of its first part.
    """
    cost = LookCost()
    opened = open_target(target, 1, cost.add)
    try:
        return _look(opened, advisor, cost, window_h, watch_s)
    finally:
        opened.close()


def _look(target: Target, advisor: Advisor, cost: LookCost, window_h: int, watch_s: float) -> Look:
    if Capability.ORACLE_STREAMS in target.capabilities:
        return Look(None, None, observe_streams(target, advisor, cost, watch_s))
    problems: list[ReplituneError] = []
    replication: ReplicationObservation | None = None
    if Capability.REPLICATION_AGENTS in target.capabilities:
        try:
            replication = observe_agents(target, advisor, window_h, cost)
        except ReplituneError as error:
            problems.append(error)
    topology: GroupTopology | None = None
    if Capability.AVAILABILITY_GROUPS in target.capabilities:
        try:
            topology = target.groups.discover()
        except ReplituneError as error:
            problems.append(error)
    if topology is not None and topology.groups:
        groups = observe_groups(target, topology, advisor.families, cost, watch_s)
        # that there is no Distributor here is nothing a site with groups lacks
        untold = [str(error) for error in problems if not isinstance(error, Unsupported)]
        return Look(replication, replace(groups, unread=(*groups.unread, *untold)))
    if replication is None:
        raise (
            problems[0]
            if problems
            else BadInput(
                _("{target} has neither replication agents nor availability groups to observe").format(
                    target=target.key
                )
            )
        )
    unread = (*replication.unread, *(str(error) for error in problems))
    return Look(replace(replication, unread=unread), None)
