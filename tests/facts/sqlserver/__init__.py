"""SQL Server's documented objects as data, each with its vendor page: `objects.json`, `objects_more.json`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class DocumentedObject:
    """A table, view, function or procedure: its columns, and parameters (name to required) of a procedure."""

    name: str
    kind: str
    database: str
    columns: frozenset[str]
    parameters: Mapping[str, bool]
    result_columns: tuple[str, ...]


def read_facts(name: str) -> dict[str, Any]:
    """Return one of the files of this folder."""
    content: dict[str, Any] = json.loads((_FOLDER / name).read_text(encoding="utf-8"))
    return content


@cache
def documented_objects() -> Mapping[str, DocumentedObject]:
    """Return every documented object by name in lower case, `dbo.` left out, `sys.` kept."""
    entries = read_facts("objects.json")["objects"] + read_facts("objects_more.json")["objects"]
    found = [_object(entry) for entry in entries]
    return {entry.name.removeprefix("dbo.").lower(): entry for entry in found}


@cache
def documented_functions() -> frozenset[str]:
    """Return the names of the built-in functions with a page."""
    return frozenset(entry["name"] for entry in read_facts("objects_more.json")["functions"])


def _object(entry: dict[str, Any]) -> DocumentedObject:
    return DocumentedObject(
        name=entry["name"],
        kind=entry["kind"],
        database=entry["database"],
        columns=frozenset(column["name"] for column in entry.get("columns") or ()),
        parameters={
            parameter["name"]: bool(parameter["required"])
            for parameter in entry.get("parameters") or ()
            if isinstance(parameter, dict)
        },
        result_columns=tuple(
            column["name"] for column in entry.get("result_columns") or () if isinstance(column, dict)
        ),
    )
