"""Preflight checks of the families: what fails on which site, and whether it forbids the run."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from app.domain.errors import BadInput
from app.domain.family import PreflightCheck, Site
from app.domain.plan import Plan
from app.systems.transactional_replication.rig.participants import choose_participants
from app.systems.transactional_replication.topology import Agent, SubscriberObjects
from tests.contract.families.lab_runs import AGENT_FAMILIES, FAMILIES
from tests.unit.analysis.observing import DELIVERER, READER, plan_of, site_of


def failed(family_id: str, site: Site, plan: Plan | None = None) -> list[PreflightCheck]:
    """Return the checks that do not pass."""
    family = FAMILIES[family_id]
    checks: Sequence[PreflightCheck] = family.preflight(plan or family.default_plan(), site)
    return [check for check in checks if not check.passed]


def test_only_the_databases_of_the_plan_are_paused() -> None:
    """With one agent pair the others' Log Reader Agents go on."""
    other = replace(READER, agent_id=9, name="PUB-Other-9", publisher_db="Other")
    for pairs, named in ((1, READER.publisher_db), (2, f"Other, {READER.publisher_db}")):
        plan = FAMILIES["log_reader"].default_plan()
        plan = replace(plan, load=plan.load.but(agent_pairs=pairs))
        checks = FAMILIES["log_reader"].preflight(plan, site_of(agents=(READER, other)))
        [paused] = [check.title for check in checks if "pauses" in check.title]
        assert paused.endswith(f"of {named}")
        assert not any("1 agent pairs" in check.title for check in checks)


def test_a_healthy_site_passes_everything() -> None:
    """Nothing is made up on a site that has all that is needed."""
    assert failed("log_reader", site_of(agents=(READER,))) == []
    assert failed("distribution_agent", site_of(objects=SubscriberObjects(0, 0, 0, 0))) == []
    assert failed("wan_delivery", site_of(rtt_ms=300.0, network_kbps=512.0)) == []


@pytest.mark.parametrize("family_id", list(AGENT_FAMILIES))
def test_an_agent_without_history_cannot_be_measured(family_id: str) -> None:
    """HistoryVerboseLevel 0 forbids the run; any other level does not."""
    agents = (READER,) if family_id == "log_reader" else (DELIVERER,)
    silent = site_of(parameters={"HistoryVerboseLevel": "0"}, agents=agents, rtt_ms=300.0, network_kbps=512.0)
    [check] = failed(family_id, silent)
    assert check.blocking
    assert "HistoryVerboseLevel" in check.remedy
    telling = replace(silent, parameters=site_of(parameters={"HistoryVerboseLevel": "2"}).parameters)
    assert failed(family_id, telling) == []


def test_there_must_be_as_many_log_readers_as_planned() -> None:
    """Three pairs on a Distributor with one Log Reader Agent are refused."""
    [check] = failed(
        "log_reader", site_of(agents=(READER,)), plan_of("log_reader", pairs=3, ReadBatchSize=(500, 5_000))
    )
    assert check.blocking
    assert "agent_pairs" in check.remedy


@pytest.mark.parametrize(("skipped", "passes"), [("", True), ("''", True), ("2601:2627", False)])
def test_skipped_errors_are_pointed_out(skipped: str, passes: bool) -> None:
    """SkipErrors hides differences: a run over streams, which make more of them, is forbidden, any other may go on."""
    site = site_of(parameters={"SkipErrors": skipped})
    for plan, is_forbidden in ((plan_of(CommitBatchSize=(100, 200)), False), (None, True)):
        found = failed("distribution_agent", site, plan)
        assert (found == []) is passes
        assert all(check.blocking is is_forbidden for check in found)


@pytest.mark.parametrize("pairs", [1, 2])
@pytest.mark.parametrize(
    "agents",
    [(), (replace(DELIVERER, job_id=""),), (READER, replace(DELIVERER, job_id=""))],
    ids=["none", "one", "two"],
)
def test_where_nothing_can_be_measured_no_number_is_to_be_lowered(agents: tuple[Agent, ...], pairs: int) -> None:
    """One pair is the least a plan may ask for: what is missing is told, not how to ask for less."""
    topology = site_of(agents=agents).topology
    with pytest.raises(BadInput, match="no agents that an experiment could measure") as refused:
        choose_participants(topology, plan_of("distribution_agent", pairs=pairs, SubscriptionStreams=(1, 2)).load)
    assert "agent_pairs" not in str(refused.value)


def test_a_pull_subscription_is_measured_elsewhere() -> None:
    """Its job runs at the Subscriber, so this run is refused."""
    [check] = failed("distribution_agent", site_of(agents=(DELIVERER, replace(DELIVERER, subscription_type="pull"))))
    assert check.blocking


def test_objects_that_block_streams_are_counted_where_streams_are_varied() -> None:
    """The numbers of each kind are told; a plan that varies no streams is not bothered."""
    site = site_of(objects=SubscriberObjects(3, 2, 1, 4))
    [check] = failed("distribution_agent", site)
    assert not check.blocking
    assert "3 foreign keys, 2 unique nonclustered indexes, 1 indexed views and 4 triggers" in check.remedy
    assert failed("distribution_agent", site, plan_of(CommitBatchSize=(100, 200))) == []


def test_an_unknown_or_shared_link_is_pointed_out() -> None:
    """Round-trip time, bandwidth, and other agents on the line; none of them forbids the run."""
    found = failed("wan_delivery", site_of(agents=(DELIVERER, replace(DELIVERER, agent_id=3))))
    assert len(found) == 3
    assert not any(check.blocking for check in found)
    assert found[-1].title == "The link is used by the Distribution Agent of this plan only"
