"""Asking servers through a DBA before a visit: a script that only reads, and the answers in the lines it prints.

A script prints each row as a line of its own, `#row name="text" … #`, so that neither widths of columns nor the tool
that ran it matter; `#ask` ahead of the rows names the statement, and `#failed` the error it ended with. A value that is
NULL is left out; what XML escapes is escaped.
"""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.domain.errors import BadInput, NotAsked
from app.domain.preflight import AskedUnseen
from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import COMMON_DATABASES, Column, Statement, catalogue
from app.drivers.sqlserver.connection import SqlServerConnection
from app.drivers.sqlserver.errors import ConnectError, SqlError
from app.drivers.sqlserver.scripts import Sql, literal, rows_of
from app.drivers.sqlserver.session import Place
from app.foundation.clock import SystemClock
from app.foundation.rows import Cell
from app.foundation.script_text import comment
from app.foundation.texts import _

_FIRST: Final = ("server_name", "server_info", "server_rights", "history_rights")
_NUMBER: Final = "replitune_row"
_NUMBERED: Final = f"{_NUMBER} int IDENTITY(1, 1), "
_NESTED: Final = re.compile(r"INSERT INTO @\w+ \([^)]*\)\s*EXEC ")
_LAST_SELECT: Final = re.compile(r"(?m)^SELECT (?![\s\S]*^SELECT )")
_LINE: Final = re.compile(r"#(?P<kind>ask|row|failed)(?P<values>(?: \w+=\"[^\"]*\")*) #")
_ASKED: Final = re.compile(r"(?m)^\s*#ask(.*)")
_VALUE: Final = re.compile(r" (?P<name>\w+)=\"(?P<text>[^\"]*)\"")
_WHOLE: Final = frozenset({"bigint", "bit", "int", "smallint", "tinyint"})
_COMMAND: Final = "sqlcmd -S <server> -E -f 65001 -i {file} -o {answer}"


class SqlServerPreflight:
    """The pre-flight of SQL Servers; see `app.domain.preflight.Preflight`."""

    engine = "sqlserver"
    has_mark = True

    def script(self, asked: Sequence[AskedUnseen], file: str) -> str:
        """Return the script: a batch for each statement, at any server, in any tool."""
        answer = file.removesuffix(".sql") + "-answer.txt"
        finders = {kind: found for one in asked for kind, found in one.databases.items()}
        names = dict.fromkeys((*_FIRST, *(name for one in asked for name in one.statements)))
        of_each = {name: found for one in asked for name, found in one.of_each.items()}
        head = (
            comment(
                _("What Replitune asks a server before a visit: versions, rights of this login, and what there is.")
            ),
            comment(_("It only reads. Run it at each server with the login that Replitune will use:")),
            comment(_COMMAND.format(file=file, answer=answer)),
            comment(_("Send back what it prints. It holds names of servers, databases and logins, and no password.")),
            "SET NOCOUNT ON;\nGO",
        )
        batches = [_batch(catalogue()[name], finders) for name in names]
        batches += [_batch(catalogue()[name], finders, found) for name, found in of_each.items()]
        return "\n".join((*head, *batches)) + "\n"

    def has_printed(self, text: str) -> bool:
        """Tell whether a text holds a line that names a statement and its server."""
        return any(values.get("server") for values in map(_values, _ASKED.findall(text)))

    def answers(self, text: str, name: str) -> SqlServerConnection:
        """Return a connection that answers from the printed lines; raises BadInput where a text has none."""
        transport = _Answers(_read(text))
        if not transport.own_server:
            raise BadInput(
                _("{name} does not hold what the script printed; give the text of sqlcmd's -o").format(name=name)
            )
        return SqlServerConnection(
            transport, SystemClock(), lambda _record: None, transport.own_server, transport.own_server, is_lab=False
        )


def _batch(statement: Statement, finders: Mapping[str, tuple[str, str]], of_each: Sequence[str] = ()) -> str:
    """Return a batch that asks a statement, of each database of its kind.

    Args:
        of_each: statement and columns that name the values of its parameters, asked where that statement runs.
    """
    placed = catalogue()[of_each[0]].database if of_each else statement.database
    text = _asking_each(statement, *of_each) if of_each else _asking(statement)
    asking = f"DECLARE @database sysname, @at nvarchar(300), @asked nvarchar(max) = {_quoted(text)};\n"
    title = comment(f"{statement.name}: {statement.purpose}")
    if placed in COMMON_DATABASES:
        called = f"SET @database = {literal(placed)};\n{_called(statement.name)}"
        return f"{title}\n{asking}{called}GO"
    finder, column = finders[placed]
    found = rows_of(finder, {}, "@databases", ahead=_NUMBERED)
    looping = (
        f"{_ask(statement.name)}{_tried(found)}"  # an error of this one is no answer of the statement before
        "DECLARE @number int = 1;\n"
        "WHILE @number <= (SELECT COUNT(*) FROM @databases AS found)\n"
        "BEGIN\n"
        f"SET @database = (SELECT found.{column} FROM @databases AS found WHERE found.{_NUMBER} = @number);\n"
        f"{_called(statement.name)}SET @number += 1;\nEND;\n"
    )
    return f"{title}\n{asking}{looping}GO"


