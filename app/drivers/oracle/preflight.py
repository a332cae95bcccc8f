"""Asking databases through a DBA before a visit: a script for SQL*Plus that only reads, and the answers it prints.

A script prints each row as a line of its own, `#row name="text" … #17`, which ends with the number of characters ahead
of that last sign, so that one that was wrapped, cut or edited is no answer. `#begin` and `#end` stand around what one
database answers; `#ask` ahead of a statement's rows names it, `#of` the value it was asked for, and `#done` how many
of these lines there were, or `#failed` the error it ended with. A value that is NULL is left out, and what
XML escapes is escaped.

Lines of a script are shorter than the 2,499 characters that SQL*Plus takes, and begin with none of the signs it would
act upon; a literal of PL/SQL holds 32,767 bytes, and so does a line of DBMS_OUTPUT (SQL*Plus User's Guide, SQL*Plus
Limits; PL/SQL Language Reference, PL/SQL Program Limits; PL/SQL Packages and Types Reference, DBMS_OUTPUT).
"""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from app.domain.errors import BadInput, NotAsked
from app.domain.preflight import AskedUnseen
from app.drivers.oracle.catalogue import Column, OracleType, Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.connection import OracleConnection
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.scripts import Expression, body_of, literal
from app.drivers.oracle.session import End
from app.drivers.oracle.url import ENGINE_ID
from app.foundation.clock import SystemClock
from app.foundation.rows import Cell
from app.foundation.script_text import comment
from app.foundation.texts import _

_MOMENT: Final = "%Y-%m-%d %H:%M:%S"
_ESCAPED: Final = (("'&'", "&amp;"), ("'\"'", "&quot;"), ("CHR(10)", "&#10;"), ("CHR(13)", "&#13;"))
_LINE: Final = re.compile(
    r"(?P<told>#(?P<kind>begin|ask|of|row|done|failed|end)(?P<values>(?: \w+=\"[^\"]*\")*) )#(?P<length>\d+)"
)
_VALUE: Final = re.compile(r" (?P<name>\w+)=\"(?P<text>[^\"]*)\"")
_SETTINGS: Final = (
    "SET DEFINE OFF",
    "SET ECHO OFF",
    "SET FEEDBACK OFF",
    "SET LINESIZE 32767",
    "SET TRIMSPOOL ON",
    "SET SERVEROUTPUT ON SIZE UNLIMITED FORMAT WRAPPED",
    "WHENEVER SQLERROR CONTINUE",
)
_COMMAND: Final = "sqlplus <login>@<database> @{file}"


class OraclePreflight:
    """The pre-flight of Oracle databases; see `app.domain.preflight.Preflight`."""

    engine = ENGINE_ID
    has_mark = False

    def script(self, asked: Sequence[AskedUnseen], file: str) -> str:
        """Return the script: a block for each statement, which runs it as a text of its own, so that none stops it."""
        answer = file.removesuffix(".sql") + "-answer.txt"
        names = dict.fromkeys(name for one in asked for name in one.statements)
        finders = {name: found for one in asked for name, found in one.of_each.items()}
        head = (
            comment(
                _("What Replitune asks a database before a visit: version, rights of this login, and what there is.")
            ),
            comment(
                _(
                    "It only reads. Run it at each database of the pipeline with the login that Replitune will use, "
                    "NLS_LANG set to .AL32UTF8:"
                )
            ),
            comment(_COMMAND.format(file=file)),
            comment(
                _("Send back {answer}. It holds names of databases, schemas and logins, and no password.").format(
                    answer=answer
                )
            ),
            *_SETTINGS,
            f"SPOOL {answer} APPEND",
        )
        first = (
            f"    SELECT naming.global_name INTO here FROM global_name naming;\n{_said('begin', {'database': 'here'})}"
        )
        begun = f"DECLARE\n    here VARCHAR2(4000);\n    shown VARCHAR2(32767);\nBEGIN\n{first}END;\n/"
        ends = {name: end for one in asked for name, end in one.only_at.items()}
        blocks = tuple(_block(catalogue()[name], None, ends.get(name, "")) for name in names)
        of_each = tuple(_block(catalogue()[name], found, "") for name, found in finders.items())
        count = str(len(blocks) + len(of_each))
        end = f"DECLARE\n    shown VARCHAR2(32767);\nBEGIN\n{_said('end', {'statements': literal(count)})}END;\n/"
        return "\n".join((*head, begun, *blocks, *of_each, end, "SPOOL OFF", "EXIT")) + "\n"

    def has_printed(self, text: str) -> bool:
        """Tell whether a text holds a line that begins as the first one of this engine's script."""
        return any(line.startswith("#begin ") for line in text.splitlines())

    def answers(self, text: str, name: str) -> OracleConnection:
        """Return a connection that answers from the printed lines.

        Raises:
            BadInput: the text has none, was cut or edited, or holds more than the two databases of a pipeline.
        """
        answers = _Answers(_ends(_Reader(name).read(text), name))
        label = " → ".join(dict.fromkeys(answers.server_of(end) for end in End))
        return OracleConnection(answers, SystemClock(), lambda _record: None, label, label)


