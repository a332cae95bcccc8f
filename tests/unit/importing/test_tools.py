"""What strangers hand over: logs of tools, pages, histories, and words that another product shares with ours."""

from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.services.explain.imported_session import accepted_columns
from app.services.explain.importing import NO_RULE, Asked, read_measurements
from app.services.explain.importing.number_text import NumberStyle
from app.services.explain.importing.quantity_text import quantity_in, unit_called
from tests.labs import FAMILIES

IMPORTS = Path(__file__).parent / "imports"
COLUMNS = accepted_columns(FAMILIES)
STREAMS = "SubscriptionStreams"

READ: dict[str, dict[tuple[str, str], list[float]]] = {
    "wiki.txt": {
        ("run_time", f"{STREAMS} 1"): [751, 722, 740],
        ("run_time", f"{STREAMS} 4"): [331, 312, 320],
        ("run_time", f"{STREAMS} 8"): [190, 199, 195],
    },
    "wiki_lines.wiki": {
        ("run_time", "ReadBatchSize 500"): [751],
        ("run_time", "ReadBatchSize 2000"): [542],
        ("run_time", "ReadBatchSize 5000"): [527],
    },
    "page.html": {
        ("backup_time", "stripes 1"): [546],
        ("backup_time", "stripes 2"): [474],
        ("backup_time", "stripes 4"): [306],
        ("copy_rate", "stripes 1"): [305.2],
        ("copy_rate", "stripes 2"): [351],
        ("copy_rate", "stripes 4"): [544.6],
    },
    "sysbench_modes.txt": {
        ("transaction_rate", "availability_mode async"): [1000.21],
        ("transaction_time", "availability_mode async"): [4],
        ("transaction_rate", "availability_mode sync"): [800.21],
        ("transaction_time", "availability_mode sync"): [5],
    },
    "sysbench_intervals.log": {
        ("transaction_rate", "CommitBatchSize 100"): [499.445],
        ("transaction_rate", "CommitBatchSize 500"): [599.445],
    },
    "execution_times.txt": {
        ("run_time", "CommitBatchSize 100"): [45.678],
        ("run_time", "CommitBatchSize 500"): [31.678],
    },
    "backup_messages.txt": {
        ("backup_time", "stripes 1"): [546.2],
        ("backup_rate", "stripes 1"): [39.753],
        ("backup_time", "stripes 4"): [306.1],
        ("backup_rate", "stripes 4"): [70.934],
    },
    "bcp.txt": {
        ("run_time", "CommitBatchSize 100"): [23.451],
        ("run_time", "CommitBatchSize 1000"): [18.451],
    },
    "history.csv": {
        ("throughput", f"{STREAMS} 1"): [2100.1, 2150.3],
        ("latency", f"{STREAMS} 1"): [1210, 1160],
        ("throughput", f"{STREAMS} 4"): [4100.9, 4230],
        ("latency", f"{STREAMS} 4"): [710, 688],
    },
    "prompts.txt": {("run_time", "PARALLELISM 1"): [812.5, 799.1], ("run_time", "PARALLELISM 4"): [301.2, 311.7]},
    "clocks_with_unit.csv": {
        ("run_time", f"{STREAMS} 1"): [751, 722, 740],
        ("run_time", f"{STREAMS} 4"): [331, 312, 320],
        ("run_time", f"{STREAMS} 8"): [190, 199, 195],
    },
    "levels_across.csv": {
        ("run_time", f"{STREAMS} 1"): [751, 722, 740],
        ("run_time", f"{STREAMS} 2"): [402, 399, 410],
        ("run_time", f"{STREAMS} 4"): [331, 312, 320],
        ("run_time", f"{STREAMS} 8"): [190, 199, 195],
    },
    "before_after.csv": {
        ("run_time", "CommitBatchSize 100"): [751, 722, 740],
        ("run_time", "CommitBatchSize 1000"): [640, 633, 629],
    },
    "type_line.csv": {
        ("run_time", "CommitBatchSize 100"): [751.1, 722.4],
        ("run_time", "CommitBatchSize 500"): [571.2, 552.9],
    },
    "two_tables.csv": {("throughput", f"{STREAMS} 1"): [1331, 1385], ("throughput", f"{STREAMS} 4"): [3021, 3205]},
    "modes_in_german.csv": {
        ("transaction_rate", "availability_mode async"): [2026.5, 2011.3],
        ("transaction_time", "availability_mode async"): [0.49, 0.5],
        ("transaction_rate", "availability_mode sync"): [1926.1, 1911.8],
        ("transaction_time", "availability_mode sync"): [0.52, 0.53],
    },
    "profiles_side_by_side.txt": {
        ("run_time", f"CommitBatchSize 100, {STREAMS} 4"): [751],
        ("throughput", f"CommitBatchSize 100, {STREAMS} 4"): [1331],
        ("run_time", f"CommitBatchSize 1000, {STREAMS} 4"): [331],
        ("throughput", f"CommitBatchSize 1000, {STREAMS} 4"): [3021],
    },
    "intervals_beside_means.csv": {("run_time", f"{STREAMS} 1"): [737.7], ("run_time", f"{STREAMS} 4"): [321]},
    "waits_by_mode.csv": {
        ("transaction_rate", "availability_mode async"): [2026, 2011],
        ("transaction_rate", "availability_mode sync"): [1926, 1911],
    },
    "grouped.json": {("run_time", f"{STREAMS} 1"): [751], ("run_time", f"{STREAMS} 4"): [331]},
    "times_sign.csv": {
        ("run_time", f"{STREAMS} 1"): [751],
        ("run_time", f"{STREAMS} 2"): [402],
        ("run_time", f"{STREAMS} 4"): [331],
    },
    "users_across.md": {
        ("transaction_rate", "availability_mode async"): [520, 3900, 11_000],
        ("transaction_rate", "availability_mode sync"): [450, 3100, 8000],
    },
    "unit_of_a_clock.csv": {
        ("run_time", "CommitBatchSize 100"): [751, 731],
        ("run_time", "CommitBatchSize 500"): [571, 561],
    },
    "page_with_spans.html": {("run_time", f"{STREAMS} 1"): [751, 722], ("run_time", f"{STREAMS} 4"): [331, 312]},
    "per_second.txt": {
        ("throughput", "maxtrans 500, pollinginterval 5"): [8123.1, 8090.7],
        ("throughput", "maxtrans 5000, pollinginterval 5"): [15123.2, 15044.9],
    },
}


