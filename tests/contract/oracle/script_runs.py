"""A DBA's SQL*Plus on the lab: runs a script block by block, doing what its guards and its error handling say."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Protocol

from app.domain.declared_change import EXPECTED
from app.drivers.oracle.catalogue import Form, OracleType, Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.scripts import AT_ERRORS, chosen_block
from app.drivers.oracle.session import End
from app.foundation.rows import Cell

_GUARDED: Final = re.compile(
    r"DECLARE\n    here global_name\.global_name%TYPE;\nBEGIN\n"
    r"    SELECT naming\.global_name INTO here FROM global_name naming;\n"
    r"    IF here <> '(?P<database>(?:[^']|'')*)' THEN\n"
    r"        DBMS_OUTPUT\.PUT_LINE\(a => '(?:[^']|'')*'\);\n        RETURN;\n    END IF;\n"
    r"(?P<switched>    :ended := :ended \+ 1;\n    IF :apply <> 'yes' THEN\n"
    r"        DBMS_OUTPUT\.PUT_LINE\(a => '(?P<checked>[^\n]*)'\);\n        RETURN;\n    END IF;\n)?"
    r"(?P<block>.*)\nEND;",
    re.DOTALL,
)
_ENDED: Final = re.compile(
    r"BEGIN\n    IF :ended = 0 THEN\n        RAISE_APPLICATION_ERROR\(-20010, '(?P<none>[^\n]*)'\);\n    END IF;\n"
    r"    IF :apply = 'yes' THEN\n        DBMS_OUTPUT\.PUT_LINE\(a => '(?P<done>[^\n]*)'\);\n    ELSE\n"
    r"        DBMS_OUTPUT\.PUT_LINE\(a => '(?P<checked>[^\n]*)'\);\n    END IF;\nEND;"
)
_SETTINGS: Final = (
    *AT_ERRORS.splitlines(),
    "SET DEFINE OFF",
    "SET DEFINE ON",
    "SET SERVEROUTPUT ON",
    "VARIABLE apply VARCHAR2(3)",
    "VARIABLE ended NUMBER",
    "EXECUTE :ended := 0",
)
APPLYING_IT: Final = ("\nEXECUTE :apply := 'no'\n", "\nEXECUTE :apply := 'yes'\n")
_SWITCH: Final = re.compile(
    r"process\.status = 'ENABLED'.*?(?P<call>(?:START|STOP)_APPLY)\(apply_name => '(?P<name>\w+)'", re.DOTALL
)
_RETENTION: Final = re.compile(
    r"\s*DECLARE\s+found NUMBER;\s+BEGIN\s+"
    r"SELECT MAX\(process\.checkpoint_retention_time\) INTO found\s+FROM dba_capture process\s+"
    r"WHERE process\.capture_name = '(?P<capture>\w+)';\s+"
    r"IF found IS NULL OR found NOT IN \((?P<days>[\d., ]+)\) THEN\s+"
    r"RAISE_APPLICATION_ERROR\(-20010, '(?P<message>[^']*)'\);\s+END IF;\s+END;\s+"
)
_ASKED: Final = re.compile(
    r"-- SQL\*Plus asks for (?P<name>\w+): enter the number that this query shows at (?P<address>\S+) \(.*\):\n"
    r"-- (?P<query>.*)\n"
)
_PIECE: Final = re.compile(r"'(?:[^']|'')*'|:(?P<bind>[a-z_][a-z0-9_]*)")


@dataclass(frozen=True)
class Question:
    """A value that a script asks for, with what it says of it.

    Attributes:
        address, query: where which query answers it.
    """

    address: str
    query: Statement


def refuse(question: Question) -> str:
    """Answer nothing."""
    raise AssertionError(f"nobody expects to be asked for what {question.query.name} shows")


class Databases(Protocol):
    """Both databases of a lab, in this process or behind a driver."""

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement of the catalogue; raises OracleError."""
        ...


