"""Columns for what documents print: means with their scatter, ranges, how much ran at once, values worked out."""

import json
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.domain.measurement import Measurement
from app.domain.setting import Setting
from app.reporting.export.csv_export import measurements_csv
from app.services.explain.importing import ImportedFile, experiments, read_measurements
from tests.unit.importing.files import FAMILIES

HEADINGS = "family,run,metric,value,unit,ReadBatchSize,sd,n,computed,concurrency\n"
SECOND = "log_reader,r2,run_time,160,s,5000,,,,\n"


def read(folder: Path, *rows: str) -> ImportedFile:
    """Read rows of a file."""
    path = folder / "site.csv"
    path.write_text(HEADINGS + "".join(rows), encoding="utf-8")
    return read_measurements(path, FAMILIES)


def first_row(value: str = "200", unit: str = "s", sd: str = "", n: str = "", computed: str = "", at: str = "") -> str:
    """Return a row of the first setting."""
    return f"log_reader,r1,run_time,{value},{unit},500,{sd},{n},{computed},{at}\n"


def test_a_mean_brings_its_scatter_and_number_of_runs(tmp_path: Path) -> None:
    """The standard deviation is in the row's unit and converted with the value."""
    found = read(tmp_path, first_row("3", "min", sd="0.1", n="5"), SECOND)
    assert found.notes == (
        "site.csv: no column says in which block each run was made, so what drifted between runs is not taken out",
    )
    first, second = found.measurements
    assert (first.value, first.runs) == (180.0, 5)
    assert first.sd == pytest.approx(6.0)
    assert (second.sd, second.runs) == (0.0, 1)
    assert read(tmp_path, first_row(sd="0", n="2"), SECOND).measurements[0].runs == 2


@pytest.mark.parametrize("text", ["180-220", "180 – 220", "180..220", "1.8e2-2.2e2"])
def test_a_range_is_its_middle_give_or_take_half_its_width(tmp_path: Path, text: str) -> None:
    """A note says so: nobody measured the middle."""
    found = read(tmp_path, first_row(text), SECOND)
    assert (found.measurements[0].value, found.measurements[0].half_range) == (200.0, 20.0)
    assert found.notes == (
        f'site.csv, line 2: values given as ranges: 1, such as "{text}"; the middle, 200 s, is compared, and '
        "intervals are wider by half the range",
    )


def test_a_range_in_json_is_a_list_of_two(tmp_path: Path) -> None:
    """As a plan gives commands per transaction."""
    keys = ("family", "metric", "value", "unit", "ReadBatchSize")
    rows = [("log_reader", "run_time", [180, 220], "s", 500), ("log_reader", "run_time", 160, "s", 5000)]
    path = tmp_path / "site.json"
    path.write_text(json.dumps({"measurements": [dict(zip(keys, row, strict=True)) for row in rows]}), encoding="utf-8")
    assert read_measurements(path, FAMILIES).measurements[0].half_range == 20.0


def test_a_computed_value_is_left_out_and_a_note_says_so(tmp_path: Path) -> None:
    """What was worked out from other values is no evidence of its own, not even beside the value of the same run."""
    found = read(tmp_path, first_row(), first_row("100", computed="Yes"), SECOND.replace(",,,,", ",,,no,"))
    assert [m.value for m in found.measurements] == [200.0, 160.0]
    assert found.notes == (
        "site.csv: values worked out from others: 1; they are no evidence of their own and are left out",
    )


def test_values_under_different_concurrency_are_not_compared(tmp_path: Path) -> None:
    """How many loads ran side by side is a condition like the network."""
    third = SECOND.replace("r2", "r3").replace(",,,,", ",,,,4")
    found = read(tmp_path, first_row(at="4"), third, SECOND)
    assert [e.conditions for e in experiments(found.measurements)] == [Setting.of(concurrency=4)]
    assert "cannot be compared" in found.notes[-1]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (first_row(sd="5"), 'line 2, column "sd": a mean is judged by its standard deviation "sd" and its number'),
        (first_row(n="5"), 'column "sd": a mean is judged by'),
        (first_row(sd="5", n="1"), 'column "sd": a mean is judged by'),
        (first_row(sd="wide", n="5"), 'column "sd": "wide" is not a number'),
        (first_row(sd="-1", n="5"), 'column "sd": "-1" must be a finite number, zero or more'),
        (first_row(sd="inf", n="5"), 'column "sd": "inf" must be a finite number, zero or more'),
        (first_row(sd="5", n="2.5"), 'column "n": "2.5" must be a whole number, 1 or more'),
        (first_row(sd="5", n="1000000"), 'column "n": "1000000" must be a whole number, 1 to 10,000'),
        (first_row("220-180"), 'column "value": "220-180" is no range of measured values; write its lower end first'),
        (first_row("0-180"), '"0-180" must be a finite number greater than zero'),
        (first_row("1,8-2"), "there are 11 fields"),
        (first_row(computed="perhaps"), 'column "computed": "perhaps" must be yes or no, or empty'),
        (first_row(at="0"), 'column "concurrency": "0" must be a number of count, greater than zero'),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, row: str, expected: str) -> None:
    """One sentence with line, column, and what to do."""
    with pytest.raises(BadInput) as caught:
        read(tmp_path, row, SECOND)
    assert expected in str(caught.value)


def test_computed_values_alone_are_no_measurements(tmp_path: Path) -> None:
    """Nothing is left to be compared."""
    with pytest.raises(BadInput, match="no measurements"):
        read(tmp_path, first_row(computed="x"), SECOND.replace(",,,,", ",,,1,"))


def test_more_runs_than_can_be_judged_are_refused(tmp_path: Path) -> None:
    """A hundred means of ten thousand runs each are the most."""
    rows = [f"log_reader,r{at},run_time,200,s,{500 + at},1,10000,,\n" for at in range(101)]
    with pytest.raises(BadInput, match="sum up 1,010,000 runs; at most 1,000,000 can be judged"):
        read(tmp_path, *rows)


def test_what_the_program_writes_it_reads_again(tmp_path: Path) -> None:
    """Means and ranges survive the way out and in."""
    setting = Setting.of(ReadBatchSize=500)
    written = (
        Measurement("log_reader", "a", 1, "run_time", 200.0, "s", setting, runs=5, sd=1.5),
        Measurement("log_reader", "b", 1, "run_time", 154.5, "s", Setting.of(ReadBatchSize=700), half_range=19.5),
        Measurement("log_reader", "c", 1, "run_time", 160.0, "s", Setting.of(ReadBatchSize=5000)),
    )
    path = tmp_path / "m.csv"
    path.write_bytes(measurements_csv(written))
    assert read_measurements(path, FAMILIES).measurements == written
