"""Scenario files: what is shipped, and what bad ones get."""

from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.systems.transactional_replication.lab.scenario import load_scenario, scenario_names, scenario_path

LAN = scenario_path("lan").read_text(encoding="utf-8")


def _problem(tmp_path: Path, text: str) -> str:
    path = tmp_path / "site.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        load_scenario(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_the_shipped_scenarios_load_and_are_named_after_their_files() -> None:
    """Each shipped file is complete and carries its own name."""
    assert scenario_names() == (
        "busy-day",
        "incident",
        "lan",
        "lan-uneven",
        "no-effect",
        "on-site",
        "several-publications",
        "wan-128k",
        "wan-512k",
        "wan-lan-1g",
    )
    assert [load_scenario(scenario_path(name)).name for name in scenario_names()] == list(scenario_names())


@pytest.mark.parametrize("name", scenario_names())
def test_every_constant_says_where_it_comes_from(name: str) -> None:
    """Each number of a shipped file is labelled fitted, given, assumed or default."""
    lines = scenario_path(name).read_text(encoding="utf-8").splitlines()
    numbers = [
        line
        for line in lines
        if " = " in line and not line.startswith(("#", "kind", "name", "title", "shows", "enabled"))
    ]
    assert len(numbers) > 30
    labels = ("# fitted", "# given", "# assumed", "# default")
    assert [line for line in numbers if not any(label in line for label in labels)] == []


def test_an_unknown_scenario_name_is_answered_with_the_known_ones() -> None:
    """Asking for a scenario that is not shipped names those that are."""
    with pytest.raises(BadInput, match=r"moon.*lan, lan-uneven, no-effect"):
        scenario_path("moon")


def test_a_missing_constant_is_named(tmp_path: Path) -> None:
    """A constant left out is named with its section."""
    text = "\n".join(line for line in LAN.splitlines() if not line.startswith("rtt_ms"))
    assert '"link.rtt_ms" is missing' in _problem(tmp_path, text)


def test_a_missing_section_is_named(tmp_path: Path) -> None:
    """A section left out is named."""
    assert '"noise" is missing' in _problem(tmp_path, LAN[: LAN.index("[noise]")])


def test_an_unknown_constant_is_named(tmp_path: Path) -> None:
    """A constant that does not exist is named, so that a typing error cannot go unnoticed."""
    assert '"noise.run_vc" is unknown' in _problem(tmp_path, LAN + "run_vc = 0.1\n")


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("apply_us_per_command = -1.0", "distribution_agent.apply_us_per_command"),
        ("apply_us_per_command = 0.0", "distribution_agent.apply_us_per_command"),
        ("rtt_ms = -0.1", "link.rtt_ms"),
        ("rtt_ms = nan", "link.rtt_ms"),
        ("bandwidth_kbps = inf", "link.bandwidth_kbps"),
        ('bandwidth_kbps = "fast"', "link.bandwidth_kbps"),
        ("bandwidth_kbps = true", "link.bandwidth_kbps"),
        ("pairs = 0", "topology.pairs"),
        ("pairs = 1.5", "topology.pairs"),
        ("stream_pair_failure_probability = 1.5", "distribution_agent.stream_pair_failure_probability"),
    ],
)
def test_an_impossible_constant_is_named(tmp_path: Path, line: str, key: str) -> None:
    """A negative, infinite or wrongly typed constant is refused with file and key."""
    name = line.split(" = ")[0]
    text = "\n".join(line if old.startswith(f"{name} =") else old for old in LAN.splitlines())
    assert f'"{key}" = ' in _problem(tmp_path, text)


def test_text_that_is_not_toml_is_refused_with_its_line(tmp_path: Path) -> None:
    """A syntax error is reported with its place."""
    assert "line 1" in _problem(tmp_path, "pairs == 3\n")


def test_a_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    """A file saved by a Windows editor loads."""
    path = tmp_path / "site.toml"
    path.write_text("\ufeff" + LAN, encoding="utf-8")
    assert load_scenario(path).name == "lan"


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """A missing file, a folder and a binary each get one sentence with the path."""
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00\x01\x80")
    for path in (tmp_path / "missing.toml", tmp_path, binary):
        with pytest.raises(BadInput) as caught:
            load_scenario(path)
        assert str(path) in str(caught.value)