@pytest.mark.parametrize("name", list(READ))
def test_what_a_tool_or_a_page_holds_is_read_as_it_says(name: str) -> None:
    """Each value of each measure at its setting; nothing beside them, and no second name of a measure as a run."""
    found: dict[tuple[str, str], list[float]] = {}
    for m in read_measurements(IMPORTS / name, COLUMNS).measurements:
        found.setdefault((m.metric, m.setting.label()), []).append(m.value)
    assert found == {key: pytest.approx(values) for key, values in READ[name].items()}


def test_rows_of_one_day_are_a_block_and_no_condition_of_their_own() -> None:
    """What drifts from day to day is taken out; days are numbered as they follow each other."""
    imported = read_measurements(IMPORTS / "days.csv", COLUMNS)
    assert [m.block for m in imported.measurements] == [1, 2, 1, 2]
    assert not any(m.conditions for m in imported.measurements)


@pytest.mark.parametrize(
    ("name", "conditions"),
    [
        ("databases.csv", ["database Sales, size_gb 500", "database HR, size_gb 50"]),
        ("links.csv", ["link_mbps 1000", "link_mbps 10000"]),
    ],
)
def test_what_each_of_several_settings_has_alike_is_a_condition(name: str, conditions: list[str]) -> None:
    """A database called HR is no unit of hours, and values over two links are never repeats of each other."""
    imported = read_measurements(IMPORTS / name, COLUMNS)
    assert list(dict.fromkeys(m.conditions.label() for m in imported.measurements)) == conditions