def _block(statement: Statement, finder: tuple[str, ...] | None, end: str) -> str:
    """Return a block that runs a statement, for each value that another one finds where it takes one."""
    asking = literal(_asking(statement) if finder is None else _asking_each(statement, *finder))
    asked = {"statement": literal(statement.name)} | ({"end": literal(end)} if end else {})
    failed = _said("failed", {"text": _escaped("SQLERRM")}, " " * 8)
    return (
        f"{comment(f'{statement.name}: {statement.purpose}')}\n"
        "DECLARE\n    shown VARCHAR2(32767);\nBEGIN\n"
        f"{_said('ask', asked)}"
        f"    EXECUTE IMMEDIATE {asking};\n"
        f"EXCEPTION\n    WHEN OTHERS THEN\n{failed}END;\n/"
    )


def _asking(statement: Statement) -> str:
    return (
        "DECLARE\n    shown VARCHAR2(32767);\n    told INTEGER := 0;\nBEGIN\n"
        f"{_rows(statement, {})}{_said('done', {'lines': 'told'})}END;"
    )


def _asking_each(statement: Statement, finder: str, column: str) -> str:
    [bind] = statement.bind_names
    return (
        "DECLARE\n    shown VARCHAR2(32767);\n    told INTEGER := 0;\n    chosen VARCHAR2(4000);\nBEGIN\n"
        f"    FOR every IN (\n{body_of(finder, {})}\n    ) LOOP\n        chosen := every.{column};\n"
        f"{_said('of', {'value': _escaped('chosen')})}        told := told + 1;\n"
        f"{_rows(statement, {bind: Expression('chosen')})}"
        f"    END LOOP;\n{_said('done', {'lines': 'told'})}END;"
    )


def _rows(statement: Statement, values: Mapping[str, Expression]) -> str:
    cells = "".join(f"            || {_cell_shown(column)}\n" for column in statement.columns)
    return (
        f"    FOR found IN (\n{body_of(statement.name, values)}\n    ) LOOP\n"
        f"        shown := '#row'\n{cells}            || ' ';\n"
        "        DBMS_OUTPUT.PUT_LINE(a => shown || '#' || LENGTH(shown));\n"
        "        told := told + 1;\n    END LOOP;\n"
    )


def _cell_shown(column: Column) -> str:
    """Return an expression for a cell as ` name="text"`, NULL where it is NULL; numbers have a point in any session."""
    value = f"found.{column.name}"
    match column.oracle_type:
        case OracleType.DATE:
            text = f"TO_CHAR({value}, 'YYYY-MM-DD HH24:MI:SS')"
        case OracleType.VARCHAR2:
            text = _escaped(value)
        case _:
            text = f"REPLACE(TO_CHAR({value}), ',', '.')"
    return f"CASE WHEN {value} IS NOT NULL THEN ' {column.name}=\"' || {text} || '\"' END"


def _escaped(text: str) -> str:
    for sign, code in _ESCAPED:
        text = f"REPLACE({text}, {sign}, '{code}')"
    return text


def _said(kind: str, values: Mapping[str, str], indent: str = " " * 4) -> str:
    """Return statements that print a line with the values of expressions, and the number of its characters."""
    told = "".join(f" || ' {name}=\"' || {value} || '\"'" for name, value in values.items())
    return (
        f"{indent}shown := '#{kind}'{told} || ' ';\n{indent}DBMS_OUTPUT.PUT_LINE(a => shown || '#' || LENGTH(shown));\n"
    )


@dataclass
class _Asked:
    """A statement's answer: its rows by the value it was asked for, "" for none, or the error it ended with.

    Attributes:
        end: where alone it has rows, "" for anywhere.
    """

    statement: Statement | None
    rows: dict[str, list[tuple[Cell, ...]]] = field(default_factory=lambda: {"": []})
    error: OracleError | None = None
    of: str = ""
    end: str = ""


@dataclass
class _Printed:
    """The answers of one database, by statement."""

    database: str
    answers: dict[str, _Asked] = field(default_factory=dict)

    def is_end(self, end: End) -> bool:
        """Tell whether a statement was answered with rows that only one end of a pipeline has."""
        return any(any(asked.rows.values()) for asked in self.answers.values() if asked.end == end)


