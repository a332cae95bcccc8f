"""Adding a family touches one folder: whatever lies in a system's `families` is found, half-made ones are loud."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.bootstrap import build_program, load_families
from app.services.explain.importing import columns_of, read_measurements
from app.services.plan.plan_file import load_plan
from app.systems.transactional_replication import families as own_families
from tests.contract.families.lab_runs import run_on_lab, small_plan

FAMILY = """
from dataclasses import replace
from app.systems.transactional_replication.families.{like} import {name}

class Newcomer({name}):
    family_id = "{family_id}"

    def default_plan(self):
        return replace(super().default_plan(), family="{family_id}")

FAMILY = Newcomer()
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A place beside the families of a system that is gone after the test."""
    monkeypatch.setattr(own_families, "__path__", [*own_families.__path__, str(tmp_path)])
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith(f"{own_families.__name__}."):
            del sys.modules[name]
            delattr(own_families, name.rsplit(".", 1)[-1])


def _drop_in(folder: Path, name: str, family_id: str) -> None:
    package = folder / name
    package.mkdir()
    text = FAMILY.format(like="distribution_agent", name="DistributionAgentFamily", family_id=family_id)
    (package / "__init__.py").write_text(text, encoding="utf-8")


def test_a_folder_dropped_in_is_a_family_everywhere(folder: Path, tmp_path: Path) -> None:
    """Start-up, plan files, the runner and the import of measurements know it without being told."""
    _drop_in(folder, "newcomer", "newcomer")
    families = load_families()
    family = families["newcomer"]
    assert "newcomer" in build_program().parts.family_ids
    plan_file = tmp_path / "plan.toml"
    plan_file.write_text('family = "newcomer"\n[factors]\nCommitBatchSize = [100, 200]\n', encoding="utf-8")
    assert load_plan(plan_file, dict(families)).family == "newcomer"
    assert len(run_on_lab(family, small_plan(family)).trials) == 2
    table = tmp_path / "values.csv"
    table.write_text(
        "family,run,metric,value,unit,CommitBatchSize\nnewcomer,1,run_time,2,s,100\nnewcomer,2,run_time,1,s,200\n",
        encoding="utf-8",
    )
    known = {name: columns_of(entry) for name, entry in families.items()}
    assert {m.family for m in read_measurements(table, known).measurements} == {"newcomer"}


def test_a_folder_without_a_family_is_loud(folder: Path) -> None:
    """A package that exports nothing stops the program at its start, with its name."""
    (folder / "unfinished").mkdir()
    (folder / "unfinished" / "__init__.py").write_text("", encoding="utf-8")
    with pytest.raises(RuntimeError, match=r"transactional_replication\.families\.unfinished exports no FAMILY"):
        load_families()


def test_a_family_must_be_called_as_its_folder(folder: Path) -> None:
    """Rules, plans and session files find a family by its id, so another id than the folder's is refused."""
    _drop_in(folder, "renamed", "something_else")
    with pytest.raises(RuntimeError, match=r"transactional_replication\.families\.renamed"):
        load_families()
