"""What availability groups that cannot be experimented on get over TDS: one sentence, exit code 2 or 3, no change."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.foundation.paths import resource_path
from app.store import open_for_reading
from tests.e2e.posed_lab import Pose, Posed, posed_lab
from tests.e2e.program import assert_one_sentence, call, served_lab, write
from tests.files import files_below
from tests.prove.group_session import PLANS, PosedGroups, pose_groups
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, has_driver

INSTALLED = [value for name, value in sorted(DRIVERS.items()) if has_driver(name)]

COMMIT = """
family = "commit_mode"
[factors]
availability_mode = ["async", "sync"]
[workload]
group = "AG_SYNC"
inserts = [1]
rows_total = 100
"""
SEEDING = """
family = "seeding"
[factors]
seeding_method = ["direct", "direct_compressed"]
[workload]
group = "AG_SYNC"
database_mb = 50
"""
BACKUP = SEEDING.replace('"direct", ', '"backup_restore", "direct", ')
ONLY_BACKUP = SEEDING.replace('seeding_method = ["direct", "direct_compressed"]', "stripes = [1, 2]")
VERSION = 'product_version = "13.0.4001.0"'
SYNC_DATABASE = 'name = "LoadSync"\ngroup = "AG_SYNC"'
ALONE = 'name = "LoadAlone"\nserver = "SQLNODE1"'


@dataclass(frozen=True)
class Site:
    """A scenario: the shipped one with texts replaced, each where it stands first, which is the primary's place."""

    replaced: tuple[tuple[str, str], ...] = ()
    opened_at: str = ""

    def write(self, path: Path) -> Path:
        """Write it to a file."""
        text = resource_path("lab", "ag-2016.toml").read_text(encoding="utf-8")
        for old, new in self.replaced:
            assert old in text, old
            text = text.replace(old, new, 1)
        return write(path, f'opened_at = "{self.opened_at}"\n{text}' if self.opened_at else text)


def sort_of_group(sort: str) -> Site:
    """Return a site whose synchronous group is of another sort."""
    return Site((('name = "AG_SYNC"\n\n', f'name = "AG_SYNC"\nsort = "{sort}"\n\n'),))


def without_secondary(text: str) -> str:
    """Return the lines of the synchronous group's secondary."""
    return text[text.index('[[groups.replicas]]\nserver = "SQLNODE2"', text.index('name = "AG_SYNC"')) :].partition(
        "[[databases]]"
    )[0]


SHIPPED = Site()
NO_SECONDARY = Site(((without_secondary(resource_path("lab", "ag-2016.toml").read_text(encoding="utf-8")), ""),))
LISTENER = (('name = "AG_SYNC"\n\n', 'name = "AG_SYNC"\nlistener = "ag-sales"\n\n'),)
DOWN = Site((('[[servers]]\nname = "SQLNODE2"', '[[servers]]\nname = "SQLNODE2"\nis_up = false'),))
OLD = Site(((VERSION, 'product_version = "10.50.6000.34"'),))
FULL = Site((("free_mb = 480000.0", "free_mb = 40.0"),))


def simple(database: str) -> Site:
    """Return a site with a database in the simple recovery model."""
    return Site(((database, f'{database}\nrecovery_model = "SIMPLE"'),))


@dataclass(frozen=True)
class Bad:
    """A plan that cannot be run at a site, with a part of the sentence told."""

    site: Site
    plan: str
    sentence: str
    code: int = 2


def with_load(plan: str, line: str) -> str:
    """Return a plan with a line more in its load, in place of one of the same name."""
    name = line.partition(" ")[0]
    kept = [old for old in plan.splitlines() if not old.startswith(f"{name} ")]
    return "\n".join((*kept, line)) + "\n"


