"""Subscriptions that several streams are not meant for, and agents whose servers have no name: told as such."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.domain.plan import Plan
from app.drivers.sqlserver.lab.faults import FaultKind
from app.lab.faults import Fault
from app.services.look.look_cost import LookCost
from app.services.look.looking import Looking
from app.services.plan.checking import prepare_run
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.observing import observe_agents
from app.systems.transactional_replication.offer import agent_ports
from tests.contract.families.lab_runs import AGENT_FAMILIES, small_plan
from tests.contract.families.test_job_steps import plan_over
from tests.contract.families.test_jobs_that_cannot_start import site_with
from tests.labs import open_lab
from tests.shipped_rules import ADVISOR

KINDS = {
    "peer_publications = [1]": "delivers no peer-to-peer publication",
    "updatable_subscriptions = [1]": "sends no changes back",
    "other_engines = [1]": "is a SQL Server",
}


def of_one_pair(family_id: str) -> Plan:
    """Return a small plan over streams for one pair."""
    plan = small_plan(AGENT_FAMILIES[family_id])
    return replace(plan, load=plan.load.but(agent_pairs=1))


@pytest.mark.parametrize("trouble", KINDS)
@pytest.mark.parametrize("family_id", ["distribution_agent", "wan_delivery"])
def test_streams_are_refused_where_they_are_not_meant(family_id: str, trouble: str, tmp_path: Path) -> None:
    """A plan over another parameter, or at another pair, is not."""
    family = AGENT_FAMILIES["distribution_agent"]
    target = open_lab(site_with(trouble, tmp_path))
    streams = plan_over("SubscriptionStreams", 1, 8)
    with pytest.raises(BadInput, match=f"{KINDS[trouble]}” – SubscriptionStreams above 1 is not meant"):
        prepare_run(streams, family, target, "plan.toml")
    prepare_run(plan_over("CommitBatchSize", 100, 1000), family, target, "plan.toml")
    prepare_run(streams, family, open_lab(site_with(trouble.replace("1", "2"), tmp_path)), "plan.toml")


def test_what_may_not_be_read_stands_as_not_checked(tmp_path: Path) -> None:
    """Never as if there were nothing."""
    refused = tuple(
        Fault(name, call, FaultKind.PERMISSION_DENIED)
        for name in ("publication_options", "subscription_natures", "job_starts")
        for call in range(1, 9)
    )
    target = open_lab(None, faults=refused)
    checks = prepare_run(
        plan_over("SubscriptionStreams", 1, 8), AGENT_FAMILIES["distribution_agent"], target, ""
    ).checks
    told = [check for check in checks if check.title.startswith("Could not be checked")]
    assert len(told) == 4
    assert not any(check.passed or check.blocking for check in told)


def test_discovery_tells_other_kinds_and_counts_the_unnamed(tmp_path: Path) -> None:
    """An anonymous Subscriber by the name it gave, one without as such; neither is measured, observe goes on."""
    trouble = "anonymous_subscriptions = [1]\nunlisted_subscribers = [2]\nupdatable_subscriptions = [3]"
    target = open_lab(site_with(trouble, tmp_path))
    found = agent_ports(target).agents.discover()
    agents = found.agents_of(AgentKind.DISTRIBUTION)
    assert [(a.subscriber, a.subscription_type) for a in agents] == [
        ("SUB1", "anonymous"),
        ("", "push"),
        ("SUB3", "push"),
    ]
    assert [said.split(":")[0] for said in found.cautions] == [
        "agents of servers that the distribution database has no name for (MSreplservers), which are listed, and "
        "neither measured nor asked",
        "Subscribers that send changes back (updatable)",
    ]
    assert [d.agent_id for _reader, d in found.pairs() if d is not None] == [3]
    seen = observe_agents(target, Looking(ADVISOR, LookCost()))
    assert len(seen.agents) == len(found.agents)
