"""The parameters in effect: the value, where it comes from, and how it stands to the default and the limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.server import EffectiveParameter, as_number, differs
from app.domain.units import unit_word
from app.domain.view import Cell, Column, Emphasis, Row, TableContent, View, number_cell, text_cell
from app.foundation.texts import _

_OFF_PAPER: Final = frozenset({View.WINDOW, View.TERMINAL})


@dataclass(frozen=True)
class ParameterLine:
    """One parameter, with its system's remarks.

    Attributes:
        origin: where the value comes from, as shown; origin_hint: the same in a sentence, "" for none.
        stands_out: somebody set it, or it is not at its default.
        hint: what that means, in a sentence, "" for none.
        owner: the process or database it is of, where one table holds those of several; else "".
        is_hidden: the vendor documents it not.
        not_shown: why its value is not shown, "" where it is.
    """

    parameter: EffectiveParameter
    origin: str
    origin_hint: str = ""
    stands_out: bool = False
    hint: str = ""
    owner: str = ""
    is_hidden: bool = False
    not_shown: str = ""


def parameters_table(lines: Sequence[ParameterLine]) -> TableContent:
    """Return parameters in the order given; columns of owners and of hidden ones only where there are any."""
    is_of_one = len({line.owner for line in lines}) == 1
    rows = (_row(line.parameter.name if is_of_one else f"{line.owner} {line.parameter.name}", line) for line in lines)
    content = TableContent(_columns(), tuple(rows))
    left_out = {
        *(() if any(line.owner for line in lines) else ("owner",)),
        *(() if any(line.is_hidden for line in lines) else ("hidden",)),
    }
    return content.only(*(column.key for column in content.columns if column.key not in left_out))


def in_effect_table(parameters: Sequence[EffectiveParameter]) -> TableContent:
    """Return parameters with their values in effect alone; those not at their defaults stand out."""
    return parameters_table([ParameterLine(own, own.origin, stands_out=differs(own)) for own in parameters])


def _columns() -> tuple[Column, ...]:
    given = _("What is in effect where no value is set; – where nobody states it.")
    return (
        Column("owner", _("Process or database"), width=2, views=frozenset({View.REPORT})),
        Column("name", _("Parameter"), hint=_("The vendor's name."), width=2),
        Column(
            "value",
            _("In effect"),
            is_number=True,
            hint=_("What is in effect; bold: differs from the default."),
            width=0.9,
        ),
        Column("unit", _("Unit"), hint=_("What the numbers of this row count."), width=1.1),
        Column("origin", _("Comes from"), hint=_("The strongest place that sets a value."), width=1),
        Column(
            "hidden",
            _("Hidden"),
            hint=_("Hidden parameters are supported on the vendor's own advice only."),
            views=_OFF_PAPER,
        ),
        Column("default", _("Default"), is_number=True, hint=given, width=0.8),
        Column("low", _("Smallest"), is_number=True, hint=_("Smallest value accepted, – where none is stated.")),
        Column("high", _("Largest"), is_number=True, hint=_("Largest value accepted, – where none is stated.")),
    )


def _row(key: str, line: ParameterLine) -> Row:
    own = line.parameter
    emphasis = Emphasis.STRONG if line.stands_out else Emphasis.PLAIN
    return Row(
        key,
        (
            text_cell(line.owner),
            text_cell(own.name, emphasis=emphasis, hint=line.hint),
            _not_shown(line.not_shown) if line.not_shown else _value(own.value, emphasis, line.hint),
            text_cell(unit_word(own.unit)),
            text_cell(line.origin, hint=line.origin_hint),
            text_cell(_("hidden") if line.is_hidden else ""),
            _value(own.default, Emphasis.QUIET),
            number_cell(own.low, emphasis=Emphasis.QUIET),
            number_cell(own.high, emphasis=Emphasis.QUIET),
        ),
    )


def _not_shown(why: str) -> Cell:
    return text_cell(_("not shown"), emphasis=Emphasis.QUIET, hint=why)


def _value(text: str, emphasis: Emphasis, hint: str = "") -> Cell:
    number = as_number(text)
    if number is None and text:
        return text_cell(text, emphasis=emphasis, hint=hint)
    return number_cell(number, emphasis=emphasis, hint=hint)
