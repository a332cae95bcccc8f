"""A field of a plan, declared once: plan files, forms, validation, dry runs and reports are made from it."""

import json
import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import time
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from app.domain.errors import BadInput
from app.foundation.texts import _, local_number

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

PlanValue = int | float | str | tuple[int | float, ...]


YES_NO: Final = {True: "yes", False: "no"}
"""What TOML's true and false stand for in a choice of "yes" and "no"."""

NONE: Final = "none"
"""What a plan file says where a value that has a default is to have none: TOML has no null."""


class ValueKind(StrEnum):
    """The type of a field's value."""

    WHOLE = "whole"
    NUMBER = "number"
    TEXT = "text"
    CHOICE = "choice"
    WHOLE_LIST = "whole_list"
    RANGE = "range"  # one number, or the lowest and the highest
    TIME = "time"  # of day, kept as minutes since midnight


@dataclass(frozen=True)
class Asked:
    """The question a form asks ahead of the numbers: whether there is one, or, of a range, whether there are two.

    Attributes:
        name: its id beside that of the field.
        options: id and label of the answer without (of a range: with one number), and of the other one.
        ends: title and help of the lowest and of the highest number of a range.
    """

    name: str
    title: str
    help: str
    options: tuple[tuple[str, str], tuple[str, str]]
    ends: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class PlanField:
    """One field.

    Attributes:
        name: its key in its table of a plan file; the unit ends it.
        title: as a person reads it.
        unit: "" where there is none.
        default: None where it is left open.
        help: one sentence for the form.
        low, high: limits of a number, inclusive, None for none; of each number of a list.
        choices: the words of a choice, all of them.
        above, below: limits of a number that it may not reach, None for none.
        typed_in: the unit a form takes it in, "" for its own.
        when_empty: what leaving it open means, "" where it needs a value.
        table: named with the key where a value is refused, "" to name the field alone.
        option_titles: a choice's words as a person calls them, in the order of `choices`; () where they say it.
        shown_when: key and word of a choice of the same table that makes it matter, None where it always does.
        hidden_when: key and words of a choice of the same table that make it say nothing, None for none.
        asked: what a form asks first, None for nothing.
        fits_in: of a range, the key of a number its highest may not exceed where that matters, and the sentence for it.
        consent: how the names of parameters begin that are varied only with its "yes", and the sentence asking for it.
        quick: its value for a quick look on the lab, None where that is the usual one.
        stated: how a report says it, with the places of {value} and of other fields by their keys, "" for its title.
        in_short: how it stands beside each claim, as `stated`; "" where a condition of the measurements says it.
        stated_open: what a report says in that place where it has no value.
        unstated: values of which a report says nothing, as other fields tell them.
        is_quiet: a report leaves it out where it is at its default.
        compared_as: what it is called where two plans are compared, "" where it is not.
    """

    name: str
    kind: ValueKind
    title: str
    unit: str
    default: PlanValue | None
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    above: float | None = None
    below: float | None = None
    typed_in: str = ""
    when_empty: str = ""
    table: str = ""
    option_titles: tuple[str, ...] = ()
    shown_when: tuple[str, str] | None = None
    hidden_when: tuple[str, tuple[str, ...]] | None = None
    asked: Asked | None = None
    fits_in: tuple[str, str] | None = None
    consent: tuple[str, str] | None = None
    quick: PlanValue | None = None
    stated: str = ""
    in_short: str = ""
    stated_open: str = ""
    unstated: tuple[str, ...] = ()
    is_quiet: bool = False
    compared_as: str = ""

    def check(self, value: object, where: str) -> PlanValue:
        """Return the value as this field holds it.

        Raises:
            BadInput: it is of another kind or outside the limits; the sentence names `where`.
        """
        held = self._held(value)
        if isinstance(held, tuple) and self.kind is ValueKind.RANGE and not (self.low or 0) <= held[0] <= held[1]:
            raise BadInput(
                _("{where}: {name} must be at least {low}, the lower number first").format(
                    where=where, name=self.name, low=self.low
                )
            )
        if held is not None:
            return held
        if self.table:
            sentence, written = _('key "{key}" must be {what}, not {value}'), as_written(value)
            missed = sentence.format(key=f"{self.table}.{self.name}", what=self._missed(value), value=written)
            raise BadInput(f"{where}: {missed}")
        raise BadInput(
            _("{where}: {name} must be {what}, not {value}").format(
                where=where, name=self.name, what=self._wanted(), value=value
            )
        )

    def as_in_file(self, value: PlanValue) -> PlanValue:
        """Return a value as a plan file holds it: a range of one number is that number."""
        if isinstance(value, tuple) and self.kind is ValueKind.RANGE:
            return value[0] if value[0] == value[-1] else value
        return time_text(int(value)) if self.kind is ValueKind.TIME and isinstance(value, int | float) else value

    @property
    def may_be_none(self) -> bool:
        """Whether a plan file may say that it has no value; else it is left out."""
        return bool(self.when_empty) and self.default is not None

    def _held(self, value: object) -> PlanValue | None:
        match self.kind:
            case ValueKind.TEXT:
                return value if isinstance(value, str) else None
            case ValueKind.CHOICE:
                return self._chosen(value)
            case ValueKind.TIME:
                return read_time(str(value)) if isinstance(value, str | time) else None
            case ValueKind.WHOLE if is_whole(value) and self._is_inside(value):
                return value
            case ValueKind.NUMBER if is_number(value) and self._is_inside(value):
                return float(value)
            case ValueKind.WHOLE_LIST if isinstance(value, list | tuple):
                return self._listed(value)
            case ValueKind.RANGE if (ends := _ends(value)) and min(ends) > (self.above or 0):
                return ends
        return None

    def _chosen(self, value: object) -> str | None:
        """Return one of the choices; TOML's true and false are the choices yes and no."""
        if isinstance(value, bool):
            return YES_NO[value] if set(self.choices) == set(YES_NO.values()) else None
        return value if isinstance(value, str) and value in self.choices else None

    def _listed(self, values: Sequence[Any]) -> tuple[int, ...] | None:
        """Return whole numbers, at least one and each once."""
        is_held = values and all(is_whole(item) and self._is_inside(item) for item in values)
        return tuple(values) if is_held and len(set(values)) == len(values) else None

    def _is_inside(self, value: float) -> bool:
        return not self._broken(value)

    def _broken(self, value: float) -> str:
        """Return the first bound a number breaks, in words, "" where it keeps all."""
        bounds = (
            (_("greater than {limit}"), self.above, operator.gt),
            (_("at least {limit}"), self.low, operator.ge),
            (_("at most {limit}"), self.high, operator.le),
            (_("less than {limit}"), self.below, operator.lt),
        )
        made = int if self.kind is ValueKind.WHOLE else float
        return next(
            (
                words.format(limit=made(limit))
                for words, limit, holds in bounds
                if limit is not None and not holds(value, limit)
            ),
            "",
        )

    def _missed(self, value: object) -> str:
        """Return the first thing a value should be and is not."""
        if self.kind is ValueKind.CHOICE:
            *others, last = map(repr, map(str, self.choices))
            return _("{others} or {last}").format(others=", ".join(others), last=last)
        if self.kind is ValueKind.RANGE:
            ends = _ends(value)
            return self._broken(min(ends)) if ends else _("a number, or the lowest and the highest such as [500, 1000]")
        if self.kind is ValueKind.TIME:
            return self._wanted()
        if self.kind is ValueKind.WHOLE:
            return self._broken(value) if is_whole(value) else _("a whole number")
        return self._broken(value) if is_number(value) else _("a number")

    def _wanted(self) -> str:
        low = "-∞" if self.low is None else local_number(f"{self.low:,.12g}")
        high = "∞" if self.high is None else local_number(f"{self.high:,.12g}")
        texts = {
            ValueKind.WHOLE: _("a whole number from {low} to {high}"),
            ValueKind.NUMBER: _("a number from {low} to {high}"),
            ValueKind.TEXT: _("a text in quotes"),
            ValueKind.CHOICE: _("one of {choices}"),
            ValueKind.WHOLE_LIST: _("a list of different whole numbers from {low} to {high}"),
            ValueKind.RANGE: _("a number, or the lowest and the highest such as [500, 1000]"),
            ValueKind.TIME: _('a time of day such as "17:00"'),
        }
        return texts[self.kind].format(low=low, high=high, choices=", ".join(self.choices))


