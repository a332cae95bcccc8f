"""Reading what is there with a login that may see a part of it only."""

from dataclasses import replace
from typing import Any

import pytest

from app.domain.errors import PermissionDenied
from app.domain.target import Target
from app.services.look.discovering import read_discovery
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.server.agents import SqlServerAgents
from app.systems.transactional_replication.site import Replication
from app.systems.transactional_replication.subjects import SYSTEM_ID
from tests.labs import SYSTEMS, open_lab

_DENIED = "SELECT on MSagent_parameters is missing"


class _Closed(SqlServerAgents):
    """A Distributor whose agents' parameters, or all of which, this login may not read."""

    def __init__(self, target: Target, *, is_all: bool) -> None:
        super().__init__(target.open_connection.session, target.clock)
        self._is_all = is_all

    def discover(self) -> Any:
        """Read the topology, or refuse it."""
        if self._is_all:
            raise PermissionDenied(_DENIED)
        return super().discover()

    def read_parameters(self, _agent: Any) -> Any:
        """Refuse it."""
        raise PermissionDenied(_DENIED)


def _target(*, is_all: bool) -> Target:
    target = open_lab()
    ports = replace(agent_ports(target), agents=_Closed(target, is_all=is_all))
    offers = {**target.offers, SYSTEM_ID: replace(target.offers[SYSTEM_ID], ports=ports)}
    return Target(target.open_connection, offers)


def test_the_topology_is_shown_where_parameters_may_not_be_read() -> None:
    """Servers, publications and agents are shown, with one sentence on what is missing."""
    discovery = read_discovery(_target(is_all=False), SYSTEMS)
    found = discovery.of(SYSTEM_ID)
    assert isinstance(found, Replication)
    assert found.topology.agents
    assert found.agents == ()
    assert discovery.unread == (_DENIED,)


def test_where_nothing_may_be_read_the_first_reason_is_told() -> None:
    """A look at nothing is no look."""
    with pytest.raises(PermissionDenied, match="MSagent_parameters"):
        read_discovery(_target(is_all=True), SYSTEMS)
