"""What a plan of seeding asks of a site, and the sentence where it cannot run there."""

from dataclasses import replace
from typing import Any

import pytest

from app.domain.errors import BadInput
from app.domain.plan import Factor, Plan
from app.domain.plan_field import PlanValue
from app.services.plan.completing import read_site
from app.systems.availability_groups.families.seeding import FAMILY
from app.systems.availability_groups.groups import DiskVolume, GroupTopology, ReplicaDatabase
from app.systems.availability_groups.seeding_members import choose_members
from app.systems.availability_groups.site import GroupSite
from tests.unit.runner.groups import PRIMARY, SECONDARY, database, group, topology
from tests.unit.runner.seeding_runs import seeding_plan
from tests.unit.runner.seedings import MemorySeedingTarget, site

DIRECT_ONLY = ("direct", "direct_compressed")


def refused(plan: Plan, found: GroupTopology | None = None) -> str:
    """Return the sentence with which a plan is refused."""
    with pytest.raises(BadInput) as error:
        choose_members(plan, found or site())
    return str(error.value)


def with_database(**more: object) -> GroupTopology:
    """Return the site with a standalone database Archive of a kind."""
    return site(databases=(*topology().databases, database("Archive", **more)))  # type: ignore[arg-type]  # callers name what it takes


def test_a_plan_that_names_nothing_takes_the_only_group_and_makes_a_database() -> None:
    """The first connected secondary, and a test database."""
    members = choose_members(seeding_plan(), site())
    assert (members.group.name, members.secondary.server) == ("AG1", SECONDARY)
    assert (members.database, members.is_test) == ("ReplituneSeeding", True)


def test_names_that_were_left_open_are_filled_in() -> None:
    """The report says which group and secondary it was; a test database stays unnamed in the plan."""
    target = MemorySeedingTarget()
    rig = FAMILY.system.rig_kind(FAMILY.subject)
    plan = rig.complete_plan(seeding_plan(), read_site(target, FAMILY))
    assert (plan.load.text("group"), plan.load.text("secondary"), plan.load.text("database")) == ("AG1", SECONDARY, "")


@pytest.mark.parametrize(
    ("load", "sentence"),
    [
        ({"group": "AG9"}, "there is no availability group AG9"),
        ({"secondary": PRIMARY}, "SQL-A is the primary of AG1"),
        ({"secondary": "SQL-Z"}, "has no replica SQL-Z"),
        ({"database": "Orders"}, "Orders is in the group AG1 already"),
        ({"database": "Nowhere"}, "there is no database Nowhere on SQL-A"),
        ({"backup_folder": ""}, "name a share as backup_folder"),
        ({"database_mb": 90_000}, "SQL-A has 100,000 MB free, and a test database of 90,000 MB needs 108,000 MB"),
    ],
)
def test_a_load_that_does_not_fit_is_refused(load: dict[str, PlanValue], sentence: str) -> None:
    """What is wrong, where, and what to name instead."""
    assert sentence in refused(seeding_plan(**load))  # type: ignore[arg-type]  # callers name what it takes


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"recovery_model": "SIMPLE"}, "Archive is in recovery model SIMPLE and cannot join"),
        ({"state": "RESTORING"}, "Archive is restoring, not online"),
        ({"group_name": "AG7"}, "Archive belongs to another group, AG7"),
    ],
)
def test_a_database_that_cannot_join_is_refused(more: dict[str, object], sentence: str) -> None:
    """Simple recovery, not online, in another group."""
    assert sentence in refused(seeding_plan(database="Archive"), with_database(**more))


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"is_distributed": True}, "a distributed group"),
        ({"is_contained": True}, "a contained group"),
        ({"is_basic": True}, "a basic group"),
        ({"listeners": (PRIMARY,)}, "SQL-A is a listener"),
        ({"primary": SECONDARY}, "connect to its primary, SQL-B"),
    ],
)
def test_a_group_that_is_not_experimented_on_is_refused(more: dict[str, Any], sentence: str) -> None:
    """Distributed, contained, basic, a listener's name, a secondary as target."""
    assert sentence in refused(seeding_plan(), site(groups=(replace(group("AG1", "Orders"), **more),)))


def test_a_secondary_that_is_down_is_refused() -> None:
    """With why, as the server was asked."""
    found = site(unreachable=((SECONDARY, "no route to host"),))
    assert "the secondary SQL-B of AG1 is down: no route to host" in refused(seeding_plan(), found)


