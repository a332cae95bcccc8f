"""A text as a database takes it from a client: one query, or one PL/SQL block, read whole and then carried out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from app.drivers.oracle.catalogue import Form
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.lab_script.calls import Argument, Step, step_of
from app.drivers.oracle.lab_script.known import known_statement
from app.drivers.oracle.lab_script.queries import Queries, Query, given_value
from app.drivers.oracle.lab_script.scope import Expression, Scope
from app.drivers.oracle.lab_script.values import Value, number_of, text_of
from app.drivers.oracle.lab_script.words import ScriptError, Words, not_known, tokens_of
from app.lab.words import Kind

_TYPES: Final = frozenset(["BOOLEAN", "DATE", "INTEGER", "NUMBER", "PLS_INTEGER", "BINARY_INTEGER", "VARCHAR2", "CHAR"])
_NUMBERS: Final = frozenset({"INTEGER", "NUMBER", "PLS_INTEGER", "BINARY_INTEGER"})
_MOST_DEPTH: Final = "ORA-00036: maximum number of recursive SQL levels exceeded"


class _Returned(Exception):
    """The block ends here without an error."""


class _LoopLeft(Exception):
    """The innermost loop ends here."""


@dataclass(frozen=True)
class Block:
    """A block that was read.

    Attributes:
        binds: the client's variables in order, each once, in capitals with their colons. outs: those it may set.
    """

    binds: tuple[str, ...]
    outs: frozenset[str]
    _steps: Sequence[Step]

    def run(self, scope: Scope) -> None:
        """Carry it out; raises OracleError, and whatever the connection's watch raises."""
        try:
            for step in self._steps:
                step(scope)
        except _Returned:
            return
        except RecursionError as error:
            raise OracleError.of_text(_MOST_DEPTH) from error


@dataclass(frozen=True)
class Asked:
    """A query that was read, with the client's variables in it, each as often as it stands there."""

    query: Query
    binds: tuple[str, ...]


def read_text(text: str) -> Block | Asked:
    """Read what a client sent.

    Raises:
        OracleError: it is neither, or holds something the lab does not know.
    """
    words = Words(tokens_of(text))
    reader = _Reader(words)
    binds = tuple(token.same for token in words.tokens if token.kind is Kind.VARIABLE)
    try:
        if words.is_next("SELECT"):
            query = reader.query()
            if words.next.kind is not Kind.END or query.into:
                raise ScriptError("ORA-00933: SQL command not properly ended", words.next.line)
            return Asked(query, binds)
        if words.next.same not in ("BEGIN", "DECLARE"):
            raise not_known(words.next.text or "an empty text", words.next.line)
        with _compiling():
            steps = [reader.statement()]
            if words.next.kind is not Kind.END:
                raise words.wrong()
    except RecursionError as error:
        raise OracleError.of_text(_MOST_DEPTH) from error
    return Block(tuple(dict.fromkeys(binds)), frozenset(reader.outs), steps)


@contextmanager
def _compiling() -> Iterator[None]:
    """Tell an error in a block as its compiler does, with its line."""
    try:
        yield
    except ScriptError as error:
        if error.code == "ORA-00900":
            raise
        told = error.text if error.text.startswith("PLS-") else f"PL/SQL: {error.text}"
        raise ScriptError(f"ORA-06550: line {error.at_line}, column 1:\n{told}", error.at_line) from error


