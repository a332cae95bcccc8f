"""Whatever program wrote a CSV file, the same measurements come out."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.measurement import Measurement
from app.domain.setting import Setting
from app.services.explain.importing import read_measurements
from tests.unit.importing.files import FAMILIES, FIRST, HEADINGS, REPEATABLE, SECOND, changed, csv_text, write_csv

EXPECTED = (
    Measurement(
        "log_reader",
        "r1",
        1,
        "run_time",
        199.08,
        "s",
        Setting.of(ReadBatchSize=500),
        Setting.of(network_kbps=512, scenario="drained"),
    ),
    Measurement(
        "log_reader",
        "r2",
        1,
        "run_time",
        163.81,
        "s",
        Setting.of(ReadBatchSize=5000),
        Setting.of(network_kbps=512, scenario="drained"),
    ),
)


def read_text(folder: Path, text: str, encoding: str = "utf-8", name: str = "site.csv") -> tuple[Measurement, ...]:
    """Return the measurements of a file with that text."""
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return read_measurements(path, FAMILIES).measurements


def with_comma(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return rows with a decimal comma in their values."""
    return [changed(row, value=row[4].replace(".", ",")) if row is not HEADINGS else row for row in rows]


ROWS = [HEADINGS, FIRST, SECOND]
TEXT = csv_text(ROWS)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_reads_every_encoding_a_spreadsheet_writes(tmp_path: Path, encoding: str) -> None:
    """A byte order mark or a Western code page changes nothing."""
    assert read_text(tmp_path, TEXT, encoding) == EXPECTED


def test_reads_a_remark_in_the_western_code_page(tmp_path: Path) -> None:
    """A remark with an umlaut, saved by Excel as plain CSV, is read as written."""
    rows = [(*HEADINGS, "note"), (*FIRST, "während der Sicherung"), (*SECOND, "")]
    path = tmp_path / "site.csv"
    path.write_bytes(csv_text(rows).encode("cp1252"))
    imported = read_measurements(path, FAMILIES)
    assert imported.notes == ("während der Sicherung",)
    assert imported.layout == ("CSV", "cp1252", "commas", "decimal point")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("quote_all", [False, True])
def test_reads_every_delimiter_and_line_end(tmp_path: Path, delimiter: str, line_end: str, quote_all: bool) -> None:
    """Commas, semicolons, tabs, quotes and any line end change nothing, nor does the decimal mark."""
    for rows in (ROWS, with_comma(ROWS)):
        assert read_text(tmp_path, csv_text(rows, delimiter, line_end, quote_all)) == EXPECTED


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("1,199.08", "163.81"),
        ("1.199,08", "163,81"),
        ("1 199,08", "163,81"),
        ("1\u202f199,08", "163,81"),
        ("1'199.08", "163.81"),
        ("1199.08", "1.6381e2"),
        ("+1199.08", "163.81"),
    ],
)
def test_reads_thousands_separators_that_are_unambiguous(tmp_path: Path, first: str, second: str) -> None:
    """A number that shows its own decimal mark is read with its thousands separators."""
    rows = [HEADINGS, changed(FIRST, value=first), changed(SECOND, value=second)]
    assert [m.value for m in read_text(tmp_path, csv_text(rows, ";"))] == [1199.08, 163.81]


def test_says_how_a_number_with_thousands_separators_was_read(tmp_path: Path) -> None:
    """The first such number stands in a note, so that a misreading is seen."""
    path = write_csv(tmp_path, HEADINGS, changed(FIRST, value="1.199,08"), changed(SECOND, value="163,81"))
    assert read_measurements(path, FAMILIES).notes == (
        'site.csv, line 2: "1.199,08" was read as 1199.08, with a thousands separator',
    )


def test_takes_the_usual_mark_of_the_delimiter_where_nothing_else_settles_it(tmp_path: Path) -> None:
    """Three decimals everywhere are decimals where the delimiter says so: 1.234 with commas, 1,234 with semicolons."""
    point = [HEADINGS, changed(FIRST, value="1.234"), changed(SECOND, value="2.345")]
    assert [m.value for m in read_text(tmp_path, csv_text(point))] == [1.234, 2.345]
    assert [m.value for m in read_text(tmp_path, csv_text(with_comma(point), ";"))] == [1.234, 2.345]


def test_headings_may_be_in_any_case_and_spelling(tmp_path: Path) -> None:
    """Headings in capitals, with blanks or with the vendor's dash are known."""
    headings = ("FAMILY", "Run", "BLOCK", " Metric", "Value ", "unit", "-Read Batch Size", "Network kbps", "SCENARIO")
    assert read_text(tmp_path, csv_text([headings, FIRST, SECOND])) == EXPECTED


def test_lines_left_behind_by_spreadsheets_are_skipped(tmp_path: Path) -> None:
    """Empty lines, lines of delimiters, delimiters at line ends and Excel's first line hold nothing."""
    text = "sep=;\r\n\r\n" + csv_text([(*row, "", "") for row in ROWS], ";", "\r\n") + ";;;;;;;;;;\r\n \r\n\r\n"
    assert read_text(tmp_path, text) == EXPECTED


