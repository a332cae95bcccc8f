"""The published measurements that ship are read as they stand, and are the published ones."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.domain.errors import BadInput
from app.domain.measurement import Measurement
from app.domain.setting import Setting
from app.services.explain.importing import (
    PublishedSource,
    columns_of,
    describe,
    experiments,
    published_sources,
    read_measurements,
)
from app.systems.availability_groups.families.commit_mode import FAMILY
from tests.labs import FAMILIES as SHIPPED
from tests.unit.importing.files import FAMILIES

FACTS = Path(__file__).parents[2] / "facts" / "published.json"
AGENTS, WAN, GROUPS = published_sources()[:3]


def printed_points(seed: str) -> list[dict[str, Any]]:
    """Return the measured points of one published document."""
    points: list[dict[str, Any]] = json.loads(FACTS.read_text(encoding="utf-8"))["points"]
    return [point for point in points if point["seed"].startswith(seed) and point["kind"] == "measured"]


def value_at(measurements: tuple[Measurement, ...], family: str, setting: Setting, **conditions: int) -> float:
    """Return the one value with that setting and at least those conditions."""
    found = [
        m.value
        for m in measurements
        if m.family == family
        and m.setting == setting
        and all(m.conditions[name] == value for name, value in conditions.items())
    ]
    assert len(found) == 1
    return found[0]


def test_replication_agents_are_the_published_run_times() -> None:
    """Each printed run time is in the file, the run printed in two tables once."""
    measurements = read_measurements(AGENTS.path, FAMILIES).measurements
    points = printed_points("000")
    assert len(points) == 16
    assert len(measurements) == 15
    for point in points:
        given = point["conditions"]
        family = "log_reader" if given["agent"] == "LogReader" else "distribution_agent"
        names = ("ReadBatchSize", "CommitBatchSize", "SubscriptionStreams")
        setting = Setting.from_mapping({name: given[name] for name in names if name in given})
        assert value_at(measurements, family, setting) == point["value"]
    assert {m.conditions for m in measurements} == {Setting.of(scenario="drained")}


def test_wan_delivery_is_the_published_throughput() -> None:
    """Each printed throughput is in the file, at its bandwidth and latency."""
    measurements = read_measurements(WAN.path, FAMILIES).measurements
    points = printed_points("001")
    assert len(points) == len(measurements) == 6
    for point in points:
        given = point["conditions"]
        setting = Setting.of(SubscriptionStreams=given["SubscriptionStreams"])
        found = value_at(
            measurements, "wan_delivery", setting, network_kbps=given["bandwidth_kbps"], rtt_ms=given["latency_ms"]
        )
        assert found == point["value"]
    assert {m.conditions["commands_per_transaction"] for m in measurements} == {7.5}


def test_availability_groups_are_the_published_run_times() -> None:
    """Each of the 42 printed times is in the file, with mode, compression, shape, and its table as a block."""
    measurements = read_measurements(GROUPS.path, {"commit_mode": columns_of(FAMILY)}).measurements
    points = printed_points("002")
    assert len(points) == len(measurements) == 42
    blocks = {"Results 2014": 1, "Results 2016": 2, "Results 2016+TF9592": 3}
    found = {(m.block, m.setting["availability_mode"], m.conditions["inserts"]): m for m in measurements}
    for point in points:
        given = point["conditions"]
        m = found[blocks[point["table"]], given["mode"], given["inserts"]]
        assert (m.value, m.unit) == (point["value"], "ms")
        assert m.setting["log_stream_compression"] == ("on" if given["log_stream_compression"] else "off")
        assert m.conditions["rows_per_insert"] == given["rows_per_insert"]
        assert str(given["version"]).startswith(str(m.conditions["server_version"]))


def test_published_tables_are_the_experiments_their_authors_made() -> None:
    """Three sweeps on the local network, two on the slow one."""
    read = [m for source in (AGENTS, WAN) for m in read_measurements(source.path, FAMILIES).measurements]
    assert [(e.family, e.factor, len(e.measurements)) for e in experiments(read, FAMILIES)] == [
        ("log_reader", "ReadBatchSize", 5),
        ("distribution_agent", "CommitBatchSize", 6),
        ("distribution_agent", "SubscriptionStreams", 5),
        ("wan_delivery", "SubscriptionStreams", 3),
        ("wan_delivery", "SubscriptionStreams", 3),
    ]


def test_the_families_of_the_program_accept_them() -> None:
    """The shipped files fit the metrics, parameters and limits of the families themselves."""
    families = {name: columns_of(family) for name, family in SHIPPED.items()}
    for source in (AGENTS, WAN):
        imported = read_measurements(source.path, families)
        assert imported.measurements == read_measurements(source.path, FAMILIES).measurements


def test_the_contradiction_between_text_and_chart_is_pointed_out() -> None:
    """The note names the point, both values, and whose value the chart shows."""
    notes = read_measurements(WAN.path, FAMILIES).notes
    assert notes == (
        "subscription-streams-wan-2007.csv, line 2: the text of the article gives 6.86 commands/s at "
        "commands_per_transaction 7.5, network 512 kbps, rtt 300 ms, scenario drained, SubscriptionStreams 1, but "
        "its chart 1 (by a reader's comment) gives 31.54 commands/s, which is the value at network 128 kbps, "
        "SubscriptionStreams 8: the labels were most likely swapped there; 6.86 is used",
    )
    assert read_measurements(AGENTS.path, FAMILIES).notes == ()


@pytest.mark.parametrize("source", published_sources(), ids=lambda source: source.path.name)
def test_every_file_says_where_it_comes_from(source: PublishedSource) -> None:
    """Title, author, date, place and conditions of each shipped file are stated."""
    assert source.path.is_file()
    for text in (source.title, source.author, source.published, source.where, source.measured, source.not_stated):
        assert text.strip()
        assert "\n" not in text.strip()


def test_every_shipped_table_has_a_source() -> None:
    """No file ships without its source."""
    assert {source.path for source in published_sources()} == set(AGENTS.path.parent.glob("*.csv"))


WAN_HEADINGS = "family,metric,value,unit,SubscriptionStreams,network_kbps,source,reported_elsewhere\n"


def notes_of(folder: Path, *rows: str) -> tuple[str, ...]:
    """Return the notes of a file with those rows."""
    path = folder / "site.csv"
    path.write_text(WAN_HEADINGS + "\n".join(rows), encoding="utf-8")
    return read_measurements(path, FAMILIES).notes


def test_a_second_value_that_is_no_other_point_is_to_be_checked(tmp_path: Path) -> None:
    """Without a twin nothing is claimed about labels."""
    notes = notes_of(
        tmp_path,
        "wan_delivery,throughput,10,commands/s,1,512,,12",
        "wan_delivery,throughput,20,commands/s,2,512,,",
    )
    assert notes == (
        "site.csv, line 2: the file gives 10 commands/s at network 512 kbps, SubscriptionStreams 1, but the same "
        "document elsewhere gives 12 commands/s; 10 is used, check which of the two holds",
    )


def test_a_second_value_within_a_tenth_is_rounding(tmp_path: Path) -> None:
    """Values read off a chart differ a little; only more than 10 % is worth a note."""
    assert (
        notes_of(
            tmp_path,
            "wan_delivery,throughput,10,commands/s,1,512,,11",
            "wan_delivery,throughput,20,commands/s,2,512,,18.1",
        )
        == ()
    )


def test_a_second_value_is_converted_and_checked_as_the_first(tmp_path: Path) -> None:
    """It is in the unit of the row, and a bad one is named by its column."""
    rows = ("wan_delivery,throughput,600,commands/min,1,512,,1200", "wan_delivery,throughput,20,commands/s,2,512,,")
    assert "which is the value at SubscriptionStreams 2" in notes_of(tmp_path, *rows)[0]
    with pytest.raises(BadInput, match='column "reported_elsewhere": "-1" must be a finite number'):
        notes_of(tmp_path, rows[0].replace("1200", "-1"), rows[1])


def test_many_contradictions_are_counted(tmp_path: Path) -> None:
    """After twenty notes the rest is a number."""
    rows = [f"wan_delivery,throughput,10,commands/s,{streams},512,,99" for streams in range(1, 31)]
    notes = notes_of(tmp_path, *rows)
    assert len(notes) == 21
    assert notes[-1] == "10 more points have a second value that differs by more than rounding"


def test_a_preview_tells_how_the_file_was_understood() -> None:
    """Summary and experiments are in words."""
    preview = describe(read_measurements(AGENTS.path, FAMILIES))
    assert preview.summary == "15 measurements (CSV, utf-8, commas, decimal point)"
    assert preview.experiments[1] == (
        "Distribution Agent · run time by CommitBatchSize, 6 settings, 6 values, 529.33 to 583.7 s "
        "at SubscriptionStreams 1, scenario drained"
    )
    assert preview.notes == ()