def _called(name: str) -> str:
    """Return statements that have a database execute the question, under a line that names it."""
    called = "SET @at = QUOTENAME(@database) + N'.sys.sp_executesql';\nEXEC @at @asked;\n"
    return f"{_ask(name, _attribute('database', '@database'))}{_tried(called)}"


def _ask(name: str, *told: str) -> str:
    """Return a statement that prints the line ahead of an answer, with further attributes."""
    server = _attribute("server", "SERVERPROPERTY(N'ServerName')")
    named = literal(f'#ask statement="{name}"')
    return f"PRINT {' + '.join((named, server, *told))} + N' #';\n"


def _tried(text: str) -> str:
    error = " + ".join((_attribute("number", "ERROR_NUMBER()"), _attribute("text", "ERROR_MESSAGE()")))
    return f"BEGIN TRY\n{text}END TRY\nBEGIN CATCH\nPRINT N'#failed' + {error} + N' #';\nEND CATCH;\n"


def _asking_each(statement: Statement, finder: str, *columns: str) -> str:
    """Return statements that ask a statement for each row another one finds, under a line that names the values.

    Rows that lack a value, or have those of one before, are passed over.
    """
    declared = ", ".join(f"{p.name} {_type(p.sql_type)}" for p in statement.parameters)
    named = dict(zip((p.name for p in statement.parameters), columns, strict=True))
    is_here = statement.database not in COMMON_DATABASES  # in the database the values were found in
    database = _attribute("database", "DB_NAME()" if is_here else literal(statement.database))
    given = " + ".join(_attribute(name.removeprefix("@"), name) for name in named)
    called = "" if is_here else f"{statement.database}."
    passed = ", ".join(f"{name} = {name}" for name in named)
    asked = _tried(f"EXEC {called}sys.sp_executesql @asked, {_quoted(declared)}, {passed};\n")
    return (
        f"{rows_of(finder, {}, '@chosen', ahead=_NUMBERED)}"
        f"DECLARE @number int = 1, @asked nvarchar(max) = {_quoted(_asking(statement))}, {declared};\n"
        "WHILE @number <= (SELECT COUNT(*) FROM @chosen AS chosen)\nBEGIN\n"
        f"{_values_chosen(named)}    BEGIN\n"
        f"{_ask(statement.name, database, given)}{asked}    END;\n    SET @number += 1;\nEND;\n"
    )


def _values_chosen(named: Mapping[str, str]) -> str:
    """Return statements that set variables to columns of the row at hand, and the condition that these are new."""
    values = "".join(
        f"    SET {name} = (SELECT chosen.{column} FROM @chosen AS chosen WHERE chosen.{_NUMBER} = @number);\n"
        for name, column in named.items()
    )
    known = " AND ".join(f"{name} IS NOT NULL" for name in named)
    same = " AND ".join(f"before.{column} = {name}" for name, column in named.items())
    before = f"SELECT 1 FROM @chosen AS before WHERE before.{_NUMBER} < @number AND {same}"
    return f"{values}    IF {known} AND NOT EXISTS ({before})\n"


def _asking(statement: Statement) -> str:
    """Return statements that print the rows of a statement; its parameters are those of the batch they stand in."""
    columns = [column.name for column in statement.columns]
    if _NESTED.search(statement.body):  # INSERT … EXEC takes none within itself
        types = ", ".join(f"{c.name} {_type(c.sql_type)} NULL" for c in statement.columns)
        into = f"INSERT INTO @rows ({', '.join(columns)})\nSELECT "
        kept = f"DECLARE @rows table ({_NUMBERED}{types});\n{_LAST_SELECT.sub(lambda _m: into, statement.body)}\n"
    else:
        passed = {p.name.removeprefix("@"): Sql(p.name) for p in statement.parameters}
        kept = rows_of(statement.name, passed, "@rows", ahead=_NUMBERED)
    line = " + ".join(_attribute(name, f"found.{name}") for name in columns)
    return (
        f"{kept}DECLARE @row int = 1, @line nvarchar(max);\n"
        "WHILE @row <= (SELECT COUNT(*) FROM @rows AS found)\n"
        "BEGIN\n"
        f"    SET @line = (SELECT N'#row' + {line} + N' #' FROM @rows AS found WHERE found.{_NUMBER} = @row);\n"
        "    PRINT @line;\n    SET @row += 1;\nEND;\n"
    )


