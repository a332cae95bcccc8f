"""Options that errors name: as a command line writes them, and in the words of the window's forms."""

import re
from typing import Final

import pytest

from app.bootstrap import connection_ways
from app.domain.errors import BadInput
from app.domain.option_words import in_window_words, window_speaks
from tests.catalogue_texts import TEXTS, all_texts

WAYS: Final = connection_ways()
# An address as a whole is what Connect takes by pasting.
_OPTION: Final = re.compile(r"(?<![\w/&{?])\??(?!name=)[a-z]\w*=(?![=\d{]|name\b)")
# What is told on a command line alone, and what is a file's or a script's own.
_ELSEWHERE: Final = ("app/cli", "app/drivers/sqlserver/wire", "app/services/plan", "app/services/explain", "packaging")


@pytest.fixture(scope="module")
def hints(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Every text of the program that names an option of an address."""
    found = {
        text: places
        for text, places in all_texts(tmp_path_factory).items()
        if _OPTION.search(text) and not all(place.startswith(_ELSEWHERE) for place in places)
    }
    return sorted(found)


def test_there_are_hints(hints: list[str]) -> None:
    """What looks for them sees those of both engines."""
    told = "\n".join(hints)
    named = ("trust=yes", "encrypt=no", "spn=", "?wallet=", "load_schema=", "database=NAME")
    assert all(option in told for option in named)


def test_no_option_is_left_in_what_a_window_says(hints: list[str]) -> None:
    """In both languages each becomes the field, the choice or the switch that makes it."""
    german = TEXTS.read_or_begin("de")
    told = [in_window_words(said, WAYS) for text in hints for said in (text, str(german[text].string))]
    assert [said for said in told if _OPTION.search(said)] == []


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("trust=yes", "“Trust server certificate”"),
        ("encrypt=no", "“Encryption: Not encrypted”"),
        ("spn=", "“Service principal name”"),
        ("certificate_host=NAME", "“Name in the certificate”"),
        ("auth=windows", "“Sign-in: Windows account of this computer”"),
        ("driver=mssql-python", "“Driver: mssql-python”"),
        ("driver=thick", "“Driver: Oracle Client”"),
        ("?sid=", "“Known by: SID”"),
    ],
)
def test_an_option_is_said_as_its_field(option: str, words: str) -> None:
    """As soon as a window speaks, and no longer."""
    error = BadInput(f"no encryption here; do without ({option}), or {option}; sqlserver://db1?trust=yes stays")
    assert f"({option}), or {option};" in str(error)
    with window_speaks(lambda: WAYS):
        assert str(error) == f"no encryption here; do without ({words}), or {words}; sqlserver://db1?trust=yes stays"
    assert option in str(error)
