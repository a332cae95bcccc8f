"""Recording the answers of SQL Servers to every reading statement: columns, types, errors, times; never a value.

Nothing of the client's can get into a record, since only this is taken over: what a statement's own header and text
say, the names of result columns (which a statement or Microsoft's procedure gives them, never a client), numbers of
errors, and of their texts the words that stand in the statement itself.
"""

import hashlib
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.domain.first_contact import NUMBERED_SERVER, Answer, ColumnShape, FirstContact, NotAsked
from app.domain.setting import Value
from app.domain.statement import Access
from app.drivers.sqlserver.bound_text import bound_text
from app.drivers.sqlserver.catalogue import ANY_SERVER, COMMON_DATABASES, Statement, catalogue, system_statements
from app.drivers.sqlserver.errors import SqlError, to_target_error
from app.drivers.sqlserver.releases import release_needed
from app.drivers.sqlserver.session import Place, Transport
from app.foundation.rows import Cell

Parameters = Mapping[str, Value]
Described = tuple[tuple[ColumnShape, ...], int]
Describe = Callable[[Statement, Place, Parameters], Described]
"""Sends a statement and returns the columns and the number of rows of its result; raises SqlError."""

_NEVER_ASKED: Final = {
    "lab_wait": "only the clock of a lab sends it",
    "take_run_mark": "it would mark the server as being changed",
    "release_run_mark": "it belongs to take_run_mark",
}
_NO_SYSTEM: Final = "nothing of its system was met"
_TOO_OLD: Final = "SQL Server {release} was not met"
_VERSION_STATEMENT: Final = "server_info"
_KINDS: Final = {
    **dict.fromkeys(("bigint", "int", "smallint", "tinyint", "bit"), "whole"),
    **dict.fromkeys(("float", "real"), "number"),
    **dict.fromkeys(("datetime", "smalldatetime"), "time"),
}
"""Kind of each type a header may name; any other is a text."""
_MADE_UP: Final[Mapping[str, Value]] = {
    "bigint": 0,
    "int": 0,
    "bit": 0,
    "float": 0.0,
    "uniqueidentifier": "00000000-0000-0000-0000-000000000000",
}
_QUOTED: Final = re.compile(r"['\"\[]([^'\"\[\]]+)['\"\]]")


@dataclass
class Met:
    """The calls of a session so far: place and parameters of each statement, and the values returned, by name.

    Attributes:
        there: the kinds of places, server and database as headers write them, that answered with a row at least.
        answered: the statements that did.
    """

    calls: dict[tuple[str, str], tuple[Place, Parameters]] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    there: dict[tuple[str, str], Place] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)

    def take(
        self, statement: Statement, place: Place, parameters: Parameters, rows: Sequence[tuple[Cell, ...]]
    ) -> None:
        """Remember the first call of a statement at a server; its result fills the parameters of others."""
        key = (statement.name, place.server)
        if key in self.calls or statement.access is not Access.READ:
            return
        self.calls[key] = (place, dict(parameters))
        names = statement.column_names
        for name, cell in zip(names, rows[0] if rows else (), strict=False):
            if isinstance(cell, str | int | float):
                self.values.setdefault(name, cell)
        self.values.update(parameters)
        if rows:
            self.there.setdefault((statement.runs_at, statement.database), place)
            self.answered.add(statement.name)
        if statement.name == _VERSION_STATEMENT and rows:
            self.versions[place.server] = str(rows[0][names.index("version")])


class Remembering:
    """A transport that remembers its calls, for a record."""

    def __init__(self, transport: Transport, met: Met) -> None:
        self.own_server = transport.own_server
        self._transport = transport
        self._met = met

    def send(self, statement: Statement, place: Place, parameters: Parameters) -> tuple[tuple[Cell, ...], ...]:
        """Send a statement; raises SqlError. One that was refused is remembered as well."""
        rows: tuple[tuple[Cell, ...], ...] = ()
        try:
            rows = self._transport.send(statement, place, parameters)
        finally:
            self._met.take(statement, place, parameters, rows)
        return rows

    def close(self) -> None:
        """Close every connection."""
        self._transport.close()


