"""Drivers' own questions, beside the statements they are given: types, settings, parameters."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.drivers.sqlserver.catalogue import Column, Statement
from app.drivers.sqlserver.wire.batches import Batch
from app.drivers.sqlserver.wire.types import WireColumn, wire_type
from app.foundation.rows import Cell

_TYPE_INFO: Final = re.compile(
    r"(?:exec(?:ute)?\s+)?(?:\[?sys\]?\.)?\[?sp_datatype_info(?:_100)?\]?\s+(?P<type>-?\d+)\s*(?:,\s*\d+)?",
    re.IGNORECASE,
)
_SETTING: Final = re.compile(r"set\s+transaction\s+isolation\s+level\s+[a-z ]+", re.IGNORECASE)
_USE: Final = re.compile(r"use\s+(?:\[(?P<quoted>(?:[^\]]|\]\])+)\]|(?P<plain>\w+))", re.IGNORECASE)
_USER: Final = re.compile(r"set\s+implicit_transactions\s+off\s+select\s+user_name\(\)\s.*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class ResultSet:
    """Columns and rows; without columns, a statement that returns nothing."""

    columns: tuple[WireColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]


def typed_result(statement: Statement, rows: tuple[tuple[Cell, ...], ...]) -> ResultSet:
    """Return rows of a statement under its columns, as their declared types travel."""
    if not statement.columns:
        return ResultSet((), ())
    columns = []
    for position, column in enumerate(statement.columns):
        longest = 0
        if column.sql_type == "nvarchar":
            longest = max((len(str(row[position])) for row in rows), default=0)
        columns.append(WireColumn(column.name, wire_type(column.sql_type, longest), column.nullable))
    return ResultSet(tuple(columns), rows)


def untyped_result(names: Sequence[str], rows: Sequence[tuple[Cell, ...]]) -> ResultSet:
    """Return rows of a query of a script: whole numbers, numbers and texts, as they are."""
    columns = []
    for position, name in enumerate(names):
        values = [row[position] for row in rows if row[position] is not None]
        longest = max((len(str(value)) for value in values), default=0)
        columns.append(WireColumn(name, wire_type(_kind_of(values), longest), is_nullable=True))
    return ResultSet(tuple(columns), tuple(rows))


def _kind_of(values: Sequence[Cell]) -> str:
    """Return the type of a column of a script's query by the values in it."""
    if not values or not all(isinstance(value, int | float) for value in values):
        return "nvarchar"
    largest = max(abs(value) for value in values if isinstance(value, int | float))
    if largest > _BIGGEST_BIGINT or any(isinstance(value, float) for value in values):
        return "float"
    return "int" if largest <= _BIGGEST_INT else "bigint"


_BIGGEST_INT: Final = (1 << 31) - 1
_BIGGEST_BIGINT: Final = (1 << 63) - 1


@dataclass(frozen=True)
class UseDatabase:
    """A driver changes the connection's database."""

    database: str


# sp_datatype_info_100 (MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/
# sp-datatype-info-transact-sql.md): ODBC type, name, precision, literal prefix and suffix, parameters of its creation.
_TYPES: Final = (
    (-11, "uniqueidentifier", 36, "'", "'", None),
    (-10, "ntext", 1_073_741_823, "N'", "'", None),
    (-9, "nvarchar", 4000, "N'", "'", "max length"),
    (-8, "nchar", 4000, "N'", "'", "length"),
    (-7, "bit", 1, None, None, None),
    (-6, "tinyint", 3, None, None, None),
    (-5, "bigint", 19, None, None, None),
    (-4, "image", 2_147_483_647, "0x", None, None),
    (-3, "varbinary", 8000, "0x", None, "max length"),
    (-2, "binary", 8000, "0x", None, "length"),
    (-1, "text", 2_147_483_647, "'", "'", None),
    (1, "char", 8000, "'", "'", "length"),
    (2, "numeric", 38, None, None, "precision,scale"),
    (3, "decimal", 38, None, None, "precision,scale"),
    (4, "int", 10, None, None, None),
    (5, "smallint", 5, None, None, None),
    (6, "float", 53, None, None, None),
    (7, "real", 24, None, None, None),
    (12, "varchar", 8000, "'", "'", "max length"),
    (91, "date", 10, "'", "'", None),
    (-154, "time", 16, "'", "'", "scale"),
    (93, "datetime2", 27, "'", "'", "scale"),
    (-155, "datetimeoffset", 34, "'", "'", "scale"),
)
_ALL_TYPES: Final = 0

# System type id, name, bytes, precision, scale, type byte and length on the wire, of the types parameters have.
_SUGGESTED: Final = {
    "bigint": (127, "bigint", 8, 19, 0, 38, 8),
    "bit": (104, "bit", 1, 1, 0, 104, 1),
    "datetime": (61, "datetime", 8, 23, 3, 111, 8),
    "float": (62, "float", 8, 53, 0, 109, 8),
    "int": (56, "int", 4, 10, 0, 38, 4),
    "nvarchar": (231, "nvarchar(max)", -1, 0, 0, 231, 65_535),
    "sysname": (231, "nvarchar(128)", 256, 0, 0, 231, 256),
    "uniqueidentifier": (36, "uniqueidentifier", 16, 0, 0, 36, 16),
    "varchar": (167, "varchar(max)", -1, 0, 0, 167, 65_535),
}


