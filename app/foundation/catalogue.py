"""Reading and writing gettext catalogues (`.po`), so that a checkout needs no compile step."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Entry:
    """One text of a catalogue.

    Attributes:
        translation: "" where there is none yet.
        places: files the text stands in.
        is_obsolete: no file has it any more.
    """

    text: str
    translation: str
    places: tuple[str, ...] = ()
    is_obsolete: bool = False


def read_catalogue(path: Path) -> dict[str, str]:
    """Return the translations of a catalogue by their text, those that are missing or obsolete left out.

    Raises:
        OSError: the file cannot be read.
    """
    entries = parse_catalogue(path.read_text(encoding="utf-8"))
    return {e.text: e.translation for e in entries if e.translation and not e.is_obsolete}


def parse_catalogue(content: str) -> list[Entry]:
    """Return the entries of a catalogue in their order, without its header; see the format of GNU gettext."""
    blocks = (_parse_block(block.split("\n")) for block in content.split("\n\n"))
    return [entry for entry in blocks if entry.text]


def _parse_block(lines: list[str]) -> Entry:
    parts: dict[str, list[str]] = {"msgid": [], "msgstr": []}
    places: list[str] = []
    obsolete = False
    current = parts["msgid"]
    for written in lines:
        line = written
        if line.startswith("#~ "):
            obsolete, line = True, line[3:]
        if line.startswith("#: "):
            places += line[3:].split()
        elif line.startswith(("msgid ", "msgstr ")):
            key, _space, value = line.partition(" ")
            current = parts[key]
            current.append(_unquote(value))
        elif line.startswith('"'):
            current.append(_unquote(line))
    return Entry("".join(parts["msgid"]), "".join(parts["msgstr"]), tuple(places), obsolete)


def _unquote(value: str) -> str:
    # by far the most texts have nothing to unescape
    return value[1:-1] if "\\" not in value else str(ast.literal_eval(value))


def write_catalogue(entries: list[Entry], header: Mapping[str, str]) -> str:
    """Return a catalogue as text."""
    head = "\n".join(['msgid ""', 'msgstr ""', *(_quote(f"{key}: {value}\n") for key, value in header.items())])
    return "\n\n".join([head, *map(_write_entry, entries)]) + "\n"


def _write_entry(entry: Entry) -> str:
    lines = [f"msgid {_quote(entry.text)}", f"msgstr {_quote(entry.translation)}"]
    if entry.is_obsolete:
        return "\n".join(f"#~ {line}" for line in lines)
    return "\n".join([*(f"#: {place}" for place in entry.places), *lines])


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
