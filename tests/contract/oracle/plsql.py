"""A small reader of PL/SQL blocks: tokens, the procedures they call, the queries and texts inside them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<comment>--[^\n]*|/\*.*?\*/)"
    r"|(?P<text>'(?:[^']|'')*')"
    r"|(?P<bind>:[a-z_][a-z0-9_]*)"
    r"|(?P<word>[A-Za-z_][\w$#]*)"
    r"|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<space>\s+)"
    r"|(?P<sign>:=|=>|<>|<=|>=|\|\||[-+*/%=<>().,;])",
    re.DOTALL,
)
_KEYWORD_LIST = (
    "AND AS BEGIN BETWEEN BOOLEAN BY COMMIT CONNECT COUNT DATE DECLARE DECODE ELSE END EXCEPTION EXECUTE FALSE "
    "FROM HEXTORAW IF IMMEDIATE IN INTO IS JOIN LEAST LEFT LEVEL LIKE LOOP MAX MIN NOT NULL NUMBER NVL ON OR "
    "OTHERS RAISE RAISE_APPLICATION_ERROR REPLACE ROLLBACK ROWCOUNT SELECT SQL SUM SYSDATE THEN TO_CHAR TO_NUMBER "
    "TRUE TYPE UPDATE UPPER USING VARCHAR2 WHEN WHERE WHILE "
)
KEYWORDS = frozenset(_KEYWORD_LIST.split())


@dataclass(frozen=True)
class Token:
    """One token: its group and its text."""

    kind: str
    text: str


@dataclass(frozen=True)
class Call:
    """A call of a package's procedure with named arguments."""

    procedure: str
    arguments: tuple[str, ...]


def tokens_of(block: str) -> list[Token]:
    """Return the tokens without comments and spaces; raises ValueError at anything unknown."""
    found, position = [], 0
    while position < len(block):
        match = _TOKEN.match(block, position)
        if match is None:
            raise ValueError(f"cannot read {block[position : position + 30]!r}")
        position = match.end()
        if match.lastgroup not in ("comment", "space"):
            found.append(Token(str(match.lastgroup), match.group()))
    return found


def binds_of(block: str) -> list[str]:
    """Return the names of the binds outside of texts, in order of their appearance."""
    return [token.text.removeprefix(":") for token in tokens_of(block) if token.kind == "bind"]


def calls_of(block: str) -> list[Call]:
    """Return the calls of package procedures; raises ValueError where an argument has no name."""
    tokens = tokens_of(block)
    return [
        Call(f"{tokens[i].text}.{tokens[i + 2].text}", tuple(_arguments(tokens, i + 3)))
        for i in range(len(tokens) - 3)
        if tokens[i].text.startswith("DBMS_") and tokens[i + 1].text == "." and tokens[i + 3].text == "("
    ]


def _arguments(tokens: list[Token], opening: int) -> Iterator[str]:
    depth, position, is_first = 1, opening + 1, True
    while depth > 0:
        token = tokens[position]
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 1 and (is_first or tokens[position - 1].text == ","):
            if tokens[position + 1].text != "=>":
                raise ValueError(f"{token.text} is an argument without a name")
            yield token.text
        is_first = False
        position += 1


def queries_of(block: str) -> list[str]:
    """Return the queries that fill variables, as plain SELECTs."""
    bare = re.sub(r"--[^\n]*", "", block)
    return [
        re.sub(r"\sINTO\s+\w+(?:,\s*\w+)*", "", query)
        for query in re.findall(r"(?m)^\s*(SELECT .*?);", bare, re.DOTALL)
    ]


def dynamic_texts_of(block: str) -> list[str]:
    """Return what each EXECUTE IMMEDIATE runs, its pieces joined and what is put between them as `<...>`."""
    found = []
    for statement in re.findall(r"EXECUTE IMMEDIATE (.*?);", re.sub(r"--[^\n]*", "", block), re.DOTALL):
        pieces, in_using = [], False
        for token in tokens_of(statement):
            in_using = in_using or token.text in ("USING", "INTO")
            if in_using:
                continue
            if token.kind == "text":
                pieces.append(token.text[1:-1].replace("''", "'"))
            elif token.kind in ("word", "bind"):
                pieces.append(f"<{token.text}>")
        found.append("".join(pieces))
    return found


def declared_in(block: str) -> set[str]:
    """Return the names of the variables a block declares."""
    match = re.search(r"\bDECLARE\b(.*?)\bBEGIN\b", block, re.DOTALL)
    return set() if match is None else set(re.findall(r"(?m)^\s*(\w+) [^\n]*;", match[1]))


def is_balanced(block: str) -> bool:
    """Tell whether every BEGIN, IF and LOOP has its END."""
    words = [token.text for token in tokens_of(block) if token.kind == "word" or token.text == ";"]
    open_blocks: list[str] = []
    position = 0
    while position < len(words):
        word = words[position]
        if word == "END":
            following = words[position + 1]
            opened = open_blocks.pop() if open_blocks else ""
            if opened != {"IF": "IF", "LOOP": "LOOP"}.get(following, "BEGIN"):
                return False
            position += 2 if following in ("IF", "LOOP") else 1
            continue
        if word in ("BEGIN", "IF", "LOOP"):
            open_blocks.append(word)
        position += 1
    return not open_blocks
