"""The load of a trial, as a plan states it.

A family declares its fields as data; plan files, forms, dry runs and reports are made from them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.domain.by_name import ByName
from app.domain.errors import BadInput
from app.domain.plan_field import PlanField, PlanValue, is_whole, read_values, refuse_unknown
from app.domain.setting import Value, value_text
from app.domain.units import unit_word
from app.foundation.texts import _, local_number


@dataclass(frozen=True)
class Load(ByName[PlanValue]):
    """Values of load fields by name; hashable, in name order."""

    values_by_name: tuple[tuple[str, PlanValue], ...] = ()

    @staticmethod
    def from_mapping(values: Mapping[str, PlanValue | None]) -> "Load":
        """Return a load with the entries of a mapping; None leaves a value open."""
        return Load(tuple(sorted((name, value) for name, value in values.items() if value is not None)))

    def but(self, **values: PlanValue | None) -> "Load":
        """Return this load with other values in place of some; None leaves one open."""
        return Load.from_mapping({**self, **values})

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
        if isinstance(value, tuple) and all(map(is_whole, value)):
            return tuple(map(int, value))
        raise ValueError(f"{name} is {value!r}")


EMPTY_LOAD: Final = Load()


TABLE: Final = "workload"
"""Where the load stands in a plan file."""


def complete_load(fields: tuple[PlanField, ...], given: Mapping[str, object], where: str) -> Load:
    """Return a load with a value for every field that has one: the given one, checked, or its default.

    Raises:
        BadInput: a given value does not fit, or there is no such field.
    """
    if any(field.table for field in fields):
        refuse_unknown(fields, given, TABLE, where)
    names = [field.name for field in fields]
    unknown = next((name for name in given if name not in names), None)
    if unknown is not None:
        raise BadInput(
            _('{where}: key "workload.{name}" is unknown; known are {known}').format(
                where=where, name=unknown, known=", ".join(names)
            )
        )
    return Load.from_mapping(read_values(fields, given, where))


def load_text(fields: tuple[PlanField, ...], load: Load) -> tuple[tuple[str, str], ...]:
    """Return (title, value with unit) of each field, for reports and dry runs."""
    return tuple(
        (field.title, f"{_told(field, load[field.name])} {unit_word(field.unit)}".strip())
        for field in fields
        if field.name in load
    )


def _told(field: PlanField, value: PlanValue | Value) -> str:
    titles = dict(zip(field.choices, field.option_titles, strict=False))
    return titles.get(str(value)) or _plain(value)


def _plain(value: PlanValue | Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(value_text(item) for item in value)
    if isinstance(value, str):
        return {"yes": _("yes"), "no": _("no")}.get(value, value)
    return local_number(f"{value:,.12g}")
