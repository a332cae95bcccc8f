"""Every statement of the catalogue is complete, parses as Oracle's, and uses only what is documented."""

import re
from pathlib import Path

import pytest
from sqlglot import exp, parse
from sqlglot.errors import OptimizeError
from sqlglot.optimizer.qualify import qualify

from app.domain.naming import Holds
from app.domain.statement import Access
from app.drivers.oracle.catalogue import ConnectionUse, Form, Statement, catalogue, parse_statement
from app.foundation.paths import program_root
from app.foundation.statement_file import read_folders
from tests.contract.oracle.plsql import (
    KEYWORDS,
    binds_of,
    calls_of,
    declared_in,
    dynamic_texts_of,
    is_balanced,
    queries_of,
    tokens_of,
)
from tests.facts.oracle import documented_objects
from tests.rows import every_row

STATEMENTS = sorted(catalogue().values(), key=lambda statement: statement.name)
SELECTS = [statement for statement in STATEMENTS if statement.form is Form.SELECT]
BLOCKS = [statement for statement in STATEMENTS if statement.form is Form.PLSQL]
FOLDER = program_root() / "app" / "systems" / "oracle_streams" / "statements" / "oracle"
CHANGE_WORDS = {"INSERT", "UPDATE", "DELETE", "MERGE", "CREATE", "DROP", "ALTER", "GRANT", "TRUNCATE", "COMMIT"}
# What dynamic statements may be; <...> stands for a value that comes from the dictionary or is a number.
DYNAMIC = (
    r"ALTER SYSTEM SET streams_pool_size = <TO_CHAR><:size_bytes>FM9999999999999990 SCOPE = <scope_wanted>"
    r"(?: SID = '<instance_found>')?",
    r"CREATE TABLE <table_name> \(id NUMBER NOT NULL, amount NUMBER NOT NULL, payload VARCHAR2\(1000\)\) "
    r"INITRANS <TO_CHAR><:initrans>FM990",
    r"COMMENT ON TABLE <table_name> IS '<REPLACE><:remark>'+",
    r"ALTER TABLE <table_name> ADD CONSTRAINT replitune_load_key PRIMARY KEY \(id\) "
    r"USING INDEX INITRANS <TO_CHAR><:initrans>FM990",
    r"DROP TABLE <table_name> PURGE",
    r'DROP TABLE "<schema_found>"\."REPLITUNE_LOAD" PURGE',
    r'SELECT NVL\(MIN\(id\), 1\), NVL\(MAX\(id\), 0\) FROM "<schema_found>"\."REPLITUNE_LOAD"',
    r'INSERT INTO "<schema_found>"\."REPLITUNE_LOAD" \(id, amount, payload\) SELECT :first_id \+ LEVEL - 1, 0, '
    r"RPAD\('x', 200, 'x'\) FROM dual CONNECT BY LEVEL <= :portion",
    r'UPDATE "<schema_found>"\."REPLITUNE_LOAD" SET amount = amount \+ 1 WHERE id BETWEEN :first_id AND :last_id',
)


def name_of(statement: Statement) -> str:
    """Return the name pytest shows."""
    return statement.name


def schema_of() -> dict[str, object]:
    """Return documented tables as sqlglot's schema: owner, table, column."""
    schema: dict[str, dict[str, dict[str, str]]] = {"HERE": {}, "SYS": {}}
    for name, entry in documented_objects().items():
        if entry.columns:
            owner, table = name.split(".") if name.startswith("SYS.") else ("HERE", name)
            schema[owner][table] = dict.fromkeys(entry.columns, "VARCHAR2")
    return dict(schema)


