"""German numbers: sentences, tables and fields write a decimal comma, and read what they wrote."""

import json
import os
import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.foundation.catalogue import read_catalogue
from app.foundation.paths import resource_path
from app.foundation.texts import GermanText, _
from tests.patience import PATIENCE_S

# The language is chosen when the texts are imported, so German runs in a process of its own.
_PROGRAM = """
import json
from app.charts.axis import format_number
from app.domain.errors import BadInput
from app.flows.plan.number_entry import decimal_text, number_text, read_decimal
from app.domain.view import number_cell
from app.foundation.texts import LANGUAGE, _, in_sentence, local_number
from decimal import Decimal

def read(text):
    try:
        return str(read_decimal(text))
    except BadInput as error:
        return str(error)

print(json.dumps({
    "language": LANGUAGE,
    "sentence": _("{seconds:.1f} s").format(seconds=1234.56),
    "title": in_sentence("Laufzeit"),
    "axis": [format_number(value) for value in (0.5, 1500.0)],
    "cell": number_cell(1234.5, 1).text,
    "copied": number_cell(1234.5, 1).copied,
    "fields": [number_text(10000), decimal_text(Decimal("2.125"))],
    "read": {text: read(text) for text in ("2,125", "2.5", "1.500")},
}))
"""


@pytest.fixture(scope="module")
def german() -> dict[str, Any]:
    """Return what the German program makes of some numbers."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "REPLITUNE_LANGUAGE": "de", "PYTHONIOENCODING": "utf-8"},
        cwd=Path(__file__).resolve().parents[3],
        timeout=PATIENCE_S,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_numbers_are_shown_with_a_decimal_comma(german: dict[str, Any]) -> None:
    """In sentences, on axes, in tables and in fields; capitals of nouns stay inside a sentence."""
    assert german["language"] == "de"
    assert german["sentence"] == "1234,6 s"
    assert german["axis"] == ["0,5", "1.500"]
    assert german["cell"] == "1.234,5"
    assert german["copied"] == "1234,5"
    assert german["fields"] == ["10.000", "2,125"]
    assert german["title"] == "Laufzeit"


def test_what_a_field_shows_is_read_again(german: dict[str, Any]) -> None:
    """A comma is a decimal one; a point before three digits may be either, so it is refused."""
    assert german["read"]["2,125"] == "2.125"
    assert german["read"]["2.5"] == "2.5"
    assert "1.500" in german["read"]["1.500"]
    assert "1500" in german["read"]["1.500"]
    assert "1,500" in german["read"]["1.500"]


@pytest.mark.parametrize(
    ("text", "values", "shown"),
    [
        ("{rate:,.0f} KB/s", {"rate": 1234567.0}, "1.234.567 KB/s"),
        ("{share:.1%} der Zeit", {"share": 0.125}, "12,5\u00a0% der Zeit"),
        ("{count:,} Zeilen, {first:>6}", {"count": np.int64(12000), "first": "a.b"}, "12.000 Zeilen,    a.b"),
        (
            "{version} {when:%d.%m.%Y} {{}}",
            {"version": "13.0.4001", "when": date(2026, 1, 2)},
            "13.0.4001 02.01.2026 {}",
        ),
        ("{value!r}", {"value": 0.5}, "0.5"),
    ],
)
def test_only_numbers_with_a_format_are_changed(text: str, values: dict[str, object], shown: str) -> None:
    """Versions, dates and texts keep their points; numpy's numbers are numbers."""
    assert GermanText(text).format(**values) == shown


def test_a_share_has_a_space_before_its_sign_in_english_too() -> None:
    """As reports write it; a share given without a format is left as it is."""
    assert _("Fullest log: {share:.0%}").format(share=0.01) == "Fullest log: 1\u00a0%"
    assert _("{count} of {share:.1%}").format(count=7, share=0.125) == "7 of 12.5\u00a0%"


def test_three_dots_for_words_left_out_have_a_blank_before_them() -> None:
    """As in every German text (DIN 5008), on each button alike."""
    path = resource_path("locale", "de", "LC_MESSAGES", "replitune.po")
    left_out = [german for english, german in read_catalogue(path).items() if english.endswith("…")]
    assert [german for german in left_out if not re.search(r"\s…$", german)] == []
