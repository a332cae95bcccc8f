"""Whole sessions on the lab against the published numbers: statements, adapter, runner and measures in between."""

import statistics
from collections.abc import Iterable
from pathlib import Path

import pytest

from app.domain.session import RunRecord
from app.foundation.paths import resource_path
from app.store import open_for_reading
from app.systems.availability_groups.families.seeding import measures as seeding
from app.systems.availability_groups.metrics import SHAPE_TIME
from tests.calibration.availability import THIRD_SESSION_FACTOR, PublishedValue, insert_cells, seeding_values
from tests.e2e.program import call, write

CONTRADICTED = "2014 sync n = 10"

# A million rows in each shape, as in the published tables; two groups stand side by side.
INSERTS = """
family = "commit_mode"
[factors]
availability_mode = ["async", "sync"]
[workload]
group = "AG_ASYNC"
sync_database = "LoadSync"
inserts = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
rows_total = 1_000_000
budget_s = 86_400
[design]
blocks = 1
"""
SEEDING = r"""
family = "seeding"
[factors]
seeding_method = ["backup_restore", "direct", "direct_compressed"]
[workload]
group = "AG_ARCHIVE"
database = "Archive"
backup_folder = '\\share\backups'
[limits]
log_used_share = 1
[design]
blocks = 1
"""


def quiet(folder: Path, name: str, session_factor: float = 1.0) -> Path:
    """Write a shipped scenario without noise, its machine slower by a factor."""
    text = resource_path("lab", f"{name}.toml").read_text(encoding="utf-8")
    for old, new in (
        ("enabled = true", "enabled = false"),
        ("session_factor = 1.0 ", f"session_factor = {session_factor} "),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    return write(folder / f"{name}.toml", text)


def run(folder: Path, scenario: Path, content: str) -> RunRecord:
    """Run a plan by command and return what its session file holds."""
    plan = write(folder / "plan.toml", content)
    out = folder / "out"
    ended = call("run", plan, "--target", f"lab:{scenario}", "--out", out, "--journal", folder / "journal")
    assert ended.code == 0, ended
    with open_for_reading(out / "session.replitune") as reader:
        (found,) = reader.read_session(with_samples=False).runs
        return found


def cells(table: str) -> tuple[PublishedValue, ...]:
    """Return the published cells of one table: "2014", "2016" or "2016 + TF 9592"."""
    return tuple(
        cell
        for cell in insert_cells()
        if cell.label.startswith(f"{table} sync") or cell.label.startswith(f"{table} async")
    )


def insert_errors(folder: Path, table: str) -> dict[str, float]:
    """Return how far each cell of a table is from the published one."""
    is_third = "TF" in table
    scenario = quiet(folder, f"ag-{table[:4]}", THIRD_SESSION_FACTOR if is_third else 1.0)
    plan = INSERTS
    if is_third:
        plan = plan.replace('"sync"]', '"sync"]\nlog_stream_compression = ["default", "on"]', 1)
    found = {
        (str(m.setting["availability_mode"]), int(m.conditions["inserts"])): m.value
        for trial in run(folder, scenario, plan).trials
        for m in trial.measurements
        if m.metric == SHAPE_TIME.name
        and (not is_third or m.setting["availability_mode"] == "async" or m.setting["log_stream_compression"] == "on")
    }
    return {
        cell.label: error
        for cell in cells(table)
        for mode, inserts in (of_label(cell.label),)
        for error in (found[mode, inserts] / cell.value - 1,)
    }


def of_label(label: str) -> tuple[str, int]:
    """Return mode and inserts of a cell's label."""
    words = label.split()
    return words[-4], int(words[-1])


def printed(errors: dict[str, float]) -> dict[str, float]:
    """Print a table of errors and return it."""
    for label, error in errors.items():
        print(f"{label:38} {error:+7.1%}")
    return errors


@pytest.mark.prove
def test_the_insert_tables_come_out_of_sessions(tmp_path: Path) -> None:
    """42 cells: median error 5 % at most, each within 16 % but the one that contradicts its own document."""
    errors: dict[str, float] = {}
    for number, table in enumerate(("2014", "2016", "2016 + TF 9592")):
        folder = tmp_path / str(number)
        folder.mkdir()
        errors |= insert_errors(folder, table)
    printed(errors)
    assert len(errors) == 42
    assert statistics.median(abs(error) for error in errors.values()) <= 0.05
    assert {label for label, error in errors.items() if abs(error) > 0.16} == {CONTRADICTED}


PARTS = {
    "backup, s": ("backup_restore", seeding.BACKUP_TIME, 1.0),
    "restore, s": ("backup_restore", seeding.RESTORE_TIME, 1.0),
    "join, s": ("backup_restore", seeding.JOIN_TIME, 1.0),
    "backup + restore + join, s": ("backup_restore", seeding.TOTAL_TIME, 1.0),
    "direct seeding, s": ("direct", seeding.SEEDING_TIME, 1.0),
    "direct seeding + TF 9567, s": ("direct_compressed", seeding.SEEDING_TIME, 1.0),
    "network of the restore, Mb/s": ("backup_restore", seeding.NETWORK_RATE, 1.0),
    "network of direct seeding, Mb/s": ("direct", seeding.NETWORK_RATE, 1.0),
    "network with TF 9567, Mb/s": ("direct_compressed", seeding.NETWORK_RATE, 1.0),
    "disk writes of the restore, MB/s": ("backup_restore", seeding.DISK_RATE, 1.0),
    "CPU of the backup, %": ("backup_restore", seeding.PRIMARY_CPU, 100.0),
    "CPU of the restore, %": ("backup_restore", seeding.SECONDARY_CPU, 100.0),
    "CPU of direct seeding, %": ("direct", seeding.PRIMARY_CPU, 100.0),
    "CPU with TF 9567, %": ("direct_compressed", seeding.PRIMARY_CPU, 100.0),
}


def test_the_seeding_test_comes_out_of_a_session(tmp_path: Path) -> None:
    """Steps, totals, network, disk of the restore and processors within 6 %, as a session measures them."""
    trials = run(tmp_path, quiet(tmp_path, "ag-seeding"), SEEDING).trials
    found = {(str(m.setting["seeding_method"]), m.metric): m.value for trial in trials for m in trial.measurements}
    errors = printed(
        {
            label: found[method, metric.name] * scale / value - 1
            for label, value in published(PARTS)
            for method, metric, scale in (PARTS[label],)
        }
    )
    assert len(errors) == 14
    assert {label: error for label, error in errors.items() if abs(error) > 0.06} == {}


def published(labels: Iterable[str]) -> list[tuple[str, float]]:
    """Return the published values of the seeding test, by label."""
    values = {found.label: found.value for found in seeding_values()}
    assert set(values) == set(labels)
    return list(values.items())
