"""Frozen dataclasses as JSON text and back, by their type hints, without loss.

Dataclasses become objects, tuples lists, enums their values, times UTC ISO-8601 text. JSON knows no infinity: a
non-finite float becomes `{"float": "inf"}`. Whole numbers stay whole, also where the hint says float.

Reading is pydantic's (TypeAdapter, strict). Its writer is not used, for the text of a file must not change with it: it
writes 1e-5 where Python writes 1e-05, "Z" for UTC, and null for an infinity.
"""

import dataclasses
import enum
import functools
import json
import math
import typing
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator

Json = Mapping[str, object]
"""An object of a JSON document that is being made."""

T = TypeVar("T")
E = TypeVar("E", bound=enum.Enum)

_NON_FINITE_KEY: Final = "float"
_PLAIN: Final = (str, int, bool, type(None))


class CodecError(ValueError):
    """A text does not match its type hint: the file was damaged or edited."""


def dump_json(value: object) -> str:
    """Return the JSON text of a dataclass, enum, time, tuple or plain value.

    Raises:
        TypeError: a type that `load_json` could not bring back.
        ValueError: a time without a time zone.
    """
    return json.dumps(_encode(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def load_json(hint: type[T], text: str) -> T:
    """Return the value of type `hint` that `dump_json` wrote; the hint may be known only at run time.

    A field the text lacks takes its default, so that a type may grow; an unknown field is an error.

    Raises:
        CodecError: the text is not JSON or not of that type.
        TypeError: pydantic knows no way to read a `hint`.
    """
    try:
        return typing.cast(T, _validator(typing.cast(Any, hint)).validate_json(text, strict=True))
    except ValueError as error:
        raise CodecError(str(error)) from error


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


def utc_time_or_none(text: str | None) -> datetime | None:
    """Return the time of a column that may be empty; raises CodecError as `utc_time` does."""
    return None if text is None else utc_time(text)


def known(kind: type[E], text: str) -> E:
    """Return the enum member a column names.

    Raises:
        CodecError: the column holds what was never written to it.
    """
    try:
        return kind(text)
    except ValueError as error:
        raise CodecError(str(error)) from error


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


@functools.cache
def _validator(hint: Any) -> "SchemaValidator":
    """Return pydantic's validator for texts of a type, made once, with numbers and times as `dump_json` writes them."""
    from pydantic import PydanticUserError, TypeAdapter  # only who opens a file waits for it
    from pydantic_core import SchemaValidator, core_schema

    non_finite = core_schema.no_info_after_validator_function(
        lambda number: float(number[_NON_FINITE_KEY]),
        core_schema.typed_dict_schema(
            {_NON_FINITE_KEY: core_schema.typed_dict_field(core_schema.literal_schema(["inf", "-inf", "nan"]))},
            extra_behavior="forbid",
        ),
    )
    whole = [core_schema.int_schema(), core_schema.bool_schema()]  # a server's bit may stand where a count belongs
    kinds: dict[str, Mapping[str, Any]] = {
        "int": core_schema.union_schema(list(whole), mode="left_to_right"),
        "float": core_schema.union_schema([*whole, core_schema.float_schema(), non_finite], mode="left_to_right"),
        "datetime": core_schema.no_info_after_validator_function(utc_time, core_schema.str_schema()),
    }
    try:
        schema = TypeAdapter(hint).core_schema
    except PydanticUserError as error:
        raise TypeError(f"{hint!r} cannot be stored") from error
    return SchemaValidator(_with_kinds(schema, kinds))


def _with_kinds(schema: Any, kinds: Mapping[str, Any]) -> Any:
    """Return a schema of pydantic with these in place of its own of those types, and unknown fields refused.

    A schema is nested dicts, each with its "type": https://docs.pydantic.dev/latest/api/pydantic_core_schema/
    """
    if isinstance(schema, list):
        return [_with_kinds(item, kinds) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kind = str(schema.get("type"))
    if kind in kinds:
        return kinds[kind]
    changed = {key: _with_kinds(item, kinds) for key, item in schema.items()}
    return changed | {"extra_behavior": "forbid"} if kind == "dataclass-args" else changed