class _Reader:
    """Reads the answers of each database, line by line; of one that was asked twice the later ones count.

    Attributes:
        found: the answers that are whole, by database.
    """

    def __init__(self, name: str) -> None:
        self.found: dict[str, _Printed] = {}
        self._name = name
        self._printed: _Printed | None = None
        self._asked: _Asked | None = None
        self._counts = {"ask": 0, "line": 0}

    def read(self, text: str) -> list[_Printed]:
        """Read the lines of a script among others; raises as `OraclePreflight.answers`."""
        for shown in (line.rstrip() for line in text.splitlines()):
            if shown.startswith("#"):
                line = _LINE.fullmatch(shown)
                if line is None or len(line["told"]) != int(line["length"]):
                    raise self._spoiled()
                self._take(line["kind"], _values(line["values"]))
        if self._printed is not None:
            raise self._spoiled()
        if not self.found:
            raise BadInput(
                _("{name} does not hold what the script printed; give the file it wrote").format(name=self._name)
            )
        return list(self.found.values())

    def _spoiled(self) -> BadInput:
        return BadInput(
            _("{name} was cut or edited: run the script again and give what it writes as it is").format(name=self._name)
        )

    def _take(self, kind: str, values: Mapping[str, str]) -> None:
        if kind in ("begin", "ask", "end"):
            self._take_outer(kind, values)
        elif self._asked is None:
            raise self._spoiled()
        else:
            self._take_answer(self._asked, kind, values)

    def _take_outer(self, kind: str, values: Mapping[str, str]) -> None:
        if self._asked is not None or (self._printed is None) is not (kind == "begin"):
            raise self._spoiled()
        if self._printed is None:
            self._printed, self._counts["ask"] = _Printed(values.get("database", "")), 0
        elif kind == "ask":
            name = values.get("statement", "")
            self._asked = self._printed.answers[name] = _Asked(catalogue().get(name), end=values.get("end", ""))
            self._counts = {"ask": self._counts["ask"] + 1, "line": 0}
        elif values.get("statements") == str(self._counts["ask"]):
            self.found[self._printed.database], self._printed = self._printed, None
        else:
            raise self._spoiled()

    def _take_answer(self, asked: _Asked, kind: str, values: Mapping[str, str]) -> None:
        self._counts["line"] += kind in ("of", "row")
        if kind == "of":
            asked.of = values.get("value", "")
            asked.rows[asked.of] = []
        elif kind == "row":
            columns = () if asked.statement is None else asked.statement.columns
            asked.rows[asked.of].append(tuple(_cell(values.get(one.name), one.oracle_type) for one in columns))
        elif kind == "done" and values.get("lines") != str(self._counts["line"]):
            raise self._spoiled()
        else:
            asked.error = OracleError.of_text(values.get("text", "")) if kind == "failed" else None
            self._asked = None


def _values(text: str) -> dict[str, str]:
    return {one["name"]: html.unescape(one["text"]) for one in _VALUE.finditer(text)}


def _cell(text: str | None, oracle_type: OracleType) -> Cell:
    if text is None:
        return None
    try:
        match oracle_type:
            case OracleType.INTEGER:
                return int(text)
            case OracleType.NUMBER:
                return float(text)
            case OracleType.DATE:
                return datetime.strptime(text, _MOMENT).replace(tzinfo=UTC)
            case _:
                return text
    except ValueError as error:
        raise BadInput(_("an answer holds {text} for a number; run the script again").format(text=text)) from error


def _ends(found: Sequence[_Printed], name: str) -> dict[End, _Printed]:
    """Return which database is which end: the source has rows that only one has, and one alone is what it has."""
    if len(found) > len(End):
        raise BadInput(
            _("{name} holds answers of {count} databases; give those of one pipeline, two at most").format(
                name=name, count=len(found)
            )
        )
    first, *others = sorted(found, key=lambda one: not one.is_end(End.SOURCE))
    if others or first.is_end(End.SOURCE) == first.is_end(End.DESTINATION):
        return {End.SOURCE: first, End.DESTINATION: others[0] if others else first}
    return {End.SOURCE if first.is_end(End.SOURCE) else End.DESTINATION: first}


class _Answers:
    """The transport that answers from the printed lines of scripts."""

    def __init__(self, printed: Mapping[End, _Printed]) -> None:
        self._printed = printed

    def server_of(self, end: End) -> str:
        """Return the global name of a database."""
        if end in self._printed:
            return self._printed[end].database
        return _("the source database") if end is End.SOURCE else _("the destination database")

    def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Return the rows that were printed; raises OracleError, NotAsked where a statement was not asked there."""
        asked = self._printed[end].answers.get(statement.name) if end in self._printed else None
        if asked is not None and asked.error is not None:
            raise asked.error
        rows = None if asked is None or len(binds) > 1 else asked.rows.get(str(next(iter(binds.values()), "")))
        if rows is None:
            raise NotAsked(
                _("{statement} was not asked at {server} by the script").format(
                    statement=statement.name, server=self.server_of(end)
                )
            )
        return tuple(rows)

    def cancel(self) -> None:
        """Nothing runs."""

    def close(self) -> None:
        """Nothing is open."""


PREFLIGHT: Final = OraclePreflight()
