"""Sessions on availability groups over TDS, encrypted, through every driver: the same verdicts as in process.

And requests that were given up: they are carried out late, and nothing comes of them untold.
"""

from pathlib import Path

import pytest

from app.domain.statement import Access
from app.drivers.sqlserver.catalogue import catalogue
from tests.e2e.posed_lab import Kind, Pose, posed_lab
from tests.e2e.program import write
from tests.e2e.wire_results import (
    Expected,
    assert_same,
    connection_of,
    encryption_by,
    expected_of,
    expected_once,
    run_plan,
)
from tests.prove.group_session import PLANS, PosedGroups, pose_groups, write_plan
from tests.prove.shares import Share
from tests.prove.wire_faults import Case, cases_of, run_cases, stratum_of
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, has_driver

# Each family with one driver in every test run, all of them in the long proof.
QUICK = {"commit_mode": "microsoft", "seeding": "freetds"}
LAB = "lab:ag-2016"
POSE = Pose(build=pose_groups, home="SQLNODE1")
LATE = [kind for kind in Kind if kind.is_late]
PUT_BACK = {"drop_test_database"}
WHOLE = {
    "commit_mode": """
family = "commit_mode"
[factors]
availability_mode = ["standalone", "async", "sync"]
log_stream_compression = ["default", "on"]
[workload]
group = "AG_SYNC"
standalone_database = "LoadAlone"
inserts = [1, 100, 10_000]
rows_total = 100_000
[design]
blocks = 3
""",
    "seeding": r"""
family = "seeding"
[factors]
seeding_method = ["backup_restore", "direct", "direct_compressed"]
[workload]
group = "AG_SYNC"
database_mb = 2000
backup_folder = '\\share\backups'
[design]
blocks = 3
""",
}


@pytest.mark.parametrize("family", sorted(QUICK))
def test_a_session_over_tds_finds_what_one_in_process_does(tmp_path: Path, family: str) -> None:
    """Seed, plan and lab are the same, so verdicts, findings and every measurement are."""
    if not has_driver(QUICK[family]):
        pytest.skip(f"{QUICK[family]} is not installed")
    plan = write(tmp_path / "plan.toml", PLANS[family])
    assert_same_on_groups(expected_of(plan, LAB), QUICK[family], tmp_path / "wire")


@pytest.fixture(scope="module", params=sorted(WHOLE))
def expected(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Expected:
    """Run the plan of a family in process, once for all drivers."""
    return expected_once(tmp_path_factory, request.param, WHOLE[request.param], LAB)


@pytest.mark.prove
@pytest.mark.dealt("expected")
@pytest.mark.parametrize("name", sorted(DRIVERS))
def test_a_whole_session_over_tds_finds_what_one_in_process_does(tmp_path: Path, expected: Expected, name: str) -> None:
    """The same with three blocks and as many rows and megabytes as a difference needs to show."""
    if not has_driver(name):
        pytest.skip(f"{name} is not installed")
    assert_same_on_groups(expected, name, tmp_path / "wire")
    verdicts = [c["verdict"] for c in expected.ended.json()["comparisons"]]
    print(f"through {name}: the same {len(verdicts)} verdicts as in process: {', '.join(verdicts)}")
    assert set(verdicts) - {"inconclusive"}


def assert_same_on_groups(expected: Expected, name: str, out: Path) -> None:
    """Run a plan on the groups through a driver, and compare everything found."""
    with posed_lab(POSE) as lab:
        before = lab.ask(PosedGroups.truth)
        ended = run_plan(expected.plan, lab.key(DRIVERS[name]), out)
        assert lab.ask(PosedGroups.truth) == before
    assert_same(expected, ended, out)
    assert connection_of(out / "session.replitune")["Encryption"] == encryption_by(DRIVERS[name])


def late_cases(folder: Path, family: str) -> list[Case]:
    """Return each changing statement of a session, given up in each way; the drivers take turns.

    No time-out of a statement that may take half an hour or more is waited for, nor is a cancel of one that puts
    things back: a restore is not cancelled, so that it would be a time-out.
    """
    cases = cases_of(write_plan(folder, family), LATE, pose=POSE)
    assert {case.call.access for case in cases} == {Access.CHANGE}
    return [one for one in cases if not catalogue()[one.call.name].limit_s or one.kind not in _not_waited_for(one)]


def _not_waited_for(case: Case) -> set[Kind]:
    return {Kind.LATE_TIMEOUT, Kind.LATE_CANCELLED} if case.call.name in PUT_BACK else {Kind.LATE_TIMEOUT}


@pytest.mark.parametrize("family", sorted(QUICK))
def test_a_change_carried_out_late_at_a_group_is_undone_or_listed(tmp_path: Path, family: str) -> None:
    """Each way once, at statements in the beginning, the middle and the end of what a session changes."""
    cases = late_cases(tmp_path, family)
    of_kinds = [[case for case in cases if case.kind is kind] for kind in LATE]
    chosen = [of_kind[int(len(of_kind) * share)] for of_kind, share in zip(of_kinds, (0.1, 0.5, 0.9), strict=True)]
    tally = run_cases(chosen, tmp_path, POSE)
    assert tally.failures == ()
    assert tally.cases == len(LATE)


@pytest.mark.minutes
@pytest.mark.prove
@pytest.mark.parametrize("family", sorted(QUICK))
def test_no_change_carried_out_late_at_a_group_is_left_untold(tmp_path: Path, family: str, share: Share) -> None:
    """The servers are as they were once all has arrived, or the difference is listed and `restore` removes it."""
    cases = late_cases(tmp_path, family)
    tally = run_cases(share.of(cases, stratum_of), tmp_path, POSE)
    print(f"{family}, carried out late, {share}: {tally}")
    assert tally.failures == ()
    assert tally.cases * share.parts >= 50
