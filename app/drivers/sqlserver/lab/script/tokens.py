"""T-SQL as words: names, variables, literals and signs, each with its line; comments and blanks are left out."""

import re
from typing import Final

from app.drivers.sqlserver.errors import SqlError
from app.lab.words import Kind, Token

NOT_KNOWN: Final = 50_000
_SYNTAX: Final = 102
_UNCLOSED: Final = 105
_UNCLOSED_COMMENT: Final = 113

_TOKEN: Final = re.compile(
    r"""(?P<blank>\s+|--[^\n]*|/\*.*?\*/)
    |(?P<text>N?'(?:[^']|'')*')
    |(?P<quoted>\[(?:[^\]]|\]\])*\]|"(?:[^"]|"")*")
    |(?P<variable>@@?\w+)
    |(?P<name>\#{0,2}[^\W\d]\w*)
    |(?P<number>\d+(?:\.\d+)?)
    |(?P<sign><>|!=|<=|>=|\+=|-=|[-+*/%=<>(),;.])""",
    re.VERBOSE | re.DOTALL,
)


_KINDS: Final = {
    "text": Kind.TEXT,
    "name": Kind.NAME,
    "quoted": Kind.QUOTED,
    "variable": Kind.VARIABLE,
    "number": Kind.NUMBER,
    "sign": Kind.SIGN,
}


class ScriptError(SqlError):
    """An error in a batch, with severity, state and line.

    Attributes:
        severity: of SQL Server's classes. at_line: line of the batch. told_state: the state beside the number.
    """

    def __init__(self, number: int, text: str, at_line: int, severity: int = 16, told_state: int = 1) -> None:
        super().__init__(number, text, "42000")
        self.severity, self.at_line, self.told_state = severity, at_line, told_state


def not_known(what: str, line: int) -> ScriptError:
    """Return the refusal of something the lab does not know."""
    return ScriptError(
        NOT_KNOWN,
        f"The lab does not know this: {what}. It runs this program's statements and the scripts that it prints.",
        line,
    )


def tokens_of(text: str) -> list[Token]:
    """Return the words of a batch, the last one of kind END; raises ScriptError where one cannot be read."""
    found: list[Token] = []
    at, line = 0, 1
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            if text[at] in "'\"[":
                raise ScriptError(_UNCLOSED, "Unclosed quotation mark after the character string.", line, 15)
            raise ScriptError(_SYNTAX, f"Incorrect syntax near '{text[at]}'.", line, 15)
        kind = _KINDS.get(match.lastgroup or "")
        if kind is Kind.SIGN and text.startswith("/*", at):
            raise ScriptError(_UNCLOSED_COMMENT, "Missing end comment mark '*/'.", line, 15)
        if kind is not None:
            found.append(_token(kind, match.group(), line))
        line += match.group().count("\n")
        at = match.end()
    return [*found, Token(Kind.END, "", "", line)]


def _token(kind: Kind, text: str, line: int) -> Token:
    if kind is Kind.TEXT:
        said = text.removeprefix("N")[1:-1].replace("''", "'")
        return Token(kind, said, f"'{said}'", line)
    if kind is Kind.QUOTED:
        close = "]" if text[0] == "[" else '"'
        name = text[1:-1].replace(close * 2, close)
        return Token(kind, name, f"[{name.upper()}]", line)
    return Token(kind, text, text.upper(), line)
