"""Headings that say how times stand below them: parts of a day of a spreadsheet, hours and minutes, plain numbers."""

from pathlib import Path
from typing import Final

import pytest

from app.domain.errors import BadInput
from app.services.explain.imported_session import accepted_columns
from app.services.explain.importing import Asked, ImportedFile, read_measurements
from tests.labs import FAMILIES

COLUMNS: Final = accepted_columns(FAMILIES)
HEADINGS: Final = (
    "Duration (hh:mm:ss)",
    "Duration (hh:mm)",
    "elapsed [h:mm:ss]",
    "Dauer [hh:mm:ss]",
    "Duration ([h]:mm:ss)",
    "Duration (mm:ss.0)",
    "Total time (HH:MM:SS)",
)


def _read(folder: Path, heading: str, cells: tuple[str, str], mark: str = ";", **answers: str) -> ImportedFile:
    path = folder / "site.csv"
    rows = (("SubscriptionStreams", heading), ("1", cells[0]), ("4", cells[1]))
    path.write_text("\n".join(mark.join(row) for row in rows), encoding="utf-8")
    return read_measurements(path, COLUMNS, answers=answers)


def _seconds(imported: ImportedFile) -> list[float]:
    assert {m.metric for m in imported.measurements} == {"run_time"}
    return [round(m.value, 3) for m in imported.measurements]


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize(
    ("mark", "cells"),
    [
        (";", ("0,0086921296", "0,0038310185")),
        (",", ("0.0086921296", "0.0038310185")),
        ("\t", ("8.6921296E-03", "0.0038310185")),
        (";", ("0,0086921296", "00:05:31")),
    ],
)
def test_parts_of_a_day_are_times(tmp_path: Path, heading: str, mark: str, cells: tuple[str, str]) -> None:
    """As a spreadsheet writes a time into a CSV file where its cell is formatted as a number; a note says so."""
    imported = _read(tmp_path, heading, cells, mark)
    assert _seconds(imported) == [751, 331]
    assert any("are parts of a day" in note and "is 751 s" in note for note in imported.notes)


@pytest.mark.parametrize("cells", [("1,25", "0,5"), ("751", "331"), ("0,5", "0,25")])
@pytest.mark.parametrize(("answer", "factor"), [("days", 86_400), ("seconds", 1), ("minutes", 60)])
def test_plain_numbers_below_a_clock_are_asked_about(
    tmp_path: Path, cells: tuple[str, str], answer: str, factor: int
) -> None:
    """Half a day, or half a second: the answer is kept to."""
    with pytest.raises(Asked, match=r"is no time of hours, minutes and seconds.*--say plain_times=days"):
        _read(tmp_path, HEADINGS[0], cells)
    wanted = [float(cell.replace(",", ".")) * factor for cell in cells]
    assert _seconds(_read(tmp_path, HEADINGS[0], cells, plain_times=answer)) == wanted


@pytest.mark.parametrize(
    ("heading", "seconds"), [("Duration (hh:mm)", 5460), ("Duration (mm:ss)", 91), ("Duration", 91)]
)
def test_two_parts_of_a_clock_are_those_of_the_heading(tmp_path: Path, heading: str, seconds: float) -> None:
    """01:31 is an hour and a half, or a minute and a half."""
    assert _seconds(_read(tmp_path, heading, ("01:31", "00:31")))[0] == seconds


@pytest.mark.parametrize("heading", ["Command time (s)", "Duration (s)", "run_time"])
def test_other_headings_leave_numbers_alone(tmp_path: Path, heading: str) -> None:
    """Small numbers below seconds are seconds; "mm" within a word is no clock."""
    said = {} if heading != "Command time (s)" else {"metric": "run_time"}
    assert _seconds(_read(tmp_path, heading, ("0,0868", "0,0383"), **said)) == [0.087, 0.038]


@pytest.mark.parametrize(
    "heading",
    [
        "Übertragungsdauer (Minuten)",
        "Übertragungszeit [min]",
        "Dauer der Übertragung (min)",
        "Gesamtlaufzeit (Min)",
        "Transfer time (min)",
        "Durée de transfert (min)",
        "Total duration in minutes",
    ],
)
def test_the_time_of_the_work_is_recognised(tmp_path: Path, heading: str) -> None:
    """Whatever language says it."""
    assert _seconds(_read(tmp_path, heading, ("3", "1,5"))) == [180, 90]


@pytest.mark.parametrize("heading", ["Wartezeit (s)", "Response time (s)", "CPU time (s)", "Lock wait (s)"])
def test_another_time_is_not_taken_for_it(tmp_path: Path, heading: str) -> None:
    """A time of waiting or answering is asked about."""
    with pytest.raises(Asked, match="what they are is not said"):
        _read(tmp_path, heading, ("3", "1,5"))


@pytest.mark.parametrize(
    "arms",
    [
        ("8 streams", "1 stream"),
        ("8 Streams", "single stream"),
        ("8x streams", "one stream"),
        ("8 streams", "ein Stream"),
    ],
)
def test_a_number_and_a_word_name_a_setting(tmp_path: Path, arms: tuple[str, str]) -> None:
    """In the singular, too."""
    path = tmp_path / "site.csv"
    path.write_text(f"Arm;Duration (s)\n{arms[0]};64,2\n{arms[1]};199,1\n", encoding="utf-8")
    measured = read_measurements(path, COLUMNS).measurements
    assert [m.setting.label() for m in measured] == ["SubscriptionStreams 8", "SubscriptionStreams 1"]


def test_a_row_that_names_no_setting_is_told_where_one_remains(tmp_path: Path) -> None:
    """The sentence says which row was not understood."""
    path = tmp_path / "site.csv"
    path.write_text("Arm;Duration (s)\n8 streams;64,2\nno parallelism;199,1\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r'rows that say "no parallelism" name no known setting'):
        read_measurements(path, COLUMNS)
