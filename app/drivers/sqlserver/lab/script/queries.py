"""Expressions and SELECTs of scripts: read once, then asked as often as a batch comes to them.

What is read becomes a function of a `Frame`. Everything else than what is written here is refused, with its line.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cmp_to_key, partial
from itertools import product
from typing import Final

from app.drivers.sqlserver.lab.script.frames import NO_VARIABLE, Expression, Frame, Row, Table, own_table
from app.drivers.sqlserver.lab.script.functions import FUNCTIONS, TOLD
from app.drivers.sqlserver.lab.script.tokens import ScriptError, not_known
from app.drivers.sqlserver.lab.script.values import Value, converted, is_like, is_type, order
from app.drivers.sqlserver.lab.script.words import Words
from app.foundation.rows import Cell
from app.lab.words import Kind

_NO_COLUMN: Final = 207
_TOO_MANY: Final = 512


@dataclass(frozen=True)
class Item:
    """One expression of a SELECT: the name of its column, or the variable it is given to."""

    value: Expression
    name: str = ""
    variable: str = ""


@dataclass(frozen=True)
class Select:
    """A SELECT that was read."""

    items: tuple[Item, ...]
    rows: Callable[[Frame], Iterator[Frame]]
    is_aggregate: bool
    most: int | None
    line: int
    ordered_by: tuple[Expression, ...] = ()

    def frames(self, frame: Frame) -> Iterator[Frame]:
        """Yield where each row of the result is computed."""
        found = self.rows(frame)
        for by in reversed(self.ordered_by):
            found = iter(sorted(found, key=cmp_to_key(partial(_in_order, by))))
        if self.is_aggregate:
            yield replace(frame, group=tuple(found))
            return
        for number, one in enumerate(found):
            if number == self.most:
                return
            yield one

    def result(self, frame: Frame) -> list[tuple[Cell, ...]]:
        """Return the rows."""
        return [tuple(item.value(one) for item in self.items) for one in self.frames(frame)]

    def scalar(self, frame: Frame) -> Cell:
        """Return its one value, NULL where there is no row."""
        rows = self.result(frame)
        if len(rows) > 1:
            raise ScriptError(_TOO_MANY, "Subquery returned more than 1 value.", self.line)
        return rows[0][0] if rows else None


class Queries:
    """Reads expressions and SELECTs."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self._has_aggregate = False

    # Conditions, from the loosest binding to the closest.

    def expression(self) -> Expression:
        """Read an expression or a condition."""
        return self._joined("OR", self._and, decided_by=True)

    def _and(self) -> Expression:
        return self._joined("AND", self._not, decided_by=False)

    def _joined(self, word: str, read: Callable[[], Expression], *, decided_by: bool) -> Expression:
        parts = [read()]
        while self.words.took(word):
            parts.append(read())
        if len(parts) == 1:
            return parts[0]

        def joined(frame: Frame) -> Value:
            is_unknown = False
            for part in parts:
                value = part(frame)
                if value is not None and bool(value) is decided_by:
                    return decided_by
                is_unknown |= value is None
            return None if is_unknown else not decided_by

        return joined

    def _not(self) -> Expression:
        return _negated(self._not()) if self.words.took("NOT") else self._comparison()

    def _comparison(self) -> Expression:
        left, words = self._sum(), self.words
        sign = words.next.same
        if sign in _COMPARED:
            words.at += 1
            return _compared(left, self._sum(), _COMPARED[sign])
        if words.took("IS"):
            is_negated = words.took("NOT")
            words.need("NULL")
            return lambda frame: (left(frame) is None) is not is_negated
        is_negated = words.took("NOT")
        if words.took("IN"):
            tested = self._in(left)
        elif words.took("LIKE"):
            tested = _like(left, self._sum())
        elif is_negated:
            raise words.wrong()
        else:
            return left
        return _negated(tested) if is_negated else tested

    def _in(self, left: Expression) -> Expression:
        self.words.need("(")
        if self.words.is_next("SELECT"):
            select = self.select()
            self.words.need(")")
            return lambda frame: _is_among(frame, left(frame), [row[0] for row in select.result(frame)])
        among = [self._sum()]
        while self.words.took(","):
            among.append(self._sum())
        self.words.need(")")
        return lambda frame: _is_among(frame, left(frame), [one(frame) for one in among])

    def _sum(self) -> Expression:
        left = self._part()
        while self.words.next.same in ("+", "-"):
            is_plus = self.words.next.same == "+"
            self.words.at += 1
            left = _added(left, self._part(), is_plus=is_plus)
        return left

    def _part(self) -> Expression:
        words, token = self.words, self.words.next
        if words.took("-"):
            part = self._part()
            return lambda frame: _added(lambda _frame: 0, part, is_plus=False)(frame)
        read = self._simple()
        while words.took("COLLATE"):
            words.name()  # the one of every lab's servers differs from those that scripts name in nothing they compare
        if words.next.same in ("*", "/", "%"):
            raise not_known(f"{words.next.same} after {token.text}", token.line)
        return read

    def _simple(self) -> Expression:
        words, token = self.words, self.words.next
        if token.kind in (Kind.TEXT, Kind.NUMBER):
            words.at += 1
            constant: Cell = token.text
            if token.kind is Kind.NUMBER:
                constant = float(token.text) if "." in token.text else int(token.text)
            return lambda _frame: constant
        if token.kind is Kind.VARIABLE:
            words.at += 1
            return _variable(token.same, token.text, token.line)
        if words.took("("):
            if words.is_next("SELECT"):
                select = self.select()
                words.need(")")
                return select.scalar
            inner = self.expression()
            words.need(")")
            return inner
        if words.took("NULL"):
            return lambda _frame: None
        if words.took("EXISTS"):
            words.need("(")
            select = self.select()
            words.need(")")
            return lambda frame: next(select.frames(frame), None) is not None
        if token.kind is Kind.NAME and words.tokens[words.at + 1].same == "(":
            return self._call()
        return self._column()

    def _column(self) -> Expression:
        token = self.words.next
        first = self.words.name()
        if not self.words.took("."):
            return lambda frame: _cell(frame, None, first, token.line)
        column = self.words.name()
        return lambda frame: _cell(frame, first, column, token.line)

    def _call(self) -> Expression:
        words = self.words
        token = words.take(Kind.NAME)
        name = token.same
        words.need("(")
        if name in ("CAST", "CONVERT"):
            return self._conversion(name)
        if name in _AGGREGATES:
            return self._aggregate(name)
        given: list[Expression] = []
        while not words.took(")"):
            if given:
                words.need(",")
            given.append(self.expression())
        function = FUNCTIONS.get((name, len(given))) or FUNCTIONS.get((name, None))
        if function is not None:
            return lambda frame: function(frame, [one(frame) for one in given])
        if not given and name in TOLD:
            return lambda frame: frame.around.told(name)
        raise not_known(f"{token.text} with {len(given)} parameters", token.line)

    def _conversion(self, name: str) -> Expression:
        words = self.words
        if name == "CAST":
            value = self.expression()
            words.need("AS")
            wanted = self.type_name()
        else:
            wanted = self.type_name()
            words.need(",")
            value = self.expression()
        words.need(")")
        return lambda frame: converted(value(frame), wanted)

    def _aggregate(self, name: str) -> Expression:
        words = self.words
        self._has_aggregate = True
        is_distinct = words.took("DISTINCT")
        counted: Expression = (lambda _frame: 1) if words.took("*") else self.expression()
        words.need(")")

        def aggregate(frame: Frame) -> Value:
            found = [value for one in frame.group if (value := counted(one)) is not None]
            values = list(dict.fromkeys(found)) if is_distinct else found
            if name == "COUNT":
                return len(values)
            picked = max if name == "MAX" else min
            return picked(values, default=None)  # of one column, all of one type

        return aggregate

    def type_name(self) -> str:
        """Read the name of a type with its length."""
        token = self.words.next
        name = self.words.name().lower()
        if self.words.took("("):
            name += f"({self.words.take(Kind.NUMBER, Kind.NAME).text.lower()})"
            self.words.need(")")
        if not is_type(name):
            raise not_known(f"the type {name}", token.line)
        return name

    # SELECT

    def select(self) -> Select:
        """Read a SELECT."""
        words, outer = self.words, self._has_aggregate
        self._has_aggregate = False
        line = words.next.line
        words.need("SELECT")
        most = None
        if words.took("TOP"):
            words.need("(")
            most = words.whole()
            words.need(")")
        items = [self._item()]
        while words.took(","):
            items.append(self._item())
        is_aggregate, self._has_aggregate = self._has_aggregate, False
        rows = self._from() if words.took("FROM") else _one_row
        if words.took("WHERE"):
            rows = _where(rows, self.expression())
        ordered_by = self._ordered_by() if words.took("ORDER", "BY") else ()
        self._has_aggregate = outer
        return Select(tuple(items), rows, is_aggregate, most, line, ordered_by)

    def _ordered_by(self) -> tuple[Expression, ...]:
        by = [self._column()]
        while self.words.took(","):
            by.append(self._column())
        return tuple(by)

    def _item(self) -> Item:
        words, token = self.words, self.words.next
        if token.kind is Kind.VARIABLE and words.tokens[words.at + 1].same == "=":
            words.at += 2
            return Item(self.expression(), variable=token.text)
        value = self.expression()
        if words.took("AS"):
            return Item(value, name=words.name())
        last = words.tokens[words.at - 1]
        return Item(value, name=last.text if last.kind in (Kind.NAME, Kind.QUOTED) else "")

    def _from(self) -> Callable[[Frame], Iterator[Frame]]:
        sources, conditions = [self._source()], []
        while self.words.took("JOIN") or self.words.took("INNER", "JOIN"):
            sources.append(self._source())
            self.words.need("ON")
            conditions.append(self.expression())

        def rows(frame: Frame) -> Iterator[Frame]:
            tables = [read(frame) for _alias, read in sources]
            for combined in product(*tables):
                at = {alias: row for (alias, _read), row in zip(sources, combined, strict=True)}
                found = replace(frame, rows={**frame.rows, **at}, group=())
                if all(condition(found) for condition in conditions):
                    yield found

        return rows

    def _source(self) -> tuple[str, Callable[[Frame], list[Row]]]:
        words, token = self.words, self.words.next
        if token.kind is Kind.VARIABLE:
            words.at += 1
            parts = [token.text]
        else:
            parts = [words.name()]
            while words.took("."):
                parts.append(words.name())
        alias = parts[-1]
        if words.took("AS"):
            alias = words.name()
        return alias.upper(), lambda frame: _rows_of(frame, parts, token.line)


