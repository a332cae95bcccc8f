"""What each setting measured: every measure of an experiment beside the one its claims are about."""

import math
from collections.abc import Sequence

import numpy as np

from app.analysis.claim import Claim
from app.analysis.figures import MOST_CATEGORIES, held_text, plot_id
from app.analysis.published_means import runs_behind
from app.domain.family import Evidence
from app.domain.measurement import Measurement, Metric
from app.domain.plan import Phase
from app.domain.table import ResultTable, TableCell, TableColumn
from app.foundation.texts import _


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
    settings = claim.fit.settings[:MOST_CATEGORIES]
    phases = {phase: _of_phase(evidence, phase) for phase in (Phase.EXPLORE, Phase.CONFIRM)}
    main = claim.metric.name
    rows = [
        (setting, phase, own)
        for phase, measured in phases.items()
        for setting in settings
        if any(m.metric == main and m.setting == setting for m in measured)
        and (own := [m for m in measured if m.setting == setting])
    ]
    measured = [metric for metric in metrics if any(m.metric == metric.name for _s, _p, own in rows for m in own)]
    if len(measured) < 2:
        return ()
    has_both = len({phase for _setting, phase, _own in rows}) > 1
    columns = (
        TableColumn("setting", _("Setting")),
        *((TableColumn("phase", _("Phase")),) if has_both else ()),
        *(TableColumn(m.name, m.title, _unit(m)) for m in measured),
    )
    return (
        ResultTable(
            table_id=plot_id(evidence, "by-setting-table"),
            title=_("What each setting measured{held}").format(held=held_text(evidence)),
            columns=columns,
            rows=tuple(
                (
                    setting.label(),
                    *((_phase(phase),) if has_both else ()),
                    *(_cell(_middle(own, m, main), m) for m in measured),
                )
                for setting, phase, own in rows
            ),
            note=" ".join(part for part in (_note(claim, has_both=has_both), note) if part),
        ),
    )


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


def _phase(phase: Phase) -> str:
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