def read_time(text: str) -> int | None:
    """Return a time of day such as 17:00, or TOML's 17:00:00, in minutes since midnight; None where it is none.

    A finer time is none either: nobody keeps to seconds.
    """
    try:
        read = time.fromisoformat(text.strip())
    except ValueError:
        return None
    return None if read.tzinfo or read.second or read.microsecond else read.hour * 60 + read.minute


def time_text(minutes: int) -> str:
    """Return minutes since midnight as a time of day."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def is_whole(value: object) -> TypeGuard[int]:
    """Tell whether a value of a plan file is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[int | float]:
    """Tell whether a value of a plan file is a number that is finite."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _ends(value: object) -> tuple[float, float] | None:
    """Return the lowest and the highest number of a range as a plan file writes it, None where it is none."""
    ends = value if isinstance(value, list | tuple) else [value, value]
    low, high = ends if len(ends) == 2 else (None, None)
    return (float(low), float(high)) if is_number(low) and is_number(high) else None


def as_written(value: object) -> str:
    """Return a value as it stands in TOML, shortened where it is long."""
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else json.dumps(value, default=str)
    return text if len(text) <= 60 else f"{text[:59]}…"


_FIELD: Final = "plan field"


def in_plan(table: str, kind: ValueKind, title: str, unit: str, text: str, **more: Any) -> dict[str, PlanField]:
    """Return the metadata that makes an attribute of a dataclass a field of plan files and forms; see `fields_of`."""
    return {_FIELD: PlanField("", kind, title, unit, None, text, table=table, **more)}


def fields_of(declared: type["DataclassInstance"]) -> tuple[PlanField, ...]:
    """Return the fields a dataclass declares with `in_plan`; name and default of each are those of its attribute."""
    return tuple(
        replace(
            held.metadata[_FIELD],
            name=held.name,
            default=str(held.default) if isinstance(held.default, StrEnum) else held.default,
        )
        for held in fields(declared)
    )


def read_values(fields: tuple[PlanField, ...], given: Mapping[str, object], where: str) -> dict[str, PlanValue]:
    """Return the values a table of a plan file gives to its fields, each checked, or their defaults; none where open.

    Raises:
        BadInput: a given value does not fit.
    """
    values = {field.name: field.default for field in fields}
    for field in fields:
        if field.name in given:
            told = given[field.name]
            values[field.name] = None if told == NONE and field.may_be_none else field.check(told, where)
    return {name: value for name, value in values.items() if value is not None}


def refuse_unknown(fields: Iterable[PlanField], given: Iterable[str], table: str, where: str) -> None:
    """Raise BadInput where a table of a plan file has a key that is no field."""
    names = {field.name for field in fields}
    for name in given:
        if name not in names:
            told = _('key "{key}" is unknown; remove it or correct its spelling').format(key=f"{table}.{name}")
            raise BadInput(f"{where}: {told}")
