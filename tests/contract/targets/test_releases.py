"""From SQL Server 2012 to 2022: what a release has not, no statement needs there; experiments come to their end."""

import re
from pathlib import Path
from typing import Any, Final

import pytest

from app.domain.errors import ReplituneError
from app.domain.events import TrialFinished
from app.domain.measurement import TrialStatus
from app.domain.server_versions import major_version_of
from app.drivers.sqlserver.catalogue import Statement, catalogue
from app.drivers.sqlserver.lab.named_objects import named_objects
from tests.contract.families.lab_runs import AGENT_FAMILIES, run_on_lab, small_plan
from tests.facts.sqlserver import read_facts
from tests.labs import FAMILIES, lab_file
from tests.rows import every_row

RELEASES: Final = {"2012": "11.0.7001.0", "2017": "14.0.3456.2", "2022": "16.0.4135.4"}
SITES: Final = {**dict.fromkeys(AGENT_FAMILIES, "lan"), "commit_mode": "ag-2016", "seeding": "ag-seeding"}
RECORDED: Final[dict[str, Any]] = read_facts("releases.json")
SINCE: Final[dict[str, str]] = RECORDED["since"]
"""When what statements name became part of SQL Server, where a source is on record."""
_OWN: Final = ("dbo.Pages", "dbo.ReplituneLoad")
_TEXT: Final = re.compile(r"N'(?:[^']|'')*'|/\*.*?\*/|--[^\n]*", re.DOTALL)
_OFFERED: Final = re.compile(r"(?:\b\w+|\(NULL AS \w+\(\d+\)\)) AS (\w+)")


def of_release(name: str, version: str, folder: Path) -> Path:
    """Write a scenario whose servers are of another release."""
    path = folder / "release.toml"
    text = lab_file(name).read_text(encoding="utf-8")
    path.write_text(re.sub(r'product_version = "[^"]+"', f'product_version = "{version}"', text), encoding="utf-8")
    return path


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("family_id", SITES)
def test_an_experiment_comes_to_its_end(tmp_path: Path, family_id: str, release: str) -> None:
    """Servers are put back; what a release cannot do is refused before anything is changed."""
    family, scenario = FAMILIES[family_id], of_release(SITES[family_id], RELEASES[release], tmp_path)
    if (family_id, release) == ("seeding", "2012"):
        with pytest.raises(ReplituneError, match="older than SQL Server 2016"):
            run_on_lab(family, small_plan(family), scenario=scenario)
        return
    run = run_on_lab(family, small_plan(family), scenario=scenario)
    assert {e.trial.status for e in run.events if isinstance(e, TrialFinished)} == {TrialStatus.USED}
    run.assert_as_found(release)


@every_row("statement", catalogue().values(), ids=lambda statement: statement.name)
def test_what_came_later_is_asked_for_first(statement: Statement) -> None:
    """A name newer than a header's first release stands in text of its own, or a constant offers the column instead."""
    words = set(re.findall(r"[\w.]+", _TEXT.sub(" ", statement.body)))
    offered = set(_OFFERED.findall(statement.body))
    first = re.match(r"SQL Server (\d{4})", statement.versions)
    assert first is not None
    for name, since in SINCE.items():
        own, needed = major_version_of(first[1]), major_version_of(since)
        assert own is not None
        assert needed is not None
        assert name not in words or name in offered or own >= needed, f"{name} came with SQL Server {since}"


def test_what_is_not_on_record_is_listed() -> None:
    """Every object a body names has its release, or stands among those of which the first one is not known."""
    named = {name.rpartition(" on ")[2] for names in named_objects().values() for name in names if " on " in name}
    unknown = named - set(SINCE) - set(_OWN)
    assert {name for name in unknown if name.startswith(("dbo.", "msdb.", "sys."))} == set(RECORDED["not_known"])