def _in_order(by: Expression, one: Frame, other: Frame) -> int:
    """Compare two rows by an expression; NULL comes first."""
    first, second = by(one), by(other)
    found = order(first, second, one.around.collation)
    return (second is None) - (first is None) if found is None else found


def _rows_of(frame: Frame, parts: Sequence[str], line: int) -> list[Row]:
    columns, rows = _table(frame, parts, line)
    names = [column.upper() for column in columns]
    return [dict(zip(names, row, strict=True)) for row in rows]


def _table(frame: Frame, parts: Sequence[str], line: int) -> Table:
    if parts[0][0] not in "@#":
        return frame.around.look_up(parts, line)
    table = own_table(frame, parts[0], line)
    return table.columns, table.rows


def _one_row(frame: Frame) -> Iterator[Frame]:
    yield frame


def _where(rows: Callable[[Frame], Iterator[Frame]], condition: Expression) -> Callable[[Frame], Iterator[Frame]]:
    return lambda frame: (one for one in rows(frame) if condition(one))


def _cell(frame: Frame, alias: str | None, column: str, line: int) -> Cell:
    name = column.upper()
    if alias is not None:
        row = frame.rows.get(alias.upper())
        if row is not None and name in row:
            return row[name]
        raise ScriptError(_NO_COLUMN, f"Invalid column name '{alias}.{column}'.", line)
    found = [row[name] for row in frame.rows.values() if name in row]
    if len(found) != 1:
        raise ScriptError(_NO_COLUMN, f"Invalid column name '{column}'.", line)
    return found[0]


