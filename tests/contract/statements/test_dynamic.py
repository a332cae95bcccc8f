"""Text that statements build and run: values are quoted, objects documented, reads only read, backups copy only."""

import re

import pytest

from app.domain.statement import Access
from app.drivers.sqlserver.catalogue import Statement, catalogue
from tests.contract.statements.dynamic import RUNNERS, texts_run
from tests.contract.statements.tsql import names_of, object_name, tokens_of
from tests.facts.sqlserver import documented_objects
from tests.rows import every_row

BUILDING = sorted(
    (entry for entry in catalogue().values() if any(runner in entry.body for runner in RUNNERS)),
    key=lambda statement: statement.name,
)
CHANGE_WORDS = {"INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "DROP", "ALTER", "CREATE", "GRANT", "DENY", "BACKUP"}
FORBIDDEN_WORDS = {"SP_REPLCMDS", "XP_CMDSHELL", "SHUTDOWN", "KILL", "RECONFIGURE"}
OWN = {"name", "pages", "disk", "buffered.content.nodes"}  # own tables by their owner's name, a device, a derived table


def name_of(statement: Statement) -> str:
    """Return the name pytest shows."""
    return statement.name


def texts_of(statement: Statement) -> list[str]:
    """Return the texts a statement runs."""
    return texts_run(statement.body, {parameter.name: parameter.sql_type for parameter in statement.parameters})


def test_there_are_statements_that_build_text() -> None:
    """The checks below have something to check."""
    assert len(BUILDING) > 20


@every_row("statement", BUILDING, ids=name_of)
def test_values_are_quoted_and_objects_documented(statement: Statement) -> None:
    """Every value in a built text is quoted or a number; each system object and column it names has a page."""
    for text in texts_of(statement):
        names = names_of(text)
        for table in names.tables:
            assert object_name(table) in OWN or object_name(table) in documented_objects(), f"unknown table {table}"
        assert {object_name(name) for name in re.findall(r"sys\.\w+", text)} <= set(documented_objects())
        tokens = tokens_of(text)
        for position, token in enumerate(tokens[:-2]):
            if token.text in names.aliases and tokens[position + 1].text == ".":
                for table in names.aliases[token.text]:
                    known = documented_objects().get(object_name(table))
                    column = tokens[position + 2].text
                    assert known is None or column in known.columns, f"{table} has no column {column}"


@every_row("statement", BUILDING, ids=name_of)
def test_reads_only_read_and_nothing_dangerous_is_built(statement: Statement) -> None:
    """A reading statement builds no changing text; DBCC is for trace flags, and sets them globally."""
    for text in texts_of(statement):
        words = {token.text.upper() for token in tokens_of(text) if token.kind == "word"}
        assert not words & FORBIDDEN_WORDS
        if statement.access is Access.READ:
            assert not words & CHANGE_WORDS
        if "DBCC" in words:
            assert re.fullmatch(r"DBCC TRACESTATUS \([\d, ]+\) WITH NO_INFOMSGS|DBCC TRACEO\w+ \(1, -1\) .*", text)


def test_backups_of_a_client_are_copies_only() -> None:
    """Every backup says COPY_ONLY but the first one of this program's own test database, which goes nowhere."""
    backups = [(entry.name, text) for entry in BUILDING for text in texts_of(entry) if text.startswith("BACKUP ")]
    assert len(backups) == 3
    for name, text in backups:
        if name == "back_up_test_database":
            assert text.endswith("TO DISK = N'NUL';")
            assert "@database_name LIKE N'Replitune%'" in catalogue()[name].body
        else:
            assert re.search(r" COPY_ONLY, COMPRESSION( \(ALGORITHM = MS_XPRESS\))?, CHECKSUM", text)


def test_statements_on_own_objects_check_the_name() -> None:
    """What this program makes and drops by name begins with its own name, in the statement itself."""
    for name in (
        "create_test_database",
        "fill_test_database",
        "drop_test_database",
        "start_event_session",
        "drop_event_session",
        "start_backup_job",
        "start_restore_job",
        "remove_seeding_job",
        "delete_backup_files",
    ):
        assert "LIKE N'Replitune%'" in catalogue()[name].body


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("set_failover_mode", "QUOTENAME(@group_name)", "@group_name"),
        ("set_failover_mode", "QUOTENAME(@group_name)", "UPPER(@group_name)"),
        ("start_backup_job", "REPLACE(@file_stem, N'''', N'''''')", "REPLACE(@file_stem, N'x', N'y')"),
        ("set_trace_flag", "CAST(@flag AS nvarchar(10))", "CAST(@other AS nvarchar(10))"),
        ("add_group_database", "EXEC sys.sp_executesql @stmt = @text", "EXEC sys.sp_executesql @stmt = @group_name"),
    ],
)
def test_unquoted_value_is_found(name: str, right: str, wrong: str) -> None:
    """The check sees a value that becomes part of the text as it is."""
    entry = catalogue()[name]
    assert right in entry.body
    types = {parameter.name: parameter.sql_type for parameter in entry.parameters}
    with pytest.raises(AssertionError):
        texts_run(entry.body.replace(right, wrong), types)
