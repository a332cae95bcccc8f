"""Measurements by setting: every measure of an experiment beside the one its claims are about."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from app.analysis.claim import Claim
from app.analysis.figures import MOST_CATEGORIES, held_text, plot_id
from app.analysis.published_means import runs_behind
from app.domain.family import Evidence
from app.domain.measurement import Measurement, Metric
from app.domain.plan import Phase
from app.domain.setting import Setting
from app.domain.table import ResultTable, TableCell, TableColumn
from app.foundation.texts import _

_Row = tuple[Setting, Phase, list[Measurement]]
"""A setting, a phase, and what was measured of it there."""


def by_setting_tables(
    evidence: Evidence, claim: Claim | None, metrics: Sequence[Metric], note: str
) -> tuple[ResultTable, ...]:
    """Return a table with a row for each setting and a column for each measure that any of them has.

    There is none where only one measure is known: the comparisons say that one.

    Args:
        metrics: in the order of the columns.
        note: what a reader must know of them besides.
    """
    if claim is None:
        return ()
    rows = [row for phase in (Phase.EXPLORE, Phase.CONFIRM) for row in _rows(evidence, claim, phase)]
    names = {m.metric for _setting, _phase, own in rows for m in own}
    measured = [metric for metric in metrics if metric.name in names]
    if len(measured) < 2:
        return ()
    phases = tuple(dict.fromkeys(phase for _setting, phase, _own in rows))
    has_both = len(phases) > 1
    made = [_told(row, measured, claim.metric.name, has_both=has_both) for row in rows]
    heads = (TableColumn("setting", _("Setting")), TableColumn("phase", _("Phase")))
    table = ResultTable(
        table_id=plot_id(evidence, "by-setting-table"),
        title=_("What each setting measured{held}").format(held=held_text(evidence)),
        columns=(*heads[: len(phases)], *(TableColumn(m.name, m.title, _unit(m)) for m in measured)),
        rows=tuple(made),
        note=f"{_note(claim, has_both=has_both)} {note}".strip(),
    )
    return (table,)


def _told(row: _Row, metrics: Sequence[Metric], main: str, *, has_both: bool) -> tuple[TableCell | str, ...]:
    setting, phase, own = row
    cells = (_cell(_middle(own, metric, main), metric) for metric in metrics)
    return (setting.label(), *((_phase_text(phase),) if has_both else ()), *cells)


def _rows(evidence: Evidence, claim: Claim, phase: Phase) -> Iterator[_Row]:
    """Yield each setting that has the main measure in a phase, with all that was measured of it there."""
    measured = _of_phase(evidence, phase)
    for setting in claim.fit.settings[:MOST_CATEGORIES]:
        own = [m for m in measured if m.setting == setting]
        if any(m.metric == claim.metric.name for m in own):
            yield setting, phase, own


def _of_phase(evidence: Evidence, phase: Phase) -> list[Measurement]:
    """Return the measurements of a phase; of confirming trials those that count in a comparison."""
    counting = {
        trial
        for c in evidence.comparisons
        if c.phase is Phase.CONFIRM
        for trial in (*c.reference_trials, *c.candidate_trials)
    }
    is_told = phase is Phase.CONFIRM and bool(counting)
    return [m for m in evidence.measurements if m.phase is phase and (not is_told or m.trial_id in counting)]


def _middle(measured: Sequence[Measurement], metric: Metric, main: str) -> float | None:
    """Return the geometric mean of the main measure, as comparisons are made on logarithms; the median of another."""
    own = [m for m in measured if m.metric == metric.name]
    if metric.name != main:
        return float(np.median([m.value for m in own])) if own else None
    positive = [m for m in own if m.value > 0]
    return math.exp(runs_behind(positive).mean) if positive else None


def _phase_text(phase: Phase) -> str:
    return _("confirmed") if phase is Phase.CONFIRM else _("explored")


def _note(claim: Claim, *, has_both: bool) -> str:
    text = _("{measure}: geometric mean. Other measures: medians of the trials used.")
    if has_both:
        text = _(
            "{measure}: geometric mean, of exploring and confirming trials each by themselves: compare rows of one "
            "phase only. Other measures: medians of the trials used."
        )
    return text.format(measure=claim.metric.title)


def _unit(metric: Metric) -> str:
    return {"share": "%", "count": ""}.get(metric.unit, metric.unit)


def _cell(value: float | None, metric: Metric) -> TableCell | str:
    if value is None:
        return "–"
    return TableCell(value * 100.0 if metric.unit == "share" else value)
