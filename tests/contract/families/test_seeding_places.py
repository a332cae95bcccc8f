"""Files in folders that the secondary does not have: told before, moved by a restore, put back as ever."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.events import RunStatus, TrialFinished
from app.domain.load import Load
from app.domain.measurement import TrialStatus
from app.domain.plan import Factor, Plan
from app.domain.setting import Setting
from app.services.plan.checking import prepare_run
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan
from tests.labs import lab_file, open_lab

FAMILY = FAMILIES["seeding"]
_ALONE = 'name = "LoadAlone"\n'


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Write a scenario whose standalone database has its files where the secondary has no folder."""
    text = lab_file("ag-2016").read_text(encoding="utf-8")
    assert _ALONE in text
    path = tmp_path / "elsewhere.toml"
    path.write_text(text.replace(_ALONE, _ALONE + "folder = 'F:\\Sales, old'\n"), encoding="utf-8")
    return path


def plan_of(factor: Factor) -> Plan:
    """Return a small plan about that database, over one factor."""
    plan = small_plan(FAMILY)
    load = {**plan.load, "group": "AG_SYNC", "database": "LoadAlone", "backup_folder": "E:\\Backup"}
    baseline = Setting.from_mapping({factor.name: factor.levels[0]})
    return replace(plan, factors=(factor,), baseline=baseline, load=Load.from_mapping(load))


RESTORES = Factor("stripes", (1, 2))
BOTH = Factor("seeding_method", ("backup_restore", "direct"))


@pytest.mark.parametrize(("factor", "passed"), [(RESTORES, True), (BOTH, False)])
def test_preflight_compares_the_folders_of_both_sides(elsewhere: Path, factor: Factor, passed: bool) -> None:
    """A restore moves the files; direct seeding needs the folders, which are named."""
    prepared = prepare_run(plan_of(factor), FAMILY, open_lab(elsewhere), "plan.toml")
    (check,) = (check for check in prepared.checks if "knows the folders" in check.title)
    assert check.passed is passed
    assert "F:\\Sales, old" in check.remedy


def test_a_restore_moves_the_files(elsewhere: Path) -> None:
    """Each trial is used, and everything is put back."""
    run = run_on_lab(FAMILY, plan_of(RESTORES), scenario=elsewhere)
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    assert {e.trial.status for e in run.events if isinstance(e, TrialFinished)} == {TrialStatus.USED}
    run.assert_restored()