CASES = {
    "a database of another group": Bad(
        SHIPPED, with_load(COMMIT, 'database = "LoadAsync"'), "LoadAsync is not in the group AG_SYNC; it holds LoadSync"
    ),
    "a database that does not exist": Bad(
        SHIPPED, with_load(COMMIT, 'database = "Nowhere"'), "Nowhere is not in the group AG_SYNC"
    ),
    "a group that does not exist": Bad(
        SHIPPED, with_load(COMMIT, 'group = "AG_X"'), "there is no availability group AG_X on SQLNODE1"
    ),
    "several groups and none named": Bad(SHIPPED, with_load(COMMIT, 'group = ""'), "AG_ASYNC, AG_SYNC"),
    "a standalone database of a group": Bad(
        SHIPPED,
        with_load(COMMIT.replace('"async",', '"standalone",'), 'standalone_database = "LoadAsync"'),
        "LoadAsync is in the group AG_ASYNC; standalone_database must be in none",
    ),
    "the secondary as target": Bad(
        Site(opened_at="SQLNODE2"),
        COMMIT,
        "SQLNODE2 is a secondary replica of AG_SYNC; connect to its primary, SQLNODE1",
    ),
    "the secondary as target of seeding": Bad(
        Site(opened_at="SQLNODE2"), SEEDING, "SQLNODE2 is a secondary replica of AG_SYNC"
    ),
    "a primary named as secondary": Bad(
        SHIPPED, with_load(COMMIT, 'secondary = "SQLNODE1"'), "SQLNODE1 is the primary of AG_SYNC"
    ),
    "no secondary": Bad(NO_SECONDARY, COMMIT, "the group AG_SYNC has no secondary replica"),
    "no secondary to seed": Bad(NO_SECONDARY, SEEDING, "the group AG_SYNC has no secondary replica"),
    "a basic group": Bad(sort_of_group("basic"), COMMIT, "AG_SYNC is a basic group"),
    "a basic group to seed": Bad(sort_of_group("basic"), SEEDING, "AG_SYNC is a basic group"),
    "a contained group": Bad(sort_of_group("contained"), COMMIT, "AG_SYNC is a contained group"),
    "a distributed group": Bad(sort_of_group("distributed"), COMMIT, "AG_SYNC is a distributed group"),
    "a listener as target": Bad(
        Site(LISTENER, opened_at="ag-sales"), COMMIT, "ag-sales is the listener of an availability group"
    ),
    "a listener as group": Bad(
        Site(LISTENER), with_load(COMMIT, 'group = "ag-sales"'), "ag-sales is a listener of the group AG_SYNC"
    ),
    "a replica that is down": Bad(DOWN, COMMIT, "the secondary SQLNODE2 of AG_SYNC is down"),
    "a replica that is down to seed": Bad(DOWN, SEEDING, "the secondary SQLNODE2 of AG_SYNC is down"),
    "a version before 2012": Bad(
        OLD, COMMIT, "is SQL Server version 10.50.6000; this program needs SQL Server 2012", 3
    ),
    "a version before 2016 for direct seeding": Bad(
        Site(((VERSION, 'product_version = "12.0.2000.8"'),)), SEEDING, "older than SQL Server 2016"
    ),
    "too little disk": Bad(FULL, SEEDING, "has 40 MB free, and a test database of 50 MB needs 60 MB there"),
    "too little disk for backups": Bad(
        Site((("free_mb = 480000.0", "free_mb = 40.0"),)),
        with_load(with_load(ONLY_BACKUP, 'database = "LoadAlone"'), r"backup_folder = 'D:\backups'"),
        "40 MB free, and a backup may need 4,000 MB",
    ),
    "no folder for backups": Bad(SHIPPED, BACKUP, "backup and restore need a folder that both servers reach"),
    "a member in simple recovery": Bad(
        simple(SYNC_DATABASE), COMMIT, "LoadSync is in recovery model SIMPLE, whose log"
    ),
    "a database in simple recovery to seed": Bad(
        simple(ALONE), with_load(SEEDING, 'database = "LoadAlone"'), "LoadAlone is in recovery model SIMPLE and cannot"
    ),
    "a member to seed": Bad(
        SHIPPED, with_load(SEEDING, 'database = "LoadSync"'), "LoadSync is in the group AG_SYNC already"
    ),
}


@contextmanager
def unchanged(site: Site, folder: Path) -> Iterator[Posed]:
    """Serve a site and check that it is as it was at the end."""
    home = site.opened_at if site.opened_at.startswith("SQLNODE") else "SQLNODE1"
    pose = Pose(scenario=site.write(folder / "site.toml"), build=pose_groups, home=home, noise=False)
    with posed_lab(pose) as lab:
        before = lab.ask(PosedGroups.truth)
        yield lab
        assert lab.ask(PosedGroups.truth) == before


@pytest.mark.parametrize("number", range(len(CASES)), ids=list(CASES))
def test_it_is_refused_in_one_sentence(tmp_path: Path, number: int) -> None:
    """No change, no open entry, no trial, the consultant's files as they were; the drivers take turns."""
    bad = list(CASES.values())[number]
    driver = INSTALLED[number % len(INSTALLED)]
    plan, journal = write(tmp_path / "plan.toml", bad.plan), tmp_path / "journal"
    with unchanged(bad.site, tmp_path) as lab:
        before = files_below(tmp_path)
        ended = call("run", plan, "--target", lab.key(driver), "--out", tmp_path / "out", "--journal", journal)
    assert_one_sentence(ended, bad.code)
    assert bad.sentence in ended.err
    after = files_below(tmp_path)
    assert {path: after[path] for path in before} == before
    assert call("restore", "--journal", journal).out == "Nothing to restore.\n" or not journal.exists()


