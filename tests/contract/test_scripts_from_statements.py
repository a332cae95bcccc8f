"""What a hand-over's script changes, it changes by a statement of the catalogue: none is written a second time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import pytest

from app.drivers.oracle.catalogue import catalogue as oracle_statements
from app.drivers.sqlserver.catalogue import catalogue as sql_server_statements
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan
from tests.contract.test_no_sql_outside import texts_of
from tests.report.sample import full_advice, full_session, imported_request
from tests.report.scripts import (
    apply_script,
    oracle_apply_script,
    oracle_rollback_script,
    rollback_script,
)
from tests.rows import every_row
from tests.unit.reporting.test_streams import finding
from tests.unit.runner.commit_runs import commit_plan, run_in_memory

# What changes a server. A script's temporary tables are its own; what a check reads through sp_executesql is quoted,
# and what rollback.sql and the questions for a DBA execute is the text of an undo or of a question, each a statement of
# the catalogue.
CHANGING = re.compile(
    r"\bEXEC\s+(?!sys\.sp_executesql @stmt = N'|@at @(?:undo|asked)\b)[\w.@]+|\bEXECUTE IMMEDIATE\s+'"
    r"|\bDBCC\s+TRACE(?:ON|OFF)\b|\bALTER\s+(?:SYSTEM|DATABASE|AVAILABILITY|TABLE)\s+\w|\bDBMS_(?!OUTPUT)\w+\.\w+\s*\("
    r"|\b(?:INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|DROP TABLE)\s+(?![#@])[\w.\[]+"
)
_PRINTED = re.compile(r"DBMS_OUTPUT\.PUT_LINE\(a => (?:'(?:[^']|'')*'|[^';])*\);")
_BIND = re.compile(r"(?<![:\w]):[a-z_]\w*")
_GIVEN = re.compile(r"= @\w+(?! OUTPUT)\b")


def plain(text: str) -> str:
    """Return T-SQL or PL/SQL without comment lines, on one line."""
    return " ".join(re.sub(r"(?m)^\s*--.*$", "", text).split())


@dataclass(frozen=True)
class _Stated:
    """A statement as it may stand in a script.

    Attributes:
        parts: what stands there as it is, with values between.
    """

    parts: tuple[str, ...]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Finds it."""
        return re.compile(r"\S.*?".join(map(re.escape, self.parts)))

    def taken_out(self, text: str) -> str:
        """Return a text without it; most are in none, which their parts tell sooner than a search."""
        return self.pattern.sub(" ", text) if all(part in text for part in self.parts) else text


def _filled(text: str, holes: re.Pattern[str]) -> _Stated:
    return _Stated(tuple(holes.split(plain(text))))


@cache
def _statements() -> tuple[_Stated, ...]:
    """Return every statement as it may stand in a script, the longest first."""

    def bodies() -> Iterator[_Stated]:
        for statement in sql_server_statements().values():
            yield _Stated((plain(statement.body),))
            yield _Stated((plain(statement.body.replace("'", "''")),))
            # beside a finding stands the call alone, with its values
            yield from (_filled(call, _GIVEN) for call in re.findall(r"EXEC [^;]+;", statement.body))
        for block in oracle_statements().values():
            body = block.body.strip()
            yield _filled(body, _BIND)
            yield _filled(body.removeprefix("BEGIN").removesuffix("END;"), _BIND)
            if call := body.rpartition("END IF;")[2].strip().removesuffix("END;").strip():
                yield _filled(call, _BIND)  # without what the block compares ahead of it
            yield from (_filled(call, _BIND) for call in re.findall(r"EXECUTE IMMEDIATE [^;]+;", body))

    return tuple(sorted(bodies(), key=lambda stated: -len(stated.pattern.pattern)))


def left_over(script: str) -> list[str]:
    """Return what changes a server in a script once every statement of the catalogue is taken out of it."""
    text = _PRINTED.sub(" ", plain(script))
    for stated in _statements():
        text = stated.taken_out(text)
    return [match.group() for match in CHANGING.finditer(text)]


