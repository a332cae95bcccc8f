"""Scenario files of the pipeline: what is shipped, and what bad ones get."""

from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.systems.oracle_streams.lab.pipeline import StreamsLab, Workload
from app.systems.oracle_streams.lab.scenario import load_scenario, scenario_names, scenario_path
from tests.calibration.streams_trials import run_to_the_end, shipped_streams

SHIPPED = ("streams-12c", "streams-2009", "streams-incident", "streams-small-pool", "streams-uneven")


def test_the_shipped_scenarios_load_and_are_named_after_their_files() -> None:
    """Each shipped file is complete and carries its own name."""
    assert scenario_names() == SHIPPED
    assert [load_scenario(scenario_path(name)).name for name in SHIPPED] == list(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_constant_says_where_it_comes_from(name: str) -> None:
    """Each value of a shipped file is labelled fitted, given, assumed or default; the names once for all."""
    text = scenario_path(name).read_text(encoding="utf-8")
    names = text.split("[names]")[1].split("[workload]")[0]
    assert "# assumed" in names
    lines = text.replace(names, "").splitlines()
    values = [
        line
        for line in lines
        if " = " in line and not line.startswith(("#", "kind", "name", "title", "shows", "enabled"))
    ]
    assert len(values) > 70
    labels = ("# fitted", "# given", "# assumed", "# default")
    assert [line for line in values if not any(label in line for label in labels)] == []


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_scenario_replicates(name: str) -> None:
    """A small workload arrives."""
    lab = StreamsLab(shipped_streams(name), noise=False)
    lab.advance(30.0)
    assert lab.workload(run_to_the_end(lab, Workload("insert", 10_000, 100))).rows_applied == 10_000


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("read_us_per_lcr = 455.3 ", "read_us_per_lcr = -1.0 ", '"apply.read_us_per_lcr" = -1.0'),
        ("lifespan_s = 300.0 ", "lifespan_s = inf ", '"queues.lifespan_s" = inf'),
        ("wake_s = 62.4 ", "woke_s = 62.4 ", '"capture.wake_s" is missing'),
        ("run_cv = 0.03 ", "run_cv = 0.03\nrun_vc = 0.1 ", '"noise.run_vc" is unknown'),
        ('kind = "streams"', 'kind = "rivers"', '"kind"'),
        ('PARALLELISM = "8"', 'PARALLELISM = "many"', "PARALLELISM cannot be 'many'"),
        ('PARALLELISM = "8"', 'PARALELISM = "8"', "PARALELISM is set but has no default"),
    ],
)
def test_a_wrong_constant_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    """Missing, unknown, negative, infinite: file and key are in the sentence."""
    text = scenario_path("streams-2009").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "site.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        load_scenario(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_scenario_of_another_kind_is_not_among_the_shipped_ones() -> None:
    """The lab of SQL Server has its own files."""
    with pytest.raises(BadInput, match=r"lan.*streams-2009"):
        scenario_path("lan")
