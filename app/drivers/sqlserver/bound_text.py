"""The text a driver sends for a statement of the catalogue: its parameters declared in front, values bound to them."""

from typing import Final

from app.drivers.sqlserver.catalogue import Statement

PLACEHOLDER: Final = "?"

# Types a header names without a length, as they are declared. A shorter nvarchar would cut a longer value off silently:
# MicrosoftDocs/sql-docs:docs/t-sql/language-elements/declare-local-variable-transact-sql.md
_DECLARED: Final = {
    "bigint": "bigint",
    "bit": "bit",
    "datetime": "datetime",
    "float": "float",
    "int": "int",
    "nvarchar": "nvarchar(max)",
    "sysname": "sysname",
    "uniqueidentifier": "uniqueidentifier",
    "varchar": "varchar(max)",
}


def bound_text(statement: Statement) -> str:
    """Return the batch that runs a statement: one `DECLARE @name type = ?;` line a parameter, then its text unchanged.

    Values never become part of the text, so that no object name, however spelled, can be read as SQL.

    Raises:
        RuntimeError: a parameter has a type this program declares nowhere; the program is then incomplete.
    """
    lines = []
    for parameter in statement.parameters:
        declared = _DECLARED.get(parameter.sql_type)
        if declared is None:
            raise RuntimeError(f"statement {statement.name}: {parameter.name} is of type {parameter.sql_type}")
        lines.append(f"DECLARE {parameter.name} {declared} = {PLACEHOLDER};\n")
    return "".join(lines) + statement.text