def test_readings_seconds_apart_are_asked_about_however_few_they_are() -> None:
    """Three values fifteen seconds apart are one run; judged as three they would find differences where none are."""
    with pytest.raises(Asked, match="3 values of throughput for SubscriptionStreams 1 without names of runs"):
        read_measurements(IMPORTS / "readings_in_time.csv", COLUMNS)
    imported = read_measurements(IMPORTS / "readings_in_time.csv", COLUMNS, answers={"rows_are": "samples"})
    assert [m.value for m in imported.measurements] == pytest.approx([2117.667, 4195.333], abs=0.001)


def test_a_further_table_is_told_and_left() -> None:
    """Its rows have other measures below the same headings."""
    notes = read_measurements(IMPORTS / "two_tables.csv", COLUMNS).notes
    assert any("line 9: another table begins there and is not read" in note for note in notes)


@pytest.mark.parametrize("name", ["standby.csv", "pgbench.txt"])
def test_words_that_another_product_shares_are_no_setting_of_ours(name: str) -> None:
    """SYNC AFFIRM and SYNC NOAFFIRM are two levels of a parameter without a rule, not one of an availability group."""
    imported = read_measurements(IMPORTS / name, COLUMNS)
    assert {m.family for m in imported.measurements} == {NO_RULE}
    levels = {value for m in imported.measurements for value in m.setting.values()}
    assert levels == ({"ASYNC", "SYNC AFFIRM", "SYNC NOAFFIRM"} if name == "standby.csv" else {"on", "off"})


@pytest.mark.parametrize(
    ("name", "present"),
    [
        ("sysbench_alone.txt", '"clients", "tps", "latency'),
        ("hammerdb_alone.log", '"clients", "NOPM", "TPM"'),
        ("counters.csv", '"Delivered Cmds/sec", "Delivery Latency"'),
        ("waits.txt", '"Event", "Waits"'),
    ],
)
def test_a_log_of_one_setting_is_refused_by_what_it_lacks(name: str, present: str) -> None:
    """One setting is no comparison: the sentence names the columns that were found, and that no parameter is among
    them."""
    with pytest.raises(BadInput, match="no column holds a parameter that was varied") as refused:
        read_measurements(IMPORTS / name, COLUMNS)
    assert present in str(refused.value)


def test_a_file_of_computed_values_alone_is_told_so() -> None:
    """A percentage says what somebody worked out, not what was measured."""
    with pytest.raises(BadInput, match='"% faster" is worked out from others: give the values behind it'):
        read_measurements(IMPORTS / "percent_faster.csv", COLUMNS)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("commands_per_s", "commands/s"),
        ("cmds per sec", "commands/s"),
        ("Befehle pro Sekunde", "commands/s"),
        ("GB per hour", "GB/h"),
        ("MB/sec", "MB/s"),
        ("transactions/minute", "transactions/min"),
        ("Mb/s", "Mb/s"),
    ],
)
def test_what_is_counted_per_time_is_a_unit_in_any_spelling(text: str, unit: str) -> None:
    """`commands_per_s` is no time in seconds, and megabits are no megabytes."""
    assert unit_called(text) == unit


@pytest.mark.parametrize(
    ("text", "seconds"), [("12:31 min", 751), ("12:31 h", 45_060), ("1:02:31 h", 3_751), ("0:12:31", 751)]
)
def test_a_clock_may_say_its_unit(text: str, seconds: float) -> None:
    """Minutes and seconds, or hours and minutes where the unit says so."""
    found = quantity_in(text, NumberStyle("."))
    assert found is not None
    assert (found.value, found.unit) == (seconds, "s")
