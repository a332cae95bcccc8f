"""Availability scenario files: what is shipped, and what bad ones get."""

from pathlib import Path

import pytest

from app.bootstrap import open_lab
from app.domain.errors import BadInput
from app.lab.scenario_file import scenario_kind
from app.services.target.target_spec import LabSpec
from app.systems.availability_groups.lab.scenario import (
    availability_scenario_names,
    availability_scenario_path,
    load_availability_scenario,
)
from app.systems.transactional_replication.lab.scenario import scenario_names, scenario_path
from tests.labs import ignore

TEXT = availability_scenario_path("ag-2016").read_text(encoding="utf-8")


def _problem(tmp_path: Path, text: str) -> str:
    path = tmp_path / "site.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        load_availability_scenario(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_the_shipped_scenarios_load_and_are_kept_apart_from_the_others() -> None:
    """Each file carries its own name, and no kind of scenario lists another."""
    assert availability_scenario_names() == (
        "ag-2014",
        "ag-2016",
        "ag-2025",
        "ag-busy",
        "ag-seeding",
        "ag-uneven",
        "on-site-group",
    )
    for name in availability_scenario_names():
        assert load_availability_scenario(availability_scenario_path(name)).name == name
    assert not set(availability_scenario_names()) & set(scenario_names())
    assert scenario_kind(scenario_path("lan")) == "replication"


@pytest.mark.parametrize("name", availability_scenario_names())
def test_every_constant_says_where_it_comes_from(name: str) -> None:
    """Each number of a shipped file is labelled fitted, given, assumed or default."""
    lines = availability_scenario_path(name).read_text(encoding="utf-8").splitlines()
    numbers = [line for line in lines if " = " in line and line.split(" = ")[1][0].isdigit()]
    assert len(numbers) > 60
    labels = ("# fitted", "# given", "# assumed", "# default")
    assert [line for line in numbers if not any(label in line for label in labels)] == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("row_us = ", "row_ms = ", '"insert.row_us" is missing'),
        ("compressed_share = 0.06", "compressed_share = 1.5", '"transport.compressed_share" = 1.5'),
        ('group = "AG_SYNC"', 'group = "AG_MOON"', "database LoadSync names the group 'AG_MOON'"),
        ('server = "SQLNODE2"', 'server = "MOON"', "names the server 'MOON', which is not listed"),
        ('availability_mode = "SYNCHRONOUS_COMMIT"', 'availability_mode = "SYNC"', "groups.1.replicas.0"),
        ("cpus = 8", "cpus = 0", '"servers.0.cpus" = 0'),
        ('kind = "availability"', 'kind = "replication"', '"kind" = '),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, old: str, new: str, expected: str) -> None:
    """A missing, impossible or dangling entry is refused with file and key."""
    assert old in TEXT
    assert expected in _problem(tmp_path, TEXT.replace(old, new))


def test_an_unknown_kind_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    """A file of a kind that does not exist is refused."""
    path = tmp_path / "site.toml"
    path.write_text('kind = "moon"\n', encoding="utf-8")
    with pytest.raises(BadInput, match="replication, availability, streams"):
        open_lab(LabSpec(str(path)), 1, ignore)
