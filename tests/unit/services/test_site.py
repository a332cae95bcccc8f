"""What is read of a target before a run, and how it completes a plan."""

from dataclasses import replace

import pytest

from app.domain.errors import BadInput, PermissionDenied
from app.domain.family import ExperimentFamily
from app.domain.setting import EMPTY_SETTING, Setting
from app.domain.target import Target
from app.drivers.sqlserver.lab.servers import LabClock, LabTransport
from app.services.plan.checking import check_run
from app.services.plan.completing import (
    baseline_checks,
    complete_plan,
    read_site,
    server_limits,
    why_not_simulated,
)
from app.services.run.environment import read_environment
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.server.agents import SqlServerAgents
from app.systems.transactional_replication.site import AgentSite
from app.systems.transactional_replication.subjects import NETWORK_PROBE
from app.systems.transactional_replication.topology import Agent, SubscriberObjects, Topology
from tests.contract.families.lab_runs import FAMILIES
from tests.labs import build_lab, open_lab, sqlserver_over
from tests.unit.analysis import observing

FAMILY, READER = FAMILIES["distribution_agent"], FAMILIES["log_reader"]


def lab(scenario: str = "wan-512k") -> Target:
    """Return a lab without noise."""
    return open_lab(scenario, noise=False)


def agents_of(target: Target, family: ExperimentFamily = FAMILY) -> AgentSite:
    """Read a site of replication agents."""
    site = read_site(target, family)
    assert isinstance(site, AgentSite)
    return site


def test_a_site_knows_agents_parameters_objects_and_link() -> None:
    """Everything a family checks and explains with, in one look."""
    site = agents_of(lab())
    assert {agent.kind for agent in site.agents} == {AgentKind.DISTRIBUTION}
    assert site.parameters["CommitBatchSize"].value == "100"
    assert site.rtt_ms == pytest.approx(300.0, rel=0.05)
    assert site.network_kbps == pytest.approx(512.0, rel=0.05)
    assert site.subscriber_objects is not None


def test_a_lab_says_what_counts_in_it_and_a_server_has_everything() -> None:
    """Each subject has its own list: a Log Reader Agent's PacketSize counts for nothing on the lab."""
    target = lab()
    for_readers = read_site(target, READER).simulated
    for_deliverers = read_site(target, FAMILY).simulated
    assert for_readers is not None
    assert for_deliverers is not None
    assert "PacketSize" in for_deliverers - for_readers
    assert why_not_simulated(read_site(target, READER), ("ReadBatchSize", "PacketSize")) == (
        "the lab does not simulate PacketSize; vary another parameter, or measure on a server"
    )
    behind = build_lab(noise=False)
    server = sqlserver_over(LabTransport(behind), LabClock(behind), key="server", label="a server")
    assert read_site(server, READER).simulated is None
    assert why_not_simulated(read_site(server, READER), ("PacketSize",)) == ""


def test_parameters_are_those_of_the_agent_under_test() -> None:
    """A Log Reader Agent has a ReadBatchSize and no CommitBatchSize."""
    site = agents_of(lab(), READER)
    assert "ReadBatchSize" in site.parameters
    assert "CommitBatchSize" not in site.parameters


def test_a_site_without_a_network_probe_has_no_link() -> None:
    """What the target does not offer is not asked for."""
    whole = lab()
    offers = {n: replace(o, capabilities=o.capabilities - {NETWORK_PROBE}) for n, o in whole.offers.items()}
    target = Target(whole.open_connection, offers)
    site = agents_of(target)
    assert (site.rtt_ms, site.network_kbps) == (None, None)
    assert site.subscriber_objects is not None


class _Guarded(SqlServerAgents):
    """Agents of a server whose Subscriber this login may not look into, and that may have no agents at all."""

    is_empty = False

    def discover(self) -> Topology:
        """Find everything, or no agents."""
        found = super().discover()
        return replace(found, agents=()) if self.is_empty else found

    def read_subscriber_objects(self, agent: Agent) -> SubscriberObjects:
        """Refuse."""
        raise PermissionDenied(f"this login may not read the Subscriber of {agent.name}")


def _guarded(*, is_empty: bool = False) -> Target:
    target = lab()
    agents = agent_ports(target).agents
    assert isinstance(agents, SqlServerAgents)
    agents.__class__ = _Guarded
    assert isinstance(agents, _Guarded)
    agents.is_empty = is_empty
    return target


def test_what_only_explains_may_be_missing() -> None:
    """A login that may not look into the Subscriber can still run the experiment."""
    assert agents_of(_guarded()).subscriber_objects is None