def qualified(body: str) -> exp.Query:
    """Return a SELECT with every column traced to its table; raises OptimizeError where one does not exist."""
    parsed = [tree for tree in parse(body, read="oracle") if tree is not None]
    assert len(parsed) == 1, "a select is one statement"
    tree = parsed[0]
    assert isinstance(tree, exp.Query)
    for column in list(tree.find_all(exp.Column)):
        if column.name.upper() in ("SYSDATE", "SYSTIMESTAMP", "ROWNUM"):
            column.replace(exp.null())
    found = qualify(tree, schema=schema_of(), dialect="oracle", db="HERE", quote_identifiers=False)
    assert isinstance(found, exp.Query)
    return found


@every_row("statement", STATEMENTS, ids=name_of)
def test_header_says_units_and_sources(statement: Statement) -> None:
    """Numbers that measure something carry a unit, and a source names a page, a fact or the tool itself."""
    for column in (*statement.columns, *statement.binds):
        if re.search(r"_(ms|s|mb|bytes|percent|count|days)$|messages$|transactions$", column.name):
            assert column.unit, f"{column.name} has no unit"
    assert re.search(r"https://docs\.oracle\.com/|https://github\.com/|own test workload", statement.source)
    assert statement.text.startswith(f"/* replitune {statement.name} */\n")


@every_row("statement", STATEMENTS, ids=name_of)
def test_declared_binds_are_those_used(statement: Statement) -> None:
    """The binds in the text are the declared ones; those of a block's result are declared as its columns."""
    declared = [*statement.bind_names, *(statement.column_names if statement.form is Form.PLSQL else ())]
    assert set(binds_of(statement.body)) == set(declared)
    assert len(declared) == len(set(declared))


@every_row("statement", SELECTS, ids=name_of)
def test_select_names_only_documented_columns(statement: Statement) -> None:
    """A SELECT parses as Oracle SQL, each column belongs to a documented table, the result has the declared columns."""
    assert tuple(name.lower() for name in qualified(statement.body).named_selects) == statement.column_names
    assert statement.access is Access.READ


@every_row("statement", SELECTS, ids=name_of)
def test_each_branch_of_a_union_has_all_columns(statement: Statement) -> None:
    """Every SELECT of a UNION ALL names the same columns in the same order."""
    tree = parse(statement.body, read="oracle")[0]
    assert isinstance(tree, exp.Query)
    branches = list(_branches(tree))
    for branch in branches:
        assert tuple(name.lower() for name in branch.named_selects) == statement.column_names


def _branches(tree: exp.Query) -> list[exp.Query]:
    if isinstance(tree, exp.Union):
        assert isinstance(tree.left, exp.Query)
        assert isinstance(tree.right, exp.Query)
        return [*_branches(tree.left), *_branches(tree.right)]
    return [tree]


def test_undocumented_column_is_found() -> None:
    """The check of SELECTs sees a column that does not exist."""
    body = catalogue()["captures"].body
    with pytest.raises(OptimizeError):
        qualified(body.replace("capture.queue_owner AS", "capture.queue_holder AS"))


def check_block(body: str) -> None:
    """Fail on a procedure, argument, table, column or word in a block that is not documented, declared or a keyword."""
    assert is_balanced(body)
    documented = documented_objects()
    for call in calls_of(body):
        known = documented.get(call.procedure)
        assert known is not None, f"unknown procedure {call.procedure}"
        for argument in call.arguments:
            assert argument in known.arguments, f"{call.procedure} has no {argument}"
        for argument, is_required in known.arguments.items():
            assert argument in call.arguments or not is_required, f"{call.procedure} needs {argument}"
    for query in queries_of(body):
        variables = declared_in(body)
        as_binds = re.sub(rf"(?<!\.)\b({'|'.join(variables)})\b", r":\1", query) if variables else query
        qualified(as_binds)
    for text in dynamic_texts_of(body):
        assert any(re.fullmatch(pattern, text) for pattern in DYNAMIC), f"unknown dynamic statement {text}"
    _check_words(body)


