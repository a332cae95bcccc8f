"""A site's picture: what carries changes is drawn between the servers that were asked about it."""

import pytest

from app.domain.site_picture import Standing
from app.drivers.sqlserver.lab.servers import LabClock, LabTransport
from app.flows.system_views import views_of
from app.services.look.discovering import read_discovery
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.site import Replication
from app.systems.transactional_replication.subjects import SYSTEM_ID
from tests.contract.families.test_enumerations import with_unknown
from tests.labs import SYSTEMS, build_lab, open_lab, sqlserver_over


@pytest.mark.parametrize("scenario", ["on-site", "ag-2016", "streams-2009"])
def test_every_hop_leads_from_one_server_of_the_picture_to_another(scenario: str) -> None:
    """And every server found as a part of the system is drawn, each once."""
    for system, discovered in read_discovery(open_lab(scenario), SYSTEMS).by_system:
        views = views_of(system)
        picture = views.picture(discovered, None, ())
        assert picture is not None
        assert all(picture.node(hop.source) and picture.node(hop.destination) for hop in picture.hops)
        assert len({node.key for node in picture.nodes}) == len(picture.nodes)
        drawn = {node.name for node in picture.nodes}
        assert {server.name for server in views.servers(discovered)} <= drawn


def test_a_log_reader_is_drawn_from_where_its_database_is() -> None:
    """Of one Publisher, a database in an availability group is read at its listener, the others at the Publisher."""
    target = open_lab("on-site")
    discovered = read_discovery(target, SYSTEMS).of(SYSTEM_ID)
    assert isinstance(discovered, Replication)
    picture = views_of(SYSTEMS[SYSTEM_ID]).picture(discovered, None, ())
    assert picture is not None
    readers = [hop for hop in picture.hops if hop.key.startswith(f"agent/{AgentKind.LOG_READER}/")]
    source_of = {hop.name: node.name for hop in readers if (node := picture.node(hop.source)) is not None}
    assert source_of == {
        agent.publisher_db: agent.publisher_at
        for agent in agent_ports(target).agents.discover().agents_of(AgentKind.LOG_READER)
    }
    assert set(source_of.values()) == {"PUB1", "SALES-AG"}


def test_an_agent_in_a_state_nobody_knows_is_told_so() -> None:
    """Neither as one that keeps up nor as one that failed: the number stands there."""
    lab = build_lab("lan")
    assert with_unknown(lab, "runstatus") > 0
    target = sqlserver_over(LabTransport(lab), LabClock(lab), lambda _record: None, simulates=SYSTEM_ID)
    system = SYSTEMS[SYSTEM_ID]
    discovered = read_discovery(target, SYSTEMS).of(SYSTEM_ID)
    assert discovered is not None
    now = system.read_now(target, discovered, None)
    picture = views_of(system).picture(discovered, None, (now,))
    assert picture is not None
    hops = [hop for hop in picture.hops if hop.key.startswith("agent/")]
    assert {(hop.standing, hop.state) for hop in hops} == {(Standing.UNKNOWN, "State: unknown (97)")}
