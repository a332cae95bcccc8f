"""Queries: catalogued ones, those over their rows, and simple ones of the views that a catalogued one reads whole."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from app.drivers.oracle.catalogue import Column, Form, OracleType, Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.lab_script.expressions import Expressions
from app.drivers.oracle.lab_script.known import Known, known_statement
from app.drivers.oracle.lab_script.scope import Expression, Scope
from app.drivers.oracle.lab_script.values import Value, text_of
from app.drivers.oracle.lab_script.words import ScriptError, not_known, tokens_of
from app.foundation.rows import Cell
from app.lab.words import Kind, Token

_NO_TABLE: Final = "ORA-00942: table or view does not exist"
_TEXT: Final = OracleType.VARCHAR2


@dataclass(frozen=True)
class Query:
    """A query: names of its columns in capitals, and what gives its rows.

    Attributes:
        columns: as the catalogue declares them, None where each value says its type.
        into: names of the variables that take its one row, none for one that is fetched.
    """

    names: tuple[str, ...]
    rows: Callable[[Scope], Sequence[tuple[Value, ...]]]
    columns: tuple[Column, ...] | None = None
    into: tuple[str, ...] = ()


class Queries(Expressions):
    """Reads queries."""

    def query(self) -> Query:
        """Read one, from its SELECT on."""
        known = known_statement(self.words.tokens, self.words.at, Form.SELECT)
        if known is not None and self.words.tokens[known.end].same in (")", ";", ""):
            return self._known(known)
        return self._select()

    def _known(self, known: Known) -> Query:
        self.words.at, statement = known.end, known.statement
        self._check_declared(held for tokens in known.given.values() for held in tokens)
        values = known.values()

        def rows(scope: Scope) -> Sequence[tuple[Value, ...]]:
            return scope.connection.run(statement, {name: given_value(value(scope)) for name, value in values.items()})

        return Query(tuple(name.upper() for name in statement.column_names), rows, statement.columns)

    def _check_declared(self, tokens: Iterable[Token]) -> None:
        """Raise ScriptError for a variable among words that is none."""
        for token in tokens:
            if token.kind is Kind.NAME and token.same != "NULL" and token.same not in self.declared:
                raise ScriptError(f"PLS-00201: identifier '{token.same}' must be declared", token.line)

    def _select(self) -> Query:
        words = self.words
        words.need("SELECT")
        begin, outer = words.at, dict(self.columns)
        words.at = _ahead_of_from(words.tokens, begin, words.wrong)
        words.need("FROM")
        alias, source = self._source()
        condition = self.expression() if words.took("WHERE") else None
        order = self._order()
        end, words.at = words.at, begin
        self.has_aggregate = False
        names, items = self._items(alias, source)
        into = self._into()
        words.need("FROM")
        words.at, is_one = end, self.has_aggregate
        self.columns = outer

        def rows(scope: Scope) -> Sequence[tuple[Value, ...]]:
            records = [{alias: dict(zip(source.names, row, strict=True))} for row in source.rows(scope)]
            found = [one for one in records if condition is None or condition(scope.at(one)) is True]
            for key, is_falling in reversed(order):
                found.sort(key=lambda one: _sorted(key(scope.at(one))), reverse=is_falling)  # sorts at once
            if not is_one:
                return [tuple(item(scope.at(one)) for item in items) for one in found]
            group = Scope(**{**vars(scope), "group": found})
            return [tuple(item(group) for item in items)]

        return Query(names, rows, None, into)

    def _items(self, alias: str, source: Query) -> tuple[tuple[str, ...], list[Expression]]:
        words = self.words
        if words.took("*"):
            return source.names, [_column(alias, name) for name in source.names]
        names, items = [], list[Expression]()
        while True:
            first = words.at
            items.append(self.expression())
            told = "".join(token.same for token in words.tokens[first : words.at])
            if words.took("AS") or words.next.same not in (",", "INTO", "FROM"):
                told = words.name().upper()
            names.append(told.rpartition(".")[2] or told)
            if not words.took(","):
                return tuple(names), items

    def _into(self) -> tuple[str, ...]:
        words = self.words
        if not words.took("INTO"):
            return ()
        found = [self.variable()]
        while words.took(","):
            found.append(self.variable())
        return tuple(found)

    def variable(self) -> str:
        """Read the name of a variable or bind that is given a value."""
        token = self.words.take(Kind.NAME, Kind.VARIABLE)
        self._check_declared((token,))
        return token.same

    def _order(self) -> list[tuple[Expression, bool]]:
        words, found = self.words, list[tuple[Expression, bool]]()
        if not words.took("ORDER", "BY"):
            return found
        while True:
            found.append((self.expression(), words.took("DESC")))
            words.took("ASC")
            if not words.took(","):
                return found

    def _source(self) -> tuple[str, Query]:
        """Read what a query reads, and return it with the name it has there."""
        words = self.words
        if words.took("("):
            source, name = self.query(), ""
            words.need(")")
        else:
            token = words.take(Kind.NAME)
            source, name = _view(token), token.same
        if words.next.kind is Kind.NAME and words.next.same not in ("WHERE", "ORDER", "GROUP", "LOOP"):
            name = words.name().upper()
        if words.next.same in (",", "JOIN", "LEFT", "CROSS", "GROUP"):
            raise not_known(f"{words.next.text} behind a view", words.next.line)
        self.columns[name] = source.names
        return name, source


def _ahead_of_from(tokens: Sequence[Token], at: int, wrong: Callable[[], Exception]) -> int:
    depth = 0
    for place in range(at, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[place].same, 0)
        if depth < 0 or tokens[place].same == ";":
            break
        if not depth and tokens[place].same == "FROM":
            return place
    raise wrong()


def _column(alias: str, name: str) -> Expression:
    return lambda scope: scope.records[alias][name]


def _sorted(value: Value) -> tuple[bool, Value]:
    """Return what rows are ordered by: NULL comes last."""
    return value is None, 0 if value is None else value


def given_value(value: Value) -> BindValue:
    """Return a value as that of a bind, which is of no other type."""
    assert value is None or isinstance(value, int | float | str)
    return value


def _view(token: Token) -> Query:
    """Return a view as a whole, from the catalogued query that reads it whole; raises ScriptError for another."""
    match token.same:
        case "DUAL":
            return Query(("DUMMY",), lambda _scope: [("X",)])
        case "GLOBAL_NAME":
            return Query(("GLOBAL_NAME",), lambda scope: [(scope.connection.database,)])
    found = _views().get(token.same)
    if found is None:
        raise ScriptError(_NO_TABLE, token.line)
    statement, names = found
    return Query(names, lambda scope: scope.connection.run(statement, {}))


@cache
def _views() -> Mapping[str, tuple[Statement, tuple[str, ...]]]:
    """Return the statement that reads each view whole, and the view's own names of its columns."""
    found: dict[str, tuple[Statement, tuple[str, ...]]] = {}
    for statement in catalogue().values():
        view = _whole_view(statement) if statement.form is Form.SELECT and not statement.binds else None
        if view is not None and len(view[1]) > len(found.get(view[0], (statement, ()))[1]):
            found[view[0]] = statement, view[1]
    return found


