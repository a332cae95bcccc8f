"""What reaches a terminal and a spreadsheet: text, whatever somebody called a server."""

import csv
import io
import json
import unicodedata
from pathlib import Path

import pytest

import app
from app.foundation.spreadsheet import as_given, as_text, csv_text
from app.foundation.terminal_text import for_terminal, lines_of, one_line

KEPT = {"\n", "\t"}


def test_no_character_that_acts_reaches_a_terminal() -> None:
    """Of all characters of Unicode none that controls, breaks a line or turns text round is let through."""
    every = [chr(code) for code in range(0x110000)]
    acting = [c for c in every if unicodedata.category(c) in ("Cc", "Zl", "Zp") and c not in KEPT]
    unseen = [c for c in every if unicodedata.category(c) == "Cf" or unicodedata.bidirectional(c) in ("LRE",)]
    # Marks of Arabic, Syriac and other scripts are drawn, and numbers of hieroglyphs joined by them.
    drawn = [c for c in unseen if unicodedata.name(c, "").split()[0] in ("ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN")]
    drawn += [c for c in unseen if unicodedata.name(c, "").startswith(("SHORTHAND", "MUSICAL"))]
    shown = for_terminal("".join(acting) + "".join(unseen))
    assert set(shown) - set(drawn) - {"\u061c"} <= set("\\u0123456789abcdef")


def test_a_text_a_person_reads_stays_as_it_is() -> None:
    """Letters of any script, emoji, no-break spaces, lines and tabulators are shown."""
    text = "Ω 😀 Верно\u00a0ü €\t中文\nשלום\r\n"
    assert for_terminal(text) == text


def test_a_document_stays_the_same_document() -> None:
    """JSON means the same to the program that reads it, with the codes in place of what they stand for."""
    names = ["a\u202eb", "\x9b31m", "\x1b]52;c;\x07", "\U000e0041", "\ufeff", "\x7f", "\n\r\u2028"]
    assert json.loads(for_terminal(json.dumps(names, ensure_ascii=False))) == names


def test_a_line_end_in_a_name_begins_no_line() -> None:
    """What stands in a list of lines is one line each."""
    assert lines_of(["a\nNothing wrong.", "b\r\nc"]) == "a\\u000aNothing wrong.\nb\\u000d\\u000ac\n"
    assert one_line("a\rb") == "a\\u000db"


FORMULAS = [
    "=cmd|' /C calc'!A0",
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1)",
    "\t=1+1",
    "\r=1+1",
    " =1+1",
    "a;=cmd|' /C calc'!A0",
    "a\n=cmd|' /C calc'!A0",
    "a\t@x",
    "a; -1+cmd|' /C calc'!A0",
]


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_no_cell_begins_a_formula(formula: str, delimiter: str) -> None:
    """Whatever a spreadsheet takes for the separator, no field it then sees begins like a formula."""
    rows: list[list[object]] = [["name", "value"], [formula, 1.5], ["x", formula]]
    written = csv_text(rows, delimiter=",")
    seen = list(csv.reader(io.StringIO(written), delimiter=delimiter))
    assert not [cell for row in seen for cell in row if cell.strip()[:1] in ("=", "+", "@", "-") and cell]


@pytest.mark.parametrize("formula", [*FORMULAS[:4], " =1+1"])
def test_what_was_written_is_read_again(formula: str) -> None:
    """The program's own file means the same to it."""
    (cell,) = next(csv.reader(io.StringIO(csv_text([[formula]]))))
    assert as_given(cell) == formula


@pytest.mark.parametrize(
    "text", ["-5", "+5.5", "-1,000.5", "1e-05", "-1.5E+20", "", "a-b", "a = b", "x; y", "'", "'a'"]
)
def test_numbers_and_plain_texts_stay(text: str) -> None:
    """A negative number is a number to a spreadsheet, and an apostrophe of somebody's own is theirs."""
    assert as_text(text) == text
    assert as_given(text) == text


def test_every_csv_is_written_in_one_place() -> None:
    """No other room writes fields of its own, past the filter."""
    root = Path(app.__file__).parent
    writers = {str(path.relative_to(root)) for path in root.rglob("*.py") if "csv.writer" in path.read_text("utf-8")}
    assert writers == {"foundation/spreadsheet.py"}