def _check_words(body: str) -> None:
    allowed = declared_in(body)
    bare = body
    for query in queries_of(body):
        allowed |= {word for word in re.findall(r"[\w$#]+", query) if word.lower() == word}
    allowed |= {part for pair in re.findall(r"([\w$]+)\.(\w+)%TYPE", body) for part in pair}
    for table, column in re.findall(r"([\w$]+)\.(\w+)%TYPE", body):
        assert column.upper() in documented_objects()[table.upper()].columns
    for call in calls_of(body):
        allowed |= {*call.procedure.split("."), *call.arguments}
    for token in tokens_of(re.sub(r"(?m)%(TYPE|ROWCOUNT)", r" \1", bare)):
        if token.kind == "word":
            assert token.text in allowed or token.text.upper() in KEYWORDS, f"unknown word {token.text}"


@every_row("statement", BLOCKS, ids=name_of)
def test_block_names_only_documented_objects(statement: Statement) -> None:
    """A block calls documented procedures by named arguments, and everything else in it is known."""
    check_block(statement.body)


@pytest.mark.parametrize(
    ("statement", "right", "wrong"),
    [
        ("set_apply_parameter", "apply_name =>", "apply_process =>"),
        ("set_apply_parameter", "value => :value", ":value"),
        ("set_apply_parameter", "SET_PARAMETER", "GIVE_PARAMETER"),
        ("set_propagation_latency", "queue_name => source_queue,\n", "\n"),
        ("set_streams_pool_size", "area.bytes", "area.octets"),
        ("set_streams_pool_size", "SCOPE = ", "SCOPE IN "),
        ("drop_load_table", "END IF;", ""),
        ("drop_load_table", "note.owner = schema_found", "note.owner = any_schema"),
        ("drop_load_table", 'DROP TABLE "', 'DROP USER "'),
    ],
)
def test_undocumented_name_in_a_block_is_found(statement: str, right: str, wrong: str) -> None:
    """The check of blocks sees names, arguments and dynamic statements that do not exist, and a missing END."""
    body = catalogue()[statement].body
    assert right in body
    with pytest.raises((AssertionError, OptimizeError, ValueError)):
        check_block(body.replace(right, wrong))


@every_row("statement", BLOCKS, ids=name_of)
def test_values_never_become_text(statement: Statement) -> None:
    """A dynamic statement is made of texts, numbers, a dictionary name and a remark whose quotes are doubled."""
    for text in dynamic_texts_of(statement.body):
        assert not set(re.findall(r"<:(\w+)>", text)) - {"size_bytes", "initrans", "remark"}
    if "schema_found" in statement.body:
        assert "FROM all_users person WHERE person.username = :schema_name" in statement.body
    if "<:remark>" in "".join(dynamic_texts_of(statement.body)):
        assert "REPLACE(:remark, '''', '''''')" in statement.body


@every_row("statement", STATEMENTS, ids=name_of)
def test_dangerous_things_never_appear(statement: Statement) -> None:
    """Nothing is forced, no error queue is emptied, no licence switched on, no base table of the dictionary written."""
    words = {token.text.upper() for token in tokens_of(statement.body) if token.kind == "word"}
    assert not words & {"DELETE_ALL_ERRORS", "EXECUTE_ALL_ERRORS", "ENABLE_GG_XSTREAM_FOR_STREAMS", "DBMS_STREAMS_ADM"}
    assert not [word for word in words if "PASSWORD" in word]
    assert "force => TRUE" not in statement.body
    if "stop_" in statement.name:
        assert "force => FALSE" in statement.body
    if statement.access is Access.READ:
        assert not words & CHANGE_WORDS


@every_row("statement", STATEMENTS, ids=name_of)
def test_only_the_load_keeps_a_transaction_open(statement: Statement) -> None:
    """A statement that leaves rows uncommitted is one of the load's, which has a connection of its own."""
    texts = " ".join(dynamic_texts_of(statement.body)) if statement.form is Form.PLSQL else ""
    if re.match(r"(INSERT|UPDATE) ", texts):
        assert statement.connection is ConnectionUse.LOAD
    if statement.connection is ConnectionUse.LOAD:
        assert "load" in statement.name


