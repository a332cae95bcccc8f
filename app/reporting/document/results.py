"""What the comparisons show, what they do not show, what could not be evaluated, and the forecasts."""

import math
from collections.abc import Sequence

from app.domain.comparison import Comparison, Forecast, Verdict
from app.domain.finding import NotEvaluated
from app.domain.plot import PlotSpec
from app.domain.session import Advice
from app.domain.setting import Setting
from app.foundation.texts import _
from app.reporting.blocks import (
    Block,
    Callout,
    Column,
    FigureBlock,
    Heading,
    Paragraph,
    Section,
    Start,
    Table,
    VerdictBox,
)
from app.reporting.document.finding_page import comparison_table, phase_text, trust_note
from app.reporting.document.place import Places
from app.reporting.document.result_tables import table_blocks
from app.reporting.numbers import number, percent
from app.reporting.wording import Vocabulary, against_text, interval_text, setting_text, trial_ranges, verdict_word


def not_shown_section(advice: Advice, words: Vocabulary, places: Places) -> Section:
    """Return what was looked for and not found: as much a result as a gain is."""
    equal = [c for c in advice.comparisons if c.verdict is Verdict.NO_DIFFERENCE]
    open_ones = [c for c in advice.comparisons if c.verdict is Verdict.CANNOT_TELL]
    blocks: list[Block] = [
        Paragraph(_("A difference that was looked for and not found is a result. So is one that needs more trials."))
    ]
    if equal:
        text = _(
            "Comparisons within the smallest effect worth acting on: {count}. Changing these values gains nothing here."
        )
        blocks.append(_verdict_box(Verdict.NO_DIFFERENCE, _counted(text, equal)))
        blocks.append(_equal_table(equal, words, places))
    if open_ones:
        text = _("Open comparisons: {count}. The table says how many trials for each setting it would take.")
        blocks.append(_verdict_box(Verdict.CANNOT_TELL, _counted(text, open_ones)))
        blocks.append(_open_table(open_ones, words, places))
    if not equal and not open_ones:
        blocks.append(Paragraph(_("Every comparison of this session showed a difference, or none was made.")))
    return Section(_("What was not shown"), tuple(blocks), Start.NEW_PAGE)


def _counted(text: str, comparisons: Sequence[Comparison]) -> str:
    return text.format(count=len(comparisons))


def _verdict_box(verdict: Verdict, text: str) -> VerdictBox:
    return VerdictBox(verdict, verdict_word(verdict), text)


def _equal_table(comparisons: Sequence[Comparison], words: Vocabulary, places: Places) -> Table:
    columns = (
        Column(_("Compared"), width=2.2),
        Column(_("Under"), width=2),
        Column(_("Measure"), width=1),
        Column(_("Phase")),
        Column(_("95 % interval"), "right"),
        Column(_("Worth acting on"), "right"),
    )
    rows = tuple(
        (
            against_text(c),
            words.conditions(c.conditions),
            words.metric(c.family, c.metric),
            phase_text(c, words, places),
            _interval(c),
            f"± {percent(c.minimum_effect)}",
        )
        for c in comparisons
    )
    return Table(columns, rows, caption=trust_note(comparisons, places), small=True)


def _open_table(comparisons: Sequence[Comparison], words: Vocabulary, places: Places) -> Table:
    columns = (
        Column(_("Compared"), width=2.2),
        Column(_("Under"), width=2),
        Column(_("Measure"), width=0.9),
        Column(_("Phase")),
        Column(_("95 % interval"), "right", 1.3),
        Column(_("Smallest effect visible"), "right", 0.9),
        Column(_("Trials so far"), "right", 0.6),
        Column(_("Trials needed"), "right", 0.7),
    )
    rows = tuple(
        (
            against_text(c),
            words.conditions(c.conditions),
            words.metric(c.family, c.metric),
            phase_text(c, words, places),
            _interval(c),
            percent(c.smallest_effect) if c.smallest_effect < 10 else _("unknown"),
            f"{len(c.candidate_trials)} / {len(c.reference_trials)}",
            number(c.trials_needed) if math.isfinite(c.smallest_effect) else _("at least 2"),
        )
        for c in comparisons
    )
    return Table(columns, rows, caption=trust_note(comparisons, places), small=True)


def _interval(comparison: Comparison) -> str:
    return interval_text(comparison.low, comparison.high)


