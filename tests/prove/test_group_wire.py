"""Sessions on availability groups over TDS, encrypted, through every driver: the same verdicts as in process."""

from pathlib import Path

import pytest

from tests.e2e.posed_lab import Pose, posed_lab
from tests.e2e.program import Ended, write
from tests.e2e.wire_results import connection_of, found_in, run_plan
from tests.prove.group_session import PLANS, PosedGroups, pose_groups
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, has_driver

# Each family with one driver in every test run, all of them in the long proof.
QUICK = {"commit_mode": "microsoft", "seeding": "freetds"}
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
    assert_same(tmp_path, PLANS[family], QUICK[family])


@pytest.mark.prove
@pytest.mark.parametrize("name", sorted(DRIVERS))
@pytest.mark.parametrize("family", sorted(WHOLE))
def test_a_whole_session_over_tds_finds_what_one_in_process_does(tmp_path: Path, family: str, name: str) -> None:
    """The same with three blocks and as many rows and megabytes as a difference needs to show."""
    if not has_driver(name):
        pytest.skip(f"{name} is not installed")
    verdicts = [c["verdict"] for c in assert_same(tmp_path, WHOLE[family], name).json()["comparisons"]]
    print(f"{family} through {name}: the same {len(verdicts)} verdicts as in process: {', '.join(verdicts)}")
    assert set(verdicts) - {"inconclusive"}


def assert_same(folder: Path, content: str, name: str) -> Ended:
    """Run a plan in process and through a driver, and compare everything found; return what the first one said."""
    plan = write(folder / "plan.toml", content)
    kept, out = folder / "lab", folder / "wire"
    expected = run_plan(plan, "lab:ag-2016", kept)
    with posed_lab(Pose(build=pose_groups, home="SQLNODE1")) as lab:
        before = lab.ask(PosedGroups.truth)
        ended = run_plan(plan, lab.key(DRIVERS[name]), out)
        assert ended.code == expected.code == 0, ended
        assert lab.ask(PosedGroups.truth) == before
    assert found_in(ended) == found_in(expected)
    assert ended.json()["comparisons"]
    assert (out / "measurements.csv").read_bytes() == (kept / "measurements.csv").read_bytes()
    assert connection_of(out / "session.replitune")["Encryption"].startswith("encrypted")
    return expected
