"""Several publications in one database: what can be measured is, what a plan names is, and a snapshot's agent never."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.domain.events import RunStatus
from app.domain.plan_field import PlanValue
from app.domain.setting import Setting
from app.domain.work_source import WorkSource, work_source_of
from app.services.plan.checking import check_run, prepare_run
from app.services.plan.dry_run import make_dry_run
from app.services.plan.plan_file import dump_plan, load_plan
from app.systems.transactional_replication.form_names import suggestions
from app.systems.transactional_replication.offer import agent_ports
from tests.contract.families.lab_runs import AGENT_FAMILIES, FAMILIES, run_on_lab, small_plan
from tests.e2e.program import call, write
from tests.labs import lab_file, open_lab

LAB = "several-publications"
ORDERS = "SalesOrders of Sales at PUB1, delivered to SUB3"
STOCK = "StockLevels of Stock at PUB1, delivered to SUB4"
PLAN = """
family = "{family}"
[factors]
{factors}
[workload]
{named}
commands = 4_000
"""


@pytest.mark.parametrize("family_id", AGENT_FAMILIES)
@pytest.mark.parametrize(
    ("named", "wanted"),
    [
        ({}, ORDERS),
        ({"publication": "StockLevels"}, STOCK),
        ({"subscriber": "SUB4"}, STOCK),
        ({"publisher": "PUB1", "database": "Stock"}, STOCK),
        ({"agent_pairs": 2}, ORDERS),
    ],
)
def test_the_default_is_what_can_be_measured_and_a_plan_names_another(
    family_id: str, named: dict[str, PlanValue], wanted: str
) -> None:
    """The dry run says first what is measured; a run of one pair keeps its names, as a plan file would give them."""
    family, target = AGENT_FAMILIES[family_id], open_lab(LAB)
    plan = small_plan(family)
    prepared = prepare_run(replace(plan, load=plan.load.but(**named)), family, target, "plan.toml")
    told = make_dry_run(prepared, target).measured
    assert told[0].startswith(wanted)
    assert len(told) == named.get("agent_pairs", 1)
    if "agent_pairs" not in named:
        names = [str(prepared.plan.load[key]) for key in ("publication", "database", "publisher", "subscriber")]
        assert "{} of {} at {}, delivered to {}".format(*names) == wanted


@pytest.mark.parametrize("family_id", AGENT_FAMILIES)
def test_the_agents_it_names_are_those_it_stops(family_id: str) -> None:
    """Nothing is sent about the agents of the lowest numbers, and all that is written is delivered."""
    family = AGENT_FAMILIES[family_id]
    run = run_on_lab(family, small_plan(family), scenario=LAB)
    run.assert_restored()
    names = {str(entry.change.detail_or("agent_name", "")) for entry in run.journal.entries_of("S1")} - {""}
    assert names <= {"PUB1-Sales-3", "PUB1-Sales-SalesOrders-SUB3-3"}
    assert run.end.status is RunStatus.SUCCEEDED


def test_a_publication_without_the_test_table_is_refused_before_anything_is_written() -> None:
    """The check says what is missing where, and forbids a run on the test table."""
    family, target = FAMILIES["distribution_agent"], open_lab(LAB)
    plan = small_plan(family)
    named = replace(plan, load=plan.load.but(publication="SalesArchive", source=WorkSource.TEST_TABLE))
    with pytest.raises(
        BadInput, match=r"not met: “.*table dbo.ReplituneLoad” – It is missing from SalesArchive \(Sales\)"
    ):
        prepare_run(named, family, target, "plan.toml")


def test_a_publication_without_the_test_table_is_measured_on_its_own_work() -> None:
    """Where the plan leaves open where the work comes from, nothing is written for it."""
    family, target = FAMILIES["distribution_agent"], open_lab(LAB)
    plan = small_plan(family)
    prepared = prepare_run(replace(plan, load=plan.load.but(publication="SalesArchive")), family, target, "plan.toml")
    assert work_source_of(prepared.plan.load).is_own_work


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ({"publication": "PriceLists"}, "PriceLists is not a transactional publication, and others are left alone"),
        ({"subscriber": "SUB9"}, f"for subscriber SUB9 in \\[workload\\]; there are: {ORDERS}; {STOCK}"),
        ({"database": "Stock", "subscriber": "SUB3"}, "for database Stock, subscriber SUB3 in"),
        ({"publication": "StockLevels", "agent_pairs": 2}, "needs 2 agent pairs, .* has 1 under the names in"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_told_with_what_is(named: dict[str, PlanValue], says: str) -> None:
    """One sentence; the agent of a snapshot publication is never measured."""
    family, target = FAMILIES["distribution_agent"], open_lab(LAB)
    plan = small_plan(family)
    with pytest.raises(BadInput, match=says):
        check_run(replace(plan, load=plan.load.but(**named)), family, target, "plan.toml")


def test_a_form_offers_what_can_be_measured_and_a_plan_file_keeps_it(tmp_path: Path) -> None:
    """Names of publications without the test table and of snapshots are not offered."""
    family = FAMILIES["distribution_agent"]
    site = family.system.read_site(open_lab(LAB), family.subject)
    offered = suggestions(site)
    assert offered["publication"] == ("SalesOrders", "StockLevels")
    assert offered["database"] == ("Sales", "Stock")
    plan = family.default_plan()
    plan = replace(plan, load=plan.load.but(publication="StockLevels", subscriber="SUB4"))
    path = tmp_path / "plan.toml"
    path.write_text(dump_plan(plan, family), encoding="utf-8")
    assert load_plan(path, FAMILIES) == plan


def test_the_values_in_effect_are_those_of_what_the_plan_names() -> None:
    """The baseline of a plan is read from the agent it names, not from the first one."""
    family, target = FAMILIES["distribution_agent"], open_lab(LAB)
    ports = agent_ports(target)
    stock = next(agent for agent in ports.agents.discover().agents if agent.subscriber == "SUB4")
    for change in ports.agent_changes.plan_setting(stock, Setting.of(SubscriptionStreams=4), "S1"):
        target.changes.apply(change)
    named = replace(family.default_plan(), baseline=Setting())
    prepared = prepare_run(replace(named, load=named.load.but(database="Stock")), family, target, "plan.toml")
    assert prepared.plan.baseline["SubscriptionStreams"] == 4
    assert prepare_run(named, family, target, "plan.toml").plan.baseline["SubscriptionStreams"] != 4


def test_the_dry_run_says_first_what_is_measured(tmp_path: Path) -> None:
    """Before the baseline and the trials, for each system."""
    for family, factors, lab, named, wanted in (
        ("log_reader", "ReadBatchSize = [500, 5000]", LAB, "", f"Measured: {ORDERS} (Log Reader Agent PUB1-Sales-3, "),
        ("streams_apply", "PARALLELISM = [1, 8]", "streams-2009", "rows = 4_000", "Measured: STREAMS_CAPTURE "),
    ):
        text = PLAN.format(family=family, factors=factors, named=named)
        text = text if family == "log_reader" else text.replace("commands = 4_000", "")
        told = call("run", write(tmp_path / "plan.toml", text), "--target", f"lab:{lab}", "--dry-run")
        assert told.code == 0, told.err
        assert told.out.splitlines()[1].startswith(wanted)


def test_a_test_table_of_two_publications_is_named_as_the_cause(tmp_path: Path) -> None:
    """Each of them counts its changes, so that more is delivered than was written: both are named before a run."""
    family = AGENT_FAMILIES["log_reader"]
    text = lab_file("several-publications").read_text(encoding="utf-8")
    path = tmp_path / "twice.toml"
    path.write_text(text.replace('tables = ["Customers", "Orders"]', 'tables = ["ReplituneLoad"]'), encoding="utf-8")
    for scenario, names in ((path, "SalesArchive, SalesOrders"), ("several-publications", "")):
        prepared = prepare_run(small_plan(family), family, open_lab(scenario), "plan.toml")
        told = [check.remedy for check in prepared.checks if "article of one publication" in check.title]
        assert len(told) == bool(names)
        assert not names or names in told[0]