def _type(sql_type: str) -> str:
    return "nvarchar(4000)" if sql_type == "nvarchar" else sql_type


def _attribute(name: str, value: str) -> str:
    """Return an expression for a value as ` name="text"`, '' where it is NULL."""
    text = f"CAST({value} AS nvarchar(4000))"
    for sign, code in (("N'&'", "&amp;"), ("N'\"'", "&quot;"), ("NCHAR(10)", "&#10;"), ("NCHAR(13)", "&#13;")):
        text = f"REPLACE({text}, {sign}, N'{code}')"
    return f"ISNULL(N' {name}=\"' + {text} + N'\"', N'')"


def _quoted(text: str) -> str:
    return "N'" + text.replace("'", "''") + "'"


@dataclass
class _Asked:
    """A statement's answer: its rows, or the error it ended with."""

    rows: list[tuple[Cell, ...]] = field(default_factory=list)
    error: SqlError | None = None


_Key = tuple[str, str, str, frozenset[tuple[str, str]]]


def _key(statement: str, server: str, database: str, parameters: Mapping[str, Value]) -> _Key:
    values = frozenset((name, str(value).casefold()) for name, value in parameters.items())
    return statement, server.casefold(), database.casefold(), values


@dataclass
class _Printed:
    """The answers of scripts by statement, server, database and the values of parameters.

    Attributes:
        servers: where they were run.
    """

    answers: dict[_Key, _Asked] = field(default_factory=dict)
    servers: dict[str, None] = field(default_factory=dict)


def _read(text: str) -> _Printed:
    """Read the answers of scripts; that of a statement this program has not is left out."""
    found, asked = _Printed(), _Asked()
    columns: tuple[Column, ...] = ()
    for shown in filter(None, (part.strip() for part in text.splitlines())):
        if not shown.startswith("#"):
            continue
        line = _LINE.fullmatch(shown)
        values = {} if line is None else _values(line["values"])
        if line is None:  # rather no answer than a part of one
            asked.error = SqlError(0, _("a line of the answer was cut"), "42000")
        elif line["kind"] == "ask":
            asked, columns = _begun(found, values)
        elif line["kind"] == "failed":
            asked.error = SqlError(_number(values.get("number", "")), values.get("text", ""), "42000")
        else:
            asked.rows.append(tuple(_cell(values.get(column.name), column.sql_type) for column in columns))
    return found


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _values(text: str) -> dict[str, str]:
    return {one["name"]: html.unescape(one["text"]) for one in _VALUE.finditer(text)}


def _begun(found: _Printed, values: Mapping[str, str]) -> tuple[_Asked, tuple[Column, ...]]:
    """Begin an answer, and return it with the columns of its rows."""
    statement, server, asked = catalogue().get(values.get("statement", "")), values.get("server", ""), _Asked()
    found.servers.setdefault(server)
    if statement is None:
        return asked, ()
    given = {name: value for name, value in values.items() if name not in ("statement", "server", "database")}
    found.answers[_key(statement.name, server, values.get("database", ""), given)] = asked
    return asked, statement.columns


def _cell(text: str | None, sql_type: str) -> Cell:
    if text is None:
        return None
    try:
        return int(text) if sql_type in _WHOLE else float(text) if sql_type == "float" else text
    except ValueError as error:
        raise BadInput(_("an answer holds {text} for a number; run the script again").format(text=text)) from error


class _Answers:
    """The transport that answers from the printed lines of scripts."""

    def __init__(self, printed: _Printed) -> None:
        self._printed = printed
        self.own_server = next(iter(printed.servers), "")

    def send(self, statement: Statement, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Return the rows that were printed; raises SqlError, a NotAsked where a statement was not asked there."""
        asked = self._printed.answers.get(_key(statement.name, place.server, place.database, parameters))
        if asked is None:
            sentence = _("{statement} was not asked at {server} by the script").format(
                statement=statement.name, server=place.server
            )
            raise ConnectError(NotAsked, sentence, SqlError(0, sentence))
        if asked.error is not None:
            raise asked.error
        return tuple(asked.rows)

    def close(self) -> None:
        """Nothing is open."""


PREFLIGHT: Final = SqlServerPreflight()
