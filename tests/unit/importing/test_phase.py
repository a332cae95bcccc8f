"""The column that says whether a row was measured to explore or to confirm."""

from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.domain.measurement import Measurement
from app.domain.plan import Phase
from app.domain.setting import Setting
from app.reporting.export.csv_export import measurements_csv
from app.services.explain.importing import experiments, read_measurements
from tests.unit.importing.files import FAMILIES

HEADINGS = "family,run,phase,metric,value,unit,ReadBatchSize\n"


def read(path: Path, rows: str) -> tuple[Measurement, ...]:
    """Read rows of a file."""
    path.write_text(HEADINGS + rows, encoding="utf-8")
    return read_measurements(path, FAMILIES).measurements


def test_phases_are_read_and_an_empty_one_explores(tmp_path: Path) -> None:
    """The words are those the program writes itself, in any case."""
    rows = (
        "log_reader,1,,run_time,9,s,500\nlog_reader,2,Explore,run_time,8,s,5000\n"
        "log_reader,3,CONFIRM,run_time,8,s,5000\n"
    )
    assert [m.phase for m in read(tmp_path / "m.csv", rows)] == [Phase.EXPLORE, Phase.EXPLORE, Phase.CONFIRM]


def test_means_of_both_phases_never_mix(tmp_path: Path) -> None:
    """Exploring and confirming rows of the same settings are two experiments."""
    rows = "".join(
        f"log_reader,{phase}{size},{phase},run_time,{9 if size == 500 else 8},s,{size}\n"
        for phase in ("explore", "confirm")
        for size in (500, 5000)
    )
    found = experiments(read(tmp_path / "m.csv", rows))
    assert [(e.phase, len(e.measurements)) for e in found] == [(Phase.EXPLORE, 2), (Phase.CONFIRM, 2)]


def test_what_the_program_writes_it_reads_again(tmp_path: Path) -> None:
    """The phase of each measurement survives the way out and in."""
    written = tuple(
        Measurement("log_reader", f"E1-T{n}", 1, "run_time", 9.5 + n, "s", Setting.of(ReadBatchSize=size), phase=phase)
        for n, (size, phase) in enumerate(((500, Phase.EXPLORE), (5000, Phase.EXPLORE), (5000, Phase.CONFIRM)))
    )
    path = tmp_path / "m.csv"
    path.write_bytes(measurements_csv(written))
    assert read_measurements(path, FAMILIES).measurements == written


def test_another_word_is_refused_where_it_stands(tmp_path: Path) -> None:
    """The sentence names line, column and the words there are."""
    with pytest.raises(BadInput, match=r"line 2.*phase.*\"warm-up\" must be explore or confirm"):
        read(tmp_path / "m.csv", "log_reader,1,warm-up,run_time,9,s,500\nlog_reader,2,,run_time,8,s,5000\n")


def test_settings_of_two_phases_only_cannot_be_compared(tmp_path: Path) -> None:
    """One setting explored and another confirmed leave nothing to compare, and the file is refused."""
    with pytest.raises(BadInput, match="nothing can be compared"):
        read(tmp_path / "m.csv", "log_reader,1,explore,run_time,9,s,500\nlog_reader,2,confirm,run_time,8,s,5000\n")
