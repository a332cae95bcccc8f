"""Comparisons as a table: effect, interval, sample sizes, and how far each may be trusted."""

import math
from collections.abc import Sequence

from app.domain.comparison import Comparison
from app.domain.plan import Phase
from app.foundation.texts import _, local_number
from app.reporting.blocks import Cell, Column, Table
from app.reporting.document.place import Places
from app.reporting.document.worked_out import MARK, worked_out_note
from app.reporting.wording import (
    Vocabulary,
    against_text,
    change_text,
    claim_word,
    common_factor,
    interval_text,
    lead_word,
    values_text,
)


def comparison_table(comparisons: Sequence[Comparison], words: Vocabulary, places: Places) -> Table:
    """Return a table of comparisons with effect, interval, sample sizes and verdict, leads marked as such.

    A factor or measure that all rows share stands in the head of its column instead of in every row. Where a condition
    varies within each trial, each row says which value of it; of one pair of settings only that.
    """
    factor = common_factor(comparisons)
    measures = {words.metric(c.family, c.metric) for c in comparisons}
    measure = measures.pop() if len(measures) == 1 else ""
    swept = words.place(comparisons[0])[0] if comparisons else ""
    is_one_pair = bool(swept) and len({(c.reference, c.candidate) for c in comparisons}) == 1
    columns = (
        *((Column(swept, "right", width=1),) if swept else ()),
        *(() if is_one_pair else (Column(factor or _("Compared"), width=1),)),
        Column(measure or _("Change"), "right", width=0 if measure else 1),
        Column(_("95 % interval"), "right"),
        Column("p", "right"),
        Column(_("Trials"), "right"),
        Column(_("Phase")),
        Column(_("Verdict")),
    )

    def heads(c: Comparison) -> list[str]:
        place = [_place_text(c, words, places)] if swept else []
        pair = [] if is_one_pair else [values_text(c, factor) if factor else against_text(c)]
        change = change_text(c.ratio)
        return [*place, *pair, change if measure else f"{words.metric(c.family, c.metric)}: {change}"]

    rows = tuple((*heads(c), *_result_cells(c, words, places)) for c in comparisons)
    notes = (trust_note(comparisons, places), worked_out_note() if any(map(places.is_worked_out, comparisons)) else "")
    return Table(columns, rows, caption=" ".join(note for note in notes if note), small=True)


def _result_cells(c: Comparison, words: Vocabulary, places: Places) -> tuple[Cell | str, ...]:
    """Return what was shown of a comparison: interval, p, trials, phase, verdict."""
    return (
        interval_text(c.low, c.high),
        _p_text(c),
        f"{len(c.candidate_trials)} / {len(c.reference_trials)}",
        phase_text(c, words, places),
        Cell(lead_word(c.verdict)) if places.is_lead(c) else Cell(claim_word(c), verdict=c.verdict),
    )


def _place_text(comparison: Comparison, words: Vocabulary, places: Places) -> str:
    place = words.place(comparison)[1]
    return f"{place}\u00a0{MARK}" if places.is_worked_out(comparison) else place


def phase_text(comparison: Comparison, words: Vocabulary, places: Places) -> str:
    """Return which trials a comparison rests on."""
    if comparison.phase is Phase.CONFIRM:
        return _("named before") if words.compares_all(comparison.family) else _("confirmed")
    return _("explored") if places.is_lead(comparison) else _("from the file")


def _p_text(comparison: Comparison) -> str:
    if comparison.low <= 0 or not math.isfinite(comparison.high):
        return "–"
    return local_number("< 0.001" if comparison.p_adjusted < 0.001 else f"{comparison.p_adjusted:.3f}")


def trust_note(comparisons: Sequence[Comparison], places: Places) -> str:
    """Return how far the rows of a table of comparisons may be trusted."""
    if any(places.is_lead(c) for c in comparisons):
        return _("Explored rows are leads: they choose what is confirmed. Only confirmed rows are claims.")
    if any(c.phase is not Phase.CONFIRM for c in comparisons):
        return _("No fresh trials confirm these rows: the best setting was picked from the same measurements.")
    return ""
