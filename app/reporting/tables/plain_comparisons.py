"""Comparisons that no rule speaks of, as a table: means, change, interval, and whether they differ."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from app.domain.comparison import Comparison, Verdict
from app.domain.effect import tells_interval
from app.domain.setting import value_text
from app.domain.units import unit_word
from app.domain.view import Cell, Column, Row, TableContent, data_cell, file_column, text_cell, valued_cell
from app.foundation.texts import _, local_number
from app.reporting.wording import change_text, interval_text

DIFFERS = "differs"
"""The verdict, for programs, on a difference of which no rule says whether it is wanted."""


class Compared(NamedTuple):
    """A comparison with the geometric means that make its ratio, in its unit."""

    comparison: Comparison
    value: float
    other: float


def plain_title(parameter: str) -> str:
    """Return in one sentence that numbers are compared without advice."""
    return _('There is no rule for "{parameter}", so nothing is advised; the numbers say:').format(parameter=parameter)


def plain_comparisons_table(compared: Sequence[Compared]) -> TableContent:
    """Return each measure with a setting against the baseline: means, change, interval, and whether they differ."""
    has_conditions = any(one.comparison.conditions for one in compared)
    columns = (
        Column("metric", _("Measure"), width=1),
        Column("compared", _("Compared"), width=1),
        file_column("from"),
        file_column("to"),
        Column("value", _("Value"), is_number=True),
        Column("other", _("Baseline"), is_number=True),
        file_column("unit"),
        Column("ratio", _("Change"), is_number=True),
        Column("interval", _("95 % interval"), is_number=True),
        Column("verdict", _("Verdict"), width=1),
        file_column("low"),
        file_column("high"),
        Column("trials", _("Runs"), is_number=True),
        *((Column("conditions", _("Conditions"), width=1),) if has_conditions else ()),
    )
    rows = (Row(f"{number}", _cells(*one)[: len(columns)]) for number, one in enumerate(compared))
    return TableContent(columns, tuple(rows))


def plain_verdict(comparison: Comparison) -> str:
    """Return a verdict for programs that says nothing of which side is better."""
    is_different = comparison.verdict in (Verdict.IMPROVEMENT, Verdict.WORSE)
    return DIFFERS if is_different else comparison.verdict.value


def _cells(c: Comparison, value: float, other: float) -> tuple[Cell, ...]:
    runs = len(c.candidate_trials), len(c.reference_trials)
    against = _("{setting} against {other}").format(
        setting=" · ".join(map(value_text, c.candidate.values())),
        other=" · ".join(map(value_text, c.reference.values())),
    )
    return (
        text_cell(c.metric),
        text_cell(against),
        data_cell(c.reference.label()),
        data_cell(c.candidate.label()),
        valued_cell(_amount(value, c.unit), value),
        valued_cell(_amount(other, c.unit), other),
        data_cell(c.unit),
        valued_cell(change_text(c.ratio), c.ratio),
        text_cell(interval_text(c.low, c.high, c.ratio) if tells_interval(c.low, c.high) else "–"),
        valued_cell(_verdict_text(c, max(runs)), plain_verdict(c)),
        data_cell(c.low),
        data_cell(c.high if math.isfinite(c.high) else None),
        text_cell(f"{runs[0]} / {runs[1]}"),
        text_cell(c.conditions.text()),
    )


def _amount(value: float, unit: str) -> str:
    return local_number(f"{value:,.4g}" if value < 1e4 else f"{value:,.0f}") + (
        f"\u00a0{unit_word(unit)}" if unit else ""
    )


def _verdict_text(c: Comparison, most_runs: int) -> str:
    if most_runs == 1 and not tells_interval(c.low, c.high):
        return _("one run each: cannot tell")
    words = {
        Verdict.IMPROVEMENT: _("they differ"),
        Verdict.WORSE: _("they differ"),
        Verdict.NO_DIFFERENCE: _("no difference worth acting on"),
        Verdict.CANNOT_TELL: _("cannot tell"),
    }
    return words[c.verdict]
