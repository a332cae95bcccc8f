"""Which groups and databases a plan of the commit mode is about, and every reason why it cannot run."""

from dataclasses import replace

import pytest

from app.domain.errors import BadInput
from app.domain.plan import Plan
from app.domain.plan_field import PlanValue
from app.systems.availability_groups.commit_members import choose_members, complete_names
from app.systems.availability_groups.families.commit_mode import FAMILY
from app.systems.availability_groups.groups import CommitMode, GroupTopology
from app.systems.availability_groups.site import GroupSite
from tests.unit.runner.commit_runs import commit_plan
from tests.unit.runner.groups import PRIMARY, SECONDARY, database, group, replica, topology


def refusal(found: GroupTopology, plan: Plan | None = None) -> str:
    """Return the sentence a plan is refused with."""
    with pytest.raises(BadInput) as error:
        choose_members(plan or commit_plan(), found)
    return str(error.value)


def test_the_only_group_its_only_database_and_its_secondary_need_no_names() -> None:
    """What is left open is filled in from what was found, and stands in the completed plan."""
    site = GroupSite(parameters={}, topology=topology())
    plan = complete_names(commit_plan(), site)
    assert {name: plan.load[name] for name in ("group", "database", "secondary")} == {
        "group": "AG1",
        "database": "Orders",
        "secondary": SECONDARY,
    }
    assert FAMILY.system.rig_kind(FAMILY.subject).servers(plan, site) == site.topology.servers


def test_of_several_secondaries_one_is_taken_that_receives_the_database() -> None:
    """The first by name stands by with its data movement suspended, or has no copy: the next one can be measured."""
    two = (*group("AG1", "Orders").replicas, replica("SQL-C", "secondary", CommitMode.SYNCHRONOUS))
    found = group("AG1", "Orders", replicas=two)
    states = {d.server: d for d in found.databases}
    suspended = replace(states[SECONDARY], is_suspended=True)
    third = replace(states[SECONDARY], server="SQL-C")
    for databases in ((states[PRIMARY], suspended, third), (states[PRIMARY], third)):
        site = GroupSite(parameters={}, topology=topology(replace(found, databases=databases)))
        assert complete_names(commit_plan(), site).load["secondary"] == "SQL-C"


SIMPLE = replace(topology(), databases=(database("Orders", "AG1", recovery_model="SIMPLE"), database("Alone")))
NO_SECONDARY = group("AG1", "Orders", replicas=(replica(PRIMARY, "primary", CommitMode.SYNCHRONOUS),))
DOWN = group(
    "AG1",
    "Orders",
    replicas=(
        replica(PRIMARY, "primary", CommitMode.SYNCHRONOUS),
        replace(replica(SECONDARY, "secondary", CommitMode.SYNCHRONOUS), is_connected=False),
    ),
)
SUSPENDED = group("AG1", "Orders")
SUSPENDED = replace(SUSPENDED, databases=tuple(replace(d, is_suspended=True) for d in SUSPENDED.databases))
UNREACHABLE = replace(topology(), unreachable=((SECONDARY, "the login failed"),))


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (topology(version="10.50.6000.34"), "SQL-A is older than SQL Server 2012, which has no availability groups"),
        (
            topology(group("AG1", "Orders"), group("AG2", "Copies")),
            "there are several availability groups; name one as group in [workload]: AG1, AG2",
        ),
        (
            topology(group("AG1", "Orders", is_basic=True)),
            "AG1 is a basic group (Standard Edition), which has no room for a test database",
        ),
        (
            topology(group("AG1", "Orders", is_contained=True)),
            "AG1 is a contained group, whose own system databases depend on it; use another",
        ),
        (
            topology(group("AG1", "Orders", is_distributed=True)),
            "AG1 is a distributed group: measure the groups in it, each by itself",
        ),
        (
            replace(topology(group("AG1", "Orders", listeners=("ag1-listen",))), connected_to="ag1-listen"),
            "ag1-listen is a listener, which may lead elsewhere at any time; connect to SQL-A itself",
        ),
        (
            replace(topology(), connected_to=SECONDARY),
            "SQL-B is a secondary replica of AG1; connect to its primary, SQL-A",
        ),
        (topology(NO_SECONDARY), "the group AG1 has no secondary replica"),
        (topology(DOWN), "the secondary SQL-B of AG1 is down: the primary has no connection to it"),
        (UNREACHABLE, "the secondary SQL-B of AG1 is down: the login failed"),
        (topology(SUSPENDED), "data movement of Orders at SQL-B is suspended; resume it first"),
        (
            SIMPLE,
            "Orders is in recovery model SIMPLE, whose log is not that of a group; set it to full",
        ),
        (
            replace(topology(), databases=(database("Orders", "AG1", state="RESTORING"), database("Alone"))),
            "Orders is restoring, not online",
        ),
        (topology(group("AG1", "Orders", databases=())), "the group AG1 holds no database; add a test database to it"),
        (
            topology(group("AG1", "Orders", required_synchronized_secondaries=1)),
            "AG1 needs 1 synchronized secondaries to commit (REQUIRED_SYNCHRONIZED_SECONDARIES_TO_COMMIT), this plan "
            "would leave it 0; use another group",
        ),
    ],
)
def test_a_site_that_does_not_fit_is_refused_in_one_sentence(found: GroupTopology, sentence: str) -> None:
    """What is wrong, where, and what to do."""
    assert refusal(found) == sentence


