"""What each setting measured: every measure of an experiment beside the one its claims are about."""

import math
from collections.abc import Iterator, Sequence

from app.analysis.claim import Claim
from app.analysis.figures import MOST_CATEGORIES, held_text, plot_id
from app.analysis.measured_facts import medians
from app.analysis.published_means import runs_behind
from app.domain.family import Evidence
from app.domain.measurement import Metric
from app.domain.plan import Phase
from app.domain.setting import Setting
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
    spreads = medians(evidence, [(metric, setting) for metric in metrics for setting in settings])
    spreads |= {(claim.metric.name, setting): value for setting, value in _levels(evidence, claim, settings)}
    measured = [metric for metric in metrics if any((metric.name, setting) in spreads for setting in settings)]
    if len(measured) < 2:
        return ()
    columns = (TableColumn("setting", _("Setting")), *(TableColumn(m.name, m.title, _unit(m)) for m in measured))
    rows: list[tuple[TableCell | str, ...]] = [
        (setting.label(), *(_cell(spreads.get((m.name, setting)), m) for m in measured)) for setting in settings
    ]
    return (
        ResultTable(
            table_id=plot_id(evidence, "by-setting-table"),
            title=_("What each setting measured{held}").format(held=held_text(evidence)),
            columns=columns,
            rows=tuple(rows),
            note=" ".join(part for part in (_note(claim), note) if part),
        ),
    )


def _levels(evidence: Evidence, claim: Claim, settings: Sequence[Setting]) -> Iterator[tuple[Setting, float]]:
    """Yield each setting with the mean that decisions speak of: of its confirming trials, else of the exploring ones.

    Geometric, as comparisons are made on logarithms.
    """
    for setting in settings:
        of_setting = [m for m in evidence.measurements if m.metric == claim.metric.name and m.setting == setting]
        confirming = [m for m in of_setting if m.phase is Phase.CONFIRM]
        positive = [m for m in confirming or of_setting if m.value > 0]
        if positive:
            yield setting, math.exp(runs_behind(positive).mean)


def _note(claim: Claim) -> str:
    return _(
        "{measure}: geometric mean of the confirming trials, of a setting without any of the exploring ones, as in "
        "the decisions. Other measures: medians of the trials used."
    ).format(measure=claim.metric.title)


def _unit(metric: Metric) -> str:
    return {"share": "%", "count": ""}.get(metric.unit, metric.unit)


def _cell(value: float | None, metric: Metric) -> TableCell | str:
    if value is None:
        return "–"
    return TableCell(value * 100.0 if metric.unit == "share" else value)
