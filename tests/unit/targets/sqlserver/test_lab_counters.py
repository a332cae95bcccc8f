"""The lab shows a statement the counters it asks for: objects of a named instance are called otherwise."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.drivers.sqlserver.catalogue import Statement, catalogue
from app.drivers.sqlserver.lab import counters
from app.drivers.sqlserver.lab.counters import finds_counters
from app.systems.availability_groups.offer import group_ports
from app.systems.transactional_replication.offer import agent_ports
from tests.labs import lab_file, open_lab

NAMED = "MSSQL$EU_1"
READING = sorted(s.name for s in catalogue().values() if "sys.dm_os_performance_counters" in s.body)


@pytest.mark.parametrize("name", READING)
def test_every_reader_finds_them_at_a_named_instance(name: str) -> None:
    """And at a default one, in whatever language the server is."""
    assert finds_counters(name, "SQLServer")
    assert finds_counters(name, NAMED)


@pytest.mark.parametrize(
    ("asked", "at_default", "at_named"),
    [
        ("object_name LIKE N'%:Databases%'", True, True),
        ("object_name LIKE N'SQLServer:Databases%'", True, False),
        ("object_name LIKE N'%:Databases'", False, False),
        ("object_name = N'SQLServer:Databases'", True, False),
        ("object_name = N'%:Databases%'", False, False),
    ],
)
def test_what_a_statement_asks_decides(
    asked: str, at_default: bool, at_named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blanks behind a name count for LIKE, and not for an equals sign."""
    statement = replace(catalogue()["server_databases"], name="posed", body=f"SELECT 1 WHERE found.{asked};")
    posed: Callable[[], dict[str, Statement]] = lambda: {"posed": statement}  # noqa: E731 - one line says it
    monkeypatch.setattr(counters, "catalogue", posed)
    find = finds_counters.__wrapped__
    assert (find("posed", "SQLServer"), find("posed", NAMED)) == (at_default, at_named)


def test_the_sites_as_found_have_named_instances(tmp_path: Path) -> None:
    """Their log's use is read all the same; a reader that asks for the default instance's finds none there."""
    for scenario in ("on-site", "on-site-group"):
        assert 'counters = "MSSQL$' in lab_file(scenario).read_text(encoding="utf-8")
    topology = group_ports(open_lab("on-site-group")).groups.discover()
    assert any(database.log_used_share is not None for database in topology.databases)
    text = lab_file("lan").read_text(encoding="utf-8").replace('name = "lan"', 'name = "site"')
    path = tmp_path / "site.toml"
    path.write_text(f'{text}\n[site]\ncounters = "{NAMED}"\n', encoding="utf-8")
    sample = agent_ports(open_lab(path)).agents.sample()
    assert not sample.log_use_unknown