@dataclass
class SqlPlus:
    """A connection to one of the lab's databases.

    Attributes:
        here: global name of the database, "" for what it says itself.
        answer: returns what a person enters who is asked for a value.
        ran: names of the changing statements that were run. skipped: blocks that a guard ended. errors: what failed.
        has_exited: an error ended the tool; nothing behind it is read. code: what it left with, None where it stays.
        printed: what whole scripts said.
    """

    server: Databases
    end: End
    here: str = ""
    answer: Callable[[Question], str] = refuse
    ran: list[str] = field(default_factory=list)
    skipped: int = 0
    errors: list[str] = field(default_factory=list)
    has_exited: bool = False
    code: int | None = None
    printed: list[str] = field(default_factory=list)
    _apply: str = ""
    _ended: int = 0

    def run_whole(self, script: str, *, applies: bool = True) -> None:
        """Run a script that checks unless its one line is edited, which it is where it is to apply."""
        assert script.count(APPLYING_IT[0]) == 1
        self.run_script(script.replace(*APPLYING_IT) if applies else script)

    def run_script(self, script: str) -> None:
        """Run every block; fails on a line that SQL*Plus does not know, or a block that does nothing known."""
        here = self.here or self._read("database_info", "global_name")
        exits = False
        for whole in re.split(r"(?m)^/\n", script):
            part = self._with_answers(whole)
            lines = [line for line in part.splitlines() if line and not line.startswith("--")]
            while lines and not lines[0].startswith(("DECLARE", "BEGIN")):
                line = lines.pop(0)
                if line == "EXIT SUCCESS" and not self.has_exited:
                    self.code = 0
                    return
                switched = re.fullmatch(r"EXECUTE :apply := '(\w*)'", line)
                self._apply = switched[1] if switched else self._apply
                assert switched or line in _SETTINGS or self.has_exited, line
                exits = "EXIT" in line if line.startswith("WHENEVER SQLERROR") else exits
            if not lines or self.has_exited:
                continue
            try:
                self._guarded("\n".join(lines), str(here))
            except OracleError as error:
                self.errors.append(str(error))
                self.has_exited = exits
                self.code = 1 if exits else self.code

    def _guarded(self, text: str, here: str) -> None:
        if f"{text}\n/" == chosen_block():
            if self._apply not in ("no", "yes"):
                raise OracleError.of_text("ORA-20010: neither no nor yes")
            return
        if (ended := _ENDED.fullmatch(text)) is not None:
            if not self._ended:
                raise OracleError.of_text(f"ORA-20010: {ended['none']}")
            self.printed.append(ended["done" if self._apply == "yes" else "checked"])
            return
        guarded = _GUARDED.fullmatch(text)
        assert guarded is not None, text
        if guarded["database"].replace("''", "'") != here:
            self.skipped += 1
            return
        self._ended += 1
        if guarded["switched"] and self._apply != "yes":
            self.printed.append(guarded["checked"])
            return
        self._block(guarded["block"])

    def _with_answers(self, part: str) -> str:
        """Return a part with what it asks for; fails where it asks without saying what for."""
        if "\nSET DEFINE ON\n" not in part:
            return part
        told = {found["name"]: Question(found["address"], _query_of(found["query"])) for found in _ASKED.finditer(part)}
        return re.sub(r"&(\w+)", lambda asked: self.answer(told[asked[1]]), part)

    def _block(self, block: str) -> None:
        kept = _RETENTION.match(block)
        if kept is not None:
            days = self._read("capture_retention", "checkpoint_retention_time", capture_name=kept["capture"])
            if float(str(days)) not in map(float, kept["days"].split(", ")):
                raise OracleError.of_text(f"ORA-20010: {kept['message']}")
            block = block[kept.end() :]
        switch = _SWITCH.search(block)
        if switch is not None:
            name = "start_apply" if switch["call"] == "START_APPLY" else "stop_apply"
            is_enabled = self._read("apply_status", "status", apply_name=switch["name"]) == "ENABLED"
            if (name == "start_apply") is not is_enabled:
                self._run(catalogue()[name], {"process_name": switch["name"]})
            return
        self._run(*statement_of(flat(block)))

    def _read(self, name: str, column: str, **binds: BindValue) -> Cell:
        """Return one cell of the only row of a reading statement."""
        statement = catalogue()[name]
        (row,) = self.server.run(statement, self.end, binds)
        return row[statement.column_names.index(column)]

    def _run(self, statement: Statement, binds: Mapping[str, BindValue]) -> None:
        self.ran.append(statement.name)
        self.server.run(statement, self.end, binds)


def statement_of(text: str) -> tuple[Statement, dict[str, BindValue]]:
    """Return the catalogued block that a text on one line is, with the values in place of its binds.

    A block's call without what it compares ahead of it expects nothing.
    """
    for statement, pattern, names in _patterns():
        match = pattern.fullmatch(text)
        if match is not None:
            given = dict(zip(names, match.groups(), strict=True))
            types = {bind.name: bind.oracle_type for bind in statement.binds}
            return statement, {name: _value(types[name], given.get(name, "NULL")) for name in types}
    raise AssertionError(f"no statement of the catalogue: {text}")


def _query_of(text: str) -> Statement:
    return next(statement for statement in catalogue().values() if " ".join(statement.body.split()) == text)


def flat(text: str) -> str:
    """Return a text on one line, without comments."""
    return " ".join(line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("--"))


@cache
def _patterns() -> tuple[tuple[Statement, re.Pattern[str], tuple[str, ...]], ...]:
    """Return each block with its binds as groups; a bind that comes again is the same value."""
    made = []
    for statement, text in _blocks():
        pieces, names, at = "", [], 0
        for match in _PIECE.finditer(text):
            bind = match["bind"]
            pieces += re.escape(text[at : match.start()])
            if bind is None:
                pieces += re.escape(match.group())
            elif bind in names:
                pieces += f"(?P={bind})"
            else:
                pieces += rf"(?P<{bind}>'(?:[^']|'')*'|[-.\w]+)"
                names.append(bind)
            at = match.end()
        made.append((statement, re.compile(pieces + re.escape(text[at:])), tuple(names)))
    return tuple(made)


def _blocks() -> Iterator[tuple[Statement, str]]:
    for statement in catalogue().values():
        if statement.form is Form.PLSQL:
            text = flat(statement.body)
            yield statement, text
            if any(bind.name == EXPECTED for bind in statement.binds):
                yield statement, f"BEGIN {text.rpartition('END IF; ')[2]}"


def _value(oracle_type: OracleType, text: str) -> BindValue:
    if text == "NULL":
        return None
    if text.startswith("'"):
        return text[1:-1].replace("''", "'")
    return int(text) if oracle_type is OracleType.INTEGER else float(text)
