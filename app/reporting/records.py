"""Changing every text inside a record, however deep it stands."""

import dataclasses
import json
from collections.abc import Callable, Iterator
from typing import TypeVar

from app.domain.session import Environment

_T = TypeVar("_T")


def map_texts(value: _T, change: Callable[[str], str]) -> _T:
    """Return a record (a frozen dataclass, a tuple, a text) with `change` applied to each text it holds.

    Enumerations are left alone; what does not change is shared, not copied.
    """
    if isinstance(value, str):
        return change(value) if type(value) is str else value  # type: ignore[return-value]  # a text stays a text of T
    if isinstance(value, tuple):
        return tuple(map_texts(item, change) for item in value)  # type: ignore[return-value]  # a tuple stays a tuple of T
    if isinstance(value, Environment):
        kept = tuple((key, _map_json(text, change)) for key, text in value.kept)
        facts = map_texts(value.facts, change)
        return Environment(change(value.target), facts, kept)  # type: ignore[return-value]  # it stays one
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        changes = dict(_changed_fields(value, change))
        return dataclasses.replace(value, **changes) if changes else value
    return value


def _changed_fields(record: object, change: Callable[[str], str]) -> Iterator[tuple[str, object]]:
    """Yield the fields of a dataclass that are changed, with their new values."""
    for field in dataclasses.fields(record):  # type: ignore[arg-type]  # the caller has looked
        old = getattr(record, field.name)
        new = map_texts(old, change)
        if new is not old:
            yield field.name, new


def _map_json(text: str, change: Callable[[str], str]) -> str:
    """Return JSON with `change` applied to each text in it that is no key."""

    def mapped(data: object) -> object:
        if isinstance(data, str):
            return change(data)
        if isinstance(data, list):
            return [mapped(item) for item in data]
        return {key: mapped(item) for key, item in data.items()} if isinstance(data, dict) else data

    return json.dumps(mapped(json.loads(text)), ensure_ascii=False, separators=(",", ":"))