@pytest.mark.parametrize("family", ["commit_mode", "seeding"])
def test_a_login_without_rights(tmp_path: Path, family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told what it may not do, and where; nothing is changed."""
    monkeypatch.setenv("REPLITUNE_PASSWORD", "lab")
    path, journal = write(tmp_path / "plan.toml", PLANS[family]), tmp_path / "journal"
    with unchanged(SHIPPED, tmp_path) as lab:
        target = lab.url(INSTALLED[0], user="monitor")
        ended = call("run", path, "--target", target, "--out", tmp_path / "out", "--journal", journal)
    assert ended.code in (2, 3), ended
    assert "Traceback" not in ended.err
    assert "at SQLNODE1" in ended.err
    assert "`replitune doctor` prints the script" in ended.err or "grant" in ended.err.lower()


ODD_GROUP = """O'Brien [AG]].x; DROP DATABASE y -- 😀"""
ODD_DATABASE = """L'oad "Sync"].[dbo]; SHUTDOWN --"""


# One driver in every test run, all of them in the long proof.
DRIVEN = [INSTALLED[0], *(pytest.param(driver, marks=pytest.mark.prove) for driver in INSTALLED[1:])]


@pytest.mark.parametrize("driver", DRIVEN, ids=lambda driver: Path(driver).name)
@pytest.mark.parametrize("family", ["commit_mode", "seeding"])
def test_names_with_anything_in_them(tmp_path: Path, family: str, driver: str) -> None:
    """Quotes, brackets, spaces, dots, emoji and SQL in names of groups and databases: a whole run, nothing changed."""
    names = (
        ("AG_SYNC", json.dumps(ODD_GROUP, ensure_ascii=False)[1:-1]),
        ("LoadSync", json.dumps(ODD_DATABASE, ensure_ascii=False)[1:-1]),
    )
    text = resource_path("lab", "ag-2016.toml").read_text(encoding="utf-8")
    content = PLANS[family]
    for old, new in names:
        text, content = text.replace(old, new), content.replace(old, new)
    scenario, plan = write(tmp_path / "site.toml", text), write(tmp_path / "plan.toml", content)
    out = tmp_path / "out"
    with posed_lab(Pose(scenario=scenario, build=pose_groups, home="SQLNODE1", noise=False)) as lab:
        before = lab.ask(PosedGroups.truth)
        ended = call(
            "run", plan, "--target", lab.key(driver), "--out", out, "--journal", tmp_path / "journal", "--json"
        )
        assert ended.code == 0, ended
        assert lab.ask(PosedGroups.truth) == before
    with open_for_reading(out / "session.replitune") as reader:
        session = reader.read_session(with_samples=False)
    assert not [statement.error for statement in session.statements if statement.error]
    assert not any("DROP DATABASE y" in s.text or "SHUTDOWN" in s.text for s in session.statements)
    assert any(ODD_GROUP in change.change.subject for change in session.changes)


@pytest.mark.parametrize(
    ("site", "wrong"),
    [
        (Site(opened_at="SQLNODE9"), "neither a listed server nor a listener"),
        (sort_of_group("strange"), "groups.1.sort"),
    ],
    ids=["opened nowhere", "strange group"],
)
def test_a_scenario_that_poses_as_nothing_is_refused(tmp_path: Path, site: Site, wrong: str) -> None:
    """A scenario that names a server it does not have, or a sort of group there is none of, names file and key."""
    scenario = site.write(tmp_path / "site.toml")
    ended = call("discover", "--target", f"lab:{scenario}")
    assert_one_sentence(ended)
    assert wrong in ended.err


ROUTES: dict[str, tuple[Callable[[str], str], Site, str]] = {
    "read-only intent at a secondary": (
        lambda port: f"sqlserver://replitune@127.0.0.1:{port}?intent=readonly&trust=yes",
        Site(opened_at="SQLNODE2"),
        "SQLNODE2 is a secondary replica of AG_SYNC",
    ),
    "read-only routing through a listener": (
        lambda port: f"sqlserver://replitune@127.0.0.1:{port}?intent=readonly&trust=yes",
        Site(LISTENER, opened_at="ag-sales"),
        "read-only routing",
    ),
}


@pytest.mark.parametrize("name", ROUTES)
def test_read_only_routing_is_refused_over_the_wire(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection with read-only intent ends at a secondary, where nothing may be measured."""
    url, site, sentence = ROUTES[name]
    monkeypatch.setenv("REPLITUNE_PASSWORD", "lab")
    plan = write(tmp_path / "plan.toml", COMMIT)
    with served_lab("--scenario", site.write(tmp_path / "site.toml")) as key:
        target = url(key.rpartition(":")[2])
        ended = call("run", plan, "--target", target, "--out", tmp_path / "out", "--journal", tmp_path / "journal")
    assert_one_sentence(ended)
    assert sentence in ended.err
