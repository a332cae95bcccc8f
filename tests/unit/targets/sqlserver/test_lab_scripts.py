"""Batches of scripts on the lab's servers: what is known is done as SQL Server does it, all else is refused by line."""

import contextlib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.logins import MONITOR
from app.drivers.sqlserver.lab.script.batches import run_batch
from app.drivers.sqlserver.lab.script.events import Failed, Said, Shown
from app.drivers.sqlserver.lab.script.tokens import ScriptError
from app.drivers.sqlserver.wire.channel import Cancelled
from app.drivers.sqlserver.wire.client_session import ClientSession
from app.drivers.sqlserver.wire.script_session import ScriptSession
from tests.unit.targets.sqlserver.wire.client import make_lab

LAB = make_lab()


def connection(user: str = "replitune") -> ScriptSession:
    """Return a connection to the Distributor."""
    server = next(one for one in LAB.lab.state.site.servers if one.name == "DIST1")
    return ScriptSession(ClientSession(LAB, server, user=user), lambda _wait_s: None)


def told(text: str, session: ScriptSession | None = None) -> list[object]:
    """Run a batch and return what it says, its errors by state, and the rows it shows."""
    found: list[object] = []
    for event in run_batch(text, session or connection(), {}):
        if isinstance(event, Said):
            found.append(event.text)
        elif isinstance(event, Failed):
            found.append((event.error.severity, event.error.told_state, event.error.text))
        elif isinstance(event, Shown):
            found += event.rows
    return found


def value(expression: str) -> object:
    """Return what an expression is."""
    [row] = told(f"SELECT {expression} AS value")
    assert isinstance(row, Sequence)
    return row[0]


def holds(condition: str) -> bool:
    """Tell whether a batch takes a condition for true."""
    return told(f"IF {condition}\r\n    PRINT N'yes';\r\nELSE\r\n    PRINT N'no';\r\n") == ["yes"]


@pytest.mark.parametrize(
    ("expression", "is_so"),
    [
        ("1", 1),
        ("2 + 3 - 1", 4),
        ("-2", -2),
        ("N'a' + N'b''c'", "ab'c"),
        ("CONCAT(N'a', NULL, 1)", "a1"),
        ("ISNULL(NULL, 5)", 5),
        ("QUOTENAME(N'a]b')", "[a]]b]"),
        ("REPLACE(N'x {a}', N'{a}', N'y')", "x y"),
        ("CAST(N'12' AS int)", 12),
        ("CONVERT(nvarchar(2), N'abc')", "ab"),
        ("NCHAR(34)", '"'),
        ("SERVERPROPERTY(N'ServerName')", "DIST1"),
        ("@@VERSION", "Microsoft SQL Server - 14.0.3456.2 (simulated)"),
        ("DB_NAME()", "master"),
        ("SUSER_SNAME()", "replitune"),
        ("(SELECT COUNT(*) FROM sys.servers AS servers WHERE servers.name = N'dist1')", 1),
        ("(SELECT servers.name FROM sys.servers AS servers WHERE servers.name = N'other')", None),
    ],
)
def test_expressions_are_what_they_are_on_a_server(expression: str, is_so: object) -> None:
    """Literals, sums, the functions that scripts call, and look-ups."""
    assert value(expression) == is_so


@pytest.mark.parametrize(
    ("condition", "is_so"),
    [
        ("N'YES' = N'yes '", True),  # neither case nor blanks behind count in the server's collation
        ("N'a' <> N'b'", True),
        ("NULL = NULL", False),
        ("NOT (NULL = 1)", False),
        ("NULL IS NULL AND 1 IS NOT NULL", True),
        ("NULL = 1 OR 1 = 1", True),
        ("N'b' IN (N'a', N'B')", True),
        ("N'b' NOT IN (N'a', NULL)", False),
        ("1 = N'1'", True),
        ("N'10a' LIKE N'%[^0-9]%'", True),
        ("N'10' LIKE N'%[^0-9]%'", False),
        ("N'a]' LIKE N'[a-c]]'", True),
        ("N'a' LIKE N'[]%'", False),
        ("N'5' LIKE N'[9-0]'", False),
        ("2 >= 2 AND 2 < 3", True),
        ("EXISTS (SELECT 1 FROM msdb.dbo.MSagent_profiles AS p WHERE p.agent_type = 2 AND p.profile_id = 2)", True),
        ("NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_profiles AS p WHERE p.profile_id = 9999)", True),
        ("IS_SRVROLEMEMBER(N'sysadmin') = 1", True),
    ],
)
def test_conditions_hold_as_they_do_on_a_server(condition: str, is_so: bool) -> None:
    """NULL makes a comparison unknown, and what is unknown is not done."""
    assert holds(condition) is is_so


