"""Begin and end of each run instead of its duration."""

from datetime import datetime
from pathlib import Path
from typing import Final

import pytest
from xlsxwriter import Workbook

from app.domain.errors import BadInput
from app.services.explain.imported_session import accepted_columns
from app.services.explain.importing import ImportedFile, read_measurements
from tests.labs import FAMILIES

COLUMNS: Final = accepted_columns(FAMILIES)


def _read(folder: Path, heads: tuple[str, str], first: tuple[str, str], second: tuple[str, str]) -> ImportedFile:
    path = folder / "site.csv"
    path.write_text(
        f"SubscriptionStreams;{';'.join(heads)}\n1;{';'.join(first)}\n8;{';'.join(second)}\n", encoding="utf-8"
    )
    return read_measurements(path, COLUMNS)


@pytest.mark.parametrize(
    "heads", [("Start", "End"), ("Startzeit", "Endzeit"), ("Von", "Bis"), ("started_at", "ended_at")]
)
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("10:00:00", "10:12:31"), ("23:58:00", "00:03:31")),
        (("2024-03-01 10:00:00", "2024-03-01 10:12:31"), ("2024-03-01 23:58:00", "2024-03-02 00:03:31")),
        (("2024-03-01T10:00:00.5", "2024-03-01T10:12:31.5"), ("2024-02-29T23:58:00", "2024-03-01T00:03:31")),
        (("01.03.2024 10:00:00", "01.03.2024 10:12:31"), ("31.12.2023 23:58:00", "01.01.2024 00:03:31")),
        (("3/1/2024 11:55:00 AM", "3/1/2024 12:07:31 PM"), ("3/1/2024 12:10:00 PM", "3/1/2024 12:15:31 PM")),
    ],
)
def test_the_duration_is_the_time_between(
    tmp_path: Path, heads: tuple[str, str], first: tuple[str, str], second: tuple[str, str]
) -> None:
    """However moments are written, past midnight, too; a note says so."""
    imported = _read(tmp_path, heads, first, second)
    assert [(m.metric, m.value) for m in imported.measurements] == [("run_time", 751), ("run_time", 331)]
    assert any(f'each duration is the time from "{heads[0]}" to "{heads[1]}"' in note for note in imported.notes)


def test_moments_of_a_workbook_are_moments(tmp_path: Path) -> None:
    """Its cells are dates, whatever they look like."""
    path = tmp_path / "site.xlsx"
    rows = (("1", "2024-03-01 10:00", "2024-03-01 10:12:31"), ("8", "2024-03-01 11:00", "2024-03-01 11:05:31"))
    with Workbook(str(path), {"default_date_format": "dd.mm.yy hh:mm"}) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ("SubscriptionStreams", "Start", "Ende"))
        for at, (streams, *moments) in enumerate(rows, start=1):
            sheet.write_row(at, 0, (int(streams), *map(datetime.fromisoformat, moments)))
    assert [m.value for m in read_measurements(path, COLUMNS).measurements] == [751, 331]


@pytest.mark.parametrize(
    "second",
    [
        ("3/1/2024 23:58:00", "3/2/2024 00:03:31"),  # the third of January or the first of March
        ("2024-03-01 10:05:31", "2024-03-01 10:00:00"),
        ("soon", "later"),
    ],
)
def test_what_cannot_be_told_is_refused(tmp_path: Path, second: tuple[str, str]) -> None:
    """A duration that is open is not guessed."""
    with pytest.raises(BadInput, match="no column holds measured values"):
        _read(tmp_path, ("Start", "End"), ("2024-03-01 10:00:00", "2024-03-01 10:12:31"), second)


def test_a_duration_that_is_given_goes_first(tmp_path: Path) -> None:
    """Begin and end then say when it was."""
    path = tmp_path / "site.csv"
    path.write_text(
        "SubscriptionStreams,Start,End,Duration\n1,10:00,10:13,751 s\n8,11:00,11:06,331 s\n", encoding="utf-8"
    )
    assert [m.value for m in read_measurements(path, COLUMNS).measurements] == [751, 331]


def test_begin_and_end_of_tables_with_titles_are_of_their_table(tmp_path: Path) -> None:
    """The titles stay what tells the tables apart."""
    path = tmp_path / "site.csv"
    table = "{}\nSubscriptionStreams,Start,End\n1,10:00:00,10:12:31\n8,11:00:00,11:05:31\n\n"
    path.write_text(table.format("Before") + table.format("After"), encoding="utf-8")
    measured = read_measurements(path, COLUMNS).measurements
    assert [(m.conditions.text(), m.value) for m in measured] == [
        ("Table Before", 751),
        ("Table Before", 331),
        ("Table After", 751),
        ("Table After", 331),
    ]
