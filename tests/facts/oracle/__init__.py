"""Oracle's documented views and packages as data, each with its page: `objects.json`, `parameters.json`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class DocumentedObject:
    """A view or table with its columns in capitals, or a procedure with its arguments (name to required)."""

    name: str
    kind: str
    columns: frozenset[str]
    arguments: Mapping[str, bool]
    sources: tuple[str, ...]


def read_facts(name: str) -> dict[str, Any]:
    """Return one of the files of this folder."""
    content: dict[str, Any] = json.loads((_FOLDER / name).read_text(encoding="utf-8"))
    return content


@cache
def documented_objects() -> Mapping[str, DocumentedObject]:
    """Return every documented object by its name in capitals."""
    return {entry["name"].upper(): _object(entry) for entry in read_facts("objects.json")["objects"]}


@cache
def documented_parameters() -> tuple[dict[str, Any], ...]:
    """Return every documented tuning parameter as it stands in the file."""
    return tuple(read_facts("parameters.json")["parameters"])


def _object(entry: dict[str, Any]) -> DocumentedObject:
    return DocumentedObject(
        name=entry["name"],
        kind=entry["kind"],
        columns=frozenset(column["name"].upper() for column in entry.get("columns") or ()),
        arguments={argument["name"].lower(): argument["required"] for argument in entry.get("arguments") or ()},
        sources=tuple(entry["source"]),
    )
