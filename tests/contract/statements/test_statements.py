"""Every statement of the catalogue is complete, parses, and uses only what the vendor documents."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from sqlglot import exp, parse
from sqlglot.errors import OptimizeError
from sqlglot.optimizer.qualify import qualify

from app.domain.naming import Holds
from app.domain.statement import Access
from app.drivers.sqlserver.catalogue import Form, Statement, catalogue, parse_statement
from app.foundation.paths import program_root
from app.foundation.statement_file import read_folders
from tests.contract.statements.tsql import KEYWORDS, TYPES, is_keyword, names_of, object_name, tokens_of
from tests.facts.sqlserver import DocumentedObject, documented_functions, documented_objects, read_facts
from tests.rows import every_row

STATEMENTS = sorted(catalogue().values(), key=lambda statement: statement.name)
SELECTS = [statement for statement in STATEMENTS if statement.form is Form.SELECT]
BATCHES = [statement for statement in STATEMENTS if statement.form is Form.BATCH]
READS = [statement for statement in STATEMENTS if statement.access is Access.READ]

STATEMENTS_FOLDER = program_root() / "app" / "systems" / "transactional_replication" / "statements" / "sqlserver"
READING_PROCEDURES = {"sp_replcounters", "sp_replmonitorsubscriptionpendingcmds", "sp_executesql"}
MARKING_PROCEDURES = {"sp_getapplock", "sp_releaseapplock"}  # what they do ends with the connection
FORBIDDEN = {"sp_replcmds", "sp_change_agent_profile", "xp_cmdshell", "dbcc"}
OWN_PARAMETERS = {"sp_executesql"}  # takes those of the text it runs, besides its own
CHANGE_VERBS = {"INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "DROP", "ALTER", "CREATE", "GRANT", "KILL", "BACKUP"}
EXTRA_KEYWORDS = {"SPID", "DATABASE_DEFAULT", "GROUP", "RECONFIGURE", "THROW"}


def name_of(statement: Statement) -> str:
    """Return the name pytest shows."""
    return statement.name


def known_objects(statement: Statement) -> Mapping[str, DocumentedObject]:
    """Return documented objects and the client's own tables the statement declares."""
    owned = {
        object_name(table.name): DocumentedObject(table.name, "table", "client", frozenset(table.columns), {}, ())
        for table in statement.client_owned
    }
    return {**documented_objects(), **owned}


def schema_of(statement: Statement) -> dict[str, object]:
    """Return documented tables as sqlglot's schema: database, schema, table, column."""
    schema: dict[str, dict[str, dict[str, dict[str, str]]]] = {}
    for name, entry in known_objects(statement).items():
        if not entry.columns:
            continue
        columns = dict.fromkeys(entry.columns, "int")
        if name.startswith("sys."):
            schema.setdefault("here", {}).setdefault("sys", {})[entry.name.removeprefix("sys.")] = columns
        else:
            database = "msdb" if entry.database == "msdb" else "here"
            schema.setdefault(database, {}).setdefault("dbo", {})[entry.name.removeprefix("dbo.")] = columns
    return dict(schema)


def qualified(statement: Statement, body: str) -> exp.Query:
    """Return a SELECT with every column traced to its table; raises OptimizeError where one does not exist."""
    as_tables = re.sub(r"(sys\.dm_\w+)\([^()]*\(\), \d+\)", r"\1", body)
    parsed = [tree for tree in parse(as_tables, read="tsql") if tree is not None]
    assert len(parsed) == 1, "a select is one statement"
    tree = parsed[0]
    assert isinstance(tree, exp.Query)
    found = qualify(
        tree, schema=schema_of(statement), dialect="tsql", db="dbo", catalog="here", quote_identifiers=False
    )
    assert isinstance(found, exp.Query)
    return found


@every_row("statement", STATEMENTS, ids=name_of)
def test_header_says_units_and_sources(statement: Statement) -> None:
    """Numbers that measure something carry a unit, and a source names a vendor page, an article or the tool itself."""
    for column in (*statement.columns, *statement.parameters):
        if re.search(r"_(ms|s|bytes|percent|count)$|commands$|transactions$", column.name):
            assert column.unit, f"{column.name} has no unit"
    assert re.search(r"MicrosoftDocs|KB\d+|own ", statement.source)
    assert statement.text.startswith(f"/* replitune {statement.name} */\n")


