"""Telling which statement of the catalogue a text is, or which script, and which bind stands where."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from app.drivers.oracle.catalogue import TOOL, Column, Form, Statement, catalogue
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.lab_script.blocks import Asked, Block, read_text
from app.drivers.oracle.wire.values import type_sent

_COMMENT: Final = re.compile(rf"/\* {TOOL} (\w+) \*/\n")
# Literals and comments hold no binds, and := is no bind either.
_MARKS: Final = re.compile(r"'[^']*'|/\*.*?\*/|--[^\n]*|:(?P<bind>[A-Za-z]\w*)", re.DOTALL)


@dataclass(frozen=True)
class Bound:
    """One place of a statement that takes or gives a value.

    Attributes:
        is_out: the block gives it. is_in: it is given to the statement.
    """

    column: Column
    is_out: bool = False
    is_in: bool = True


@dataclass(frozen=True)
class Recognised:
    """A statement of the catalogue as it was sent.

    Attributes:
        places: in the order of their values on the wire: in a block each name once, in SQL each time it stands there.
        body_at: where its first word stands in the text, behind the comment.
    """

    statement: Statement
    places: tuple[Bound, ...]
    body_at: int


@dataclass(frozen=True)
class Script:
    """What a DBA's tool sent: a block or query that is no statement as the program sends it."""

    read: Block | Asked
    places: tuple[Bound, ...]
    body_at: int = 0


def recognise(text: str, kinds: Sequence[int] = ()) -> Recognised | Script:
    """Return the statement a text is, where it has the program's comment; else what it holds as a script.

    Args:
        kinds: of the binds sent with it, as they travel.

    Raises:
        OracleError: it has the comment and differs by as much as a character (ORA-00900), or is no script.
    """
    comment = _COMMENT.match(text)
    if comment is None:
        return _script(text, kinds)
    statement = catalogue().get(comment[1])
    if statement is None or statement.text != text:
        raise OracleError.of_text("ORA-00900: invalid SQL statement; this lab knows the statements of its program only")
    return Recognised(statement, places_of(statement), comment.end())


def _script(text: str, kinds: Sequence[int]) -> Script:
    read = read_text(text)
    if len(read.binds) != len(kinds):
        raise OracleError.of_text("ORA-01008: not all variables bound")
    outs = read.outs if isinstance(read, Block) else ()
    places = (
        Bound(Column(name, type_sent(kind), True, "", ""), is_out=name in outs)
        for name, kind in zip(read.binds, kinds, strict=True)
    )
    return Script(read, tuple(places))


@cache
def places_of(statement: Statement) -> tuple[Bound, ...]:
    """Return the places of a statement's values in their order on the wire."""
    by_name = {bind.name: Bound(bind) for bind in statement.binds}
    if statement.form is Form.PLSQL:
        by_name |= {column.name: Bound(column, is_out=True, is_in=False) for column in statement.columns}
    names = [mark["bind"].lower() for mark in _MARKS.finditer(statement.text) if mark["bind"]]
    return tuple(by_name[name] for name in (dict.fromkeys(names) if statement.form is Form.PLSQL else names))