def test_before_2016_there_is_only_backup_and_restore() -> None:
    """Direct seeding is refused on 2014; varying the backup alone is not."""
    old = replace(topology(version="12.0.6024.0"), volumes=site().volumes)
    assert "older than SQL Server 2016, which has no direct seeding" in refused(seeding_plan(), old)
    stripes = seeding_plan(("backup_restore",), others=(Factor("stripes", (1, 4)),))
    assert choose_members(stripes, old).is_test
    ancient = replace(topology(version="10.50.6000.34"), volumes=site().volumes)
    assert "older than SQL Server 2012" in refused(stripes, ancient)


def test_direct_seeding_alone_needs_no_folder() -> None:
    """Only backups go to a folder."""
    assert choose_members(seeding_plan(DIRECT_ONLY, backup_folder=""), site()).is_test


def test_direct_seeding_would_copy_databases_that_lack_one() -> None:
    """A database of the group without a copy at the secondary would be seeded as well."""
    lacking = replace(
        group("AG1", "Orders"), databases=(ReplicaDatabase("Orders", PRIMARY, "SYNCHRONIZED", True, False),)
    )
    assert "Orders of AG1 have no copy at SQL-B" in refused(seeding_plan(), site(groups=(lacking,)))


@pytest.mark.parametrize(
    ("factors", "sentence"),
    [
        ((Factor("MAXTRANSFERSIZE", (0, 100_000)),), "MAXTRANSFERSIZE = 100000 is not a multiple of 65536 bytes"),
        ((Factor("BUFFERCOUNT", (0, 2_000)),), "would take 2,097 MB of the server's memory"),
        (
            (Factor("BUFFERCOUNT", (0, 500)), Factor("MAXTRANSFERSIZE", (0, 4_194_304))),
            "would take 2,097 MB of the server's memory",
        ),
    ],
)
def test_options_backup_does_not_take_are_refused(factors: tuple[Factor, ...], sentence: str) -> None:
    """A size that is no multiple of 64 KB, and buffers that would eat the memory."""
    assert sentence in refused(seeding_plan(others=factors))


def complete(plan: Plan, **how: object) -> GroupSite:
    """Return the site with its requirements."""
    target = MemorySeedingTarget(**how)  # type: ignore[arg-type]  # callers name what it takes
    rig = FAMILY.system.rig_kind(FAMILY.subject)
    found = rig.complete_site(plan, read_site(target, FAMILY), target)
    assert isinstance(found, GroupSite)
    return found


def test_requirements_are_read_with_the_plan() -> None:
    """Of a test database the planned size counts, of a named one what the server says."""
    planned, named = complete(seeding_plan()), complete(seeding_plan(database="Alone"), database_mb=777.0)
    assert planned.requirements is not None
    assert named.requirements is not None
    assert (planned.requirements.database_mb, named.requirements.database_mb) == (5_000.0, 777.0)


@pytest.mark.parametrize(
    ("plan", "how", "sentence"),
    [
        (seeding_plan(), {"other_seedings": 2}, "2 databases of AG1 are being seeded now"),
        (seeding_plan(), {"free_backup_mb": 100.0}, r"has 100 MB free, and a backup may need 5,000 MB"),
        (
            seeding_plan(database="NeverBackedUp"),
            {"found": site(databases=(*topology().databases, database("NeverBackedUp")))},
            "has no full backup",
        ),
    ],
)
def test_what_the_servers_say_may_forbid_the_run(plan: Plan, how: dict[str, object], sentence: str) -> None:
    """A seeding in flight, a folder without room, a database that was never backed up."""
    with pytest.raises(BadInput, match=sentence):
        complete(plan, **how)


def test_room_is_asked_of_both_servers() -> None:
    """The secondary may be the one that is full."""
    volumes = (DiskVolume(PRIMARY, "D:", 100_000.0, 200_000.0), DiskVolume(SECONDARY, "D:", 5_500.0, 200_000.0))
    assert "SQL-B has 5,500 MB free" in refused(seeding_plan(), site(volumes=volumes))


def test_every_replica_of_the_group_is_consented_to() -> None:
    """Removing the database touches all of them."""
    plan = seeding_plan()
    servers = FAMILY.system.rig_kind(FAMILY.subject).servers(plan, complete(plan))
    assert [server.name for server in servers] == [PRIMARY, SECONDARY]
