"""The table of a seeding experiment: the time of each method, a column for each, as the published one reads."""

from app.analysis.figures import plot_id
from app.domain.measurement import Metric
from app.domain.setting import Setting
from app.domain.table import ResultTable, TableCell, TableColumn
from app.foundation.texts import _
from app.systems.availability_groups.analysis.penalty import Spread
from app.systems.availability_groups.families.seeding import measures
from app.systems.availability_groups.families.seeding.arms import Arms
from app.systems.availability_groups.families.seeding.figures import method_label, scaled
from app.systems.availability_groups.readings import REDO_RATE

_ROWS = (
    measures.TOTAL_TIME,
    measures.BACKUP_TIME,
    measures.RESTORE_TIME,
    measures.JOIN_TIME,
    measures.SEEDING_TIME,
    measures.COPY_RATE,
    measures.BACKUP_RATE,
    measures.RESTORE_RATE,
    measures.NETWORK_RATE,
    measures.DISK_RATE,
    measures.PRIMARY_CPU,
    measures.SECONDARY_CPU,
    measures.SENT_SHARE,
    REDO_RATE,
)


def tables_of(arms: Arms) -> tuple[ResultTable, ...]:
    """Return one table: a row for each measure, a column for each method, as the published table reads."""
    rows = [(metric, arms.spreads(metric)) for metric in _ROWS]
    rows = [(metric, spreads) for metric, spreads in rows if spreads]
    if not rows:
        return ()
    heads = [TableColumn("measure", _("Measure")), TableColumn("unit", _("Unit"))]
    heads += [TableColumn(_key(setting), method_label(setting)) for setting in arms.settings]
    return (
        ResultTable(
            table_id=plot_id(arms.evidence, "methods"),
            title=_("What each method took"),
            columns=tuple(heads),
            rows=tuple(
                (metric.title, _unit(metric), *(_cell(spreads.get(s), metric) for s in arms.settings))
                for metric, spreads in rows
            ),
            note=" ".join(filter(None, (_means_note(), _log_note(arms)))),
        ),
    )


def _means_note() -> str:
    return _("Means with pointwise 95 % intervals; a measure that a method does not have is left empty.")


def _log_note(arms: Arms) -> str:
    """Return that backup and restore include those of the log, as in trials of this program; "" for any others."""
    is_own = arms.evidence.plan is not None and arms.spreads(measures.BACKUP_TIME)
    return _("Backup and restore include those of the log.") if is_own else ""


def _key(setting: Setting) -> str:
    return "_".join(str(value) for value in setting.values())


def _unit(metric: Metric) -> str:
    return "%" if metric.unit == "share" else metric.unit


def _cell(spread: Spread | None, metric: Metric) -> TableCell | str:
    if spread is None:
        return ""
    shown = scaled(spread, 100.0 if metric.unit == "share" else 1.0)
    return TableCell(shown.value, shown.low, shown.high)