def test_readings_stand_back_and_changes_do_not() -> None:
    """Each text says by itself what its connection keeps; what agents write all the time is read without shared locks.

    Only there: what decides about a change is read as it was committed.
    """
    written_all_the_time = re.compile(r"\bMSrepl_(?:commands|transactions)\b|\bMS\w+_history\b|pendingcmds\b")
    reading = "SET LOCK_TIMEOUT 10000; SET DEADLOCK_PRIORITY LOW; SET TRANSACTION ISOLATION LEVEL READ "
    changing = "SET LOCK_TIMEOUT 30000; SET DEADLOCK_PRIORITY NORMAL; SET TRANSACTION ISOLATION LEVEL READ COMMITTED;"
    without_locks = {
        one.name for one in READS if written_all_the_time.search(one.body) and "right_name" not in one.column_names
    }
    assert len(without_locks) > 5
    for statement in STATEMENTS:
        said = statement.text.splitlines()[1]
        if statement.access is Access.CHANGE:
            assert said == changing
        else:
            assert said == f"{reading}{'UNCOMMITTED' if statement.name in without_locks else 'COMMITTED'};"
        assert not re.search(
            r"\b(?:LOCK_TIMEOUT|DEADLOCK_PRIORITY|ISOLATION)\b|\(NOLOCK\)", statement.body, re.IGNORECASE
        )


@every_row("statement", STATEMENTS, ids=name_of)
def test_declared_parameters_are_those_used(statement: Statement) -> None:
    """Each declared parameter is used, and every variable is declared as a parameter or in the text."""
    variables = {token.text for token in tokens_of(statement.body) if token.kind == "variable"}
    parameters = {parameter.name for parameter in statement.parameters}
    called = {name for _procedure, names in names_of(statement.body).calls for name in names}
    declared = set(re.findall(r"(?:DECLARE |, )(@\w+) ", statement.body))
    assert parameters <= variables
    assert variables - called <= parameters | declared | {"@@SPID", "@@VERSION"}


@every_row("statement", SELECTS, ids=name_of)
def test_select_names_only_documented_columns(statement: Statement) -> None:
    """A SELECT parses as T-SQL, each column belongs to a documented table, the result has the declared columns."""
    assert tuple(qualified(statement, statement.body).named_selects) == statement.column_names


def test_undocumented_column_is_found() -> None:
    """The check of SELECTs sees a column that does not exist."""
    statement = catalogue()["agent_profile"]
    with pytest.raises(OptimizeError):
        qualified(statement, statement.body.replace("reader.profile_id", "reader.profile_number"))


def check_batch(statement: Statement, sql: str) -> None:
    """Fail on a name in a batch that is not documented, declared, a keyword or a function."""
    names, objects = names_of(sql), known_objects(statement)
    for table in names.tables:
        assert table.startswith("@") or object_name(table) in objects, f"unknown table {table}"
    for procedure, given in names.calls:
        known = objects.get(object_name(procedure))
        assert known is not None, f"unknown procedure {procedure}"
        assert known.kind == "procedure"
        for parameter in given:
            is_own = object_name(procedure) in OWN_PARAMETERS
            assert parameter in known.parameters or is_own, f"{procedure} has no {parameter}"
        for parameter, is_required in known.parameters.items():
            assert parameter in given or not is_required, f"{procedure} needs {parameter}"
    allowed = _columns_named(names.tables, objects) | names.table_variable_columns | names.output_names
    tokens = tokens_of(sql)
    for position, token in enumerate(tokens):
        if token.kind != "word" or token.text.upper() in KEYWORDS | EXTRA_KEYWORDS or token.text in TYPES:
            continue
        is_called = position + 1 < len(tokens) and tokens[position + 1].text == "("
        if is_called and token.text in documented_functions():
            continue
        if token.text in names.aliases and tokens[position + 1].text == ".":
            _check_alias_column(tokens[position + 2].text, names.aliases[token.text], objects)
            continue
        assert token.text in allowed | _parts_of_names(sql), f"unknown name {token.text}"


def _columns_named(tables: list[str], objects: Mapping[str, DocumentedObject]) -> set[str]:
    return {column for table in tables if not table.startswith("@") for column in objects[object_name(table)].columns}