@pytest.fixture(scope="module", name="scripts")
def _scripts() -> dict[str, str]:
    """Return the scripts of every system, of what was measured here and elsewhere."""
    streams = run_on_lab(FAMILIES["streams_apply"], small_plan(FAMILIES["streams_apply"], blocks=2, confirm_blocks=2))
    groups = run_in_memory(commit_plan(blocks=3), noise_cv=0.01)
    imported = imported_request()
    oracle = [
        finding("TXN_LCR_SPILL_THRESHOLD", 100_000, 500_000),
        finding("CAPTURE_PARALLELISM", 1, 4, 3),
        finding("streams_pool_size", 4 * 1024**3, 5 * 1024**3, 4),
    ]
    made = {}
    for name, findings, session in (
        ("agents", full_advice().findings, full_session()),
        ("agents elsewhere", imported.advice.findings, imported.session),
        ("groups", groups.advise().findings, groups.session()),
        ("streams", oracle, streams.session()),
    ):
        made[f"{name}: apply"] = apply_script(findings, session) + oracle_apply_script(findings, session)
        made[f"{name}: rollback"] = rollback_script(findings, session) + oracle_rollback_script(findings, session)
    return made


def test_what_a_script_changes_is_a_statement_of_the_catalogue(scripts: dict[str, str]) -> None:
    """Around the statements stand checks, which change nothing."""
    assert {name: left for name, text in scripts.items() if (left := left_over(text))} == {}
    assert {name for name, text in scripts.items() if CHANGING.search(plain(text))} == scripts.keys()


PLANTED = (
    "EXEC sp_change_agent_parameter @profile_id, N'-ReadBatchSize', N'500';",
    "EXEC msdb.dbo.sp_stop_job @job_name = N'agent';",
    "DBCC TRACEON (9592, -1);",
    "EXECUTE IMMEDIATE 'ALTER SYSTEM SET streams_pool_size = 0 SCOPE = BOTH';",
    "DBMS_APPLY_ADM.SET_PARAMETER('STREAMS_APPLY', 'PARALLELISM', '4');",
    "UPDATE msdb.dbo.sysjobsteps SET command = N'';",
)


def test_each_planted_second_copy_is_found(scripts: dict[str, str]) -> None:
    """In any script, whatever else it changes."""
    changing = [match.group() for text in PLANTED for match in CHANGING.finditer(text)]
    assert len(changing) >= len(PLANTED)
    for name, text in scripts.items():
        assert left_over("\n".join((text, *PLANTED))) == changing, name


# Rights are named, and granted by a person; no run sends that.
GRANTS = re.compile(r"ALTER (?:SERVER )?ROLE|GRANT_ADMIN_PRIVILEGE|\A(?:ALTER|UPDATE|DELETE|INSERT) ANY ")
FILES = sorted(path for room in ("systems", "drivers") for path in Path("app", room).rglob("*.py"))


@every_row("path", FILES, ids=str)
def test_no_change_is_written_in_a_module(path: Path) -> None:
    """Systems and drivers put statements into scripts, with checks around them; they spell none."""
    texts = [text for text in texts_of(path.read_text(encoding="utf-8")) if not GRANTS.search(text)]
    assert [match.group() for text in texts for match in CHANGING.finditer(text)] == []


@pytest.mark.parametrize("planted", ['x = "EXEC msdb.dbo.sp_stop_job @job_id"', 'x = f"DBCC TRACEON ({flag}, -1);"'])
def test_a_change_planted_in_a_module_is_found(planted: str) -> None:
    """The check can fail."""
    assert any(map(CHANGING.search, texts_of(planted)))


# What a script says to whoever runs it; GRANT and the like is no sentence, and ids of a form stand in braces.
_SAID = re.compile(r"(?:THROW 50000, N'|RAISERROR\(N'|PRINT N'|PUT_LINE\(a => ')(?!GRANT |ALTER )[A-Za-z][a-z]* [^']*'")


@pytest.mark.parametrize("folder", ["drivers", "systems"])
def test_what_a_script_says_is_a_text(folder: str) -> None:
    """It is read in the language of the program like everything else, so no sentence stands in the T-SQL or PL/SQL."""
    assert [
        (path.name, match[0])
        for path in sorted(Path("app", folder).rglob("*.py"))
        for match in _SAID.finditer(path.read_text(encoding="utf-8"))
    ] == []


def test_a_planted_sentence_is_found() -> None:
    """The check can fail."""
    assert _SAID.search("THROW 50000, N'the agent has not stopped in {_WAIT_S} s', 127;")
