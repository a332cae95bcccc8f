"""Reading one file of measurements made elsewhere."""

from collections.abc import Sequence
from pathlib import Path

from app.domain.errors import BadInput
from app.domain.measurement import Measurement
from app.foundation.texts import _
from app.services.explain.importing.cells import CellReader
from app.services.explain.importing.columns import quoted
from app.services.explain.importing.disagreements import disagreement_notes, point_label
from app.services.explain.importing.experiments import Families, experiments, lonely_measurements
from app.services.explain.importing.headings import KnownColumns
from app.services.explain.importing.mapping import ColumnMapping, read_mapped, read_table
from app.services.explain.importing.number_text import style_of
from app.services.explain.importing.preview import ImportedFile, layout_in_words
from app.services.explain.importing.rows import measurements_of, read_rows, remarks, second_values
from app.services.explain.importing.source_text import SourceText, read_source


def read_measurements(path: Path, families: Families, mapping: ColumnMapping | None = None) -> ImportedFile:
    """Return the measurements of a CSV or JSON file.

    A CSV file is tidy: the columns `family`, `metric`, `value`, `unit`, one column for each parameter, named as the
    parameter, and one for each condition. `run` and `block` may be left out: rows are then named by their line, and
    all of them are one block. So may `phase` (explore or confirm): all rows then explore. A value may be a range,
    "45-50"; `sd` and `n` say that it is the mean of n runs with that standard deviation, `computed` (yes) that it was
    worked out from others. `source`, `note`, `reported_elsewhere` (another value the same document gives for the
    point) and `reported_where` are optional. JSON is `{"measurements": [{…}], "notes": […]}` with the same keys.

    Args:
        path: of the file.
        families: what the families accept, by family id.
        mapping: what its columns mean where their headings do not say it; None where they do.

    Raises:
        BadInput: the file cannot be used; the sentence names file, line and column, and what to do.
    """
    source = read_source(path)
    columns = KnownColumns(families)
    table = read_table(source, columns) if mapping is None else read_mapped(source, families, mapping)
    style = style_of(table, columns.numbers)
    rows = read_rows(table, CellReader(table, columns, families, style))
    measurements, notes = measurements_of(table, rows)
    return ImportedFile(
        measurements=measurements,
        notes=(
            *table.notes,
            *notes,
            *disagreement_notes(measurements, second_values(table, rows, measurements), families),
            *remarks(table, rows, style),
            *_check_settings(source, measurements, families),
        ),
        layout=layout_in_words(table, style.mark),
    )


def _check_settings(source: SourceText, measurements: Sequence[Measurement], families: Families) -> tuple[str, ...]:
    """Return a note where settings can be compared with no other; raises BadInput where none can."""
    main = {(name, metric.name) for name, family in families.items() for metric in family.metrics}
    compared = [m for m in measurements if (m.family, m.metric) in main]
    if not compared:
        family = families[measurements[0].family]
        sentence = _("settings of {family} are compared by {metrics}, and the file holds none of these")
        metrics = quoted(metric.name for metric in family.metrics)
        raise source.refusal(sentence.format(family=family.family, metrics=metrics))
    lonely = lonely_measurements(compared, families)
    if not lonely:
        return ()
    label = point_label(lonely[0].setting, lonely[0].conditions, families[lonely[0].family])
    if experiments(compared, families):
        more = _(" and {count} more").format(count=len(lonely) - 1) if len(lonely) > 1 else ""
        return (
            _(
                "{file}: {label}{more} cannot be compared, because no other setting differs in one parameter only "
                "under equal conditions"
            ).format(file=source.name, label=label, more=more),
        )
    if len({m.setting for m in compared}) == 1:
        raise BadInput(
            _("{file} holds one setting only ({label}); add measurements of at least one other setting").format(
                file=source.file, label=label
            )
        )
    sentence = _(
        "no two settings differ in one parameter under equal conditions, so nothing can be compared; "
        "add measurements that differ from {label} in one parameter"
    )
    raise source.refusal(sentence.format(label=label))
