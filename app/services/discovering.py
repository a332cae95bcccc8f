"""Reading what is there: topology, agents, the parameters in effect and where each comes from."""

from dataclasses import dataclass
from typing import Final

from app.domain.availability import GroupTopology
from app.domain.errors import ReplituneError
from app.domain.ports import Capability, Target
from app.domain.session import AgentParameters
from app.domain.statement import StatementRecord
from app.domain.streams import StreamsTopology
from app.domain.topology import Topology
from app.services.ports import TargetOpener

NO_REPLICATION: Final = Topology("", (), (), (), ())
"""What is found where no Distributor is."""


@dataclass(frozen=True)
class Discovery:
    """What was found on a target.

    Attributes:
        topology: of replication; empty where there is none.
        groups, streams: availability groups and Streams pipelines, None where there are none.
        unread: one sentence for each part that could not be read.
    """

    target: str
    topology: Topology
    agents: tuple[AgentParameters, ...]
    groups: GroupTopology | None = None
    streams: StreamsTopology | None = None
    unread: tuple[str, ...] = ()


def discover(target: str, open_target: TargetOpener) -> Discovery:
    """Read a target; changes nothing.

    Raises:
        BadInput: no such target.
        TargetError: it cannot be reached or read.
    """
    opened = open_target(target, 1, _ignore_statement)
    try:
        return read_discovery(opened)
    finally:
        opened.close()


def read_discovery(target: Target) -> Discovery:
    """Read everything an open target offers.

    Raises:
        TargetError: nothing of it could be read; the sentence is that of its first part.
    """
    topology = NO_REPLICATION
    agents: tuple[AgentParameters, ...] = ()
    groups: GroupTopology | None = None
    streams: StreamsTopology | None = None
    unread: list[ReplituneError] = []
    if Capability.REPLICATION_AGENTS in target.capabilities:
        try:
            topology = target.agents.discover()
            agents = tuple(AgentParameters(a.name, target.agents.read_parameters(a)) for a in topology.agents)
        except ReplituneError as error:
            unread.append(error)
    if Capability.AVAILABILITY_GROUPS in target.capabilities:
        try:
            found = target.groups.discover()
            groups = found if found.groups else None
        except ReplituneError as error:
            unread.append(error)
    if Capability.ORACLE_STREAMS in target.capabilities:
        try:
            streams = target.streams.discover()
        except ReplituneError as error:
            unread.append(error)
    if unread and not topology.servers and groups is None and streams is None:
        raise unread[0]
    return Discovery(target.key, topology, agents, groups, streams, tuple(str(error) for error in unread))


def _ignore_statement(_record: StatementRecord) -> None:
    """Discovery outside a session keeps no statement log."""