TWO = topology(group("AG1", "Orders", CommitMode.ASYNCHRONOUS, listeners=("ag1-listen",)), group("AG2", "Copies"))
BOTH = group("AG1", "Orders")
BOTH = replace(BOTH, databases=(*BOTH.databases, *(replace(d, database="Copies") for d in BOTH.databases)))


@pytest.mark.parametrize(
    ("found", "load", "sentence"),
    [
        (TWO, {"group": "AG9"}, "there is no availability group AG9 on SQL-A; there are: AG1, AG2"),
        (TWO, {"group": "ag1-listen"}, "ag1-listen is a listener of the group AG1; name the group itself"),
        (TWO, {"group": "AG1", "database": "Sales"}, "Sales is not in the group AG1; it holds Orders"),
        (
            topology(BOTH),
            {},
            "the group AG1 holds several databases; name one as database in [workload]: Copies, Orders",
        ),
        (
            topology(BOTH),
            {"database": "Orders", "sync_database": "Copies"},
            "Orders and Copies are in the same group AG1; for two groups side by side, sync_database must be in "
            "another one",
        ),
        (
            TWO,
            {"group": "AG1", "sync_database": "Sales"},
            "Sales is in no availability group of SQL-A; name one that is",
        ),
        (
            TWO,
            {"group": "AG1", "secondary": PRIMARY},
            "SQL-A is the primary of AG1; name a secondary as secondary",
        ),
        (
            TWO,
            {"group": "AG1", "secondary": "SQL-C"},
            "the group AG1 has no replica SQL-C; its secondaries are SQL-B",
        ),
    ],
)
def test_a_name_that_is_not_there_is_refused_in_one_sentence(
    found: GroupTopology, load: dict[str, PlanValue], sentence: str
) -> None:
    """The sentence names what was asked for and what there is."""
    assert refusal(found, commit_plan(**load)) == sentence  # type: ignore[arg-type]  # callers name what it takes


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "the standalone arm needs a database: name it as standalone_database in [workload]"),
        ("Sales", "there is no database Sales on SQL-A"),
        ("Orders", "Orders is in the group AG1; standalone_database must be in none"),
    ],
)
def test_the_standalone_arm_needs_a_database_of_its_own(name: str, sentence: str) -> None:
    """It must be named, be there, and be in no group."""
    plan = commit_plan(("standalone", "async", "sync"), standalone_database=name)
    assert refusal(topology(), plan) == sentence


def test_a_group_of_its_own_for_synchronous_commit_may_require_one_secondary() -> None:
    """Side by side, the synchronous group stays as it is and keeps the secondary it requires."""
    needing = group("AG2", "Copies", required_synchronized_secondaries=1)
    found = topology(group("AG1", "Orders", CommitMode.ASYNCHRONOUS), needing)
    members = choose_members(commit_plan(group="AG1", sync_database="Copies"), found)
    assert [member.database for member in members.grouped] == ["Orders", "Copies"]
    assert members.standalone == ""
