"""Comparisons as a table: effect, interval, sample sizes, and how far each may be trusted."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.domain.comparison import Comparison, Verdict
from app.domain.effect import tells_interval
from app.domain.plan import Phase
from app.domain.setting import value_text
from app.domain.view import (
    EVERYWHERE,
    FOR_PROGRAMS,
    NO_VALUE,
    Cell,
    Column,
    Row,
    Span,
    TableContent,
    View,
    data_cell,
    file_column,
    number_cell,
    text_cell,
    valued_cell,
)
from app.foundation.texts import _, local_number
from app.reporting.numbers import percent
from app.reporting.place import Places
from app.reporting.wording import Vocabulary, change_text, common_factor, interval_text
from app.reporting.worked_out import MARK, worked_out_note

IN_FILES: Final = (
    *("family", "from", "to", "conditions", "metric", "unit", "ratio", "low", "high", "p_adjusted"),
    *("trials_from", "trials_to", "phase", "verdict", "trials_needed"),
)
"""The columns of comparisons.csv."""

OPEN: Final = ("compared", "trials_needed", "trials", "interval", "smallest_effect", "metric", "conditions")
"""What matters of comparisons that settle nothing."""

EQUAL: Final = ("compared", "interval", "minimum_effect", "metric", "conditions")
"""What matters of comparisons without a difference worth acting on."""

_IN_WINDOW: Final = frozenset({View.WINDOW})


def comparisons_table(comparisons: Sequence[Comparison], words: Vocabulary, places: Places) -> TableContent:
    """Return comparisons with verdict, effect, interval, sample sizes, and the trials that would settle them.

    A factor or measure that all rows share stands in the head of its column instead of in every row. Where a condition
    varies within each trial, each row says which value of it; of one pair of settings only that.
    """
    factor = common_factor(comparisons)
    swept = {words.place(c)[0] for c in comparisons}
    place = swept.pop() if len(swept) == 1 else ""
    measures = {words.metric(c.family, c.metric) for c in comparisons}
    hidden = _hidden(comparisons, place)
    title = words.factor(comparisons[0].family, factor) if factor else ""
    columns = _columns(title, place, measures)
    rows = tuple(Row(f"{number}", _cells(c, factor, words, places)) for number, c in enumerate(comparisons))
    content = TableContent(columns, rows)
    return content.only(*(column.key for column in columns if column.key not in hidden))


def _hidden(comparisons: Sequence[Comparison], place: str) -> list[str]:
    """Return the columns that would say nothing."""
    if not place:
        return ["place"]
    return ["compared"] if len({(c.reference, c.candidate) for c in comparisons}) == 1 else []


def _columns(factor: str, place: str, measures: set[str]) -> tuple[Column, ...]:
    measure = next(iter(measures)) if len(measures) == 1 else ""
    several = FOR_PROGRAMS if measure else EVERYWHERE
    held = _("Of the setting compared, and of the one it is compared with")
    worth = _("For each setting, to show a difference worth acting on")
    return (
        file_column("family"),
        Column("place", place, is_number=True, width=1),
        Column("compared", factor or _("Compared"), width=1),
        file_column("from"),
        file_column("to"),
        Column("metric", _("Measure"), width=1, views=several),
        file_column("unit"),
        Column("ratio", measure or _("Change"), is_number=True),
        Column(
            "interval",
            _("95 % interval"),
            is_number=True,
            hint=_("All intervals of one experiment hold together"),
            is_interval=True,
        ),
        Column("verdict", _("Verdict")),
        file_column("low"),
        file_column("high"),
        Column(
            "p_adjusted",
            "p",
            is_number=True,
            hint=_("Adjusted for the number of comparisons and looks, as the interval is"),
        ),
        Column("trials", _("Trials"), is_number=True, hint=held),
        file_column("trials_from"),
        file_column("trials_to"),
        Column("smallest_effect", _("Smallest visible effect"), "%", is_number=True, views=_IN_WINDOW),
        Column("minimum_effect", _("Worth acting on"), views=_IN_WINDOW, is_circumstance=True),
        Column("trials_needed", _("Trials needed"), is_number=True, hint=worth, views=_IN_WINDOW),
        Column("phase", _("Phase"), hint=_("Only confirming trials carry a claim")),
        Column("conditions", _("Conditions"), views=_IN_WINDOW, is_circumstance=True),
    )


def _cells(c: Comparison, factor: str, words: Vocabulary, places: Places) -> tuple[Cell, ...]:
    """Return a comparison's cells in the order of `_columns`."""
    return (
        data_cell(c.family),
        text_cell(_place_text(c, words, places)),
        text_cell(words.values_against(c, factor) if factor else words.against(c)),
        data_cell(c.reference.label()),
        data_cell(c.candidate.label()),
        valued_cell(words.metric(c.family, c.metric), c.metric),
        data_cell(c.unit),
        valued_cell(change_text(c.ratio), c.ratio),
        replace(text_cell(interval_text(c.low, c.high, c.ratio)), span=_span(c)),
        _verdict(c, places),
        data_cell(c.low),
        data_cell(c.high if math.isfinite(c.high) else None),
        valued_cell(_p_text(c), c.p_adjusted),
        text_cell(f"{len(c.candidate_trials)} / {len(c.reference_trials)}"),
        data_cell(len(c.reference_trials)),
        data_cell(len(c.candidate_trials)),
        _power_cell(c.smallest_effect),
        text_cell(f"± {percent(c.minimum_effect)}"),
        valued_cell(_needed_text(c), c.trials_needed),
        valued_cell(_phase_text(c, words, places), c.phase.value),
        valued_cell(words.conditions(c.conditions), c.conditions.label()),
    )


