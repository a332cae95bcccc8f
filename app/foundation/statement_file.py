"""Files of a statement catalogue: a header comment of fields and lists, then the text that is sent.

A statement that differs from another of its folder by names only says so, and which: `like` and `instead`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeVar

_FILE: Final = re.compile(r"\A/\*\n(?P<header>.*?)\n\*/\n(?P<body>.+)\Z", re.DOTALL)
_ENTRY: Final = re.compile(
    r"^  (?P<name>[@:]?\w+) (?P<type>\w+)(?P<nullable>\?)?(?: \[(?P<unit>[^\]]+)\])?(?: <(?P<holds>[^>]+)>)?"
    r" -- (?P<meaning>.+)$"
)
# A statement that is another one of its folder with other names: those of a view, say.
_LIKE: Final = re.compile(
    r"\A/\*\nname: (?P<name>\w+)\nlike: (?P<like>\w+)\ninstead:\n(?P<instead>(?:  .+ -> .+\n)+)\*/\s*\Z"
)
_FIELD: Final = re.compile(r"^(?P<key>[a-z][a-z -]*):(?: (?P<value>.+))?$")

_Choice = TypeVar("_Choice", bound=StrEnum)
_Statement = TypeVar("_Statement")


@dataclass(frozen=True)
class StatementFile:
    """One file, its header taken apart.

    Attributes:
        fields: what the header says for each key; "" where a list follows, "none" where it has no entry.
        lists: the lines below the keys that list something, indented as they stand.
        body: the statement without header and outer blanks.
    """

    name: str
    fields: Mapping[str, str]
    lists: Mapping[str, Sequence[str]]
    body: str

    def one_of(self, key: str, kind: type[_Choice]) -> _Choice:
        """Return the header's value for a key as one of its choices; raises RuntimeError for another."""
        return one_of(self.name, kind, self.fields[key])


@dataclass(frozen=True)
class Entry:
    """A line that declares a parameter or a result column: `  @name type? [unit] <holds> -- meaning`.

    Attributes:
        name: as written, a parameter's with its sign.
        type: the vendor's; unit: "" where there is none.
        holds: whose word a text is, as the header says it; "" where it says nothing.
    """

    name: str
    type: str
    nullable: bool
    unit: str
    holds: str
    meaning: str


@dataclass(frozen=True)
class OwnedTable:
    """A table outside the server's own catalogue that a statement names, with its columns."""

    name: str
    columns: tuple[str, ...]


def read_statement_file(
    name: str, content: str, keys: Sequence[str], lists: Sequence[str], optional: Sequence[str] = ()
) -> StatementFile:
    """Take one file apart.

    Args:
        keys: what a header must say, in this order.
        lists: the keys that list entries, one line each, or say "none".
        optional: further keys a header may have, anywhere.

    Raises:
        RuntimeError: the header lacks something or says something unknown; the program is then incomplete.
    """
    match = _FILE.match(content)
    if match is None:
        raise RuntimeError(f"statement {name}: no header comment at the top of the file")
    fields, entries = _read_header(name, match["header"], lists)
    if tuple(key for key in fields if key not in optional) != tuple(keys):
        raise RuntimeError(f"statement {name}: header must have, in this order, {', '.join(keys)}")
    for key, value in fields.items():
        said_none = value == "none"
        if key in entries and said_none == bool(entries[key]):
            raise RuntimeError(f'statement {name}: "{key}" lists entries or says none')
        if key not in entries and not value:
            raise RuntimeError(f'statement {name}: header says nothing for "{key}"')
    if fields["name"] != name:
        raise RuntimeError(f"statement {name}: header names it {fields['name']}")
    return StatementFile(name, fields, entries, match["body"].strip())


def _read_header(name: str, header: str, lists: Sequence[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    fields: dict[str, str] = {}
    entries: dict[str, list[str]] = {key: [] for key in lists}
    current = ""
    for line in header.splitlines():
        if line.startswith("  ") and current in entries:
            entries[current].append(line)
            continue
        match = _FIELD.match(line)
        if match is None or match["key"] in fields:
            raise RuntimeError(f'statement {name}: cannot read header line "{line}"')
        current = match["key"]
        fields[current] = match["value"] or ""
    return fields, entries


def one_of(name: str, kind: type[_Choice], value: str) -> _Choice:
    """Return the choice a statement's header names; raises RuntimeError where there is no such choice."""
    try:
        return kind(value)
    except ValueError as error:
        raise RuntimeError(f'statement {name}: "{value}" is not one of {", ".join(kind)}') from error


def read_entry(name: str, line: str, sign: str) -> Entry:
    """Return a parameter or column a header lists; `sign` stands in front of its name, "" for a column.

    Raises:
        RuntimeError: the line is written otherwise.
    """
    match = _ENTRY.match(line)
    if match is None or match["name"] != sign + match["name"].lstrip("@:"):
        raise RuntimeError(f'statement {name}: cannot read header entry "{line.strip()}"')
    return Entry(
        name=match["name"],
        type=match["type"],
        nullable=match["nullable"] is not None,
        unit=match["unit"] or "",
        holds=match["holds"] or "",
        meaning=match["meaning"],
    )


def read_owned(name: str, line: str, pattern: re.Pattern[str]) -> OwnedTable:
    """Return a table a header lists; `pattern` finds its `table` and `columns`. Raises RuntimeError as the others."""
    match = pattern.match(line)
    if match is None:
        raise RuntimeError(f'statement {name}: cannot read client-owned entry "{line.strip()}"')
    return OwnedTable(match["table"], tuple(part.split()[0] for part in match["columns"].split(", ")))


def _spelled_out(name: str, contents: Mapping[str, str]) -> str:
    """Return the content of a file; of one that is like another, that one's text with its names replaced."""
    match = _LIKE.match(contents[name])
    if match is None:
        return contents[name]
    text = contents.get(match["like"], "").replace(f"name: {match['like']}\n", f"name: {match['name']}\n", 1)
    for line in match["instead"].splitlines():
        old, _arrow, new = line.strip().partition(" -> ")
        if old not in text:
            raise RuntimeError(f'statement {name}: there is no "{old}" in {match["like"]}')
        text = text.replace(old, new)
    return text


def read_folders(folders: Iterable[Path], parse: Callable[[str, str], _Statement]) -> Mapping[str, _Statement]:
    """Read every statement of several folders, by name.

    Raises:
        RuntimeError: there is none, as in a bundle built without them, one cannot be read, or two have one name.
    """
    statement_by_name: dict[str, _Statement] = {}
    for folder in folders:
        files = sorted(folder.glob("*.sql"))
        if not files:
            raise RuntimeError(f"{folder} holds no statement: the program is incomplete")
        contents = {path.stem: path.read_text(encoding="utf-8") for path in files}
        for name in contents:
            if name in statement_by_name:
                raise RuntimeError(f"two statements are named {name}")
            statement_by_name[name] = parse(name, _spelled_out(name, contents))
    if not statement_by_name:
        raise RuntimeError("no statement was found: the program is incomplete")
    return statement_by_name