def test_samples_answer_alike() -> None:
    """Every variant of the sample has the same columns, so that one reader serves all of them."""
    samples = [statement for statement in STATEMENTS if statement.name.startswith("sample_")]
    assert len(samples) == 4
    assert len({statement.columns for statement in samples}) == 1


def test_every_object_has_a_source() -> None:
    """The facts name a page, or the repository and file, for every object."""
    for name, entry in documented_objects().items():
        assert entry.sources, name
        assert all(re.search(r"https?://|github:", source) for source in entry.sources), name


def test_empty_folder_fails_loudly(tmp_path: Path) -> None:
    """A program bundled without its statements does not start silently."""
    with pytest.raises(RuntimeError, match="holds no statement"):
        read_folders((tmp_path,), parse_statement)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("name: server_time", "name: other", "names it other"),
        ("access: read", "access: maybe", "not one of"),
        ("purpose: ", "purposes: ", "in this order"),
        ("permission: CREATE SESSION", "permission:", "says nothing"),
        ("  now_utc DATE -- time of day, UTC", "  now_utc DATE", "cannot read header entry"),
        ("  now_utc DATE -- time", "  now_utc TEXT -- time", "not one of"),
        ("  now_utc DATE -- time", "  now_utc DATE <server> -- time", "now_utc is DATE, which holds no text"),
        ("binds: none", "binds:", "lists entries or says none"),
        ("/*\nname", "name", "no header"),
        ("FROM dual", "FROM dual;", "semicolon"),
    ],
)
def test_faulty_header_is_refused(old: str, new: str, complaint: str) -> None:
    """A header that lacks or garbles something is refused with the statement's name."""
    content = (FOLDER / "server_time.sql").read_text(encoding="utf-8")
    assert old in content
    with pytest.raises(RuntimeError, match=complaint):
        parse_statement("server_time", content.replace(old, new, 1))


def test_a_text_nobody_declares_is_a_name() -> None:
    """What a header does not say is the safe thing; the text that is sent is the same."""
    content = (FOLDER / "server_time.sql").read_text(encoding="utf-8")
    for declared, holds in (
        ("VARCHAR2", Holds.NAME),
        ("VARCHAR2? <word>", Holds.WORD),
        ("VARCHAR2 <queue>", Holds("queue")),
        ("NUMBER [s]", Holds.WORD),
    ):
        statement = parse_statement("server_time", content.replace("  now_utc DATE --", f"  now_utc {declared} --"))
        assert [column.holds for column in statement.columns] == [holds]
        assert statement.text == catalogue()["server_time"].text


def test_a_statement_may_be_another_with_other_names(tmp_path: Path) -> None:
    """Its header and text are the other's, but for what it names; a name that is not there is loud."""
    for name in ("apply_status", "apply_status_xstream"):
        (tmp_path / f"{name}.sql").write_text((FOLDER / f"{name}.sql").read_text(encoding="utf-8"), encoding="utf-8")
    statements = read_folders((tmp_path,), parse_statement)
    base, like = statements["apply_status"], statements["apply_status_xstream"]
    assert like.body == base.body.replace("v$streams_", "v$xstream_")
    assert (like.binds, like.columns, like.purpose) == (base.binds, base.columns, base.purpose)
    assert (base.versions, like.versions) == ("10.2 and later", "12.1 and later")
    assert like.text.startswith("/* replitune apply_status_xstream */")
    path = tmp_path / "apply_status_xstream.sql"
    path.write_text(path.read_text(encoding="utf-8").replace("v$streams_", "v$unknown_"), encoding="utf-8")
    with pytest.raises(RuntimeError, match=r'apply_status_xstream: there is no "v\$unknown_" in apply_status'):
        read_folders((tmp_path,), parse_statement)
