"""A small reader of T-SQL batches: tokens, the objects they name, the procedures they call."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"(?P<comment>--[^\n]*|/\*.*?\*/)"
    r"|(?P<text>N?'(?:[^']|'')*')"
    r"|(?P<variable>@@?\w+)"
    r"|(?P<word>\[[^\]]+\]|#?[A-Za-z_]\w*)"
    r"|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<space>\s+)"
    r"|(?P<sign><>|<=|>=|[-+*/%&=<>().,;])",
    re.DOTALL,
)
_KEYWORD_LIST = (
    "SELECT FROM WHERE AND OR NOT NULL IS IN EXISTS LIKE AS ON JOIN LEFT OUTER CROSS APPLY UNION ALL ORDER BY DESC TOP "
    "CASE WHEN THEN ELSE END DECLARE SET IF BEGIN WHILE INSERT INTO VALUES UPDATE DELETE EXEC OUTPUT TABLE COMMIT "
    "TRANSACTION NOCOUNT XACT_ABORT OFF DISTINCT WITH COLLATE LATIN1_GENERAL_CI_AS USE GO WAITFOR DELAY "
    "MINUTE MILLISECOND TRY CATCH PRINT THROW "
)
KEYWORDS = frozenset(_KEYWORD_LIST.split())
_TYPE_LIST = (
    "int bigint bit numeric float nvarchar varchar varbinary sysname uniqueidentifier binary char max datetime table"
)
TYPES = frozenset(_TYPE_LIST.split())


@dataclass(frozen=True)
class Token:
    """One token: its group and its text, brackets taken off."""

    kind: str
    text: str


@dataclass
class Names:
    """What a batch names: tables with their aliases, procedure calls, columns of table variables."""

    tables: list[str] = field(default_factory=list)
    aliases: dict[str, set[str]] = field(default_factory=dict)
    calls: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    table_variable_columns: set[str] = field(default_factory=set)
    output_names: set[str] = field(default_factory=set)


def tokens_of(sql: str) -> list[Token]:
    """Return the tokens without comments and spaces; raises ValueError at anything unknown."""
    found, position = [], 0
    while position < len(sql):
        match = _TOKEN.match(sql, position)
        if match is None:
            raise ValueError(f"cannot read {sql[position : position + 30]!r}")
        position = match.end()
        if match.lastgroup not in ("comment", "space"):
            found.append(Token(str(match.lastgroup), match.group().strip("[]")))
    return found


def is_keyword(token: Token, *words: str) -> bool:
    """Tell whether a token is one of some keywords."""
    return token.kind == "word" and token.text.upper() in words


def qualified_name(tokens: list[Token], start: int) -> tuple[str, int]:
    """Return a name with its dots, and the position after it."""
    parts, position = [tokens[start].text], start + 1
    while position + 1 < len(tokens) and tokens[position].text == "." and tokens[position + 1].kind == "word":
        parts.append(tokens[position + 1].text)
        position += 2
    return ".".join(parts), position


def object_name(name: str) -> str:
    """Return a name as the facts spell it: lower case, without database, `dbo.`, and a procedure's `sys.`."""
    lowered = name.lower().removeprefix("msdb.").removeprefix("master.").removeprefix("dbo.")
    return lowered.removeprefix("sys.") if lowered.startswith("sys.sp_") else lowered


def names_of(sql: str) -> Names:
    """Return what a batch names."""
    tokens = tokens_of(sql)
    names = Names()
    for position, token in enumerate(tokens):
        following = tokens[position + 1] if position + 1 < len(tokens) else Token("end", "")
        if is_keyword(token, "FROM", "JOIN", "INTO", "UPDATE", "APPLY") and following.kind in ("word", "variable"):
            _note_table(tokens, position + 1, names)
        if is_keyword(token, "EXEC"):
            names.calls.append(_call(tokens, position + 1))
        if is_keyword(token, "AS") and following.kind == "word":
            names.output_names.add(following.text)
        if is_keyword(token, "TABLE") and following.text == "(":
            names.table_variable_columns.update(_declared_columns(tokens, position + 2))
    return names


def _note_table(tokens: list[Token], position: int, names: Names) -> None:
    name, after = qualified_name(tokens, position)
    names.tables.append(name)
    if after < len(tokens) and tokens[after].text == "(" and name.lower().startswith("sys."):
        after = _closing(tokens, after) + 1
    if after + 1 < len(tokens) and is_keyword(tokens[after], "AS"):
        names.aliases.setdefault(tokens[after + 1].text, set()).add(name)


def _closing(tokens: list[Token], opening: int) -> int:
    depth = 0
    for position in range(opening, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[position].text, 0)
        if depth == 0:
            return position
    raise ValueError("a parenthesis is not closed")


def _call(tokens: list[Token], position: int) -> tuple[str, tuple[str, ...]]:
    name, position = qualified_name(tokens, position)
    parameters = []
    while position + 1 < len(tokens) and tokens[position].kind == "variable" and tokens[position + 1].text == "=":
        parameters.append(tokens[position].text)
        position += 3
        if position < len(tokens) and is_keyword(tokens[position], "OUTPUT"):
            position += 1
        if position < len(tokens) and tokens[position].text == ",":
            position += 1
    return name, tuple(parameters)


def _declared_columns(tokens: list[Token], position: int) -> Iterator[str]:
    depth, is_name = 1, True
    while depth > 0:
        token = tokens[position]
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 1 and token.text == ",":
            is_name = True
        elif is_name and token.kind == "word":
            yield token.text
            is_name = False
        position += 1