def _columns(described: str) -> tuple[WireColumn, ...]:
    pairs = (entry.split() for entry in described.split(","))
    return tuple(WireColumn(name, wire_type(sql_type.rstrip("?")), sql_type.endswith("?")) for name, sql_type in pairs)


_TYPE_COLUMNS: Final = _columns(
    "TYPE_NAME sysname, DATA_TYPE smallint, PRECISION int?, LITERAL_PREFIX nvarchar?, LITERAL_SUFFIX nvarchar?, "
    "CREATE_PARAMS nvarchar?, NULLABLE smallint, CASE_SENSITIVE smallint, SEARCHABLE smallint, "
    "UNSIGNED_ATTRIBUTE smallint?, MONEY smallint, AUTO_INCREMENT smallint?, LOCAL_TYPE_NAME sysname?, "
    "MINIMUM_SCALE smallint?, MAXIMUM_SCALE smallint?, SQL_DATA_TYPE smallint, SQL_DATETIME_SUB smallint?, "
    "NUM_PREC_RADIX int?, INTERVAL_PRECISION smallint?, USERTYPE smallint"
)
_PARAMETER_COLUMNS: Final = _columns(
    "parameter_ordinal int, name sysname, suggested_system_type_id int, suggested_system_type_name nvarchar?, "
    "suggested_max_length smallint, suggested_precision tinyint, suggested_scale tinyint, suggested_user_type_id int?, "
    "suggested_user_type_database sysname?, suggested_user_type_schema sysname?, suggested_user_type_name sysname?, "
    "suggested_assembly_qualified_type_name nvarchar?, suggested_xml_collection_id int?, "
    "suggested_xml_collection_database sysname?, suggested_xml_collection_schema sysname?, "
    "suggested_xml_collection_name sysname?, suggested_is_xml_document bit, suggested_is_case_sensitive bit, "
    "suggested_is_fixed_length_clr_type bit, suggested_is_input bit, suggested_is_output bit, "
    "formal_parameter_name sysname?, suggested_tds_type_id int, suggested_tds_length int"
)
_NOTHING: Final = ResultSet((), ())


def type_info(odbc_type: int) -> ResultSet:
    """Return sp_datatype_info_100 for an ODBC type; 0 is all of them."""
    rows: list[tuple[Cell, ...]] = []
    for number, name, precision, prefix, suffix, made_with in _TYPES:
        if odbc_type in (_ALL_TYPES, number):
            literal: tuple[Cell, ...] = (prefix, suffix, made_with)
            rows.append((name, number, precision, *literal, 1, 0, 3, *_no_number(), name, None, None, *_coded(number)))
    return ResultSet(_TYPE_COLUMNS, tuple(rows))


def _no_number() -> tuple[Cell, ...]:
    return (None, 0, None)


def _coded(number: int) -> tuple[Cell, ...]:
    is_time = number in (91, 93)
    return (9 if is_time else number, number - 90 if is_time else None, None, None, 0)


def undeclared_parameters(batch: Batch) -> ResultSet:
    """Return sp_describe_undeclared_parameters for a statement: its parameters as the header declares them."""
    rows = [
        _described(position, marker, parameter)
        for position, (marker, parameter) in enumerate(zip(batch.markers, batch.statement.parameters, strict=True), 1)
    ]
    return ResultSet(_PARAMETER_COLUMNS, tuple(rows))


def _described(position: int, marker: str, parameter: Column) -> tuple[Cell, ...]:
    type_id, name, size, precision, scale, wire_id, wire_bytes = _SUGGESTED[parameter.sql_type]
    nowhere: tuple[Cell, ...] = (None,) * 9
    return (position, marker, type_id, name, size, precision, scale, *nowhere, 0, 0, 0, 1, 0, None, wire_id, wire_bytes)


def answer_of_driver(text: str) -> tuple[ResultSet, ...] | UseDatabase | None:
    """Return the answer to a batch that drivers send by themselves, None for any other text."""
    sent = text.strip().rstrip(";").strip()
    types = _TYPE_INFO.fullmatch(sent)
    if types is not None:
        return (type_info(int(types["type"])),)
    used = _USE.fullmatch(sent)
    if used is not None:
        return UseDatabase(used["plain"] or used["quoted"].replace("]]", "]"))
    if _SETTING.fullmatch(sent):
        return (_NOTHING,)
    if _USER.fullmatch(sent):
        user = ResultSet(_columns("user_name sysname?"), (("dbo",),))
        return (user, ResultSet(_columns("usertype smallint, type tinyint, name sysname"), ()))
    return None
