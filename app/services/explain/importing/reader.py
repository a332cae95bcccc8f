"""Reading one file of measurements made elsewhere."""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from app.domain.errors import BadInput
from app.domain.setting import Setting
from app.foundation.texts import _
from app.services.explain.importing.cells import Point
from app.services.explain.importing.columns import FamilyColumns, quoted
from app.services.explain.importing.csv_table import open_csv
from app.services.explain.importing.disagreements import disagreement_notes, point_label
from app.services.explain.importing.experiments import ComparableGroup, lonely_settings
from app.services.explain.importing.headings import Column, KnownColumns
from app.services.explain.importing.imported import ColumnUse, FileLayout, ImportedFile
from app.services.explain.importing.json_table import looks_like_json, open_json
from app.services.explain.importing.rows import RowReader, RowsRead
from app.services.explain.importing.source_text import read_source
from app.services.explain.importing.table import Table, quotable


def read_measurements(path: Path, families: Mapping[str, FamilyColumns]) -> ImportedFile:
    """Return the measurements of a CSV or JSON file.

    A CSV file is tidy: the columns `family`, `metric`, `value`, `unit`, one column for each parameter, named as the
    parameter, and one for each condition. `run` and `block` may be left out: rows are then named by their line, and
    each repeat of a setting counts as the next block. So may `phase` (explore or confirm): all rows then explore.
    `source`, `note`, `reported_elsewhere` (another value the same document gives for the point) and `reported_where`
    are optional. JSON is `{"measurements": [{…}], "notes": […]}` with the same keys.

    Args:
        path: of the file.
        families: what the families accept, by family id.

    Raises:
        BadInput: the file cannot be used; the sentence names file, line and column, and what to do.
    """
    known = KnownColumns(families)
    with _collector_at_rest():
        source = read_source(path)
        table = open_json(source) if looks_like_json(source) else open_csv(source, known.knows)
        columns = known.match(table)
        read = RowReader(table, columns, families).read()
    if not read.measurements:
        raise BadInput(
            _("{file} holds headings but no measurements; add at least one row for each of two settings").format(
                file=table.file
            )
        )
    notes = (
        *table.notes,
        *disagreement_notes(read.measurements, read.second_values, families),
        *read.notes,
        *_check_settings(table, read.points, families),
    )
    return ImportedFile(
        path=path,
        measurements=tuple(read.measurements),
        notes=notes,
        columns=tuple(_use_of(column, table, read, families) for column in columns),
        sources=tuple(read.sources),
        layout=FileLayout("CSV" if table.delimiter else "JSON", table.encoding, table.delimiter, read.style.mark),
    )


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Pause the search for cyclic garbage: a million measurements hold none, and looking takes long."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _check_settings(table: Table, points: Sequence[Point], families: Mapping[str, FamilyColumns]) -> tuple[str, ...]:
    """Return a note where settings can be compared with no other; raises BadInput where none can."""
    explaining = points
    points = [point for point in points if point.metric in families[point.family].metrics]
    if not points:
        family = families[explaining[0].family]
        raise BadInput(
            _("{file}: settings of {family} are compared by {metrics}, and the file holds none of these").format(
                file=table.file, family=family.family, metrics=quoted(metric.name for metric in family.metrics)
            )
        )
    settings_by_group: dict[ComparableGroup, list[Setting]] = {}
    for point in points:
        group = ComparableGroup(
            point.family,
            point.metric.name,
            point.metric.unit,
            point.place.conditions,
            tuple(point.place.setting),
            point.phase,
        )
        settings_by_group.setdefault(group, []).append(point.place.setting)
    lonely = [
        (group, setting) for group, settings in lonely_settings(settings_by_group, families) for setting in settings
    ]
    if not lonely:
        return ()
    group, setting = lonely[0]
    label = point_label(setting, group.conditions, families[group.family])
    if len(lonely) < len(points):
        more = _(" and {count} more").format(count=len(lonely) - 1) if len(lonely) > 1 else ""
        return (
            _(
                "{file}: {label}{more} cannot be compared, because no other setting differs in one parameter only "
                "under equal conditions"
            ).format(file=table.name, label=label, more=more),
        )
    if len({point.place.setting for point in points}) == 1:
        raise BadInput(
            _("{file} holds one setting only ({label}); add measurements of at least one other setting").format(
                file=table.file, label=label
            )
        )
    raise BadInput(
        _(
            "{file}: no two settings differ in one parameter under equal conditions, so nothing can be compared; "
            "add measurements that differ from {label} in one parameter"
        ).format(file=table.file, label=label)
    )


def _use_of(column: Column, table: Table, read: RowsRead, families: Mapping[str, FamilyColumns]) -> ColumnUse:
    """Return how a column was understood."""
    texts = read.texts_by_column.get(column.position)
    if texts is None:
        first = next((cells[column.position].strip() for _row, cells in table.rows()), "")
    else:
        first = next((text for text in texts if text), "")
    return ColumnUse(
        heading=column.heading,
        role=column.role,
        name=column.name,
        unit=_unit_of(column.name, families),
        first=quotable(first),
        distinct=None if texts is None else sum(1 for text in texts if text),
    )


def _unit_of(name: str, families: Mapping[str, FamilyColumns]) -> str:
    """Return the unit of a parameter or condition, empty for any other column."""
    for family in families.values():
        found = family.knob(name) or family.condition(name)
        if found:
            return found.unit
    return ""
