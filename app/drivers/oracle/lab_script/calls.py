"""Calls that a script makes beside those of catalogued statements: DBMS_OUTPUT, waiting, and ending with an error."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.lab_script.expressions import wrong_arguments
from app.drivers.oracle.lab_script.scope import Expression, Scope
from app.drivers.oracle.lab_script.values import Value, number_of, text_of
from app.drivers.oracle.lab_script.words import ScriptError, not_known
from app.lab.words import Kind, Token

Step = Callable[[Scope], None]

_OWN_ERRORS: Final = range(20_000, 21_000)


@dataclass(frozen=True)
class Argument:
    """An argument of a call: its name in capitals, "" by place, its value, and its first word."""

    name: str
    value: Expression
    token: Token


def step_of(name: str, given: Sequence[Argument], token: Token, outs: set[str]) -> Step:
    """Return what a call does.

    Args:
        name: of the procedure, in capitals.
        token: its first word.
        outs: takes the names of binds that it sets.

    Raises:
        ScriptError: there is no such procedure, or it takes other arguments.
    """
    if name == "DBMS_OUTPUT.GET_LINE":
        return _fetch(given, token, outs)
    made = _CALLS.get(name)
    if made is None:
        raise ScriptError(f"PLS-00201: identifier '{name}' must be declared; the lab has no such call", token.line)
    return made(given, token)


def _fetch(given: Sequence[Argument], token: Token, outs: set[str]) -> Step:
    """Return the step that gives a line and 0, or NULL and 1."""
    places = [one.token for one in given]
    if len(places) != 2 or any(place.kind is not Kind.VARIABLE for place in places):
        raise not_known("GET_LINE with other than two binds", token.line)
    outs |= {place.same for place in places}

    def step(scope: Scope) -> None:
        lines = scope.connection.output.lines
        line: tuple[Value, Value] = (lines.pop(0), 0) if lines else (None, 1)
        scope.variables |= dict(zip((place.same for place in places), line, strict=True))

    return step


def _say(given: Sequence[Argument], token: Token) -> Step:
    [value] = _by_name(given, ("A",), token)

    def step(scope: Scope) -> None:
        scope.connection.output.say(text_of(value(scope)) or "")

    return step


def _switched(is_on: bool) -> Callable[[Sequence[Argument], Token], Step]:
    def step(scope: Scope) -> None:
        scope.connection.output.is_on = is_on

    return lambda _given, _token: step


def _sleep(given: Sequence[Argument], token: Token) -> Step:
    [seconds] = _by_name(given, ("SECONDS",), token)
    return lambda scope: scope.connection.wait(float(number_of(seconds(scope)) or 0.0))


def _fail(given: Sequence[Argument], token: Token) -> Step:
    number, text = _by_name(given, ("NUM", "MSG"), token)

    def step(scope: Scope) -> None:
        code = -int(number_of(number(scope)) or 0)
        if code not in _OWN_ERRORS:
            raise OracleError.of_text("ORA-21000: error number argument to raise_application_error is out of range")
        raise OracleError.of_text(f"ORA-{code}: {text_of(text(scope)) or ''}\nORA-06512: at line {token.line}")

    return step


_CALLS: Final[Mapping[str, Callable[[Sequence[Argument], Token], Step]]] = {
    "DBMS_OUTPUT.PUT_LINE": _say,
    "DBMS_OUTPUT.ENABLE": _switched(True),
    "DBMS_OUTPUT.DISABLE": _switched(False),
    "RAISE_APPLICATION_ERROR": _fail,
    **dict.fromkeys(("DBMS_LOCK.SLEEP", "DBMS_SESSION.SLEEP"), _sleep),
}


def _by_name(given: Sequence[Argument], names: Sequence[str], token: Token) -> list[Expression]:
    """Return arguments in the order of their names; raises ScriptError where there are others."""
    called = [one.name or name for one, name in zip(given, names, strict=False)]
    if len(given) != len(names) or sorted(called) != sorted(names):
        raise wrong_arguments(token)
    found = dict(zip(called, given, strict=True))
    return [found[name].value for name in names]
