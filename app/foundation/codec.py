"""Frozen dataclasses as JSON text and back, by their type hints, without loss.

Dataclasses become objects, tuples lists, enums their values, times UTC ISO-8601 text. JSON knows no infinity: a
non-finite float becomes `{"float": "inf"}`. Whole numbers stay whole, also where the hint says float.
"""

import dataclasses
import enum
import functools
import json
import math
import types
import typing
from datetime import UTC, datetime
from typing import Final, TypeVar

T = TypeVar("T")

_NON_FINITE_KEY: Final = "float"
_PLAIN: Final = (str, int, bool, type(None))


class CodecError(ValueError):
    """A text does not hold what its type hint says: the file was damaged or edited."""


def dump_json(value: object) -> str:
    """Return the JSON text of a dataclass, enum, time, tuple or plain value.

    Raises:
        TypeError: a type that `load_json` could not bring back.
        ValueError: a time without a time zone.
    """
    return json.dumps(_encode(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def load_json(hint: type[T], text: str) -> T:
    """Return the value of type `hint` that `dump_json` wrote.

    A field the text lacks takes its default, so that a type may grow; an unknown field is an error.

    Raises:
        CodecError: the text is not JSON or not of that type.
        TypeError: `hint` is a kind of type the codec does not know.
    """
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise CodecError(f"not JSON: {error}") from error
    return typing.cast(T, _decode(hint, data))


def utc_text(moment: datetime) -> str:
    """Return a time as UTC ISO-8601 text with microseconds where it has any.

    Raises:
        ValueError: the time has no time zone, so nobody can say which moment it is.
    """
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} has no time zone")
    return moment.astimezone(UTC).isoformat()


def utc_time(text: str) -> datetime:
    """Return the time that `utc_text` wrote.

    Raises:
        CodecError: not such a text.
    """
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise CodecError(f"not a time: {text!r}") from error
    if moment.tzinfo is None:
        raise CodecError(f"a time without time zone: {text!r}")
    return moment


def _encode(value: object) -> object:
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, float):
        return value if math.isfinite(value) else {_NON_FINITE_KEY: repr(value)}
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, datetime):
        return utc_text(value)
    if isinstance(value, tuple):
        return [_encode(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _encode(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"{type(value).__name__} cannot be stored")


def _decode(hint: object, data: object) -> object:
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _decode_union(typing.get_args(hint), data)
    if origin is tuple:
        return _decode_tuple(typing.get_args(hint), data)
    if not isinstance(hint, type):
        raise TypeError(f"{hint!r} cannot be stored")
    if not _fits(hint, data):
        raise CodecError(f"{data!r} is not {hint.__name__}")
    return _decode_class(hint, data)


def _decode_class(hint: type, data: object) -> object:
    if issubclass(hint, enum.Enum):
        try:
            return hint(data)
        except ValueError as error:
            raise CodecError(str(error)) from error
    if dataclasses.is_dataclass(hint):
        return _decode_dataclass(hint, typing.cast(dict[str, object], data))
    if hint is datetime:
        return utc_time(typing.cast(str, data))
    if hint is float and isinstance(data, dict):
        return _decode_non_finite(data)
    return data


def _decode_non_finite(data: dict[str, object]) -> float:
    value = data.get(_NON_FINITE_KEY)
    if len(data) != 1 or value not in ("inf", "-inf", "nan"):
        raise CodecError(f"{data!r} is not a number")
    return float(value)


def _decode_union(members: tuple[object, ...], data: object) -> object:
    for member in members:
        if _fits(member, data):
            return _decode(member, data)
    raise CodecError(f"{data!r} fits none of {members!r}")


def _decode_tuple(members: tuple[object, ...], data: object) -> tuple[object, ...]:
    if not isinstance(data, list):
        raise CodecError(f"{data!r} is not a list")
    if len(members) == 2 and members[1] is Ellipsis:
        return tuple(_decode(members[0], item) for item in data)
    if len(members) != len(data):
        raise CodecError(f"{len(data)} items where {len(members)} belong")
    return tuple(_decode(member, item) for member, item in zip(members, data, strict=True))


def _decode_dataclass(hint: type, data: dict[str, object]) -> object:
    hints = _field_hints(hint)
    unknown = data.keys() - hints.keys()
    if unknown:
        raise CodecError(f"{hint.__name__} has no {sorted(unknown)}")
    values = {name: _decode(field_hint, data[name]) for name, field_hint in hints.items() if name in data}
    try:
        return hint(**values)
    except TypeError as error:  # a field without a default is missing
        raise CodecError(f"{hint.__name__}: {error}") from error


def _fits(hint: object, data: object) -> bool:
    """Tell whether JSON data has the shape that a type is written in."""
    if typing.get_origin(hint) is tuple:
        return isinstance(data, list)
    if not isinstance(hint, type):
        return False
    if hint is float:
        return isinstance(data, (int, float, dict))
    if dataclasses.is_dataclass(hint):
        return isinstance(data, dict)
    if issubclass(hint, (enum.Enum, datetime)):
        return isinstance(data, (str, int))
    return isinstance(data, hint)


@functools.cache
def _field_hints(hint: type) -> dict[str, object]:
    hints = typing.get_type_hints(hint)
    return {field.name: hints[field.name] for field in dataclasses.fields(hint)}