def _check_alias_column(column: str, tables: set[str], objects: Mapping[str, DocumentedObject]) -> None:
    for table in tables:
        if not table.startswith("@"):
            assert column in objects[object_name(table)].columns, f"{table} has no column {column}"


def _parts_of_names(sql: str) -> set[str]:
    names = names_of(sql)
    return {
        part for name in [*names.tables, *(call for call, _given in names.calls)] for part in name.split(".")
    } | set(names.aliases)


@every_row("statement", BATCHES, ids=name_of)
def test_batch_names_only_documented_objects(statement: Statement) -> None:
    """A batch calls documented procedures with their parameters and names documented tables and columns only."""
    check_batch(statement, statement.body)


@pytest.mark.parametrize(
    ("statement", "right", "wrong"),
    [
        ("assign_profile", "@agent_id = @agent_id,", "@agent = @agent_id,"),
        ("assign_profile", "sp_update_agent_profile", "sp_give_agent_profile"),
        ("drop_profile", "reader.profile_id", "reader.profile_number"),
        ("write_load", "amount = amount", "price = price"),
    ],
)
def test_undocumented_name_in_a_batch_is_found(statement: str, right: str, wrong: str) -> None:
    """The check of batches sees a procedure, a parameter and columns that do not exist."""
    entry = catalogue()[statement]
    assert right in entry.body
    with pytest.raises(AssertionError):
        check_batch(entry, entry.body.replace(right, wrong))


@every_row("statement", BATCHES, ids=name_of)
def test_batch_returns_the_declared_columns(statement: Statement) -> None:
    """The last SELECT of a batch, or the procedure it calls, has the declared result columns."""
    if not statement.columns:
        assert not re.search(r"^SELECT (?!@\w+ =)", statement.body, re.MULTILINE)
        return
    position = statement.body.rfind("\nSELECT ")
    if position < 0 and not statement.body.startswith("SELECT "):
        procedure, _given = names_of(statement.body).calls[-1]
        documented = documented_objects()[object_name(procedure)].result_columns
        assert tuple(column.strip() for column in documented) == statement.column_names
        return
    (tree,) = parse(statement.body[position:].strip().rstrip(";"), read="tsql")
    assert isinstance(tree, exp.Query)
    assert tuple(tree.named_selects) == statement.column_names


@every_row("statement", BATCHES, ids=name_of)
def test_batch_with_a_result_sends_no_row_counts_before_it(statement: Statement) -> None:
    """A driver takes the first thing that arrives for the result: row counts are switched off, or one call is all."""
    assert statement.body.startswith("SET NOCOUNT ON;\n") or statement.body.count(";") == 1


@every_row("statement", READS, ids=name_of)
def test_read_statement_changes_nothing(statement: Statement) -> None:
    """A statement declared as read writes to table variables at most and calls only reading procedures."""
    tokens = tokens_of(statement.body)
    for position, token in enumerate(tokens):
        if is_keyword(token, *CHANGE_VERBS):
            target = tokens[position + 2].text
            assert token.text == "INSERT", f"{token.text} in a read statement"
            assert target.startswith("@")
    assert {
        object_name(call) for call, _given in names_of(statement.body).calls
    } <= READING_PROCEDURES | MARKING_PROCEDURES


@every_row("statement", STATEMENTS, ids=name_of)
def test_dangerous_things_never_appear(statement: Statement) -> None:
    """No procedure that takes over the log or runs text, no password column, no profile emptied or made the default."""
    words = {token.text.lower() for token in tokens_of(statement.body) if token.kind == "word"}
    assert not words & FORBIDDEN
    assert not [word for word in words if "password" in word]
    for procedure, given in names_of(statement.body).calls:
        if object_name(procedure) == "sp_drop_agent_parameter":
            assert "@parameter_name" in given
        if object_name(procedure) == "sp_add_agent_profile":
            assert "@default = 0" in statement.body


