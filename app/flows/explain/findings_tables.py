"""The tables of what a session showed: comparisons, open questions, forecasts, facts, and rules not evaluated."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.comparison import Comparison, Forecast, Verdict
from app.domain.finding import Finding, NotEvaluated
from app.domain.plan import Phase
from app.domain.table import ResultTable, TableCell
from app.flows.table_view import Cell, Column, Row, TableContent, number_cell, text_cell
from app.flows.words import counted
from app.foundation.durations import duration_text
from app.foundation.texts import _, local_number
from app.reporting.document.result_tables import cell_text
from app.reporting.numbers import percent, quantity
from app.reporting.wording import Vocabulary, against_text, change_text, claim_word, interval_text, setting_text

MARKS = {
    Verdict.IMPROVEMENT: "✓",
    Verdict.WORSE: "▼",
    Verdict.NO_DIFFERENCE: "=",
    Verdict.CANNOT_TELL: "?",
}
"""Signs of the verdicts where there is no room for an icon."""


def facts_table(finding: Finding, words: Vocabulary) -> TableContent:
    """Return what the rule looked at, each with its unit."""
    columns = (Column("fact", _("What the rule looked at")), Column("value", _("Value"), is_number=True))
    rows = tuple(
        Row(name, (text_cell(_fact_title(name, words), hint=name), text_cell(quantity(value, unit))))
        for name, value, unit in finding.facts
    )
    return TableContent(columns, rows)


def _fact_title(name: str, words: Vocabulary) -> str:
    kind = words.fact_kinds.get(name)
    text = kind.meaning if kind else name.replace("_", " ")
    return text[:1].upper() + text[1:]


def comparisons_table(comparisons: Sequence[Comparison], words: Vocabulary) -> TableContent:
    """Return comparisons with effect, interval, sample sizes, verdict, and the trials the open ones take."""
    columns = (
        Column("verdict", _("Verdict")),
        Column("compared", _("Compared")),
        Column("measure", _("Measure")),
        Column("change", _("Change"), is_number=True),
        Column("interval", _("95 % interval"), is_number=True, hint=_("All intervals of one experiment hold together")),
        Column("p", "p", is_number=True, hint=_("Adjusted for the number of comparisons (Holm)")),
        Column("trials", _("Trials"), is_number=True, hint=_("Of the setting compared, and of the one it is held to")),
        Column("smallest", _("Smallest visible effect"), "%", is_number=True),
        Column(
            "needed",
            _("Trials needed"),
            is_number=True,
            hint=_("For each setting, to show a difference worth acting on"),
        ),
        Column("phase", _("Phase")),
        Column("conditions", _("Under")),
    )
    rows = tuple(_comparison_row(place, c, words) for place, c in enumerate(comparisons))
    return TableContent(columns, rows)


def _comparison_row(place: int, c: Comparison, words: Vocabulary) -> Row:
    visible = None if c.smallest_effect == float("inf") else c.smallest_effect * 100
    return Row(
        f"{place}",
        (
            text_cell(f"{MARKS[c.verdict]} {claim_word(c)}"),
            text_cell(against_text(c)),
            text_cell(words.metric(c.family, c.metric)),
            text_cell(change_text(c.ratio)),
            text_cell(interval_text(c.low, c.high)),
            text_cell(local_number("< 0.001")) if c.p_adjusted < 0.001 else number_cell(c.p_adjusted, 3),
            text_cell(f"{len(c.candidate_trials)} / {len(c.reference_trials)}"),
            number_cell(visible, 1),
            _needed(c),
            text_cell(_("confirming") if c.phase is Phase.CONFIRM else _("exploring")),
            text_cell(words.conditions(c.conditions)),
        ),
    )


def _needed(comparison: Comparison) -> Cell:
    """Return the trials needed; before the noise is known no more than that it takes two to learn it."""
    if comparison.verdict is not Verdict.CANNOT_TELL:
        return text_cell(_("settled"))
    if not math.isfinite(comparison.smallest_effect):
        return text_cell(_("at least 2"))
    return number_cell(comparison.trials_needed)


def open_table(comparisons: Sequence[Comparison], words: Vocabulary) -> TableContent:
    """Return comparisons that cannot be told yet, with the trials that would show a difference."""
    columns = (
        Column("compared", _("Compared")),
        Column(
            "needed",
            _("Trials needed"),
            is_number=True,
            hint=_("For each setting, to show a difference worth acting on"),
        ),
        Column("so_far", _("Trials so far"), is_number=True),
        Column("interval", _("95 % interval"), is_number=True),
        Column("smallest", _("Smallest visible effect"), is_number=True),
        Column("measure", _("Measure")),
        Column("conditions", _("Under")),
    )
    rows = tuple(
        Row(
            f"{place}",
            (
                text_cell(against_text(c)),
                _needed(c),
                text_cell(f"{len(c.candidate_trials)} / {len(c.reference_trials)}"),
                text_cell(interval_text(c.low, c.high)),
                text_cell(percent(c.smallest_effect) if c.smallest_effect < 10 else _("unknown")),
                text_cell(words.metric(c.family, c.metric)),
                text_cell(words.conditions(c.conditions)),
            ),
        )
        for place, c in enumerate(comparisons)
    )
    return TableContent(columns, rows)


def equal_table(comparisons: Sequence[Comparison], words: Vocabulary) -> TableContent:
    """Return comparisons without a difference worth acting on."""
    columns = (
        Column("compared", _("Compared")),
        Column("interval", _("95 % interval"), is_number=True),
        Column("worth", _("Worth acting on"), is_number=True),
        Column("measure", _("Measure")),
        Column("conditions", _("Under")),
    )
    rows = tuple(
        Row(
            f"{place}",
            (
                text_cell(against_text(c)),
                text_cell(interval_text(c.low, c.high)),
                text_cell(f"± {percent(c.minimum_effect)}"),
                text_cell(words.metric(c.family, c.metric)),
                text_cell(words.conditions(c.conditions)),
            ),
        )
        for place, c in enumerate(comparisons)
    )
    return TableContent(columns, rows)


def not_evaluated_table(rules: Sequence[NotEvaluated], words: Vocabulary) -> TableContent:
    """Return the rules that apply here and could not be evaluated, each with the reason."""
    columns = (
        Column("rule", _("Rule")),
        Column("family", _("Experiment")),
        Column("because", _("Not evaluated, because")),
    )
    rows = tuple(
        Row(f"{place}", (text_cell(r.rule), text_cell(words.family(r.family)), text_cell(r.because, hint=r.because)))
        for place, r in enumerate(rules)
    )
    return TableContent(columns, rows)


def forecasts_table(forecasts: Sequence[Forecast], words: Vocabulary) -> TableContent:
    """Return how long a backlog would take under each setting."""
    columns = (
        Column("setting", _("Setting")),
        Column("in_words", _("Catches up in")),
        Column("expected", _("Expected"), "h", is_number=True),
        Column("low", _("95 % band, from"), "h", is_number=True),
        Column("high", _("to"), "h", is_number=True),
        Column("backlog", _("Backlog"), "commands", is_number=True),
        Column("inflow", _("Arriving"), "commands/s", is_number=True),
        Column("trials", _("Trials"), is_number=True),
        Column("conditions", _("Under")),
    )
    rows = tuple(
        Row(
            f"{place}",
            (
                text_cell(setting_text(f.setting)),
                text_cell(_("never: the backlog grows") if f.hours == float("inf") else duration_text(f.hours * 3600)),
                *(number_cell(None if h == float("inf") else h, 2) for h in (f.hours, f.low_hours, f.high_hours)),
                number_cell(f.backlog_commands),
                number_cell(f.inflow_per_s, 1),
                number_cell(len(f.trials)),
                text_cell(words.conditions(f.conditions)),
            ),
        )
        for place, f in enumerate(forecasts)
    )
    return TableContent(columns, rows)


@dataclass(frozen=True)
class MeasuredTable:
    """A table of measures beyond the comparisons, with what must be known to read it, "" for nothing."""

    title: str
    content: TableContent
    note: str


def measured_tables(tables: Sequence[ResultTable]) -> tuple[MeasuredTable, ...]:
    """Return the tables that the report prints, too, their values as there."""
    return tuple(MeasuredTable(table.title, _measured(table), table.note) for table in tables)


def _measured(table: ResultTable) -> TableContent:
    texts = {place for place in range(len(table.columns)) if any(isinstance(row[place], str) for row in table.rows)}
    numbers = {place for row in table.rows for place, cell in enumerate(row) if isinstance(cell, TableCell)}
    columns = tuple(
        Column(column.key, column.title, column.unit, is_number=place in numbers or place not in texts)
        for place, column in enumerate(table.columns)
    )
    rows = tuple(Row(f"{place}", tuple(map(_measured_cell, row))) for place, row in enumerate(table.rows))
    return TableContent(columns, rows)


def _measured_cell(cell: TableCell | str) -> Cell:
    shown = cell_text(cell)
    if isinstance(cell, str):
        return text_cell(shown)
    is_alone = cell.low is None or cell.high is None
    return Cell(shown, cell.value, local_number(f"{cell.value:.10g}") if is_alone else shown)


def forecast_note(forecasts: Sequence[Forecast]) -> str:
    """Return what must be known to read the forecasts, "" where there are none."""
    if not forecasts:
        return ""
    note = _(
        "Time to deliver a backlog at the measured rate while commands keep arriving. The band carries the uncertainty "
        "of the rate; it knows nothing of load that was not there during the session."
    )
    growing = sum(f.hours == float("inf") for f in forecasts)
    if not growing:
        return note
    one, many = _("Under 1 setting the backlog would grow."), _("Under {count} settings the backlog would grow.")
    return f"{note} {counted(growing, one, many)}"