def _variable(same: str, text: str, line: int) -> Expression:
    if same in TOLD:
        return lambda frame: frame.around.told(same)

    def value(frame: Frame) -> Value:
        if same not in frame.types:
            raise ScriptError(NO_VARIABLE, f'Must declare the scalar variable "{text}".', line, 15)
        return frame.variables.get(same)

    return value


def _negated(test: Expression) -> Expression:
    def negated(frame: Frame) -> Value:
        value = test(frame)
        return None if value is None else not value

    return negated


def _compared(left: Expression, right: Expression, holds: Callable[[int], bool]) -> Expression:
    def compared_with(frame: Frame) -> Value:
        found = order(left(frame), right(frame), frame.around.collation)
        return None if found is None else holds(found)

    return compared_with


def _like(text: Expression, pattern: Expression) -> Expression:
    return lambda frame: is_like(text(frame), pattern(frame), frame.around.collation)


def _is_among(frame: Frame, value: Value, among: Sequence[Value]) -> bool | None:
    orders = [order(value, one, frame.around.collation) for one in among]
    if 0 in orders:
        return True
    return None if None in orders else False


def _added(left: Expression, right: Expression, *, is_plus: bool) -> Expression:
    def added(frame: Frame) -> Value:
        one, other = left(frame), right(frame)
        if one is None or other is None:
            return None
        if isinstance(one, str) and isinstance(other, str) and is_plus:
            return one + other
        first, second = converted(one, "float" if isinstance(one, float) else "int"), converted(other, "int")
        assert isinstance(first, int | float)
        assert isinstance(second, int | float)
        return first + second if is_plus else first - second

    return added


_COMPARED: Final[Mapping[str, Callable[[int], bool]]] = {
    "=": lambda found: found == 0,
    "<>": lambda found: found != 0,
    "!=": lambda found: found != 0,
    "<": lambda found: found < 0,
    ">": lambda found: found > 0,
    "<=": lambda found: found <= 0,
    ">=": lambda found: found >= 0,
}
_AGGREGATES: Final = frozenset({"COUNT", "MAX", "MIN"})