def test_a_target_without_agents_is_refused() -> None:
    """There is nothing to measure, and the sentence says so."""
    with pytest.raises(BadInput, match="has no replication agents this experiment could measure"):
        read_site(_guarded(is_empty=True), FAMILY)


def test_the_environment_holds_every_agents_parameters() -> None:
    """For the report: all agents, and the readings with their units."""
    target = lab()
    site = agents_of(target)
    environment = read_environment(target, site, FAMILY.system)
    read = FAMILY.system.kept(environment)
    assert environment.target == target.key
    assert {entry.agent for entry in read.agents} == {agent.name for agent in site.topology.agents}
    assert [unit for _name, _value, unit in environment.facts] == ["ms", "kbps", "objects"]


@pytest.mark.parametrize("family", [READER, FAMILY], ids=["log_reader", "distribution"])
def test_an_environment_gives_the_site_back(family: ExperimentFamily) -> None:
    """What was kept explains a run as well as what was read; only before a run is asked what counts on a lab."""
    target = lab()
    site = agents_of(target, family)
    environment = read_environment(target, site, family.system)
    assert family.system.kept_site(environment, family.subject) == replace(site, simulated=None)


def test_measurements_from_elsewhere_have_no_site() -> None:
    """Without a topology nothing is known of the servers."""
    environment = replace(read_environment(lab(), read_site(lab(), READER), READER.system), kept=())
    assert READER.system.kept_site(environment, READER.subject) is None


def test_a_plan_without_a_baseline_takes_what_is_in_effect() -> None:
    """Where the server does not say, the vendor's default; what the plan names goes first."""
    plan = replace(observing.plan_of(CommitBatchSize=(100, 200), SubscriptionStreams=(1, 8)), baseline=EMPTY_SETTING)
    in_effect = observing.site_of(parameters={"CommitBatchSize": "250", "SubscriptionStreams": ""})
    complete = complete_plan(plan, FAMILY, in_effect)
    assert complete.baseline == Setting.of(CommitBatchSize=250, SubscriptionStreams=1)
    assert complete_plan(plan, FAMILY, observing.site_of()).baseline == Setting.of(
        CommitBatchSize=100, SubscriptionStreams=1
    )
    named = replace(plan, baseline=Setting.of(CommitBatchSize=500))
    assert complete_plan(named, FAMILY, in_effect).baseline["CommitBatchSize"] == 500
    assert complete.factors == plan.factors


def test_a_baseline_that_is_not_in_effect_is_warned_of() -> None:
    """The warning names what is in effect and how to compare with it; it forbids nothing."""
    plan = observing.plan_of(CommitBatchSize=(100, 200), SubscriptionStreams=(1, 8))
    site = observing.site_of(parameters={"CommitBatchSize": "250", "SubscriptionStreams": "1"})
    named = replace(plan, baseline=Setting.of(CommitBatchSize=100, SubscriptionStreams=1))
    [check] = baseline_checks(named, site)
    assert not check.passed
    assert not check.blocking
    assert "CommitBatchSize 250" in check.remedy
    assert "SubscriptionStreams" not in check.title + check.remedy
    assert baseline_checks(complete_plan(replace(plan, baseline=EMPTY_SETTING), FAMILY, site), site) == ()
    assert baseline_checks(named, observing.site_of(parameters={"CommitBatchSize": ""})) == ()


def test_scripts_are_to_be_run_at_a_server_not_at_what_the_target_is_called() -> None:
    """A Distributor by its name, a primary by its name; an Oracle script names its database itself."""
    places = {"lan": "log_reader", "ag-2016": "commit_mode", "streams-2009": "streams_apply"}
    found = {
        scenario: FAMILIES[name].system.place_of_scripts(read_site(open_lab(scenario), FAMILIES[name]), "a lab")
        for scenario, name in places.items()
    }
    assert found == {"lan": "DIST1", "ag-2016": "SQLNODE1", "streams-2009": "the database the script names"}


def test_what_a_target_lacks_is_told_in_words_with_what_to_do() -> None:
    """No name of a class; the way on is another target or another experiment."""
    plan = FAMILIES["log_reader"].default_plan()
    with pytest.raises(BadInput, match="replication agents that may be stopped and started"):
        check_run(plan, FAMILIES["log_reader"], open_lab("ag-2016"), "plan.toml")


def test_the_servers_limits_are_told_by_parameter() -> None:
    """As the server reports them, None where it reports none."""
    limits = server_limits(read_site(lab(), FAMILY))
    assert limits["CommitBatchSize"] == (1, 10_000)
    assert set(limits) == set(read_site(lab(), FAMILY).parameters)
