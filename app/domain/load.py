"""What a plan says about the load of a trial, for families whose load is not that of the replication agents.

A family declares its fields as data; plan files, forms, dry runs and reports are made from them.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.domain.errors import BadInput
from app.domain.setting import Value
from app.domain.units import unit_word
from app.foundation.texts import _, local_number

LoadValue = int | float | str | tuple[int, ...]


YES_NO: Final = {True: "yes", False: "no"}
"""What TOML's true and false stand for in a choice of "yes" and "no"."""


class LoadKind(StrEnum):
    """What a field holds."""

    WHOLE = "whole"
    NUMBER = "number"
    TEXT = "text"
    CHOICE = "choice"
    WHOLE_LIST = "whole_list"


@dataclass(frozen=True)
class LoadField:
    """One field.

    Attributes:
        name: its key in `[workload]` of a plan file; the unit ends it.
        title: as a person reads it.
        unit: "" where there is none.
        low, high: limits of a number, inclusive, None for none; of each number of a list.
        choices: the words of a choice, all of them.
        help: one sentence for the form.
    """

    name: str
    kind: LoadKind
    title: str
    unit: str
    default: LoadValue
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    def check(self, value: object, where: str) -> LoadValue:
        """Return the value as this field holds it.

        Raises:
            BadInput: it is of another kind or outside the limits; the sentence names `where`.
        """
        match self.kind:
            case LoadKind.TEXT if isinstance(value, str):
                return value
            case LoadKind.CHOICE if isinstance(value, bool) and set(self.choices) == set(YES_NO.values()):
                return YES_NO[value]
            case LoadKind.CHOICE if isinstance(value, str) and value in self.choices:
                return value
            case LoadKind.WHOLE if self._is_whole(value):
                assert isinstance(value, int)
                return value
            case LoadKind.NUMBER if self._is_number(value):
                assert isinstance(value, int | float)
                return float(value)
            case LoadKind.WHOLE_LIST if isinstance(value, list | tuple) and value and all(map(self._is_whole, value)):
                if len(set(value)) == len(value):
                    return tuple(value)
        raise BadInput(
            _("{where}: {name} must be {what}, not {value}").format(
                where=where, name=self.name, what=self._wanted(), value=value
            )
        )

    def _is_whole(self, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and self._is_inside(value)

    def _is_number(self, value: object) -> bool:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and math.isfinite(float(str(value))) and self._is_inside(float(str(value)))

    def _is_inside(self, value: float) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def _wanted(self) -> str:
        low = "-∞" if self.low is None else local_number(f"{self.low:,.12g}")
        high = "∞" if self.high is None else local_number(f"{self.high:,.12g}")
        texts = {
            LoadKind.WHOLE: _("a whole number from {low} to {high}"),
            LoadKind.NUMBER: _("a number from {low} to {high}"),
            LoadKind.TEXT: _("a text in quotes"),
            LoadKind.CHOICE: _("one of {choices}"),
            LoadKind.WHOLE_LIST: _("a list of different whole numbers from {low} to {high}"),
        }
        return texts[self.kind].format(low=low, high=high, choices=", ".join(self.choices))


@dataclass(frozen=True)
class Load(Mapping[str, LoadValue]):
    """Values of load fields by name; hashable, in name order."""

    values_by_name: tuple[tuple[str, LoadValue], ...] = ()

    @staticmethod
    def from_mapping(values: Mapping[str, LoadValue]) -> "Load":
        """Return a load with the entries of a mapping."""
        return Load(tuple(sorted(values.items())))

    def __getitem__(self, name: str) -> LoadValue:
        for key, value in self.values_by_name:
            if key == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (key for key, _value in self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)

    def whole(self, name: str) -> int:
        """Return a whole number; raises KeyError or ValueError where it is none."""
        value = self[name]
        if isinstance(value, int):
            return value
        raise ValueError(f"{name} is {value!r}")

    def number(self, name: str) -> float:
        """Return a number; raises KeyError or ValueError where it is none."""
        value = self[name]
        if isinstance(value, int | float):
            return float(value)
        raise ValueError(f"{name} is {value!r}")

    def text(self, name: str) -> str:
        """Return a text; raises KeyError or ValueError where it is none."""
        value = self[name]
        if isinstance(value, str):
            return value
        raise ValueError(f"{name} is {value!r}")

    def wholes(self, name: str) -> tuple[int, ...]:
        """Return a list of whole numbers; raises KeyError or ValueError where it is none."""
        value = self[name]
        if isinstance(value, tuple):
            return value
        raise ValueError(f"{name} is {value!r}")


EMPTY_LOAD: Final = Load()


def complete_load(fields: tuple[LoadField, ...], given: Mapping[str, object], where: str) -> Load:
    """Return a load with a value for every field: the given one, checked, or its default.

    Raises:
        BadInput: a given value does not fit, or there is no such field.
    """
    known = {field.name: field for field in fields}
    for name in given:
        if name not in known:
            raise BadInput(
                _('{where}: key "workload.{name}" is unknown; known are {known}').format(
                    where=where, name=name, known=", ".join(known)
                )
            )
    return Load.from_mapping(
        {name: field.check(given[name], where) if name in given else field.default for name, field in known.items()}
    )


def load_text(fields: tuple[LoadField, ...], load: Load) -> tuple[tuple[str, str], ...]:
    """Return (title, value with unit) of each field, for reports and dry runs."""
    return tuple(
        (field.title, f"{_plain(load[field.name])} {unit_word(field.unit)}".strip())
        for field in fields
        if field.name in load
    )


def _plain(value: LoadValue | Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(local_number(f"{item:,}") for item in value)
    if isinstance(value, str):
        return {"yes": _("yes"), "no": _("no")}.get(value, value)
    return local_number(f"{value:,.12g}")
