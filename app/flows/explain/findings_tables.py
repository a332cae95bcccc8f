"""Tables of a session's forecasts, facts, and rules not evaluated."""

from collections.abc import Sequence

from app.domain.comparison import Forecast
from app.domain.finding import Finding, NotEvaluated
from app.domain.view import Column, Row, TableContent, number_cell, text_cell
from app.flows.words import counted
from app.foundation.durations import duration_text
from app.foundation.texts import _
from app.reporting.numbers import quantity
from app.reporting.wording import Vocabulary, setting_text


def facts_table(finding: Finding, words: Vocabulary) -> TableContent:
    """Return the facts a rule looked at, each with its unit."""
    columns = (Column("fact", _("Facts the rule used")), Column("value", _("Value"), is_number=True))
    rows = tuple(
        Row(name, (text_cell(_fact_title(name, words), hint=name), text_cell(quantity(value, unit))))
        for name, value, unit in finding.facts
    )
    return TableContent(columns, rows)


def _fact_title(name: str, words: Vocabulary) -> str:
    kind = words.fact_kinds.get(name)
    text = kind.meaning if kind else name.replace("_", " ")
    return text[:1].upper() + text[1:]


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
        Column("conditions", _("Conditions"), is_circumstance=True),
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


def forecast_note(forecasts: Sequence[Forecast]) -> str:
    """Return the notes a reader of the forecasts needs, "" where there are none."""
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
