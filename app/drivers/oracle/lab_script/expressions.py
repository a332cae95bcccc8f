"""Expressions and conditions of SQL and PL/SQL: those that scripts of this program hold."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final

from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.lab_script.scope import Expression, Scope
from app.drivers.oracle.lab_script.values import COMPARISONS, Value, compared, joined, number_of, text_of
from app.drivers.oracle.lab_script.words import ScriptError, Words, not_known
from app.lab.words import Kind, Token

_AGGREGATES: Final[Mapping[str, Callable[[Sequence[Value]], Value]]] = {
    "MAX": lambda values: max(values, default=None),  # type: ignore[type-var]  # of one type
    "MIN": lambda values: min(values, default=None),  # type: ignore[type-var]  # of one type
    "SUM": lambda values: sum(number_of(value) or 0 for value in values) if values else None,
    "COUNT": len,
}


def _decoded(value: Value, *pairs: Value) -> Value:
    for wanted, instead in zip(pairs[::2], pairs[1::2], strict=False):
        if value == wanted:  # DECODE takes NULL for the same as NULL
            return instead
    return pairs[-1] if len(pairs) % 2 else None


def _replaced(text: Value, piece: Value, instead: Value = None) -> Value:
    whole, wanted = text_of(text), text_of(piece)
    return whole if whole is None or wanted is None else whole.replace(wanted, text_of(instead) or "") or None


def _part(text: Value, start: Value, length: Value = None) -> Value:
    whole, first, count = text_of(text), number_of(start), number_of(length)
    if whole is None or first is None:
        return None
    begin = int(first) - 1 if first > 0 else len(whole) + int(first) if first else 0
    return whole[begin:] or None if count is None else whole[begin : begin + int(count)] or None


def _size(value: Value) -> Value:
    number = number_of(value)
    return None if number is None else abs(number)


def _shown(value: Value, form: Value = None) -> Value:
    if isinstance(value, datetime) and form == "YYYY-MM-DD HH24:MI:SS":
        return value.strftime("%Y-%m-%d %H:%M:%S")
    if form is not None and not str(form).startswith("FM9"):
        raise OracleError.of_text(f"ORA-01821: date format not recognized: the lab does not know {form}")
    return text_of(value)


_FUNCTIONS: Final[Mapping[str, Callable[..., Value]]] = {
    "ABS": _size,
    "CHR": lambda code: chr(int(number_of(code) or 0)),
    "COALESCE": lambda *values: next((value for value in values if value not in (None, "")), None),
    "DECODE": _decoded,
    "LENGTH": lambda text: None if text_of(text) is None else len(str(text_of(text))),
    "LOWER": lambda text: (text_of(text) or "").lower() or None,
    "LTRIM": lambda text, signs=" ": (text_of(text) or "").lstrip(str(signs)) or None,
    "NVL": lambda value, instead: instead if value in (None, "") else value,
    "REPLACE": _replaced,
    "SUBSTR": _part,
    "TO_CHAR": _shown,
    "TO_NUMBER": number_of,
    "TRIM": lambda text: (text_of(text) or "").strip(" ") or None,
    "UPPER": lambda text: (text_of(text) or "").upper() or None,
}
_BARE: Final[Mapping[str, Expression]] = {
    "NULL": lambda _scope: None,
    "TRUE": lambda _scope: True,
    "FALSE": lambda _scope: False,
    "USER": lambda scope: scope.connection.user,
    "SQLERRM": lambda scope: "ORA-0000: normal, successful completion" if scope.error is None else scope.error.text,
    "SQLCODE": lambda scope: 0 if scope.error is None else -int(scope.error.code.partition("-")[2] or 0),
}


class Expressions:
    """Reads expressions.

    Attributes:
        declared: names of variables in capitals. columns: by the alias of a query or loop, in capitals.
        has_aggregate: one was read since this was last set.
    """

    def __init__(self, words: Words) -> None:
        self.words = words
        self.declared: set[str] = set()
        self.columns: dict[str, Sequence[str]] = {}
        self.has_aggregate = False

    def expression(self) -> Expression:
        """Read one, or a condition."""
        return self._chain(
            self._both, "OR", lambda one, two: True if one or two else None if None in (one, two) else False
        )

    def _both(self) -> Expression:
        def both(one: Value, two: Value) -> Value:
            return False if one is False or two is False else None if None in (one, two) else True

        return self._chain(self._negated, "AND", both)

    def _chain(self, read: Callable[[], Expression], word: str, made: Callable[[Value, Value], Value]) -> Expression:
        first = read()
        while self.words.took(word):
            first = _of_two(made, first, read())
        return first

    def _negated(self) -> Expression:
        if not self.words.took("NOT"):
            return self._comparison()
        inner = self._negated()

        def negated(scope: Scope) -> Value:
            value = inner(scope)
            return None if value is None else not value

        return negated

    def _comparison(self) -> Expression:
        words, first = self.words, self._sum()
        sign = words.next.same
        if sign in COMPARISONS:
            words.at += 1
            return _of_two(lambda one, two: compared(sign, one, two), first, self._sum())
        if words.took("IS"):
            is_not = words.took("NOT")
            words.need("NULL")
            return lambda scope: (first(scope) in (None, "")) is not is_not
        is_not = words.took("NOT")
        if words.took("BETWEEN"):
            low = self._sum()
            words.need("AND")
            return _unless(is_not, _between(first, low, self._sum()))
        if words.took("IN"):
            return _unless(is_not, self._listed(first))
        if is_not:
            raise words.wrong()
        return first

    def _listed(self, first: Expression) -> Expression:
        choices = self._in_brackets()

        def listed(scope: Scope) -> Value:
            value = first(scope)
            found = [_same(value, choice(scope)) for choice in choices]
            return True if True in found else None if None in found else False

        return listed

    def _sum(self) -> Expression:
        first = self._product()
        while (sign := self.words.next.same) in ("||", "+", "-"):
            self.words.at += 1
            first = _of_two(_CALCULATED[sign], first, self._product())
        return first

    def _product(self) -> Expression:
        first = self._single()
        while (sign := self.words.next.same) in ("*", "/"):
            self.words.at += 1
            first = _of_two(_CALCULATED[sign], first, self._single())
        return first

    def _single(self) -> Expression:
        words = self.words
        token = words.next
        if words.took("-"):
            inner = self._single()
            return _of_two(_CALCULATED["-"], lambda _scope: 0, inner)
        if token.same == "(":
            inside = self._in_brackets()
            return inside[0] if len(inside) == 1 else lambda scope: tuple(one(scope) for one in inside)  # type: ignore[return-value]  # a row, compared as a whole
        if words.took("CASE"):
            return self._case()
        words.take(Kind.TEXT, Kind.NUMBER, Kind.VARIABLE, Kind.NAME, Kind.QUOTED)
        if token.kind is Kind.TEXT:
            return lambda _scope: token.text or None
        if token.kind is Kind.NUMBER:
            number = number_of(token.text)
            return lambda _scope: number
        if token.kind is Kind.VARIABLE:
            return lambda scope: scope.variables.get(token.same)
        if words.is_next("("):
            return self._called(token)
        return self._named(token)

    def _in_brackets(self) -> list[Expression]:
        words = self.words
        words.need("(")
        found = [self.expression()]
        while words.took(","):
            found.append(self.expression())
        words.need(")")
        return found

    def _case(self) -> Expression:
        words = self.words
        cases: list[tuple[Expression, Expression]] = []
        while words.took("WHEN"):
            condition = self.expression()
            words.need("THEN")
            cases.append((condition, self.expression()))
        otherwise = self.expression() if words.took("ELSE") else _BARE["NULL"]
        words.need("END")
        return lambda scope: next((value for condition, value in cases if condition(scope) is True), otherwise)(scope)

    def _called(self, token: Token) -> Expression:
        words = self.words
        if token.same == "COUNT" and words.took("(", "*", ")"):
            self.has_aggregate = True
            return lambda scope: len(scope.group)
        inside = self._in_brackets()
        if token.same in _AGGREGATES:
            self.has_aggregate = True
            return _aggregate(_AGGREGATES[token.same], inside[0])
        function = _FUNCTIONS.get(token.same)
        if function is None:
            raise not_known(f"the function {token.text}", token.line)

        def called(scope: Scope) -> Value:
            try:
                return function(*(one(scope) for one in inside))
            except TypeError as error:
                raise ScriptError(
                    f"PLS-00306: wrong number or types of arguments in call to '{token.same}'", token.line
                ) from error

        return called

    def _named(self, token: Token) -> Expression:
        words = self.words
        if words.took("."):
            column = words.name().upper()
            if column not in self.columns.get(token.same, ()):
                raise ScriptError(f'ORA-00904: "{token.same}"."{column}": invalid identifier', token.line)
            return lambda scope: scope.records[token.same][column]
        name = token.same
        holders = [alias for alias, columns in self.columns.items() if name in columns]
        if holders:
            return lambda scope: scope.records[holders[-1]][name]
        if name in self.declared:
            return lambda scope: scope.variables.get(name)
        if name in _BARE:
            return _BARE[name]
        raise ScriptError(f"PLS-00201: identifier '{name}' must be declared", token.line)


def wrong_arguments(token: Token) -> ScriptError:
    """Return the error that a call has other arguments than what it calls takes."""
    return ScriptError(f"PLS-00306: wrong number or types of arguments in call to '{token.same}'", token.line)


def _of_two(made: Callable[[Value, Value], Value], first: Expression, second: Expression) -> Expression:
    return lambda scope: made(first(scope), second(scope))


def _unless(is_not: bool, inner: Expression) -> Expression:
    def value(scope: Scope) -> Value:
        found = inner(scope)
        return None if found is None else bool(found) is not is_not

    return value


def _between(first: Expression, low: Expression, high: Expression) -> Expression:
    def between(scope: Scope) -> Value:
        value = first(scope)
        sides = (compared(">=", value, low(scope)), compared("<=", value, high(scope)))
        return False if False in sides else None if None in sides else True

    return between


def _same(one: Value, other: Value) -> bool | None:
    if isinstance(one, tuple) and isinstance(other, tuple):
        pairs = [compared("=", *pair) for pair in zip(one, other, strict=True)]
        return False if False in pairs else None if None in pairs else True
    return compared("=", one, other)


def _aggregate(made: Callable[[Sequence[Value]], Value], inner: Expression) -> Expression:
    def value(scope: Scope) -> Value:
        found = [inner(scope.at(row)) for row in scope.group]
        return made([one for one in found if one not in (None, "")])

    return value


def _number(made: Callable[[int | float, int | float], int | float]) -> Callable[[Value, Value], Value]:
    def value(one: Value, two: Value) -> Value:
        first, second = number_of(one), number_of(two)
        return None if first is None or second is None else made(first, second)

    return value


def _quotient(one: int | float, two: int | float) -> int | float:
    if not two:
        raise OracleError.of_text("ORA-01476: divisor is equal to zero")
    return one / two


_CALCULATED: Final[Mapping[str, Callable[[Value, Value], Value]]] = {
    "||": joined,
    "+": _number(lambda one, two: one + two),
    "-": _number(lambda one, two: one - two),
    "*": _number(lambda one, two: one * two),
    "/": _number(_quotient),
}