def test_what_is_tried_ends_in_its_catch() -> None:
    """What stands behind the error is left; the error's number and text are known in the CATCH alone."""
    text = (
        "BEGIN TRY\nPRINT N'a';\nTHROW 50001, N'own', 1;\nPRINT N'b';\nEND TRY\n"
        "BEGIN CATCH\nPRINT CONCAT(ERROR_NUMBER(), N' ', ERROR_MESSAGE());\nEND CATCH;\n"
        "PRINT ISNULL(ERROR_MESSAGE(), N'none');"
    )
    assert told(text) == ["a", "50001 own", "none"]


def test_rows_are_numbered_from_one() -> None:
    """In the order they come, over several inserts."""
    text = (
        "DECLARE @t table (n int IDENTITY(1, 1), v nvarchar(5) NULL);\n"
        "INSERT INTO @t (v) VALUES (N'a');\nINSERT INTO @t (v) VALUES (N'b');\n"
        "SELECT found.v FROM @t AS found WHERE found.n = 2;"
    )
    assert told(text) == [("b",)]


@pytest.mark.parametrize(
    ("text", "number", "line", "says"),
    [
        ("SELECT 1;\nEXEC sp_who;", 2812, 2, "sp_who"),
        ("\n\nGRANT CONTROL SERVER TO [x];", 50_000, 3, "GRANT"),
        ("PRINT N'a';\nDELETE FROM dbo.MSrepl_commands;", 50_000, 2, "DELETE"),
        ("SELECT 1\nFROM dbo.nothing AS n", 208, 2, "dbo.nothing"),
        ("SELECT n.other\nFROM sys.servers AS n", 207, 1, "n.other"),
        ("SELECT @x", 137, 1, "@x"),
        ("SELECT LEN(N'a')", 50_000, 1, "LEN with 1 parameters"),
        ("SELECT 2 * 3", 50_000, 1, "*"),
        ("SELECT 1 FROM msdb.dbo.MSagent_profiles AS s ORDER BY s.nothing", 207, 1, "s.nothing"),
        ("SELECT 1 FROM sys.servers AS s GROUP BY s.name", 50_000, 1, "GROUP"),
        ("PRINT N'never closed", 105, 1, "Unclosed"),
        ("PRINT N'a';\n/* never closed\nPRINT N'b';", 113, 2, "Missing end comment mark"),
        ("IF 1 = 1", 102, 1, "the end"),
        ("USE [nowhere];\nPRINT N'not begun';", 911, 1, "nowhere"),
        ("EXEC sys.sp_executesql", 201, 1, "@statement"),
        ("CREATE TABLE #n (n int);\nINSERT INTO #n (n) VALUES (1, 2);", 110, 2, "values"),
        ("SET ROWCOUNT 1", 50_000, 1, "ROWCOUNT"),
        ("DECLARE @x geography", 50_000, 1, "geography"),
        ("\nTHROW 50000, N'own sentence', 127;", 50_000, 2, "own sentence"),
    ],
)
def test_what_is_not_known_is_refused_with_its_line(text: str, number: int, line: int, says: str) -> None:
    """Nothing is guessed, and nothing of a batch that cannot be read whole is done."""
    with pytest.raises(SqlError) as caught:
        told(text)
    assert isinstance(caught.value, ScriptError)
    assert (caught.value.number, caught.value.at_line) == (number, line)
    assert says in caught.value.text


SPOKEN = (
    "SELECT FROM WHERE AND OR NOT IN IS NULL LIKE EXISTS TOP ORDER BY DECLARE SET IF ELSE BEGIN END PRINT THROW "
    "RAISERROR INSERT INTO VALUES UPDATE CREATE TABLE DROP EXEC sys.sp_executesql WAITFOR DELAY USE RETURN AS "
    "CONVERT CAST COUNT MAX ISNULL NCHAR ABS CONCAT OBJECT_ID DBCC TRACESTATUS sys.servers servers #t @n int @t table "
    "nvarchar(5) @@VERSION N'a' N'99999999999' 1 1.5 -1 99999999999999999999 = <> < += + - * ( ) , ; ."
)


