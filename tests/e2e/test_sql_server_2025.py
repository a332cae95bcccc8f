"""What SQL Server 2025 brought, varied by the program as a person does: refused before it, recommended, put back."""

from pathlib import Path

import pytest

from tests.e2e.program import call

COMMIT_TIME = """
family = "commit_mode"
[factors]
group_commit_time = [0, 1]
[workload]
source = "own_traffic"
window_s = 60
"""
COMPRESSION = """
family = "seeding"
[factors]
backup_compression = ["MS_XPRESS", "ZSTD_LOW", "ZSTD_HIGH"]
[workload]
database = "Archive"
backup_folder = '\\\\SQLNODE2\\seeding'
watch_s = 10
[design]
blocks = 2
confirm_blocks = 0
"""


def _written(folder: Path, plan: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(plan, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("plan", "lab", "name"),
    [(COMMIT_TIME, "ag-busy", "group_commit_time"), (COMPRESSION, "ag-seeding", "backup_compression")],
)
def test_an_older_server_is_refused_in_one_sentence(tmp_path: Path, plan: str, lab: str, name: str) -> None:
    """SQL Server 2016 has neither: what it is, and what to do, before anything is changed."""
    ended = call("run", _written(tmp_path, plan), "--target", f"lab:{lab}", "--out", tmp_path / "out")
    assert ended.code == 2
    assert ended.err.strip().splitlines() == [
        f"replitune: SQLNODE1 is older than SQL Server 2025, which brought {name}; leave {name} out of the plan"
    ]
    assert not (tmp_path / "out" / "session.replitune").exists()


def test_a_shorter_time_is_recommended_and_its_scripts_put_it_back(tmp_path: Path) -> None:
    """The client's commits wait less, nothing is unprotected, and the script tells the option as the vendor does."""
    out = tmp_path / "out"
    plan = _written(tmp_path, COMMIT_TIME)
    told = call("run", plan, "--target", "lab:ag-2025", "--dry-run").out
    assert "[ok] No commit is without a synchronized secondary that has one now" in told
    assert told.index('"show advanced options" at SQLNODE1: 0 → 1') < told.index('commit time (ms)" at SQLNODE1: 0 → 1')
    ended = call("run", plan, "--target", "lab:ag-2025", "--out", out)
    assert ended.code == 0, ended.err
    assert "1. Change: group_commit_time 1 instead of 0" in ended.out
    for name, value in (("apply", 1), ("undo", 0)):
        for server in ("SQLNODE1", "SQLNODE2"):
            script = (out / f"{name}-1-{server}.sql").read_text("utf-8-sig")
            assert f"DECLARE @value int = {value};" in script
            assert "DECLARE @option_name nvarchar(4000) = N'availability group commit time (ms)';" in script


def test_a_faster_algorithm_is_told_from_a_stronger_one(tmp_path: Path) -> None:
    """ZSTD LOW shortens backup and restore together, HIGH does not; the file names each as it is typed."""
    out = tmp_path / "out"
    ended = call("run", _written(tmp_path, COMPRESSION), "--target", "lab:ag-2025", "--out", out)
    assert ended.code == 0, ended.err
    rows = (out / "measurements.csv").read_text("utf-8-sig").splitlines()
    took = {name: _mean(rows, "backup_time", name) for name in ("MS_XPRESS", "ZSTD_LOW", "ZSTD_HIGH")}
    assert took["ZSTD_LOW"] < 0.75 * took["MS_XPRESS"] < took["MS_XPRESS"] < took["ZSTD_HIGH"]


def _mean(rows: list[str], metric: str, algorithm: str) -> float:
    names = rows[0].split(",")
    cells = [dict(zip(names, row.split(","), strict=False)) for row in rows[1:]]
    values = [float(c["value"]) for c in cells if (c["metric"], c["backup_compression"]) == (metric, algorithm)]
    return sum(values) / len(values)
