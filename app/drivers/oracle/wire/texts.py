"""Telling which statement of the catalogue a text is, and which bind stands where; every other text is refused."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from app.drivers.oracle.catalogue import TOOL, Column, Form, Statement, catalogue
from app.drivers.oracle.errors import OracleError

_COMMENT: Final = re.compile(rf"/\* {TOOL} (\w+) \*/\n")
# Literals and comments hold no binds, and := is no bind either.
_MARKS: Final = re.compile(r"'[^']*'|/\*.*?\*/|--[^\n]*|:(?P<bind>[A-Za-z]\w*)", re.DOTALL)


@dataclass(frozen=True)
class Bound:
    """One place of a statement that takes or gives a value.

    Attributes:
        is_out: the block gives it, else it is given to the statement.
    """

    column: Column
    is_out: bool


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


def recognise(text: str) -> Recognised:
    """Return the statement a text is; raises OracleError (ORA-00900) where it differs by as much as a character."""
    comment = _COMMENT.match(text)
    statement = catalogue().get(comment[1]) if comment else None
    if comment is None or statement is None or statement.text != text:
        raise OracleError.of_text("ORA-00900: invalid SQL statement; this lab knows the statements of its program only")
    return Recognised(statement, places_of(statement), comment.end())


@cache
def places_of(statement: Statement) -> tuple[Bound, ...]:
    """Return the places of a statement's values in their order on the wire."""
    by_name = {bind.name: Bound(bind, is_out=False) for bind in statement.binds}
    if statement.form is Form.PLSQL:
        by_name |= {column.name: Bound(column, is_out=True) for column in statement.columns}
    names = [mark["bind"].lower() for mark in _MARKS.finditer(statement.text) if mark["bind"]]
    return tuple(by_name[name] for name in (dict.fromkeys(names) if statement.form is Form.PLSQL else names))