def comparisons_section(advice: Advice, words: Vocabulary, places: Places) -> Section:
    """Return every comparison of the session, grouped by experiment, factor and conditions, with its other plots."""
    shown = {finding.figure for finding in advice.findings}
    blocks: list[Block] = []
    groups: dict[tuple[str, str, Setting], list[Comparison]] = {}
    for comparison in advice.comparisons:
        shared = words.shared(comparison.family, comparison.conditions)
        is_swept = shared != comparison.conditions
        what = against_text(comparison) if is_swept else comparison.factor
        groups.setdefault((comparison.family, what, shared), []).append(comparison)
    for (family, what, conditions), group in groups.items():
        under = words.conditions(conditions) if conditions else ""
        blocks.append(Heading(f"{words.family(family)}: {what}", minor=True, tag=under))
        blocks.append(comparison_table(group, words, places))
    if not advice.comparisons:
        blocks.append(Paragraph(_("No two settings could be compared.")))
    blocks += table_blocks(advice.tables)
    blocks += _figures(advice.plots, shown)
    return Section(_("All comparisons"), tuple(blocks), Start.BY_SIZE)


def _figures(plots: Sequence[PlotSpec], shown: set[str]) -> list[Block]:
    others = [(index, plot) for index, plot in enumerate(plots) if plot.plot_id not in shown]
    return [FigureBlock(index, plot.title, plot.alt) for index, plot in others]


def not_evaluated_section(rules: Sequence[NotEvaluated], words: Vocabulary) -> Section:
    """Return the rules that apply here and could not be evaluated, each with the reason."""
    if not rules:
        return Section(_("Rules not evaluated"), (Paragraph(_("Every rule that applies here was evaluated.")),))
    columns = (Column(_("Rule"), width=1.4), Column(_("Experiment"), width=1.2), Column(_("Because"), width=3))
    rows = tuple((r.rule, words.family(r.family), r.because) for r in rules)
    intro = Paragraph(_("These rules apply here, but a fact they need is missing."))
    return Section(_("Rules not evaluated"), (intro, Table(columns, rows, small=True)))


def forecast_section(forecasts: Sequence[Forecast], words: Vocabulary) -> Section:
    """Return how long a backlog would take to be delivered under each setting."""
    title = _("Catch-up forecast")
    if not forecasts:
        why = _("There is none: no backlog to catch up with was planned, or no rate was measured to forecast from.")
        return Section(title, (Paragraph(why),))
    blocks: list[Block] = [
        Paragraph(
            _(
                "Time to deliver a backlog at the measured rate while commands keep arriving. The band carries the "
                "uncertainty of the measured rate; it does not know of load that was not there during the session."
            )
        )
    ]
    groups: dict[tuple[str, Setting], list[Forecast]] = {}
    for forecast in forecasts:
        groups.setdefault((forecast.family, forecast.conditions), []).append(forecast)
    for (_family, conditions), group in groups.items():
        if conditions:
            text = _("Under {conditions}.").format(conditions=words.conditions(conditions))
            blocks.append(Heading(text, minor=True))
        blocks.append(_forecast_table(group))
    if any(f.hours == float("inf") for f in forecasts):
        blocks.append(
            Callout(
                "warn",
                _("The backlog would grow"),
                _("Under at least one setting commands arrive faster than they are delivered."),
            )
        )
    return Section(title, tuple(blocks))


def _forecast_table(forecasts: Sequence[Forecast]) -> Table:
    columns = (
        Column(_("Setting"), width=2.2),
        Column(_("Backlog (commands)"), "right", 1.3),
        Column(_("Arriving (commands/s)"), "right", 1.4),
        Column(_("Expected (h)"), "right", 0.9),
        Column(_("95 % band (h)"), "right", 1.2),
        Column(_("Trials"), width=2.2),
    )
    rows = tuple(
        (
            setting_text(f.setting),
            number(f.backlog_commands),
            number(f.inflow_per_s),
            _hours(f.hours),
            _("{low} to {high}").format(low=_hours(f.low_hours), high=_hours(f.high_hours)),
            trial_ranges(f.trials),
        )
        for f in forecasts
    )
    return Table(columns, rows, small=True)


def _hours(hours: float) -> str:
    """Return hours with one decimal from an hour on, so that the rows of a table compare at a glance."""
    if hours == float("inf"):
        return _("never")
    return number(round(hours, 1)) if hours >= 1 else number(round(hours, 3))