def _whole_view(statement: Statement) -> tuple[str, tuple[str, ...]] | None:
    try:
        same = [token.same for token in tokens_of(statement.body)[:-1]]
    except ScriptError:
        return None
    at, names = 1, list[str]()
    while same[at + 1 : at + 2] == ["."] and same[at + 3 : at + 4] == ["AS"]:
        names.append(same[at + 2])
        at += 5
        if same[at] != ",":
            break
        at += 1
    is_whole = same[at : at + 1] == ["FROM"] and same[at + 3 : at + 4] in ([], ["ORDER"])
    return (same[at + 1], tuple(names)) if is_whole and len(names) == len(statement.columns) else None


def typed(query: Query, rows: Sequence[tuple[Value, ...]]) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]:
    """Return the columns of a result with their types, and its rows as these say."""
    if query.columns is not None:
        return query.columns, tuple(rows)
    columns = []
    for at, name in enumerate(query.names):
        values = [row[at] for row in rows if row[at] is not None]
        is_number = bool(values) and all(isinstance(value, int | float) for value in values)
        columns.append(Column(name, OracleType.NUMBER if is_number else _TEXT, True, "", ""))
    kinds = [column.oracle_type for column in columns]
    told = tuple(
        tuple(value if kind is not _TEXT else text_of(value) for kind, value in zip(kinds, row, strict=True))
        for row in rows
    )
    return tuple(columns), told