class _Reader(Queries):
    """Reads a block into steps."""

    def __init__(self, words: Words) -> None:
        super().__init__(words)
        self.outs: set[str] = set()
        self._types: dict[str, Callable[[Value], Value]] = {}

    def statement(self) -> Step:
        """Read a statement with its semicolon."""
        words = self.words
        known = known_statement(words.tokens, words.at, Form.PLSQL)
        if known is not None:
            words.at = known.end
            self._check_declared(held for tokens in known.given.values() for held in tokens)
            values, statement = known.values(), known.statement

            def run(scope: Scope) -> None:
                scope.connection.run(statement, {name: given_value(value(scope)) for name, value in values.items()})

            return run
        token = words.next
        read = self._forms.get(token.same)
        if read is not None:
            words.at += 1
            return read()
        if token.kind is Kind.VARIABLE or (token.kind is Kind.NAME and words.tokens[words.at + 1].same == ":="):
            return self._assignment()
        if token.kind is Kind.NAME and words.tokens[words.at + 1].same in (".", "("):
            return self._call()
        if token.kind is Kind.NAME and token.text.isalpha():
            raise not_known(token.text, token.line)
        raise words.wrong()

    @property
    def _forms(self) -> Mapping[str, Callable[[], Step]]:
        return {
            "BEGIN": self._block,
            "DECLARE": self._declared,
            "EXECUTE": self._dynamic,
            "EXIT": self._exit,
            "FOR": self._for,
            "IF": self._if,
            "LOOP": lambda: self._loop(lambda _scope: True),
            "NULL": lambda: self._ended(lambda _scope: None),
            "RAISE": self._raise,
            "RETURN": self._return,
            "SELECT": self._into_variables,
            "WHILE": self._while,
        }

    def _ended(self, step: Step) -> Step:
        self.words.need(";")
        return step

    def _until(self, *ends: str) -> list[Step]:
        steps = []
        while self.words.next.same not in ends:
            steps.append(self.statement())
        return steps

    # Blocks

    def _declared(self) -> Step:
        words, outer, steps = self.words, (set(self.declared), dict(self._types)), list[Step]()
        while not words.took("BEGIN"):
            steps.append(self._declaration())
        inner = self._block()
        self.declared, self._types = outer

        def step(scope: Scope) -> None:
            for one in (*steps, inner):
                one(scope)

        return step

    def _declaration(self) -> Step:
        words = self.words
        name = words.take(Kind.NAME).same
        words.took("CONSTANT")
        fit = self._type()
        words.took("NOT", "NULL")
        value: Expression = self.expression() if words.took(":=") or words.took("DEFAULT") else lambda _scope: None
        words.need(";")
        self.declared.add(name)
        self._types[name] = fit

        def step(scope: Scope) -> None:
            scope.variables[name] = fit(value(scope))

        return step

    def _type(self) -> Callable[[Value], Value]:
        """Read a type and return what makes a value fit it."""
        words = self.words
        token = words.take(Kind.NAME)
        if words.took("."):
            words.name()
            words.need("%", "TYPE")
            return _as_it_is
        if words.took("%", "TYPE"):
            return self._types.get(token.same, _as_it_is)
        if token.same not in _TYPES:
            raise not_known(f"the type {token.text}", token.line)
        length = 0
        if words.took("("):
            length = words.whole()
            words.took("BYTE") or words.took("CHAR") or (words.took(",") and words.whole())
            words.need(")")
        if token.same in _NUMBERS:
            return number_of
        return (lambda value: _short(value, length)) if token.same in ("VARCHAR2", "CHAR") else _as_it_is

    def _block(self) -> Step:
        words = self.words
        steps, handler = self._until("END", "EXCEPTION"), None
        if words.took("EXCEPTION"):
            words.need("WHEN", "OTHERS", "THEN")
            handler = self._until("END")
        words.need("END")
        words.need(";")

        def step(scope: Scope) -> None:
            try:
                for one in steps:
                    one(scope)
            except OracleError as error:
                if handler is None:
                    raise
                inner = replace(scope, error=error)
                for one in handler:
                    one(inner)

        return step

    # Control

    def _if(self) -> Step:
        words, ways = self.words, list[tuple[Expression, list[Step]]]()
        while not ways or words.took("ELSIF"):
            condition = self.expression()
            words.need("THEN")
            ways.append((condition, self._until("ELSIF", "ELSE", "END")))
        otherwise = self._until("END") if words.took("ELSE") else []
        words.need("END", "IF", ";")

        def step(scope: Scope) -> None:
            for one in next((steps for condition, steps in ways if condition(scope) is True), otherwise):
                one(scope)

        return step

    def _while(self) -> Step:
        condition = self.expression()
        self.words.need("LOOP")
        return self._loop(condition)

    def _loop(self, condition: Expression) -> Step:
        steps = self._looped()

        def step(scope: Scope) -> None:
            try:
                while condition(scope) is True:
                    scope.connection.wait(0.0)  # a loop that its client gave up ends
                    for one in steps:
                        one(scope)
            except _LoopLeft:
                return

        return step

    def _looped(self) -> list[Step]:
        steps = self._until("END")
        self.words.need("END", "LOOP", ";")
        return steps

    def _exit(self) -> Step:
        condition: Expression = self.expression() if self.words.took("WHEN") else lambda _scope: True

        def step(scope: Scope) -> None:
            if condition(scope) is True:
                raise _LoopLeft

        return self._ended(step)

    def _for(self) -> Step:
        words = self.words
        name = words.take(Kind.NAME).same
        words.need("IN")
        return self._for_rows(name) if words.is_next("(", "SELECT") else self._for_numbers(name)

    def _for_rows(self, name: str) -> Step:
        words, outer = self.words, dict(self.columns)
        words.need("(")
        query = self.query()
        words.need(")", "LOOP")
        self.columns[name] = query.names
        steps, self.columns = self._looped(), outer

        def step(scope: Scope) -> None:
            try:
                for row in query.rows(scope):
                    scope.connection.wait(0.0)
                    inner = scope.at({name: dict(zip(query.names, row, strict=True))})
                    for one in steps:
                        one(inner)
            except _LoopLeft:
                return

        return step

    def _for_numbers(self, name: str) -> Step:
        words, was_declared = self.words, name in self.declared
        first = self.expression()
        words.need("..")
        last = self.expression()
        words.need("LOOP")
        self.declared.add(name)
        steps = self._looped()
        self.declared = self.declared if was_declared else self.declared - {name}

        def step(scope: Scope) -> None:
            try:
                for number in range(int(number_of(first(scope)) or 0), int(number_of(last(scope)) or 0) + 1):
                    scope.connection.wait(0.0)
                    scope.variables[name] = number
                    for one in steps:
                        one(scope)
            except _LoopLeft:
                return

        return step

    def _return(self) -> Step:
        def step(_scope: Scope) -> None:
            raise _Returned

        return self._ended(step)

    def _raise(self) -> Step:
        def step(scope: Scope) -> None:
            raise scope.error or OracleError.of_text("ORA-06510: PL/SQL: unhandled user-defined exception")

        return self._ended(step)

    # Values

    def _assignment(self) -> Step:
        words = self.words
        token = words.next
        name = self.variable()
        if token.kind is Kind.VARIABLE:
            self.outs.add(token.same)
        words.need(":=")
        value, fit = self.expression(), self._types.get(name, _as_it_is)

        def step(scope: Scope) -> None:
            scope.variables[name] = fit(value(scope))

        return self._ended(step)

    def _into_variables(self) -> Step:
        words = self.words
        words.at -= 1
        line, query = words.next.line, self.query()
        if len(query.into) != len(query.names):
            raise ScriptError("PLS-00428: an INTO clause is expected in this SELECT statement", line)
        self.outs |= {name for name in query.into if name.startswith(":")}
        fits = [self._types.get(name, _as_it_is) for name in query.into]

        def step(scope: Scope) -> None:
            rows = query.rows(scope)
            if not rows:
                raise OracleError.of_text(f"ORA-01403: no data found\nORA-06512: at line {line}")
            if len(rows) > 1:
                raise OracleError.of_text(
                    f"ORA-01422: exact fetch returns more than requested number of rows\nORA-06512: at line {line}"
                )
            for name, fit, value in zip(query.into, fits, rows[0], strict=True):
                scope.variables[name] = fit(value)

        return self._ended(step)

    # Calls

    def _dynamic(self) -> Step:
        words = self.words
        words.need("IMMEDIATE")
        text = self.expression()
        if not words.is_next(";"):
            raise not_known(f"{words.next.text} behind EXECUTE IMMEDIATE", words.next.line)

        def step(scope: Scope) -> None:
            read = read_text(text_of(text(scope)) or "")
            if read.binds:
                raise OracleError.of_text("ORA-01008: not all variables bound")
            inner = replace(scope, variables={}, records={})
            if isinstance(read, Block):
                read.run(inner)
            else:
                read.query.rows(inner)

        return self._ended(step)

    def _call(self) -> Step:
        words = self.words
        token, parts = words.next, [words.name().upper()]
        while words.took("."):
            parts.append(words.name().upper())
        name = ".".join(parts).removeprefix("SYS.")
        given = self._arguments()
        words.need(";")
        return step_of(name, given, token, self.outs)

    def _arguments(self) -> list[Argument]:
        words, found = self.words, list[Argument]()
        if not words.took("("):
            return found
        while not words.took(")"):
            if found:
                words.need(",")
            name = ""
            if words.next.kind is Kind.NAME and words.tokens[words.at + 1].same == "=>":
                name = words.name().upper()
                words.need("=>")
            token = words.next
            found.append(Argument(name, self.expression(), token))
        return found


def _as_it_is(value: Value) -> Value:
    return value


def _short(value: Value, length: int) -> Value:
    text = text_of(value)
    if text is not None and len(text.encode()) > length > 0:
        raise OracleError.of_text("ORA-06502: PL/SQL: numeric or value error: character string buffer too small")
    return text
