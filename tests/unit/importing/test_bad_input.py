"""What a file that cannot be used gets: one sentence with file, line, column, and what to do."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.services.explain.importing import read_measurements
from tests.unit.importing.files import FAMILIES, FIRST, HEADINGS, SECOND, changed, csv_text, write_csv


def refusal(path: Path) -> str:
    """Return the sentence a file is refused with."""
    with pytest.raises(BadInput) as caught:
        read_measurements(path, FAMILIES)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def headed(**names: str) -> tuple[str, ...]:
    """Return the standard headings with some of them replaced."""
    return tuple(names.get(heading, heading) for heading in HEADINGS)


@pytest.mark.parametrize(
    ("column", "cell", "expected"),
    [
        ("value", "fast", '"fast" is not a number'),
        ("value", "199.08 q", '"199.08 q" is not a number'),
        ("value", "199.08 ms", '"199.08 ms" has another unit than its column, s'),
        ("value", "12:71", '"12:71" is not a number'),
        ("value", "1_000", '"1_000" is not a number'),
        ("value", "", "the value is missing"),
        ("value", "-199.08", '"-199.08" must be a finite number greater than zero'),
        ("value", "0", '"0" must be a finite number greater than zero'),
        ("value", "1e400", "must be a finite number greater than zero"),
        ("value", "inf", "must be a finite number greater than zero"),
        ("value", "NaN", '"NaN" is not a number'),
        ("value", "1,5", '"163.81" has another decimal mark than "1,5" in line 2'),
        ("unit", "parsec", 'the unit "parsec" does not exist; run_time is given in s, known units are %, GB'),
        ("unit", "MB", '"MB" cannot be compared with the unit of run_time, which is s'),
        ("unit", "commands/s", '"commands/s" cannot be compared with the unit of run_time, which is s'),
        ("unit", "", "this is empty"),
        ("family", "log_raeder", '"log_raeder" is not known (did you mean "log_reader"?); known are "log_reader"'),
        ("family", "", "this is empty"),
        ("metric", "run_tiem", 'does not take the metric "run_tiem" (did you mean "run_time"?); it takes "run_time"'),
        ("metric", "latency", 'the family "log_reader" does not take the metric "latency"'),
        ("ReadBatchSize", "20000", "ReadBatchSize = 20000 is outside its limits, 1 to 10000"),
        ("ReadBatchSize", "-1", "ReadBatchSize = -1 is outside its limits"),
        ("ReadBatchSize", "500.5", 'ReadBatchSize must be a whole number, not "500.5"'),
        ("ReadBatchSize", "big", '"big" is not a number'),
        ("ReadBatchSize", "1e999", 'ReadBatchSize must be a whole number, not "1e999"'),
        ("network_kbps", "slow", '"slow" is not a number'),
        ("network_kbps", "0", '"0" must be a number of kbps, greater than zero'),
        ("network_kbps", "5-10", '"5-10" is not a number'),
        ("scenario", "draind", '"draind" is not known (did you mean "drained"?); write one of "drained", "continuous"'),
        ("block", "1.5", '"1.5" must be a whole number, 1 or more'),
        ("block", "0", '"0" must be a whole number, 1 or more'),
        ("block", "first", '"first" must be a whole number, 1 or more'),
    ],
)
def test_names_the_cell_that_is_wrong(tmp_path: Path, column: str, cell: str, expected: str) -> None:
    """A wrong cell is named by file, line and column."""
    path = write_csv(tmp_path, HEADINGS, changed(FIRST, **{column: cell}), SECOND)
    sentence = refusal(path)
    assert sentence.startswith(f"{path}, line ")
    assert f'column "{column}": ' in sentence
    assert expected in sentence


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([HEADINGS], "holds headings but no measurements"),
        ([("a", "b"), ("1", "2")], 'no column holds measured values; present: "a", "b"'),
        ([headed(ReadBatchSize="note"), FIRST, SECOND], "no column holds a parameter that was varied, such as"),
        ([headed(ReadBatchSize="ReadBatchSise"), FIRST, SECOND], '(did you mean "ReadBatchSize"?), such as'),
        ([headed(block="Unit"), FIRST, SECOND], 'the unit "1" does not exist'),
        ([HEADINGS, FIRST], "holds one setting only (network 512 kbps, scenario drained, ReadBatchSize 500)"),
        ([HEADINGS, FIRST, changed(FIRST, run="r2", block="2")], "holds one setting only"),
        ([HEADINGS, FIRST, changed(SECOND, network_kbps="128")], "no two settings differ in one parameter under equal"),
        ([HEADINGS, FIRST, SECOND, FIRST], 'line 4: run "r1" already has a run_time for ReadBatchSize 500 in line 2'),
        ([HEADINGS, FIRST, SECOND, changed(FIRST, block="2")], 'run "r1" already has a run_time'),
        (
            [HEADINGS, changed(FIRST, run=""), SECOND, changed(FIRST, run="")],
            "line 4: this repeats line 2 (same run_time, ReadBatchSize 500)",
        ),
        (
            [HEADINGS, *(changed(row, run="", block="") for row in (FIRST, SECOND, FIRST))],
            "line 4: this repeats line 2 (same run_time, ReadBatchSize 500)",
        ),
        ([HEADINGS, changed(FIRST, ReadBatchSize=""), SECOND], 'no parameter has a value; fill at least one of "Read'),
        ([HEADINGS, FIRST[:-1], SECOND], "line 2: there are 8 fields but 9 headings"),
        ([HEADINGS, FIRST, (*SECOND, "x")], "line 3: there are 10 fields but 9 headings"),
        ([(*HEADINGS, ""), FIRST, (*SECOND, "x")], "line 3: field 10 has no heading"),
        (
            [HEADINGS, FIRST, changed(SECOND, family="wan_delivery", metric="throughput", unit="commands/s")],
            'the family "wan_delivery" has no parameter ReadBatchSize',
        ),
    ],
)
def test_names_the_row_or_heading_that_is_wrong(tmp_path: Path, rows: list[Sequence[str]], expected: str) -> None:
    """Missing, unknown and repeated columns, rows and settings are named, with what is there and what is known."""
    path = write_csv(tmp_path, *rows)
    sentence = refusal(path)
    assert sentence.startswith(str(path))
    assert expected in sentence


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_refuses_a_number_that_can_be_read_in_two_ways(tmp_path: Path, delimiter: str) -> None:
    """1.234 beside semicolons or tabs may be a thousand or one; with nothing to settle it, it is refused."""
    rows = [HEADINGS, changed(FIRST, value="1.234"), changed(SECOND, value="2.345")]
    path = tmp_path / "site.csv"
    path.write_text(csv_text(rows, delimiter), encoding="utf-8")
    assert '"1.234" can be read as 1.234 or as 1234' in refusal(path)


def test_refuses_another_decimal_mark_far_down_the_file(tmp_path: Path) -> None:
    """Where the delimiter settled the mark, a later number with the other one is refused, not guessed."""
    row = changed(FIRST, run="", block="")
    rows = [HEADINGS, *[row] * 10_001, changed(row, value="1,234")]
    many = [changed(r, value="1.234") if r is row else r for r in rows]
    path = write_csv(tmp_path, *many)
    assert '"1,234" does not have the decimal mark "." of the file' in refusal(path)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "is empty"),
        (b" \r\n\n", "is empty"),
        (b"\xef\xbb\xbf", "holds no headings"),
        (b"\x00\x01\x02family", "is not a text file, nor a workbook"),
        (b"family\x9d\x8f", "is not a text file, nor a workbook"),
        ("family".encode("utf-16"), 'no column holds measured values; present: "family"'),
        (b"\xfe\xff\x00", "is not a text file, nor a workbook"),
        ("family".encode("utf-32"), "is UTF-32; save it as UTF-8"),
        (
            b"PK\x03\x04\x14\x00",
            "no workbook that can be read (.xlsx, .xls or .ods, without a password, of a usual size)",
        ),
        (b"SQLite format 3\x00", "a session file or another SQLite database"),
        (b"%PDF-1.7", "a PDF"),
        (b'family,"value\n1,2\n', "the fields cannot be told apart"),
        (b"family," + b"x" * 200_000, "the fields cannot be told apart"),
    ],
)
def test_says_what_a_file_is_that_holds_no_table(tmp_path: Path, content: bytes, expected: str) -> None:
    """Empty files, binaries and broken quotes are refused by what they are."""
    path = tmp_path / "site.csv"
    path.write_bytes(content)
    assert expected in refusal(path)


def test_says_why_a_path_cannot_be_read(tmp_path: Path) -> None:
    """A missing file, a folder, and a name no file can have are told apart."""
    assert "does not exist" in refusal(tmp_path / "none.csv")
    assert "is a folder" in refusal(tmp_path)
    assert "does not exist" in refusal(tmp_path / "none" / "none.csv")
    assert "is not the name of a file" in refusal(Path("a\0b.csv"))
    # Windows does not find a file of such a name, where others say that none can be called so
    too_long = "does not exist" if sys.platform == "win32" else "cannot be read"
    assert too_long in refusal(tmp_path / ("x" * 300))


def test_settings_without_any_neighbour_are_named_in_a_note(tmp_path: Path) -> None:
    """Some settings that cannot be compared do not stop the others, but are said."""
    path = write_csv(tmp_path, HEADINGS, FIRST, SECOND, changed(SECOND, run="r3", network_kbps="128"))
    notes = read_measurements(path, FAMILIES).notes
    assert notes == (
        "site.csv: network 128 kbps, scenario drained, ReadBatchSize 5,000 cannot be compared, because no other "
        "setting differs in one parameter only under equal conditions",
    )
