"""A lab whose every name of the client carries a mark: what the statements' headers do not declare to be a word."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import pytest

from app.domain.naming import Holds
from app.drivers.oracle import catalogue as oracle_catalogue
from app.drivers.sqlserver import catalogue as sqlserver_catalogue
from app.drivers.sqlserver.lab.servers import LabTransport as SqlServerLab
from app.drivers.sqlserver.session import Place
from app.systems.oracle_streams.lab_server.server import LabTransport as OracleLab
from app.systems.oracle_streams.naming import QUEUE
from tests.shipped_rules import ADVISOR

MARK: Final = "Qzxjwk"

# Kinds of names that are put together from others, and found again in parts.
_IN_PARTS: Final = (Holds.SERVER, Holds.DATABASE, Holds.TABLE, QUEUE, Holds.FOLDER, Holds.LOGIN)
# Vendor's roles and privileges stand there beside the client's own.
_MIXED: Final = {("privileges", "name")}

Cells = tuple[tuple[object, ...], ...]


class Marking:
    """Puts the mark on names that come from a server, and takes it off those that are sent."""

    def __init__(self) -> None:
        self._public = ADVISOR.declared_texts().public
        self.planted: set[tuple[str, str]] = set()

    def name(self, holds: Holds, name: str) -> str:
        """Return a name with its mark; what every installation has, and this program's own, has none."""
        is_number = re.fullmatch(r"-?[\d.]+[KMG]?", name) is not None
        if not name or is_number or name.lower() in self._public or name.lower().startswith("replitune"):
            return name
        if holds not in _IN_PARTS:
            return MARK + name
        return re.sub(r"[^\W\d_]\w*", lambda part: self._part(part.group(), name), name)

    def _part(self, part: str, name: str) -> str:
        is_drive = re.match(rf"{part}:", name) is not None
        return part if is_drive or part.lower() in self._public or part.startswith("Replitune") else MARK + part

    def rows(self, statement: Any, rows: Iterable[Sequence[object]], server: str) -> Cells:
        """Return rows with each text column marked that is a name, and a marked name in each sentence."""
        return tuple(
            tuple(
                self._cell(statement.name, column, cell, server)
                for column, cell in zip(statement.columns, row, strict=True)
            )
            for row in rows
        )

    def _cell(self, statement: str, column: Any, cell: object, server: str) -> object:
        if not isinstance(cell, str) or not cell or column.holds == Holds.WORD or (statement, column.name) in _MIXED:
            return cell
        self.planted.add((statement, column.name))
        return f"{cell} ({server})" if column.holds == Holds.SENTENCE else self.name(column.holds, cell)


def unmarked(text: Any) -> Any:
    """Return a value as the lab knows it."""
    return text.replace(MARK, "") if isinstance(text, str) else text


def mark_the_labs(monkeypatch: pytest.MonkeyPatch) -> Marking:
    """Let every lab opened from now on answer with marked names."""
    marking = Marking()
    made, sent, asked, served = SqlServerLab.__init__, SqlServerLab.send, OracleLab.send, OracleLab.server_of

    def make(self: SqlServerLab, server: Any) -> None:
        made(self, server)
        self.own_server = marking.name(Holds.SERVER, self.own_server)

    def send(self: SqlServerLab, statement: Any, place: Place, parameters: Mapping[str, Any]) -> Any:
        there = Place(unmarked(place.server), unmarked(place.database))
        rows = sent(self, statement, there, {name: unmarked(value) for name, value in parameters.items()})
        return marking.rows(statement, rows, place.server)

    def ask(self: OracleLab, statement: Any, end: Any, binds: Mapping[str, Any]) -> Any:
        rows = asked(self, statement, end, {name: unmarked(value) for name, value in binds.items()})
        return marking.rows(statement, rows, self.server_of(end))

    monkeypatch.setattr(SqlServerLab, "__init__", make)
    monkeypatch.setattr(SqlServerLab, "send", send)
    monkeypatch.setattr(OracleLab, "send", ask)
    monkeypatch.setattr(OracleLab, "server_of", lambda self, end: marking.name(Holds.DATABASE, served(self, end)))
    return marking


def parameters_of_all() -> tuple[tuple[str, str, Holds], ...]:
    """Return (statement, parameter, what it holds) of every parameter of both catalogues."""
    of_sqlserver = (
        (s.name, p.name.removeprefix("@"), p.holds)
        for s in sqlserver_catalogue.catalogue().values()
        for p in s.parameters
    )
    of_oracle = ((s.name, b.name, b.holds) for s in oracle_catalogue.catalogue().values() for b in s.binds)
    return (*of_sqlserver, *of_oracle)
