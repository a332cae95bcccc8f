"""Kinds of fields of the plan form, as they are shown and as they are declared."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final

from app.domain.errors import BadInput
from app.domain.plan import Plan
from app.flows.plan.number_entry import Bounds, decimal_text, number_text, read_decimal, read_whole
from app.foundation.texts import _

Texts = Mapping[str, str]
"""What stands in each field, by field id."""

ON: Final = "on"
OFF: Final = "off"


class FieldKind(StrEnum):
    """How a field is filled in."""

    WHOLE = "whole"
    DECIMAL = "decimal"
    CHOICE = "choice"
    LEVELS = "levels"
    SWITCH = "switch"
    TICKS = "ticks"
    TEXT = "text"


class Section(StrEnum):
    """Parts of the form, in order."""

    FACTORS = "factors"
    WORKLOAD = "workload"
    DESIGN = "design"
    LIMITS = "limits"


def section_title(section: Section, load_title: str) -> str:
    """Return the heading of a part of the form.

    Args:
        load_title: what the family calls its load.
    """
    return {
        Section.FACTORS: _("What is varied"),
        Section.WORKLOAD: load_title,
        Section.DESIGN: _("Design"),
        Section.LIMITS: _("Stop and restore if"),
    }[section]


@dataclass(frozen=True)
class Option:
    """One possible answer of a choice."""

    option_id: str
    label: str


@dataclass(frozen=True)
class Field:
    """One field as it is shown.

    Attributes:
        text: what stands in it; an option's id for a choice, "on" or "off" for a switch, ids with commas for ticks.
        spoken: the label where it stands alone, as for a screen reader.
        unit: of a number.
        hint: what it may be.
        when_empty: what an empty field means, "" where it must not be empty.
        options: answers of a choice, boxes of ticks, suggestions for a text.
        error: why this text cannot be used, "" where it can.
        is_shown: whether the other answers make it matter.
    """

    field_id: str
    section: Section
    label: str
    kind: FieldKind
    text: str = ""
    spoken: str = ""
    unit: str = ""
    hint: str = ""
    when_empty: str = ""
    help: str = ""
    options: tuple[Option, ...] = ()
    error: str = ""
    is_shown: bool = True


def _always(_texts: Texts) -> bool:
    return True


_ANY: Final = Bounds()


def _no_problem(_text: str) -> str:
    return ""


@dataclass(frozen=True)
class Spec:
    """A field and its place in a plan.

    Attributes:
        form: as it is shown, without text.
        read: its value in a plan; words for anything but a number.
        is_shown: whether the other answers make it matter.
        bounds: what a number may be, in the unit of the form.
        scale: plan units in one unit of the form, such as 60 for minutes kept as seconds.
        check: returns why words cannot be used, "" where they can.
    """

    form: Field
    read: Callable[[Plan], Any]
    is_shown: Callable[[Texts], bool] = _always
    bounds: Bounds = _ANY
    scale: Decimal = Decimal(1)
    check: Callable[[str], str] = _no_problem

    @property
    def field_id(self) -> str:
        """The id of its field."""
        return self.form.field_id

    @property
    def is_number(self) -> bool:
        """Whether it holds one number."""
        return self.form.kind in (FieldKind.WHOLE, FieldKind.DECIMAL)

    def field(self, texts: Texts) -> Field:
        """Return the field with its content."""
        form = self.form
        return replace(
            form,
            text=texts[form.field_id],
            spoken=form.spoken or form.label,
            hint=self._hint() if self.is_number else form.hint,
            is_shown=self.is_shown(texts),
        )

    def text_of(self, plan: Plan) -> str:
        """Return the field's text for a plan."""
        value = self.read(plan)
        if value is None:
            return ""
        if not self.is_number:
            return str(value)
        shown = Decimal(repr(value)) / self.scale
        return number_text(shown) if self.form.kind is FieldKind.WHOLE else decimal_text(shown)

    def parse(self, text: str, base: Plan) -> Decimal | None:
        """Return the number in the plan's unit, None where the field is empty and may be.

        Args:
            base: the plan the form began with; where its text still stands, its value is kept to the last digit.

        Raises:
            BadInput: no number.
        """
        if not text.strip() and self.form.when_empty:
            return None
        kept = self.read(base)
        if kept is not None and text == self.text_of(base):
            return Decimal(repr(kept))
        typed = read_whole(text) if self.form.kind is FieldKind.WHOLE else read_decimal(text)
        return typed * self.scale

    def read_checked(self, text: str, base: Plan) -> Decimal | None:
        """Return the number as `parse` does.

        Raises:
            BadInput: no number, or one out of bounds.
        """
        number = self.parse(text, base)
        if number is not None:
            check_bounds(number / self.scale, self.bounds, self.form.unit)
        return number

    def _hint(self) -> str:
        """Return the bounds of a number, in a few words, where that is worth its place."""
        bounds = self.bounds
        is_range = bounds.low is not None and bounds.high is not None and not (bounds.open_low or bounds.open_high)
        return bounds.text() if is_range else ""


def check_bounds(number: Decimal, bounds: Bounds, unit: str) -> None:
    """Raise BadInput where a number is out of bounds.

    Args:
        number: in `unit`, the unit of the field.
    """
    if bounds.hold(number):
        return
    words = f"{bounds.text()} {unit}".strip()
    because = f" ({bounds.because})" if bounds.because else ""
    raise BadInput(
        _("Must be {bounds}{because}, not {number}.").format(bounds=words, because=because, number=number_text(number))
    )
