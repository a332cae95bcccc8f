"""A site that is not whole: servers that do not answer, agents that stand or run elsewhere, far too many commands."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from app.domain.errors import BadInput, TargetError, Unsupported
from app.domain.events import TrialFinished
from app.domain.family import PreflightCheck
from app.domain.measurement import TrialStatus
from app.drivers.sqlserver.lab.servers import LabClock, LabTransport
from app.drivers.sqlserver.session import RecordingSession
from app.drivers.sqlserver.session_settings import LOCK_LIMIT_S
from app.services.look.look_cost import LookCost
from app.services.look.looking import Looking
from app.services.plan.checking import prepare_run
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.lab_server.server import LabSqlServer
from app.systems.transactional_replication.observing import observe_agents
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.server.discover import AZURE, find_distribution_db
from app.systems.transactional_replication.tables import servers_table
from tests.contract.families.lab_runs import AGENT_FAMILIES, run_on_lab, small_plan
from tests.labs import build_lab, ignore, open_lab, sqlserver_over
from tests.on_site import AGENTS, CAUTIONS, SERVERS, UNREACHED
from tests.shipped_rules import ADVISOR


def test_discovery_names_what_is_there() -> None:
    """The servers that answer, those that do not with the reason, and the agents of both."""
    topology = agent_ports(open_lab("on-site")).agents.discover()
    assert {(server.role, server.name) for server in topology.servers} == SERVERS
    assert {(agent.name, agent.subscription_type, bool(agent.job_id)) for agent in topology.agents} == AGENTS
    assert {server.name for server in topology.unreached} == set(UNREACHED)
    for server in topology.unreached:
        assert UNREACHED[server.name] in server.reason
    assert [said.startswith(start) for said, start in zip(topology.cautions, CAUTIONS, strict=True)] == [True, True]
    assert [deliverer.agent_id for _reader, deliverer in topology.pairs() if deliverer] == [4, 5, 1, 2]
    listed = servers_table(topology).rows
    assert {row.cells[0].text for row in listed[: len(UNREACHED)]} == set(UNREACHED), "the worst stands first"


@pytest.mark.parametrize("family_id", AGENT_FAMILIES)
def test_an_experiment_needs_the_servers_of_its_own_agents_only(family_id: str) -> None:
    """It runs where all is whole, the servers come out as before, and nobody counts what waits for others."""
    family = AGENT_FAMILIES[family_id]
    run = run_on_lab(family, small_plan(family), scenario="on-site")
    assert {e.trial.status for e in run.events if isinstance(e, TrialFinished)} == {TrialStatus.USED}
    run.assert_as_found("on-site")
    counted = {json.loads(record.parameters)["agent_id"] for record in run.records if record.name == "agent_backlog"}
    assert counted == {4}
    written = {record.server for record in run.records if record.name == "write_load"}
    assert written == {"SALES-AG"}, "where the publication database is now"


@pytest.mark.parametrize(
    ("database", "said"),
    [("Sales2", "SUB2 refused the login"), ("SALES3", "")],
)
def test_a_subscriber_that_gave_no_answer_is_told_before_a_run(database: str, said: str) -> None:
    """Its agent may reach it all the same, so that nothing forbids the run; one that was read is not worth a line."""
    found = [check for check in _checks(database) if check.title.startswith("Subscriber ")]
    assert [(check.passed, check.blocking, said in check.remedy) for check in found] == [(False, False, True)] * bool(
        said
    )


def test_a_run_on_an_agent_that_fails_again_and_again_is_refused() -> None:
    """Its Subscriber is off: a million commands would be written, and would wait for it after the run."""
    (check,) = [check for check in _checks("Sales1") if check.title.startswith("PUB1-Sales1-Sales1Orders-SUB1-1")]
    assert (check.passed, check.blocking) == (False, True)
    assert "Der Prozess konnte keine Verbindung herstellen mit dem Abonnenten 'SUB1'." in check.remedy


def _checks(database: str) -> Sequence[PreflightCheck]:
    """Return the checks before a run on a publication database."""
    family, target = AGENT_FAMILIES["distribution_agent"], open_lab("on-site")
    plan = small_plan(family)
    plan = replace(plan, load=plan.load.but(agent_pairs=1, database=database))
    site = family.system.read_site(target, family.subject)
    return family.preflight(plan, family.system.rig_kind(family.subject).complete_site(plan, site, target))


def test_the_clean_up_job_holds_up_what_takes_shared_locks_only() -> None:
    """What the program needs reads without them; Microsoft's own count does not, waits its ten seconds and is left."""
    target = open_lab("on-site")
    agents = agent_ports(target).agents
    agent = agents.discover().pairs()[0][1]
    assert agent is not None
    agents.sample()
    assert agents.read_history(agent)
    began_s = target.clock.monotonic_s()
    with pytest.raises(TargetError):
        agents.read_pending(agent)
    assert target.clock.monotonic_s() - began_s == LOCK_LIMIT_S