def test_values_are_converted_to_the_unit_of_the_metric(tmp_path: Path) -> None:
    """Milliseconds and minutes become seconds, each row by its own unit."""
    path = write_csv(
        tmp_path, HEADINGS, changed(FIRST, value="199080", unit="ms"), changed(SECOND, value="2", unit="min")
    )
    measurements = read_measurements(path, FAMILIES).measurements
    assert [m.value for m in measurements] == [pytest.approx(199.08), pytest.approx(120.0)]
    assert {m.unit for m in measurements} == {"s"}


def test_runs_and_blocks_may_be_left_out(tmp_path: Path) -> None:
    """Rows are then named by their line, and nothing is known of blocks: all rows are of one."""
    rows = [
        ("family", "metric", "value", "unit", "ReadBatchSize"),
        ("log_reader", "run_time", "199", "s", "500"),
        ("log_reader", "run_time", "164", "s", "5000"),
        ("log_reader", "run_time", "198", "s", "500"),
        ("log_reader", "run_time", "197", "s", "500"),
    ]
    measurements = read_text(tmp_path, csv_text(rows))
    assert [(m.trial_id, m.block) for m in measurements] == [("line 2", 1), ("line 3", 1), ("line 4", 1), ("line 5", 1)]


def test_equal_values_among_many_repeats_are_no_repeated_rows(tmp_path: Path) -> None:
    """Rounded values of more than a handful of repeats must come up twice, so they are taken as runs if told so."""
    heading = ("family", "metric", "value", "unit", "ReadBatchSize")
    rows = [("log_reader", "run_time", str(160 + n % 9), "s", level) for n in range(30) for level in ("500", "5000")]
    path = tmp_path / "site.csv"
    path.write_text(csv_text([heading, *rows]), "utf-8")
    assert len(read_measurements(path, FAMILIES, answers={"rows_are": "runs"}).measurements) == 60


def test_repeats_numbered_within_each_setting_are_runs_of_their_own(tmp_path: Path) -> None:
    """Where run 1 exists for every setting, the names are made unique and a note says so."""
    path = write_csv(tmp_path, HEADINGS, changed(FIRST, run="1"), changed(SECOND, run="1"))
    imported = read_measurements(path, FAMILIES)
    names = [m.trial_id for m in imported.measurements]
    assert names[0] == "1"
    assert "ReadBatchSize 5000" in names[1]
    assert len(imported.notes) == 1
    assert "each setting was taken as a run of its own" in imported.notes[0]


def test_one_run_may_have_several_metrics(tmp_path: Path) -> None:
    """Rows of one run that differ in the metric belong to the same trial."""
    path = write_csv(
        tmp_path,
        HEADINGS,
        FIRST,
        changed(FIRST, metric="throughput", value="5023", unit="commands/s"),
        SECOND,
    )
    imported = read_measurements(path, FAMILIES)
    assert [m.trial_id for m in imported.measurements] == ["r1", "r1", "r2"]


def test_a_range_of_commands_per_transaction_is_its_mean(tmp_path: Path) -> None:
    """ "5-10" stands for 7.5 commands per transaction, as in a plan."""
    rows = [(*HEADINGS, "commands_per_transaction"), (*FIRST, "5-10"), (*SECOND, "5 – 10")]
    assert {m.conditions["commands_per_transaction"] for m in read_text(tmp_path, csv_text(rows))} == {7.5}


def test_whole_numbers_written_with_decimals_are_whole(tmp_path: Path) -> None:
    """A parameter written 500.0, as tables with gaps export it, is 500."""
    path = write_csv(tmp_path, HEADINGS, changed(FIRST, ReadBatchSize="500.0", block="1.0"), SECOND)
    first = read_measurements(path, FAMILIES).measurements[0]
    assert (first.setting, first.block) == (Setting.of(ReadBatchSize=500), 1)


VALUES = st.lists(
    st.tuples(
        st.decimals(min_value="0.01", max_value="9999999", places=2).map(str),
        st.sampled_from(["100", "500", "5000", "10000"]),
        st.text("abc Z\"';,\t\n", min_size=1, max_size=6).filter(lambda text: text.strip() != ""),
    ),
    min_size=2,
    max_size=8,
    unique_by=(lambda row: row[2].strip(), lambda row: row[1]),
).filter(lambda rows: len({row[1] for row in rows}) > 1)


@REPEATABLE
@given(
    VALUES,
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["utf-8", "utf-8-sig"]),
)
def test_a_round_trip_through_any_dialect_changes_nothing(
    values: list[tuple[str, str, str]], delimiter: str, line_end: str, quote_all: bool, comma: bool, encoding: str
) -> None:
    """Values, settings and names of runs come back as they were, however they were written."""
    rows = [changed(FIRST, run=run, value=value, ReadBatchSize=size) for value, size, run in values]
    written = with_comma([HEADINGS, *rows]) if comma else [HEADINGS, *rows]
    with TemporaryDirectory() as folder:
        text = csv_text(written, delimiter, line_end, quote_all)
        read = read_text(Path(folder), text, encoding)
    assert [(m.value, m.setting["ReadBatchSize"], m.trial_id) for m in read] == [
        (float(value), int(size), run.strip()) for value, size, run in values
    ]