@every_row("statement", STATEMENTS, ids=name_of)
def test_step_text_never_leaves_the_server(statement: Statement) -> None:
    """A statement that reads a job step returns ids, digits and hashes only."""
    if "sysjobsteps" not in statement.body or re.search(r"\bcommand\b", statement.body) is None:
        return  # who asks for a right, or for what else there is of a step, reads no text
    last_select = statement.body[statement.body.rfind("SELECT @step_id") :]
    if statement.name == "job_step_tokens":
        returned = statement.body[statement.body.rfind("\nSELECT ") :]
        assert re.findall(r"THEN (named\.\w+)", returned) == ["named.value"] * 2
        assert "named.is_number = 1 AND named.value NOT LIKE N'%[^0-9]%' THEN" in returned
        assert "N'-SkipErrors' AND named.value NOT LIKE N'%[^0-9:;, ]%' THEN" in returned
        assert "MIN(profile.profile_name)" in returned
    elif statement.form is Form.BATCH:
        returned = re.sub(r"HASHBYTES\('SHA2_256', @masked\)", "", last_select)
        assert "@command" not in returned
        assert "@masked" not in returned
        assert returned.count("SUBSTRING(@flat") == returned.count("@value_end - @value_at")
    else:
        assert "found.value NOT LIKE N'%[^0-9]%'" in statement.body
    told = {"parameter_name", "value", "step_id", "occurrences", "masked_hash", "is_expected", "is_quoted"}
    assert set(statement.column_names) <= told


def test_every_object_used_has_a_page() -> None:
    """The facts name a vendor page, or a script the vendor's support publishes, for every object added to them."""
    more, pages = read_facts("objects_more.json"), ("MicrosoftDocs/sql-docs:docs/", "ReplTalk/ReplScripts:")
    assert all(entry["doc_path"].startswith(pages) for entry in more["objects"])
    assert all(entry["doc_path"].startswith("MicrosoftDocs/sql-docs:docs/") for entry in more["functions"])


def test_server_properties_are_documented_ones() -> None:
    """SERVERPROPERTY is asked only for properties in the facts, and always cast."""
    properties = set(read_facts("objects_more.json")["properties"]["SERVERPROPERTY"])
    for statement in STATEMENTS:
        asked = re.findall(r"SERVERPROPERTY\(N'(\w+)'\)", statement.body)
        assert set(asked) <= properties
        assert statement.body.count("CAST(SERVERPROPERTY(") == statement.body.count("SERVERPROPERTY(N'")


def test_empty_folder_fails_loudly(tmp_path: Path) -> None:
    """A program bundled without its statements does not start silently."""
    with pytest.raises(RuntimeError, match="holds no statement"):
        read_folders((tmp_path,), parse_statement)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("name: round_trip", "name: other", "names it other"),
        ("access: read", "access: maybe", "not one of"),
        ("purpose: ", "purposes: ", "in this order"),
        ("permission: CONNECT in the database", "permission:", "says nothing"),
        ("  one int -- 1", "  one int", "cannot read header entry"),
        ("  one int -- 1", "  @one int -- 1", "cannot read header entry"),
        ("  one int -- 1", "  one sysname <> -- 1", "cannot read header entry"),
        ("  one int -- 1", "  one int <word> -- 1", "one is int, which holds no text"),
        ("parameters: none", "parameters:", "lists entries or says none"),
        ("/*\nname", "name", "no header"),
        ("form: select\n", "form: select\nlimit: 1 h\n", "is not whole seconds"),
        ("duration: measured", "duration: long", "is not one of measured, by rows"),
    ],
)
def test_faulty_header_is_refused(old: str, new: str, complaint: str) -> None:
    """A header that lacks or garbles something is refused with the statement's name."""
    content = (STATEMENTS_FOLDER / "round_trip.sql").read_text(encoding="utf-8")
    assert old in content
    with pytest.raises(RuntimeError, match=complaint):
        parse_statement("round_trip", content.replace(old, new, 1))


def test_a_text_nobody_declares_is_a_name() -> None:
    """What a header does not say is the safe thing, for any type that could hold a text; the text sent is the same."""
    content = (STATEMENTS_FOLDER / "round_trip.sql").read_text(encoding="utf-8")
    for declared, holds in (
        ("sysname", Holds.NAME),
        ("sql_variant", Holds.NAME),
        ("nvarchar? <word>", Holds.WORD),
        ("sysname <server>", Holds.SERVER),
        ("bigint [bytes]", Holds.WORD),
    ):
        statement = parse_statement("round_trip", content.replace("  one int -- 1", f"  one {declared} -- 1"))
        assert [column.holds for column in statement.columns] == [holds]
        assert statement.text == catalogue()["round_trip"].text