def test_a_look_tells_what_it_could_not_see() -> None:
    """Each agent's own backlog is counted up to a bound; what waits in all is not made up from a part of it."""
    target = open_lab("on-site")
    seen = observe_agents(target, Looking(ADVISOR, LookCost()))
    assert seen.sample is not None
    assert seen.sample.distribution_pending_commands is None
    assert any("10,000,000" in sentence for sentence in seen.unread)
    assert {server for server, _offset in seen.clock_offsets} == {
        name for role, name in SERVERS if role != "Distributor"
    }
    assert len([agent for agent in seen.agents if agent.agent.kind is AgentKind.DISTRIBUTION]) == 5
    told = [finding.title for finding in seen.findings[:3]]
    assert told[0].startswith("PUB1-SALES3-sales3orders-SUB5-5 does not run"), "the worst stands first"
    assert told[1] == "PUB1-Sales1-Sales1Orders-SUB1-1 fails and is started again and again"
    listed = [agent.agent.name for agent in seen.agents[:2]]
    assert listed == [title.split(" ")[0] for title in told[:2]], "in tables as in findings"


def managed_instance() -> LabSqlServer:
    """Build a lab whose servers are Managed Instances, which say 12.0 of themselves whatever they can."""
    lab = build_lab("lan")
    assert isinstance(lab, LabSqlServer)
    azure = {"edition": AZURE, "product_version": "12.0.2000.8"}
    topology = lab.state.site.scenario.topology.model_copy(update=azure)
    lab.state.site.scenario = lab.state.site.scenario.model_copy(update={"topology": topology})
    return lab


def test_a_managed_instance_is_observed_and_no_more() -> None:
    """An experiment is refused with the sentence that says what works."""
    lab = managed_instance()
    target = sqlserver_over(LabTransport(lab), LabClock(lab))
    seen = observe_agents(target, Looking(ADVISOR, LookCost()))
    assert seen.agents
    assert "DIST1 is a service of Azure" in " ".join(agent_ports(target).agents.discover().cautions)
    plan = small_plan(AGENT_FAMILIES["distribution_agent"])
    with pytest.raises(BadInput, match=r"PUB1 is a service of Azure .* can be observed, and experiments are not"):
        prepare_run(plan, AGENT_FAMILIES["distribution_agent"], target, "plan.toml")


@pytest.mark.parametrize("edition", ["Enterprise Edition (64-bit)", AZURE])
def test_log_use_is_found_under_the_name_or_the_guid_of_a_database(edition: str) -> None:
    """A Managed Instance counts by the GUID that only its sys.databases knows; older servers have no such column."""
    lab = managed_instance()
    topology = lab.state.site.scenario.topology.model_copy(update={"edition": edition})
    lab.state.site.scenario = lab.state.site.scenario.model_copy(update={"topology": topology})
    sample = agent_ports(sqlserver_over(LabTransport(lab), LabClock(lab))).agents.sample()
    assert sample.published
    assert not sample.log_use_unknown


def test_a_log_that_no_counter_tells_of_is_named() -> None:
    """Counters can be off, and a GUID may be one that no database has: the look says what it lacks."""
    lab = managed_instance()
    lab.state.has_counters = False
    target = sqlserver_over(LabTransport(lab), LabClock(lab))
    seen = observe_agents(target, Looking(ADVISOR, LookCost()))
    database = lab.state.site.pairs[0].publisher_db
    assert f"PUB1: no counter tells how full the log of {database} is" in seen.unread


@pytest.mark.parametrize(
    ("database", "says"),
    [("", "DIST1 has several distribution databases: Distribution Archiv, distr_eu, distribution; say which"),
     ("distr_us", "DIST1 has no distribution database distr_us; it has Distribution Archiv, distr_eu, distribution"),
     ("DISTRIBUTION", "")],
)  # fmt: skip
def test_of_several_distribution_databases_the_target_names_one(database: str, says: str) -> None:
    """None is taken by its place in the alphabet: changes go to the Publishers of the one that is named."""
    lab = build_lab("on-site")
    session = RecordingSession(LabTransport(lab), LabClock(lab), ignore, database=database)
    if says:
        with pytest.raises(Unsupported, match=says):
            find_distribution_db(session)
    else:
        assert find_distribution_db(session) == "distribution"
