"""Every Oracle text of the program as a second parser reads it."""

import os

import pytest

from app.drivers.oracle.catalogue import catalogue
from tests.plsql.parser import KNOWN_GAPS, MISSING, is_there, problems_of, without_gaps
from tests.plsql.texts import KINDS

pytestmark = pytest.mark.plsql


@pytest.fixture(autouse=True)
def _parser() -> None:
    """Say so where the parser is not installed; where everything must be, that is a failure."""
    if not is_there():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)


def test_every_text_is_oracles(capsys: pytest.CaptureFixture[str]) -> None:
    """But for the gaps of its grammar that are listed, each of which some text has and that grammar refuses."""
    refused: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    met: set[str] = set()
    for kind, texts in KINDS.items():
        read = texts()
        counts[kind] = len(read)
        for name, text in read.items():
            mended, gaps = without_gaps(text)
            met |= gaps
            if problems := problems_of(mended):
                refused[f"{kind}, {name}"] = problems
    assert refused == {}
    assert all(counts.values()), counts
    assert met == set(KNOWN_GAPS)
    with capsys.disabled():
        said = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        print(f"\na second parser read {sum(counts.values())} texts for Oracle: {said}")


@pytest.mark.parametrize(
    ("statement", "right", "wrong"),
    [
        ("stop_apply", "force => FALSE", "force =>"),
        ("set_streams_pool_size", "END IF;", ""),
        ("captures", "FROM dba_capture", "FORM dba_capture"),
        ("captures", "SELECT", "SELEC"),
        ("load_extent", "EXECUTE IMMEDIATE", "EXECUTE"),
        ("sample_streams", ")", ""),
    ],
)
def test_what_is_no_oracle_text_is_refused(statement: str, right: str, wrong: str) -> None:
    """A missing argument, end, bracket or keyword, and a keyword that is misspelt."""
    body = catalogue()[statement].body
    assert right in body
    text, _gaps = without_gaps(body.replace(right, wrong, 1))
    assert problems_of(text if text.endswith(";") else f"{text};") != []


@pytest.mark.parametrize("text", ["BEGIN p(force => FALSE); END;", "ALTER SYSTEM SET streams_pool_size = 7;"])
def test_the_gaps_are_gaps_still(text: str) -> None:
    """What the grammar lacks it refuses; one day it will not, and the gap goes."""
    assert problems_of(text) != []
