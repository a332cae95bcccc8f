"""Oracle's SQL and PL/SQL as words, each with its line; comments and blanks are left out."""

import re
from typing import Final

from app.drivers.oracle.errors import OracleError
from app.lab import words
from app.lab.words import Kind, Token

_TOKEN: Final = re.compile(
    r"""(?P<blank>\s+|--[^\n]*|/\*.*?\*/)
    |(?P<text>'(?:[^']|'')*')
    |(?P<quoted>"[^"]*")
    |(?P<variable>:\w+)
    |(?P<name>[^\W\d][\w$\#]*)
    |(?P<number>\d+(?:\.\d+)?)
    |(?P<sign>:=|=>|\|\||\.\.|<>|!=|<=|>=|[-+*/%=<>(),;.])""",
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


class ScriptError(OracleError):
    """An error in a text, with its line.

    Attributes:
        at_line: from 1.
    """

    def __init__(self, text: str, at_line: int) -> None:
        error = OracleError.of_text(text)
        super().__init__(error.code, error.text)
        self.at_line = at_line

    def __reduce__(self) -> tuple[type["ScriptError"], tuple[str, int]]:
        """Pickle it as it was made."""
        return ScriptError, (self.text, self.at_line)


def not_known(what: str, line: int) -> ScriptError:
    """Return the refusal of something the lab does not know."""
    return ScriptError(
        f"ORA-00900: invalid SQL statement; the lab does not know {what} (line {line}): it runs this program's "
        "statements and the scripts that it prints",
        line,
    )


def tokens_of(text: str) -> list[Token]:
    """Return the words of a text, the last one of kind END; raises ScriptError where one cannot be read."""
    found: list[Token] = []
    at, line = 0, 1
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ScriptError(_unread(text, at, line), line)
        kind = _KINDS.get(match.lastgroup or "")
        if kind is Kind.SIGN and text.startswith("/*", at):
            raise ScriptError("ORA-01742: comment not terminated properly", line)
        if kind is not None:
            found.append(_token(kind, match.group(), line))
        line += match.group().count("\n")
        at = match.end()
    return [*found, Token(Kind.END, "", "", line)]


def _unread(text: str, at: int, line: int) -> str:
    if text[at] == "'":
        return "ORA-01756: quoted string not properly terminated"
    if text[at] == '"':
        return "ORA-01740: missing double quote in identifier"
    return f"ORA-00911: invalid character {text[at]!r} in line {line}"


def _token(kind: Kind, text: str, line: int) -> Token:
    if kind is Kind.TEXT:
        said = text[1:-1].replace("''", "'")
        return Token(kind, said, f"'{said}'", line)
    if kind is Kind.QUOTED:
        return Token(kind, text[1:-1], text, line)
    return Token(kind, text, text.upper(), line)


class Words(words.Words):
    """The words of a statement, and where reading has come to."""

    def wrong(self) -> ScriptError:
        """Return the error that the next word fits nowhere."""
        token = self.next
        if token.kind is Kind.END:
            return ScriptError('PLS-00103: Encountered the symbol "end-of-file"', token.line)
        return ScriptError(f'PLS-00103: Encountered the symbol "{token.text}"', token.line)
