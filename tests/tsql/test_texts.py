"""Every T-SQL text of the program, of every family, as Microsoft's own parser reads it."""

import json
import os
import re
from collections.abc import Callable

import pytest

from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.scripts import message_literal
from app.foundation.paths import program_root
from app.systems.transactional_replication.hand_over.sql import only_on_server
from tests.tsql.named_objects import read_all
from tests.tsql.parser import KNOWN_GAPS, MISSING, Node, is_there, problems_of, tree_of, without_gaps
from tests.tsql.rules import NEVER_EACH_TICK, misspelt, names_table, unbounded_reads
from tests.tsql.texts import KINDS, Texts, as_sent, dynamic, statements

pytestmark = pytest.mark.tsql

TICK = ("distributor_sample", "publisher_sample", "group_sample_primary", "group_sample_secondary",
        "seeding_sample_primary", "seeding_sample_secondary")  # fmt: skip


@pytest.fixture(autouse=True)
def _parser() -> None:
    """Say so where the parser is not installed; where everything must be, that is a failure."""
    if not is_there():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)


def test_every_text_is_t_sql(capsys: pytest.CaptureFixture[str]) -> None:
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
            if gaps:
                assert problems_of(text), f"{gaps} is no gap any more: {name}"
    assert refused == {}
    assert all(counts.values()), counts
    assert met == set(KNOWN_GAPS)
    with capsys.disabled():
        said = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        print(
            f"\nMicrosoft's parser read {sum(counts.values())} texts: {said}; known gaps met: {', '.join(sorted(met))}"
        )


def test_what_is_thrown_is_a_literal_or_a_variable() -> None:
    """Whatever a name in it holds: THROW takes no expression, and no text of the program builds one in its place."""
    hostile = "O'Brien $(x)\nGO\nDROP"
    assert problems_of(only_on_server(hostile)) == []
    assert problems_of(f"THROW 50000, {message_literal(hostile)}, 1;") == []
    thrown = re.compile(r"THROW \d+, (?!\{message_literal\(|N'|@message,)")
    files = sorted((program_root() / "app").rglob("*.py"))
    assert [path.name for path in files if thrown.search(path.read_text("utf-8"))] == []


def test_what_a_server_guards_uses_no_database() -> None:
    """USE is checked when its batch is compiled: error 911 would come instead of what the guard says."""
    together = {
        (kind, name)
        for kind, texts in KINDS.items()
        for name, text in texts().items()
        for batch in tree_of(text).all("TSqlBatch")
        if any(batch.all("UseStatement"))
        and any(one.held.get("Value") == "ServerName" for one in batch.all("StringLiteral"))
    }
    assert together == set()


def test_no_script_waits_for_ever() -> None:
    """What a DBA runs gives up and says so, as the program does: each loop with a pause counts its turns."""
    endless = {
        (kind, name)
        for kind, texts in KINDS.items()
        for name, text in texts().items()
        for loop in tree_of(text).all("WhileStatement")
        if any(loop.all("WaitForStatement")) and not any(_counts(one) for one in loop.of("Predicate"))
    }
    assert endless == set()


def _counts(condition: Node) -> bool:
    """Tell whether a condition that must hold bounds a variable by a number."""
    bounds = [one for one in condition.all("BooleanComparisonExpression") if one.held["ComparisonType"] == "LessThan"]
    return any(
        {side.kind for name in ("FirstExpression", "SecondExpression") for side in one.of(name)}
        == {"VariableReference", "IntegerLiteral"}
        for one in bounds
    )


@pytest.mark.parametrize("make", [statements, dynamic], ids=["statements", "dynamic"])
def test_names_are_spelt_as_the_server_spells_them(make: Callable[[], Texts]) -> None:
    """An instance with a case-sensitive collation knows tables, columns, procedures and parameters in one case only."""
    assert {name: complaints for name, text in make().items() if (complaints := misspelt(tree_of(text)))} == {}


def test_what_bodies_name_is_on_record() -> None:
    """The lab asks a login for what stands there; `python -m tests.tsql.named_objects` writes it anew."""
    assert {path: json.loads(path.read_text(encoding="utf-8")) for path in read_all()} == read_all()


def test_large_tables_are_sought_and_bounded() -> None:
    """Commands, transactions and history are read with TOP and a seek, by every statement and all it builds."""
    complained = {
        name: complaints
        for name, text in (statements() | dynamic()).items()
        if (complaints := unbounded_reads(tree_of(text)))
    }
    assert complained == {}


def test_no_tick_aggregates_the_commands() -> None:
    """The view behind Replication Monitor's counts stands in no statement of a tick."""
    assert set(TICK) <= set(catalogue())
    assert {name for name in TICK if names_table(tree_of(statements()[name]), NEVER_EACH_TICK)} == set()


@pytest.mark.parametrize(
    ("name", "right", "wrong", "complaint"),
    [
        ("agent_session", "AND reader.agent_id = @agent_id", "", "history is read without a seek on agent_id"),
        ("agent_session", "@agent_type = 3 AND agent", "@agent_type = 3 OR agent", "without a seek on agent_id"),
        ("agent_session", "AND reader.agent_id = @agent_id", "AND ABS(reader.agent_id) = @agent_id", "without a seek"),
        ("agent_session", "AND reader.agent_id = @agent_id", "AND reader.agent_id <> @agent_id", "without a seek"),
        ("agent_session", "dbo.MSlogreader_history", "dbo.MSLogReader_history", "is called MSlogreader_history"),
        ("agent_session", "reader.agent_id", "reader.Agent_id", "column Agent_id is called agent_id"),
        ("agent_session", "reader.agent_id = @agent_id", "reader.agent_id = @Agent_id", "@Agent_id is declared"),
        ("stop_job", "sp_stop_job", "sp_Stop_job", "sp_Stop_job is called sp_stop_job"),
        ("stop_job", "@job_id = @job_id", "@Job_id = @job_id", "parameter Job_id of sp_stop_job is called job_id"),
    ],
)  # fmt: skip
def test_a_planted_violation_is_caught(name: str, right: str, wrong: str, complaint: str) -> None:
    """The statement as it is has nothing against it, and with one word changed exactly that."""
    text = statements()[name]
    assert right in text
    assert [*unbounded_reads(tree_of(text)), *misspelt(tree_of(text))] == []
    planted = tree_of(text.replace(right, wrong))
    assert any(complaint in one for one in [*unbounded_reads(planted), *misspelt(planted)])


def test_a_planted_count_and_a_planted_mistake_are_caught() -> None:
    """Whatever the case of the view, and wherever the parser stumbles."""
    without_top = "SELECT history.time FROM dbo.MSlogreader_history AS history WHERE history.agent_id = 1;"
    assert unbounded_reads(tree_of(without_top)) == ["MSlogreader_history is read without TOP"]
    assert names_table(
        tree_of("SELECT COUNT(*) FROM (SELECT 1 AS x FROM dbo.msDistribution_Status) AS s;"), NEVER_EACH_TICK
    )
    assert "line 1" in problems_of("THROW 50000, N'a' + N'b', 1;")[0]
    assert problems_of(statements()["stop_job"].replace("EXEC", "EXEC EXEC"))
    assert as_sent("DECLARE @a int = ?;\nDECLARE @b int = ?;\nSELECT 1;") == (
        "DECLARE @a int = @P1;\nDECLARE @b int = @P2;\nSELECT 1;"
    )
