"""What Microsoft's syntax tree says of how statements read: sought and bounded, spelt as the server spells."""

from collections.abc import Iterator
from typing import Final

from tests.facts.sqlserver import documented_objects
from tests.tsql.parser import Node

SOUGHT: Final = {
    "msrepl_commands": ("publisher_database_id", "xact_seqno"),
    "msrepl_transactions": ("publisher_database_id", "xact_seqno"),
    "mslogreader_history": ("agent_id",),
    "msdistribution_history": ("agent_id",),
}
"""Tables that grow without bound at large sites, and the columns of the index a reader seeks by."""

NEVER_EACH_TICK: Final = "msdistribution_status"
"""A view that aggregates all of MSrepl_commands."""


def unbounded_reads(tree: Node) -> list[str]:
    """Return what is read of a large table without TOP, or without a seek, in the very SELECT that names it."""
    complaints = []
    for select in tree.all("QuerySpecification"):
        for table, alias in _own_tables(select):
            columns = SOUGHT.get(table.lower())
            if columns is None:
                continue
            if not select.of("TopRowFilter"):
                complaints.append(f"{table} is read without TOP")
            compared = set(_compared(select, alias))
            complaints += [f"{table} is read without a seek on {one}" for one in columns if one not in compared]
    large = {name for name, _alias in _tables(tree) if name.lower() in SOUGHT}
    selected = {name for select in tree.all("QuerySpecification") for name, _alias in _own_tables(select)}
    return complaints + [f"{name} is read outside of a SELECT" for name in sorted(large - selected)]


def names_table(tree: Node, table: str) -> bool:
    """Tell whether a table or view is read, whatever its case."""
    return any(name.lower() == table for name, _alias in _tables(tree))


def misspelt(tree: Node) -> list[str]:
    """Return the names that a server with a case-sensitive collation would not know."""
    return [*_misspelt_objects(tree), *_misspelt_columns(tree), *_misspelt_calls(tree), *_misspelt_variables(tree)]


def _own_tables(select: Node) -> Iterator[tuple[str, str]]:
    """Give tables and aliases of a SELECT's own FROM, not those of the SELECTs within it."""
    for source in (*select.of("FromClause"),):
        yield from _tables_here(source)


def _tables_here(node: Node) -> Iterator[tuple[str, str]]:
    if node.kind == "NamedTableReference":
        yield _named(node)
    if node.kind in ("QueryDerivedTable", "QuerySpecification"):
        return
    for pieces in node.parts.values():
        for piece in pieces:
            yield from _tables_here(piece)


def _tables(tree: Node) -> Iterator[tuple[str, str]]:
    for node in tree.all("NamedTableReference"):
        yield _named(node)


def _named(node: Node) -> tuple[str, str]:
    name = node.of("SchemaObject")[0].names[-1]
    return name, node.of("Alias")[0].held["Value"] if node.of("Alias") else name


def _compared(select: Node, alias: str) -> Iterator[str]:
    """Give the columns of a table that a condition which must hold compares as they are, without a function."""
    for where in select.of("WhereClause"):
        for condition in _conjuncts(where.of("SearchCondition")[0]):
            if condition.held.get("ComparisonType") in ("Equals", "GreaterThan", "GreaterThanOrEqualTo"):
                for side in (*condition.of("FirstExpression"), *condition.of("SecondExpression")):
                    if side.kind == "ColumnReferenceExpression" and _column(side)[0] == alias:
                        yield _column(side)[1]


def _conjuncts(condition: Node) -> Iterator[Node]:
    if condition.kind == "BooleanParenthesisExpression":
        yield from _conjuncts(condition.of("Expression")[0])
    elif condition.kind == "BooleanBinaryExpression" and condition.held["BinaryExpressionType"] == "And":
        for side in ("FirstExpression", "SecondExpression"):
            yield from _conjuncts(condition.of(side)[0])
    elif condition.kind == "BooleanComparisonExpression":
        yield condition


def _column(node: Node) -> tuple[str, str]:
    names = node.of("MultiPartIdentifier")[0].names if node.of("MultiPartIdentifier") else ("",)
    return (names[-2] if len(names) > 1 else "", names[-1])


def _misspelt_objects(tree: Node) -> list[str]:
    complaints = []
    for node in tree.all("NamedTableReference", "SchemaObjectFunctionTableReference"):
        names = node.of("SchemaObject")[0].names
        entry = _documented(names)
        if entry is not None and entry.rpartition(".")[2] != names[-1]:
            complaints.append(f"{names[-1]} is called {entry}")
        complaints += [
            f"schema {one}" for one in names[:-1] if one.lower() in ("dbo", "sys", "msdb") and not one.islower()
        ]
    return complaints


def _documented(names: tuple[str, ...]) -> str | None:
    lowered = names[-1].lower()
    at = documented_objects().get(f"sys.{lowered}") if "sys" in (one.lower() for one in names[:-1]) else None
    entry = at or documented_objects().get(lowered)
    return None if entry is None else entry.name


def _misspelt_columns(tree: Node) -> list[str]:
    """Return columns whose letters are a documented column's of the tables named here, in another case."""
    tables = {name.lower() for name, _alias in _tables(tree)}
    tables |= {node.of("SchemaObject")[0].names[-1].lower() for node in tree.all("SchemaObjectFunctionTableReference")}
    own = {one.held["Value"] for node in tree.all("IdentifierOrValueExpression", "ColumnDefinition")
           for one in node.all("Identifier")}  # fmt: skip
    exact = {
        column
        for name, entry in documented_objects().items()
        if name.removeprefix("sys.") in tables
        for column in entry.columns
    } | own
    spelt = {column.lower(): column for column in sorted(exact)}
    return [
        f"column {column} is called {spelt[column.lower()]}"
        for node in tree.all("ColumnReferenceExpression")
        if (column := _column(node)[1]) and column.lower() in spelt and column not in exact
    ]


def _misspelt_calls(tree: Node) -> list[str]:
    complaints = []
    for node in tree.all("ExecutableProcedureReference"):
        for name in node.all("ProcedureReference"):
            called = name.of("Name")[0].names[-1] if name.of("Name") else ""
            entry = documented_objects().get(called.lower()) or documented_objects().get(f"sys.{called.lower()}")
            if entry is None:
                continue
            if entry.name.rpartition(".")[2] != called:
                complaints.append(f"{called} is called {entry.name}")
            spelt = {one.lower().removeprefix("@"): one.removeprefix("@") for one in entry.parameters}
            for given in node.of("Parameters"):
                variable = given.of("Variable")[0].held["Name"].removeprefix("@") if given.of("Variable") else ""
                if variable and spelt.get(variable.lower(), variable) != variable:
                    complaints.append(f"parameter {variable} of {called} is called {spelt[variable.lower()]}")
    return complaints


def _misspelt_variables(tree: Node) -> list[str]:
    complaints = []
    for batch in tree.all("TSqlBatch"):
        declared = {
            name.held["Value"]
            for node in batch.all("DeclareVariableElement", "DeclareTableVariableBody", "ProcedureParameter")
            for name in node.of("VariableName")
        }
        lowered = {name.lower() for name in declared}
        given = {id(one) for node in batch.all("ExecuteParameter") for one in node.of("Variable")}
        complaints += [
            f"variable {node.held['Name']} is declared otherwise"
            for node in batch.all("VariableReference")
            if id(node) not in given and node.held["Name"].lower() in lowered and node.held["Name"] not in declared
        ]
    return complaints
