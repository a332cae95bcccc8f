"""Measurements by setting: every measure of an experiment beside the one its claims are about."""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from app.analysis.adjusted_means import adjusted_means
from app.analysis.claim import Claim
from app.analysis.figures import MOST_CATEGORIES, held_text, plot_id
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
    means = {phase: _means(evidence, claim, phase) for phase in phases}
    made = [_told(row, measured, claim.metric.name, means, has_both=has_both) for row in rows]
    heads = (TableColumn("setting", _("Setting")), TableColumn("phase", _("Phase")))
    table = ResultTable(
        table_id=plot_id(evidence, "by-setting-table"),
        title=_("What each setting measured{held}").format(held=held_text(evidence)),
        columns=(*heads[: len(phases)], *(TableColumn(m.name, m.title, _unit(m)) for m in measured)),
        rows=tuple(made),
        note=f"{_note(claim, has_both=has_both)} {note}".strip(),
    )
    return (table,)


def _told(
    row: _Row, metrics: Sequence[Metric], main: str, means: Mapping[Phase, Mapping[Setting, float]], *, has_both: bool
) -> tuple[TableCell | str, ...]:
    setting, phase, own = row
    cells = (
        _cell([means[phase][setting]] if setting in means[phase] else [], metric)
        if metric.name == main
        else _cell([m.value for m in own if m.metric == metric.name], metric)
        for metric in metrics
    )
    return (setting.label(), *((_phase_text(phase),) if has_both else ()), *cells)


def _rows(evidence: Evidence, claim: Claim, phase: Phase) -> Iterator[_Row]:
    """Yield each setting that has the main measure in a phase, with all that was measured of it there."""
    measured: dict[Setting, list[Measurement]] = {}
    for m in _of_phase(evidence, phase):
        measured.setdefault(m.setting, []).append(m)
    for setting in claim.fit.settings[:MOST_CATEGORIES]:
        own = measured.get(setting, [])
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


def _means(evidence: Evidence, claim: Claim, phase: Phase) -> dict[Setting, float]:
    """Return the mean of the main measure by setting, in the ratios of the comparisons of that phase."""
    name = claim.metric.name
    measured = [m for m in _of_phase(evidence, phase) if m.metric == name and m.value > 0]
    compared = [c for c in evidence.comparisons if (c.metric, c.phase) == (name, phase)]
    logs = adjusted_means(measured, compared, claim.fit if phase is Phase.EXPLORE else None)
    return {setting: math.exp(log) for setting, log in logs.items()}


def _phase_text(phase: Phase) -> str:
    return _("confirmed") if phase is Phase.CONFIRM else _("explored")


def _note(claim: Claim, *, has_both: bool) -> str:
    text = _(
        "{measure}: geometric mean, adjusted for blocks as the comparisons are. Other measures: medians (lowest to "
        "highest)."
    )
    if has_both:
        text = _(
            "{measure}: geometric mean of each phase, adjusted for blocks as the comparisons are; compare rows of one "
            "phase only. Other measures: medians (lowest to highest)."
        )
    return text.format(measure=claim.metric.title)


def _unit(metric: Metric) -> str:
    return {"share": "%", "count": ""}.get(metric.unit, metric.unit)


def _cell(values: Sequence[float], metric: Metric) -> TableCell | str:
    """Return the median of values, with the lowest and the highest where they differ."""
    if not values:
        return "–"
    scaled = [value * 100.0 if metric.unit == "share" else value for value in values]
    low, high = min(scaled), max(scaled)
    middle = float(np.median(scaled))
    return TableCell(middle, low, high, is_range=True) if low < high else TableCell(middle)