@given(words=st.lists(st.sampled_from(SPOKEN.split()), max_size=25))
def test_whatever_is_sent_ends_in_events_or_an_error_of_the_server(words: list[str]) -> None:
    """Nothing else is raised: a client's text ends its batch at most."""
    with contextlib.suppress(SqlError):
        told(" ".join(words))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("PRINT " + "(" * 5000 + "1" + ")" * 5000, 191),
        ("DECLARE @n int = 99999999999;", 8115),
        ("THROW 1, N'too low', 300;", 50_000),
        ("SELECT TOP (1.5) 1", 102),
    ],
)
def test_what_would_not_fit_is_an_error_of_the_server(text: str, number: int) -> None:
    """Depth, size and levels beyond what the protocol holds."""
    with pytest.raises(SqlError) as caught:
        told(text)
    assert caught.value.number == number


def test_a_batch_that_cannot_be_read_is_not_begun() -> None:
    """As a server compiles a batch before it carries it out."""
    session = connection()
    with pytest.raises(ScriptError):
        told("CREATE TABLE #made (n int);\nNONSENSE;", session)
    with pytest.raises(ScriptError, match="Invalid object name '#made'"):
        told("SELECT made.n FROM #made AS made", session)


def test_an_error_of_raiserror_does_not_end_the_batch_and_noexec_ends_the_next() -> None:
    """Until NOEXEC is off again no batch of the connection does anything."""
    session = connection()
    assert told("RAISERROR(N'mode', 16, 127);\nPRINT N'behind';\nSET NOEXEC ON;\nPRINT N'off';", session) == [
        (16, 127, "mode"),
        "behind",
    ]
    assert told("PRINT N'off';", session) == []
    assert told("SET NOEXEC OFF;\nPRINT N'on';", session) == ["on"]


def test_temporary_tables_and_variables_last_as_long_as_on_a_server() -> None:
    """A table lasts to the connection's end, a variable to its batch's; loops end, RETURN ends the batch."""
    session = connection()
    told("CREATE TABLE #t (n int, name nvarchar(5));\nINSERT INTO #t (n, name) VALUES (1, N'one');", session)
    assert told("UPDATE #t SET n = 2 WHERE n = 1;\nSELECT t.n AS n, t.name FROM #t AS t;", session) == [(2, "one")]
    assert told(
        "DECLARE @n int = 0;\nWHILE @n < 3\nBEGIN\n    SET @n += 1;\nEND;\nSELECT @n AS n;\nRETURN;\nSELECT 1;"
    ) == [(3,)]
    with pytest.raises(ScriptError, match="#t"):
        told("SELECT t.n FROM #t AS t")
    assert told("DROP TABLE #t;\nIF OBJECT_ID(N'tempdb..#t') IS NULL PRINT N'gone';", session) == ["gone"]


def test_rows_come_in_the_order_asked_for() -> None:
    """NULL first, and texts by the server's collation."""
    rows = "INSERT INTO @t (n, s) VALUES (2, N'b');\nINSERT INTO @t (n, s) VALUES (1, N'B');\n"
    batch = f"DECLARE @t table (n int NULL, s nvarchar(9));\n{rows}INSERT INTO @t (n, s) VALUES (NULL, N'a');\n"
    assert told(f"{batch}SELECT t.n AS n FROM @t AS t ORDER BY t.s, t.n;") == [(None,), (1,), (2,)]
    assert told(f"{batch}SELECT TOP (1) t.n AS n FROM @t AS t ORDER BY t.n;") == [(None,)]


def test_a_loop_without_end_ends_when_its_client_gives_up() -> None:
    """The watch of a request is asked at each turn of a loop."""
    server = LAB.lab.state.site.servers[0]
    turns = 0

    def gives_up(wait_s: float) -> None:
        nonlocal turns
        assert wait_s == 0.0
        turns += 1
        if turns > 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        told("WHILE 1 = 1\n    PRINT N'on';", ScriptSession(ClientSession(LAB, server), gives_up))


def test_who_may_not_read_a_table_is_refused() -> None:
    """A look-up requires the right that the same table requires in a statement of the catalogue."""
    with pytest.raises(SqlError, match="permission was denied"):
        told("SELECT p.profile_id FROM msdb.dbo.MSagent_profiles AS p", connection(MONITOR))


def test_a_statement_of_the_catalogue_is_found_whatever_its_blanks() -> None:
    """The same words on other lines, and with other comments, are the same statement."""
    found = told("SET NOCOUNT ON;\r\n-- ours\r\nSELECT   SYSUTCDATETIME()\r\n  AS now_utc;")
    assert len(found) == 1
