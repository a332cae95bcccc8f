"""Statements of the catalogue found again in a text, word by word, with values or variables in place of their binds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from app.drivers.oracle.catalogue import Form, OracleType, Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.lab_script.scope import Expression, Scope
from app.drivers.oracle.lab_script.values import number_of, text_of
from app.drivers.oracle.lab_script.words import ScriptError, tokens_of
from app.lab.words import Kind, Token

_HOLDING: Final = (Kind.TEXT, Kind.NUMBER, Kind.NAME, Kind.VARIABLE)
_COMPARED: Final = ("END", "IF", ";")


@dataclass(frozen=True)
class Known:
    """A statement found in a text: where it ends, and the word in place of each bind that stands there."""

    statement: Statement
    end: int
    given: Mapping[str, tuple[Token, ...]]

    def values(self) -> Mapping[str, Expression]:
        """Return what gives each bind its value; one that does not stand there is NULL."""
        return {bind.name: _value(self.given.get(bind.name, ()), bind.oracle_type) for bind in self.statement.binds}


def known_statement(tokens: Sequence[Token], at: int, form: Form) -> Known | None:
    """Return the statement of the catalogue that stands at a place, the longest, None for none.

    Of a block that compares ahead of its one call, the call alone is the same without anything expected.
    """
    found = [
        known
        for words, statement in _patterns().get(tokens[at].same, ())
        if statement.form is form and (known := _matched(words, statement, tokens, at)) is not None
    ]
    return max(found, key=lambda one: one.end, default=None)


def _matched(words: Sequence[Token], statement: Statement, tokens: Sequence[Token], at: int) -> Known | None:
    given: dict[str, tuple[Token, ...]] = {}
    for word in words:
        token = tokens[at]
        if word.kind is not Kind.VARIABLE:
            if token.same != word.same:
                return None
            at += 1
            continue
        is_negative = token.same == "-" and tokens[at + 1].kind is Kind.NUMBER
        held = tuple(tokens[at : at + 1 + is_negative])
        if held[-1].kind not in _HOLDING or _sames(given.setdefault(word.text[1:], held)) != _sames(held):
            return None
        at += len(held)
    return Known(statement, at, given)


def _sames(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.same for token in tokens)


@cache
def _patterns() -> Mapping[str, Sequence[tuple[Sequence[Token], Statement]]]:
    """Return the words of each statement by the first of them."""
    found: dict[str, list[tuple[Sequence[Token], Statement]]] = {}
    for statement in catalogue().values():
        for words in _spelled(statement):
            found.setdefault(words[0].same, []).append((words, statement))
    return found


def _spelled(statement: Statement) -> Iterator[Sequence[Token]]:
    """Yield the words of a statement, and those of its call alone, as a script may have either."""
    try:
        words = tokens_of(statement.body)[:-1]
    except ScriptError:
        return  # it has words that no script holds
    yield words
    if statement.form is Form.PLSQL:
        ends = [at for at in range(len(words)) if _sames(words[at : at + len(_COMPARED)]) == _COMPARED]
        start = ends[-1] + len(_COMPARED) if ends else 1
        call = words[start:-2]
        if call and call[0].text.startswith("DBMS_") and sum(word.same == ";" for word in call) == 1:
            yield call


def _value(held: Sequence[Token], oracle_type: OracleType) -> Expression:
    """Return what gives the value of a word, as the type of its bind."""

    def value(scope: Scope) -> BindValue:
        if not held:
            return None
        token, sign = held[-1], -1 if len(held) > 1 else 1
        found = scope.variables.get(token.same) if token.kind in (Kind.NAME, Kind.VARIABLE) else token.text
        if found is None or token.same == "NULL":
            return None
        if oracle_type is OracleType.VARCHAR2:
            return text_of(found)
        number = number_of(found)
        if number is None:
            return None
        return sign * int(number) if oracle_type is OracleType.INTEGER else sign * number

    return value
