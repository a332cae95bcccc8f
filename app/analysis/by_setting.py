"""What each setting measured: every measure of an experiment beside the one its claims are about."""

from collections.abc import Sequence

from app.analysis.claim import Claim
from app.analysis.figures import MOST_CATEGORIES, held_text, plot_id
from app.analysis.measured_facts import medians
from app.domain.family import Evidence
from app.domain.measurement import Metric
from app.domain.table import ResultTable, TableCell, TableColumn
from app.foundation.texts import _


def by_setting_tables(
    evidence: Evidence, claim: Claim | None, metrics: Sequence[Metric], note: str
) -> tuple[ResultTable, ...]:
    """Return a table of medians, a row for each setting and a column for each measure that any of them has.

    There is none where only one measure is known: the comparisons say that one.

    Args:
        metrics: in the order of the columns.
        note: what a reader must know of them besides.
    """
    if claim is None:
        return ()
    settings = claim.fit.settings[:MOST_CATEGORIES]
    spreads = medians(evidence, [(metric, setting) for metric in metrics for setting in settings])
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
            note=" ".join(part for part in (_("Medians of the trials used."), note) if part),
        ),
    )


def _unit(metric: Metric) -> str:
    return {"share": "%", "count": ""}.get(metric.unit, metric.unit)


def _cell(value: float | None, metric: Metric) -> TableCell | str:
    if value is None:
        return "–"
    return TableCell(value * 100.0 if metric.unit == "share" else value)
