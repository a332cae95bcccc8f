"""A DBA's SQL*Plus: its own part of a script, and the database it sends the rest to.

As the SQL*Plus User's Guide has it (docs.oracle.com/en/database/oracle/oracle-database/19/sqpug/): a PL/SQL block ends
with a slash on a line of its own, SQL with a semicolon; `&name` is replaced in every line while DEFINE is on, comments
too; `EXECUTE` is a block of one statement; `WHENEVER SQLERROR EXIT` ends it at the first error.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from app.domain.statement import Access
from app.drivers.oracle.catalogue import Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.lab_script.blocks import Asked, read_text
from app.drivers.oracle.lab_script.scope import Output, Rows, Scope
from app.drivers.oracle.session import End

APPLYING_IT: Final = ("\nEXECUTE :apply := 'no'\n", "\nEXECUTE :apply := 'yes'\n")
_SUBSTITUTED: Final = re.compile(r"&(\w+)")
_VARIABLE: Final = re.compile(r":(\w+)")
_ASKED: Final = re.compile(
    r"-- SQL\*Plus asks for (?P<name>\w+): enter the number that this query shows at (?P<address>\S+) \(.*\):\n"
    r"-- (?P<query>.*)\n"
)
_AT_ERRORS: Final = ("SQLERROR EXIT FAILURE ROLLBACK", "OSERROR EXIT FAILURE ROLLBACK", "SQLERROR CONTINUE")
_SETTINGS: Final = re.compile(r"SET (?:ECHO|FEEDBACK|HEADING|LINESIZE|PAGESIZE|TRIMSPOOL|VERIFY|TERMOUT) \w+")


@dataclass(frozen=True)
class Question:
    """A value that a script asks for, with what it says of it.

    Attributes:
        address, query: where which query answers it.
    """

    address: str
    query: Statement


class Database(Protocol):
    """The database the tool is connected with."""

    def send(self, text: str, binds: Mapping[str, Any]) -> Mapping[str, Any]:
        """Have a text carried out, and return what its binds are afterwards; raises OracleError."""
        ...

    def fetched(self) -> list[str]:
        """Return what DBMS_OUTPUT holds."""
        ...


@dataclass
class LabDatabase:
    """A database of the lab in this process.

    Attributes:
        here: its global name, "" for its own. rights: kinds and names of what the login holds, None for all.
        ran: names of the changing statements that were run. rows: of the last query.
    """

    server: Any
    end: End
    here: str = ""
    rights: frozenset[tuple[str, str]] | None = None
    user: str = "REPLITUNE"
    ran: list[str] = field(default_factory=list)
    rows: Sequence[tuple[Any, ...]] = ()
    output: Output = field(default_factory=lambda: Output(is_on=True))

    @property
    def database(self) -> str:
        """Its global name."""
        return self.here or str(self.server.database_name(self.end))

    def run(self, statement: Statement, binds: Mapping[str, BindValue]) -> Rows:
        """Run a statement of the catalogue."""
        if statement.access is Access.CHANGE:
            self.ran.append(statement.name)
        if statement.name == "privileges" and self.rights is not None:
            return [*self.rights]
        rows: Rows = self.server.run(statement, self.end, binds)
        return rows

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.server.advance(seconds)

    def send(self, text: str, binds: Mapping[str, Any]) -> Mapping[str, Any]:
        """Carry out what a client sends."""
        read, scope = read_text(text), Scope(self, {f":{name.upper()}": value for name, value in binds.items()})
        if isinstance(read, Asked):
            self.rows = read.query.rows(scope)
            return binds
        read.run(scope)
        return {name: scope.variables[f":{name.upper()}"] for name in binds}

    def fetched(self) -> list[str]:
        """Return what was said, and forget it."""
        lines, self.output.lines = self.output.lines, []
        return lines


def refuse(question: Question) -> str:
    """Answer nothing."""
    raise AssertionError(f"nobody expects to be asked for what {question.query.name} shows")


@dataclass
class SqlPlus:
    """The tool.

    Attributes:
        answer: returns what a person enters who is asked for a value. defines: what DEFINE says of a variable.
        errors: what failed. code: what it left with, None where it stays.
        printed: what the server said. skipped: blocks that said they are for another database.
        variables: the tool's own, which statements name with a colon.
    """

    database: Database
    answer: Callable[[Question], str] = refuse
    defines: Mapping[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    code: int | None = None
    printed: list[str] = field(default_factory=list)
    skipped: int = 0
    variables: dict[str, Any] = field(default_factory=dict)
    _lines: list[str] = field(default_factory=list)
    _exits: bool = False
    _substitutes: bool = True
    _shows: bool = False

    @property
    def error(self) -> str:
        """The last error, "" for none."""
        return self.errors[-1] if self.errors else ""

    @property
    def ran(self) -> list[str]:
        """Names of the changing statements that were run, in the lab of this process."""
        assert isinstance(self.database, LabDatabase)
        return self.database.ran

    def run_whole(self, script: str, *, applies: bool = True) -> None:
        """Run a script that checks unless its one line is edited, which it is where it is to apply."""
        assert script.count(APPLYING_IT[0]) == 1
        self.run_script(script.replace(*APPLYING_IT) if applies else script)

    def run_script(self, script: str) -> None:
        """Run a script to its end, or to the error that ends the tool; fails on a line that SQL*Plus does not know."""
        asked = {
            found["name"]: Question(found["address"], _query_of(found["query"])) for found in _ASKED.finditer(script)
        }

        def value(found: re.Match[str]) -> str:
            name = found[1]
            return self.defines[name] if name in self.defines else self.answer(asked[name])

        for line in script.splitlines():
            self._read(_SUBSTITUTED.sub(value, line) if self._substitutes else line)
            if self.code is not None:
                return
        assert not self._lines, f"never sent: {self._lines}"

    def _read(self, line: str) -> None:
        if self._lines and self._lines[0].startswith("SELECT"):
            assert line.strip(), f"an empty line ends it, and nothing is sent: {self._lines}"
            self._take_query(line)
        elif self._lines:
            if line.rstrip() != "/":
                self._lines.append(line)
                return
            text, self._lines = "\n".join(self._lines), []
            self._send(text)
        elif line.startswith("SELECT"):
            self._take_query(line)
        elif line.startswith(("DECLARE", "BEGIN")):
            self._lines.append(line)
        elif line.strip() and not line.startswith("--"):
            self._command(line.rstrip())

    def _take_query(self, line: str) -> None:
        self._lines.append(line)
        if line.rstrip().endswith(";"):
            text, self._lines = "\n".join(self._lines), []
            self._send(text.rstrip().removesuffix(";"))

    def _command(self, line: str) -> None:
        word, _blank, rest = line.partition(" ")
        if word == "EXECUTE":
            self._send(f"BEGIN {rest}; END;")
        elif word == "VARIABLE":
            self.variables[rest.split()[0]] = None
        elif word == "EXIT":
            assert rest in ("", "SUCCESS"), line
            self.code = 0
        elif word == "WHENEVER":
            assert rest in ("SQLERROR EXIT FAILURE ROLLBACK", "OSERROR EXIT FAILURE ROLLBACK", "SQLERROR CONTINUE"), (
                line
            )
            self._exits = "EXIT" in rest if rest.startswith("SQLERROR") else self._exits
        elif line in ("SET DEFINE ON", "SET DEFINE OFF"):
            self._substitutes = line.endswith("ON")
        elif line.startswith("SET SERVEROUTPUT ON"):
            self._shows = True
        else:
            assert word in ("PROMPT", "SPOOL") or _SETTINGS.fullmatch(line), f"no command of SQL*Plus: {line}"

    def _send(self, text: str) -> None:
        named = {name for name in self.variables if name in _VARIABLE.findall(text)}
        try:
            self.variables |= self.database.send(text, {name: self.variables[name] for name in named})
        except OracleError as error:
            self.errors.append(str(error))
            self.code = 1 if self._exits else None
        if self._shows:
            said = self.database.fetched()
            printed = [line for line in said if not line.startswith("Skipped: this part is for")]
            self.printed += printed
            self.skipped += len(said) - len(printed)


def _query_of(text: str) -> Statement:
    return next(statement for statement in catalogue().values() if " ".join(statement.body.split()) == text)


def tool_at(
    server: Any, end: End, *, answer: Callable[[Question], str] = refuse, here: str = "", **more: Any
) -> SqlPlus:
    """Return a tool that is connected with a database of a lab in this process."""
    defines = more.pop("defines", {})
    return SqlPlus(LabDatabase(server, end, here, **more), answer, defines)
