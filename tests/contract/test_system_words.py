"""Words of systems stay in the systems' folders: a generic room that names one has begun to know it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
APP: Final = ROOT / "app"

TERMS: Final = re.compile(
    r"""
    distributor | distribution[_ ](?:db|agent|database) | subscri(?:ber|ption) | publisher | publication
    | log[_ ]?reader | tracer | (?<![a-z]) (?<!sql\ server\ ) agents? (?![a-z]) | (?-i:Agent(?=[A-Z])) | profile
    | availability | \breplicas?\b | secondar(?:y|ies) | seeding | trace[_ ]?flag | redo[_ ]queue | send[_ ]queue
    | (?-i:\bStreams\b) | (?<![a-z]) streams_ | \bcaptures?\b | _capture | propagation | \bapply[_ ](?:process|server)
    | \bLCRs?\b | flow[_ ]control
    """,
    re.VERBOSE | re.IGNORECASE,
)

# A migration is the text an old file was made with: it is never edited again.
HISTORY: Final = APP / "store" / "migrations"


def words_in(text: str) -> Iterator[str]:
    """Yield every word of a system in a text, small."""
    return (match.group().lower() for match in TERMS.finditer(text))


def _generic_files() -> list[Path]:
    return [
        path
        for path in sorted(APP.rglob("*.py"))
        if APP / "systems" not in path.parents and HISTORY not in path.parents
    ]


def test_generic_rooms_name_no_system() -> None:
    """What stands outside the systems' folders serves all of them."""
    named = {
        path.relative_to(APP).as_posix(): sorted(set(words_in(path.read_text("utf-8")))) for path in _generic_files()
    }
    assert {place: words for place, words in named.items() if words} == {}


@pytest.mark.parametrize(
    "planted",
    [
        "def read_distributor() -> None: ...",
        "agent_kind = kinds[0]",
        '_("The Log Reader Agent is stopped.")',
        "site.replicas",
        "class AgentSite:",
        "seeding_mode",
        "STREAMS_POOL = 1",
        "# waits for the apply process",
        "redo_queue_kb: int",
    ],
)
def test_a_planted_word_is_found(planted: str) -> None:
    """The check looks at names, texts and comments."""
    assert list(words_in(planted))


@pytest.mark.parametrize(
    "harmless", ["distribution of the residuals", "to apply a change", "capsys.readouterr()", "SQL Server Agent"]
)
def test_words_of_everybody_are_not_found(harmless: str) -> None:
    """Statistics has distributions, every change is applied, and SQL Server Agent runs any job of its server."""
    assert not list(words_in(harmless))
