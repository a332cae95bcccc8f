"""A DBA's SQL*Plus on the lab: runs a script block by block, doing what its guards and its error handling say."""

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
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
    r"DECLARE here global_name\.global_name%TYPE; BEGIN "
    r"SELECT naming\.global_name INTO here FROM global_name naming; IF here <> '(?P<database>(?:[^']|'')*)' THEN "
    r"DBMS_OUTPUT\.PUT_LINE\(a => '(?:[^']|'')*'\); RETURN; END IF; (?P<block>.*) END;"
)
_COUNTERS: Final = ("ended", "as_before", "undone", "others", "not_compared")
_SETTINGS: Final = (
    *AT_ERRORS.splitlines(),
    "SET DEFINE OFF",
    "SET DEFINE ON",
    "SET SERVEROUTPUT ON",
    "VARIABLE apply VARCHAR2(3)",
    *(f"VARIABLE {name} NUMBER" for name in _COUNTERS),
    *(f"EXECUTE :{name} := 0" for name in _COUNTERS),
)
APPLYING_IT: Final = ("\nEXECUTE :apply := 'no'\n", "\nEXECUTE :apply := 'yes'\n")
_SWITCH: Final = re.compile(
    r"process\.status = 'ENABLED'.*?(?P<call>(?:START|STOP)_APPLY)\(apply_name => '(?P<name>\w+)'", re.DOTALL
)
_AWAITED: Final = re.compile(
    r"FOR waited_s IN 0 \.\. (?P<limit>\d+) LOOP SELECT COUNT\(\*\) INTO running FROM \( (?P<query>.*) \) shown "
    r"WHERE shown\.status = 'ENABLED' OR shown\.state IS NOT NULL; EXIT WHEN running = 0; "
    r"IF waited_s = (?P=limit) THEN RAISE_APPLICATION_ERROR\(-20010, '(?P<said>(?:[^']|'')*)'\); END IF; "
    r"(?P<pause>.*;) END LOOP; END;$"
)
_READ: Final = re.compile(
    r"DECLARE [\w(); ]+?; BEGIN SELECT (?P<expressions>.*?) INTO (?P<variables>\w+(?:, \w+)*) FROM \( "
    r"(?P<query>.*?) \) shown; "
)
_IF: Final = re.compile(r"IF (?P<condition>.*?) THEN ")
_NESTED: Final = re.compile(r"\bIF .*? THEN |\bEND IF; ?")
_TEXT: Final = r"'(?:[^']|'')*'"
_SAID: Final = re.compile(rf"DBMS_OUTPUT\.PUT_LINE\(a => (?P<said>{_TEXT}(?: \|\| (?::\w+|{_TEXT}))*)\); ?")
_STOP: Final = re.compile(rf"RAISE_APPLICATION_ERROR\(-20010, (?P<said>{_TEXT})\); ?")
_ADD: Final = re.compile(r":(?P<name>\w+) := :(?P=name) \+ 1; ?")
_STATEMENT: Final = re.compile(rf"(?P<statement>.*?END;)(?P<after> DBMS_OUTPUT\.PUT_LINE\(a => {_TEXT}\);)?")
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
        printed: what whole scripts said. counts: what they counted.
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
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_COUNTERS, 0))
    _apply: str = ""

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
        guarded = _GUARDED.fullmatch(flat(text))
        if guarded is None:  # what stands at the end
            self._does(flat(text).removeprefix("BEGIN ").removesuffix(" END;"), {})
        elif guarded["database"].replace("''", "'") == here:
            self._does(guarded["block"], {})
        else:
            self.skipped += 1

    def _does(self, text: str, found: dict[str, Cell]) -> None:
        """Do what a text on one line says, one statement after the other."""
        while text:
            if read := _READ.match(text):
                found = self._shown(read)
            elif decision := _IF.match(text):
                if not self._holds(decision["condition"], found):
                    text = _behind_end(text[decision.end() :])
                    continue
                text = text[decision.end() :]
                continue
            elif said := _SAID.match(text):
                self.printed.append(self._joined(said["said"]))
            elif stopped := _STOP.match(text):
                raise OracleError.of_text(f"ORA-20010: {self._joined(stopped['said'])}")
            elif added := _ADD.match(text):
                self.counts[added["name"]] += 1
            elif text.startswith("RETURN;"):
                return
            elif ended := re.match(r"END(?: IF)?; ?", text):
                text = text[ended.end() :]
                continue
            else:
                made = _STATEMENT.fullmatch(text)
                assert made is not None, text
                self._block(made["statement"])
                text = (made["after"] or "").strip()
                continue
            text = text[(read or said or added).end() :]  # type: ignore[union-attr]  # one of them was met

    def _shown(self, read: re.Match[str]) -> dict[str, Cell]:
        """Return what the variables of a comparison get."""
        statement, binds = statement_of(read["query"])
        rows = self.server.run(statement, self.end, binds)
        names = ", ".join(statement.column_names)
        with _arithmetic() as database:
            database.execute(f"CREATE TABLE shown ({names})")
            places = ", ".join("?" for _name in statement.column_names)
            database.executemany(f"INSERT INTO shown VALUES ({places})", rows)
            [values] = database.execute(f"SELECT {read['expressions']} FROM shown")
        return dict(zip(read["variables"].split(", "), values, strict=True))

    def _holds(self, condition: str, found: Mapping[str, Cell]) -> bool:
        """Tell whether a condition on the switch, the counters or what was found is true."""
        known = {**found, "apply": self._apply, **self.counts}
        text = re.sub(r":?\b(\w+)\b(?![('])", lambda one: f":{one[1]}" if one[1] in known else one[0], condition)
        with _arithmetic() as database:
            [(is_true,)] = database.execute(f"SELECT {text}", known)
        return bool(is_true)

    def _joined(self, said: str) -> str:
        pieces = re.findall(rf"{_TEXT}|:\w+", said)
        return "".join(
            str(self.counts[piece[1:]]) if piece.startswith(":") else piece[1:-1].replace("''", "'") for piece in pieces
        )

    def _with_answers(self, part: str) -> str:
        """Return a part with what it asks for; fails where it asks without saying what for."""
        if "\nSET DEFINE ON\n" not in part:
            return part
        told = {found["name"]: Question(found["address"], _query_of(found["query"])) for found in _ASKED.finditer(part)}
        return re.sub(r"&(\w+)", lambda asked: self.answer(told[asked[1]]), part)

    def _block(self, block: str) -> None:
        switch = _SWITCH.search(block)
        if switch is not None:
            name = "start_apply" if switch["call"] == "START_APPLY" else "stop_apply"
            is_enabled = self._read("apply_status", "status", apply_name=switch["name"]) == "ENABLED"
            if (name == "start_apply") is not is_enabled:
                self._run(catalogue()[name], {"process_name": switch["name"]})
            if switch["call"] == "STOP_APPLY":
                self._await(block)
            return
        self._run(*statement_of(block))

    def _await(self, block: str) -> None:
        """Read until a process has stopped, as long as the block says."""
        loop = _AWAITED.search(block)
        assert loop is not None, block
        (status, names), (pause, seconds) = statement_of(loop["query"]), statement_of(f"BEGIN {loop['pause']} END;")
        state = status.column_names.index("state")
        for _waited_s in range(int(loop["limit"])):
            [row] = self.server.run(status, self.end, names)
            if row[status.column_names.index("status")] != "ENABLED" and row[state] in (None, ""):
                return
            self.server.run(pause, self.end, seconds)
        raise OracleError.of_text(f"ORA-20010: {loop['said']}")

    def _read(self, name: str, column: str, **binds: BindValue) -> Cell:
        """Return one cell of the only row of a reading statement."""
        statement = catalogue()[name]
        (row,) = self.server.run(statement, self.end, binds)
        return row[statement.column_names.index(column)]

    def _run(self, statement: Statement, binds: Mapping[str, BindValue]) -> None:
        self.ran.append(statement.name)
        self.server.run(statement, self.end, binds)


@contextmanager
def _arithmetic() -> Iterator[sqlite3.Connection]:
    """Open what works out expressions as Oracle does, to which an empty text is NULL."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.create_function("NVL", 2, lambda value, instead: instead if value in (None, "") else value)
        database.create_function("TO_NUMBER", 1, lambda text: None if text is None else float(text))
        yield database


def _behind_end(text: str) -> str:
    """Return what stands behind the END IF of a branch that begins here."""
    depth = 1
    for met in _NESTED.finditer(text):
        depth += -1 if met.group().startswith("END") else 1
        if not depth:
            return text[met.end() :]
    raise AssertionError(f"a branch does not end: {text}")


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
        text = flat(statement.body)
        yield statement, text
        if statement.form is Form.PLSQL and any(bind.name == EXPECTED for bind in statement.binds):
            yield statement, f"BEGIN {text.rpartition('END IF; ')[2]}"


def _value(oracle_type: OracleType, text: str) -> BindValue:
    if text == "NULL":
        return None
    if text.startswith("'"):
        return text[1:-1].replace("''", "'")
    return int(text) if oracle_type is OracleType.INTEGER else float(text)
