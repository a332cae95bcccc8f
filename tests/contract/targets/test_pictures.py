"""A site's picture: what carries changes is drawn between the servers that were asked about it."""

import pytest

from app.domain.site_picture import Standing
from app.drivers.sqlserver.lab.servers import LabClock, LabTransport
from app.flows.system_views import views_of
from app.services.look.discovering import read_discovery
from app.services.look.look_cost import LookCost
from app.services.look.looking import Looking
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.site import Replication
from app.systems.transactional_replication.subjects import SYSTEM_ID
from tests.contract.families.test_enumerations import with_unknown
from tests.labs import SYSTEMS, build_lab, open_lab, sqlserver_over
from tests.shipped_rules import ADVISOR


@pytest.mark.parametrize("scenario", ["on-site", "ag-2016", "streams-2009", "capture-traffic"])
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


@pytest.mark.parametrize(
    ("scenario", "standing"), [("capture", Standing.BEHIND), ("capture-traffic", Standing.KEEPS_UP)]
)
def test_a_capture_job_is_drawn_as_it_stands(scenario: str, standing: Standing) -> None:
    """Between its server and the captured database, behind where changes are captured late, with its values."""
    target = open_lab(scenario)
    (system, discovered), *_others = read_discovery(target, SYSTEMS).by_system
    observation = system.observe(target, Looking(ADVISOR, LookCost()))
    first = system.read_now(target, discovered, None)
    target.clock.sleep(10.0)
    picture = views_of(system).picture(discovered, observation, (first, system.read_now(target, discovered, first)))
    assert picture is not None
    (hop,) = picture.hops
    assert hop.standing is standing
    assert "pollinginterval 5 s" in " ".join(hop.lines)
    assert any("transactions/s" in line for line in hop.lines)
    assert picture.as_of
    assert [node.role for node in picture.nodes] == ["Primary", "Replica", "Captured database"]


def test_a_capture_job_stands_as_its_latency_says() -> None:
    """Before a reading knows of a scan, by what the look saw; and where neither does, it is not known."""
    target = open_lab("capture")
    (system, discovered), *_others = read_discovery(target, SYSTEMS).by_system
    first = system.read_now(target, discovered, None)
    observation = system.observe(target, Looking(ADVISOR, LookCost()))
    for seen, standing in ((None, Standing.UNKNOWN), (observation, Standing.BEHIND)):
        picture = views_of(system).picture(discovered, seen, (first,))
        assert picture is not None
        (hop,) = picture.hops
        assert hop.standing is standing
        assert "60 s" in picture.threshold


@pytest.mark.parametrize("scenario", ["on-site", "ag-2016", "streams-2009", "capture-traffic"])
def test_a_report_of_a_look_holds_no_table_as_words(scenario: str) -> None:
    """Tables stand as tables: no paragraph is a row of numbers, every line said is a sentence or an item of a list."""
    target = open_lab(scenario)
    for system, _discovered in read_discovery(target, SYSTEMS).by_system:
        looked = system.observe(target, Looking(ADVISOR, LookCost()))
        if looked is None:
            continue
        content = views_of(system).look_content(looked)
        texts = [text for name, text in content.items() if isinstance(text, str) and name != "waiting"]
        assert texts
        assert not [line for text in texts for line in text.splitlines() if "  " in line.strip()]
        unread = [line for text in texts for line in text.partition("Not read, or only in part:")[2].splitlines()]
        assert all(line.endswith(".") and line[:1].isspace() for line in unread if line)
