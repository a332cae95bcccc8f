"""Words of systems and servers stay in their folders: a generic room that names one has begun to know it."""

import re
import sys
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
    | availability | \breplicas?\b | secondar(?:y|ies) | seeding | trace[_ ]flag | redo[_ ]queue | send[_ ]queue
    | (?-i:\bStreams\b) | (?<![a-z]) streams_ | \bcaptures?\b | _capture | propagation | \bapply[_ ](?:process|server)
    | \bLCRs?\b | flow[_ ]control
    """,
    re.VERBOSE | re.IGNORECASE,
)

# What vendors call the objects of their catalogues, also as a regular expression spells it; Python has a `sys` as well.
CATALOGUES: Final = re.compile(
    rf"""
    (?: (?<![a-z]) g?v | (?<![a-z]) x | \[vv\] ) \\?\$
    | (?<![a-z_]) (?:dba|dbms|dm|sp|xp)_[a-z] | (?<![a-z]) (?:all|user)_(?:objects|tab|cons)
    | \bsys\.(?!(?:{"|".join((*dir(sys), "getwindowsversion"))})\b)[a-z] | \bsys(?:jobs|objects|databases)
    | traceflag | (?-i:\bMS[a-z]+_) | \b(?:msdb|tempdb|dbcc)\b | @@[a-z]
    """,
    re.VERBOSE | re.IGNORECASE,
)

# A migration is the text an old file was made with: it is never edited again.
HISTORY: Final = APP / "store" / "migrations"


def words_in(text: str, *kinds: re.Pattern[str]) -> Iterator[str]:
    """Yield every word of these kinds in a text, small."""
    return (match.group().lower() for terms in kinds for match in terms.finditer(text))


def _generic_files() -> list[Path]:
    return [
        path
        for path in sorted(APP.rglob("*.py"))
        if APP / "systems" not in path.parents and HISTORY not in path.parents
    ]


def _foreign_to(path: Path) -> tuple[re.Pattern[str], ...]:
    return (TERMS,) if APP / "drivers" in path.parents else (TERMS, CATALOGUES)


def test_generic_rooms_name_no_system() -> None:
    """What stands outside the systems' folders serves all of them; only drivers know what their server calls things."""
    named = {
        path.relative_to(APP).as_posix(): sorted(set(words_in(path.read_text("utf-8"), *_foreign_to(path))))
        for path in _generic_files()
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
        "# V$SESSION and gv$session are views",
        r'_BEFORE = r"(?<!\b[Vv]\$)"',
        "_VIEWS = ('X$KSPPI', 'dba_apply', 'DBMS_STREAMS_ADM')",
        "# sys.dm_exec_sessions shows it",
        '"sys.databases"',
        '"EXEC sp_configure"',
        "MSdistribution_history",
        "msdb.dbo.sysjobs",
        '("TraceFlag", "Status")',
        "SELECT @@SERVERNAME",
    ],
)
def test_a_planted_word_is_found(planted: str) -> None:
    """The check looks at names, texts and comments."""
    assert list(words_in(planted, TERMS, CATALOGUES))


@pytest.mark.parametrize(
    "harmless",
    [
        "distribution of the residuals",
        "to apply a change",
        "capsys.readouterr()",
        "SQL Server Agent",
        'sys.stdout.write("")',
        "sys.getwindowsversion()",
        "grasp_of(settings)",
        "DEV$SALES",
    ],
)
def test_words_of_everybody_are_not_found(harmless: str) -> None:
    """Statistics has distributions, every change is applied, SQL Server Agent runs any job, and Python has a `sys`."""
    assert not list(words_in(harmless, TERMS, CATALOGUES))