class Recorder:
    """Sends every reading statement once to each server that was asked it, or once where it belongs."""

    def __init__(
        self,
        met: Met,
        own_server: str,
        describe: Describe,
        connection: tuple[tuple[str, str], ...],
        now_s: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._met = met
        self._own_server = own_server
        self._describe = describe
        self._connection = connection
        self._now_s = now_s
        self._systems = system_statements()

    def record(self) -> FirstContact:
        """Return the recorded answers."""
        answers: list[Answer] = []
        not_asked: list[NotAsked] = []
        met_servers = [self._own_server, *(server for _statement, server in self._met.calls)]
        numbers = {name: n for n, name in enumerate(dict.fromkeys(met_servers), 1)}
        for statement in sorted(catalogue().values(), key=lambda one: one.name):
            if statement.access is not Access.READ:
                continue
            calls = [] if statement.name in _NEVER_ASKED else list(self._calls(statement))
            if not calls:
                because = _NEVER_ASKED.get(statement.name) or self._not_met(statement)
                not_asked.append(NotAsked(statement.name, because))
            for place, parameters, has_made_up in calls:
                server = NUMBERED_SERVER.format(number=numbers[place.server])
                answers.append(self._ask(statement, place, parameters, server, has_made_up=has_made_up))
        versions = tuple(
            (NUMBERED_SERVER.format(number=number), self._met.versions.get(name, ""))
            for name, number in numbers.items()
        )
        return FirstContact("sqlserver", self._connection, versions, tuple(answers), tuple(not_asked))

    def _not_met(self, statement: Statement) -> str:
        """Return the place, release or system that a statement asks for and that was not met."""
        if newer := release_needed(statement.versions, self._met.versions.get(self._own_server, "")):
            return _TOO_OLD.format(release=newer)
        return _NO_SYSTEM if statement.runs_at == ANY_SERVER else f"no {statement.runs_at} was met"

    def _calls(self, statement: Statement) -> Iterator[tuple[Place, Parameters, bool]]:
        """Yield place and parameters of each call of a statement: as it was made, else as one of its kind."""
        met = [call for (name, _server), call in self._met.calls.items() if name == statement.name]
        for place, parameters in met:
            yield place, parameters, False
        elsewhere = None if met else self._place_of(statement)
        if elsewhere is None or release_needed(statement.versions, self._met.versions.get(elsewhere.server, "")):
            return
        parameters = {}
        has_made_up = False
        for declared in statement.parameters:
            name = declared.name.removeprefix("@")
            value = self._met.values.get(name)
            has_made_up = has_made_up or value is None
            parameters[name] = _MADE_UP.get(declared.sql_type, "") if value is None else value
        yield elsewhere, parameters, has_made_up

    def _place_of(self, statement: Statement) -> Place | None:
        there = self._met.there
        if statement.runs_at == ANY_SERVER:
            if not self._is_of_what_was_met(statement):
                return None
            common = Place(self._own_server, statement.database) if statement.database in COMMON_DATABASES else None
            return common or there.get((statement.runs_at, statement.database))
        if (statement.runs_at, statement.database) in there:
            return there[statement.runs_at, statement.database]
        other = next((place for (runs_at, _database), place in there.items() if runs_at == statement.runs_at), None)
        if other is None or statement.database not in COMMON_DATABASES:
            return None
        return Place(other.server, statement.database)

    def _is_of_what_was_met(self, statement: Statement) -> bool:
        """Tell whether it is the driver's own, or of a system that answered with a row: else its tables are missing."""
        of_its_system = next((names for names in self._systems if statement.name in names), None)
        return of_its_system is None or not of_its_system.isdisjoint(self._met.answered)

    def _ask(
        self, statement: Statement, place: Place, parameters: Parameters, server: str, *, has_made_up: bool
    ) -> Answer:
        began_s = self._now_s()
        columns: tuple[ColumnShape, ...] = ()
        rows = 0
        problem: SqlError | None = None
        try:
            columns, rows = self._describe(statement, place, parameters)
        except SqlError as error:
            problem = error
        kind = "" if problem is None else type(to_target_error(problem, "", "", "")).__name__
        return Answer(
            statement=statement.name,
            text_sha256=text_sha256(statement),
            server=server,
            runs_at=statement.runs_at,
            database=statement.database,
            has_made_up=has_made_up,
            expected=expected_columns(statement),
            columns=columns,
            rows=rows,
            duration_ms=round((self._now_s() - began_s) * 1000.0, 1),
            error=kind,
            error_number=0 if problem is None else problem.number,
            error_state="" if problem is None else problem.state,
            error_names=() if problem is None else _own_words(problem.text, statement),
        )


def text_sha256(statement: Statement) -> str:
    """Return the fingerprint of a statement's text as sent."""
    return hashlib.sha256(bound_text(statement).encode()).hexdigest()


def expected_columns(statement: Statement) -> tuple[ColumnShape, ...]:
    """Return the columns a statement declares."""
    return tuple(ColumnShape(one.name, _KINDS.get(one.sql_type, "text")) for one in statement.columns)


def _own_words(text: str, statement: Statement) -> tuple[str, ...]:
    """Return the words a server's error puts in quotes that stand in the statement: they are nobody's names."""
    own = set(re.findall(r"\w+", statement.body))
    return tuple(dict.fromkeys(word for word in _QUOTED.findall(text) if word.rpartition(".")[2] in own))
