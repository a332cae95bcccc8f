"""Files as tools and people write them: what stands in a cell, and what stands around a table."""

from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.services.explain.imported_session import accepted_columns
from app.services.explain.importing import Asked, read_measurements, read_raw
from tests.labs import FAMILIES

IMPORTS = Path(__file__).parent / "imports"
COLUMNS = accepted_columns(FAMILIES)
MINUTES = [751, 722, 775, 331, 312, 340]
SECONDS = [751, 722, 740, 331, 312, 320]

SHAPES = {
    "hours_minutes_seconds.csv": (MINUTES, ""),
    "minutes_and_seconds.csv": (MINUTES, ""),
    "timespans.csv": ([751.1, 722.5, 775, 331, 312.2, 340], ""),
    "glued_units.csv": ([120, 122, 118, 60, 61, 59], ""),
    "unit_words.csv": (SECONDS, ""),
    "utf_16.csv": (SECONDS, ""),
    "not_available.csv": ([751, 722, 331, 312], "line 4: rows without a value are left out: 2"),
    "null.csv": ([751, 740, 331, 312, 320], "line 3: rows without a value are left out: 1"),
    "rows_affected.csv": (SECONDS, "line 9: lines that hold no measurement are left out: 2"),
    "dashes.txt": (SECONDS, "line 2: lines that hold no measurement are left out: 2"),
    "title_above.csv": (SECONDS, "Replication tuning, site 1, 1/2/2024"),
    "markdown.md": (SECONDS, "line 2: lines that hold no measurement are left out: 1"),
    "pipes.csv": (SECONDS, ""),
    "average_below.csv": (SECONDS, "values worked out from others: 1"),
    "list.json": ([751, 331], ""),
    "default_word.csv": ([720, 540], '"default" of CommitBatchSize was read as 100'),
}


@pytest.mark.parametrize(("name", "values", "note"), [(name, *told) for name, told in SHAPES.items()], ids=list(SHAPES))
def test_a_file_is_read_as_it_was_written(name: str, values: list[float], note: str) -> None:
    """Every value in the unit of its measure; what was left out or read in another way stands in a note."""
    imported = read_measurements(IMPORTS / name, COLUMNS)
    assert [m.value for m in imported.measurements] == pytest.approx(values)
    assert not note or any(note in told for told in imported.notes)
    assert read_raw(IMPORTS / name, COLUMNS).headings[0] == "family"


def test_a_size_of_a_parameter_is_counted_as_the_vendor_does() -> None:
    """4 MB of MAXTRANSFERSIZE are 4,194,304 bytes."""
    imported = read_measurements(IMPORTS / "sizes.csv", COLUMNS)
    assert [m.setting["MAXTRANSFERSIZE"] for m in imported.measurements] == [4_194_304, 1_048_576]


def test_rows_are_commands_only_where_somebody_says_so() -> None:
    """12k rows/s are 12,000 commands/s if each command changes a row."""
    path = IMPORTS / "thousand_rows.csv"
    with pytest.raises(Asked, match="whether each row is a command is not said"):
        read_measurements(path, COLUMNS)
    imported = read_measurements(path, COLUMNS, answers={"rows_count": "commands"})
    assert imported.measurements[0].value == 12_000


def test_what_stands_behind_plus_minus_is_asked() -> None:
    """A standard deviation, a standard error and an interval say different things."""
    path = IMPORTS / "plus_minus.csv"
    with pytest.raises(Asked, match="standard deviation, standard error, interval"):
        read_measurements(path, COLUMNS)
    imported = read_measurements(path, COLUMNS, answers={"plus_minus": "left_out"})
    assert [m.value for m in imported.measurements] == [751, 722, 740, 331, 312, 320]


def test_a_log_with_brackets_is_no_json() -> None:
    """A line that begins with a bracket begins no list."""
    with pytest.raises(BadInput, match="no column holds a parameter that was varied, such as"):
        read_measurements(IMPORTS / "brackets.log", COLUMNS)


@pytest.mark.parametrize(
    ("unit", "metric", "factor"),
    [
        *((word, "run_time", 1) for word in ("sec", "secs", "Seconds")),
        *((word, "run_time", 60) for word in ("minutes", "mins")),
        *((word, "run_time", 3600) for word in ("hrs", "hours")),
        *((word, "throughput", 1) for word in ("cmds/sec", "commands/sec", "cmds/s")),
    ],
)
def test_units_have_several_names(tmp_path: Path, unit: str, metric: str, factor: int) -> None:
    """Tools write them as words."""
    path = tmp_path / "site.csv"
    rows = (f"distribution_agent,{metric},12,{unit},1", f"distribution_agent,{metric},9,{unit},4")
    path.write_text("\n".join(("family,metric,value,unit,SubscriptionStreams", *rows)), "utf-8")
    assert [m.value for m in read_measurements(path, COLUMNS).measurements] == [12 * factor, 9 * factor]


def test_equal_values_are_no_mean_of_each_other(tmp_path: Path) -> None:
    """A repeat that came to what others came to is a repeat."""
    path = tmp_path / "site.csv"
    rows = [f"distribution_agent,run_time,{value},s,1" for value in (12, 14, 13)]
    path.write_text("\n".join(("family,metric,value,unit,SubscriptionStreams", *rows, rows[0][:-1] + "4")), "utf-8")
    assert len(read_measurements(path, COLUMNS).measurements) == 4


def test_a_column_may_have_the_name_that_a_tool_gives_it(tmp_path: Path) -> None:
    """Clients are concurrency, in any spelling."""
    path = tmp_path / "site.csv"
    rows = [f"distribution_agent,run_time,{value},s,{streams},8" for value, streams in ((12, 1), (9, 4))]
    path.write_text("\n".join(("family,metric,value,unit,SubscriptionStreams,Virtual Users", *rows)), "utf-8")
    assert [m.conditions["concurrency"] for m in read_measurements(path, COLUMNS).measurements] == [8, 8]


TWICE = "SubscriptionStreams,run,run time (s),run time (s)\n1,a,100,{}\n1,b,101,{}\n8,c,50,{}\n8,d,51,{}\n"


def test_a_heading_over_two_columns_of_other_values_is_asked_about(tmp_path: Path) -> None:
    """Each row is a run, and a run has one run time: a mean of the two would be neither."""
    (tmp_path / "twice.csv").write_text(TWICE.format(200, 201, 220, 221), "utf-8")
    with pytest.raises(BadInput, match='two columns are headed "run time'):
        read_measurements(tmp_path / "twice.csv", COLUMNS)
    (tmp_path / "same.csv").write_text(TWICE.format(100, 101, 50, 51), "utf-8")
    read = read_measurements(tmp_path / "same.csv", COLUMNS)
    assert {one.value for one in read.measurements} == {100, 101, 50, 51}


@pytest.mark.parametrize("heading", ["time saved %", "Savings", "run time reduction (%)"])
def test_what_was_saved_is_worked_out_from_others(heading: str, tmp_path: Path) -> None:
    """A share of a time that is not told is no time."""
    (tmp_path / "saved.csv").write_text(f"SubscriptionStreams,{heading}\n1,0%\n2,15%\n8,45%\n", "utf-8")
    with pytest.raises(BadInput) as refused:
        read_measurements(tmp_path / "saved.csv", COLUMNS)
    assert "metric=run_time" not in str(refused.value)