def _span(c: Comparison) -> Span | None:
    """Return a two-sided interval as it is drawn, None where there is none."""
    ends = (c.low, c.ratio, c.high)
    if not tells_interval(c.low, c.high) or not all(0 < end < math.inf for end in ends):
        return None
    return Span(*ends, c.minimum_effect, c.verdict)


def _power_cell(smallest_effect: float) -> Cell:
    """Return the smallest change trials could have shown, in per cent; nobody plans with one that more than doubles."""
    if smallest_effect > 1 and math.isfinite(smallest_effect):
        return valued_cell("> 100", smallest_effect * 100)
    return number_cell(smallest_effect * 100 if math.isfinite(smallest_effect) else None, 1)


def _verdict(comparison: Comparison, places: Places) -> Cell:
    text = places.verdict_text(comparison)
    sign = None if places.is_lead(comparison) else comparison.verdict
    return Cell(text, comparison.verdict.value, text, verdict=sign)


def _place_text(comparison: Comparison, words: Vocabulary, places: Places) -> str:
    place = words.place(comparison)[1]
    return f"{place}\u00a0{MARK}" if places.is_worked_out(comparison) else place


def _phase_text(comparison: Comparison, words: Vocabulary, places: Places) -> str:
    """Return which trials a comparison rests on."""
    if comparison.phase is Phase.CONFIRM:
        return _("named before") if words.compares_all(comparison.family) else _("confirmed")
    return _("explored") if places.is_lead(comparison) else _("from the file")


def _p_text(comparison: Comparison) -> str:
    if not tells_interval(comparison.low, comparison.high):
        return NO_VALUE
    return local_number("< 0.001" if comparison.p_adjusted < 0.001 else f"{comparison.p_adjusted:.3f}")


def _needed_text(comparison: Comparison) -> str:
    """Return the trials needed; before the noise is known no more than that it takes two to learn it."""
    if comparison.verdict is not Verdict.CANNOT_TELL:
        return _("settled")
    if not math.isfinite(comparison.smallest_effect):
        return _("at least 2")
    return value_text(comparison.trials_needed)


def comparisons_note(comparisons: Sequence[Comparison], places: Places) -> str:
    """Return the notes a reader of a table of comparisons needs, "" for none."""
    notes = (_trust_note(comparisons, places), worked_out_note() if any(map(places.is_worked_out, comparisons)) else "")
    return " ".join(note for note in notes if note)


def _trust_note(comparisons: Sequence[Comparison], places: Places) -> str:
    if any(places.is_lead(c) for c in comparisons):
        return _("Explored rows are leads: they decide what is confirmed. Only confirmed rows are claims.")
    phases = {c.phase for c in comparisons}
    if len(phases) > 1:
        return _("Only confirmed rows are claims: from the other trials the setting was picked.")
    if phases == {Phase.EXPLORE}:
        return _("No fresh trials confirm these rows: the best setting was picked from the same measurements.")
    return ""
