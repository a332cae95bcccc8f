"""A guess at the meaning of the columns of somebody's table."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.domain.setting import plain
from app.foundation.texts import _
from app.services.explain.importing.columns import BLOCK, RUN, RUNS, SD, VALUE, Families, FamilyColumns, nearest
from app.services.explain.importing.headings import DAYS, TIME, Headings, Said, are_numbers, computed_among, metric_of
from app.services.explain.importing.meaning import (
    CONDITION,
    LABEL,
    LEFT_OUT,
    UNDECIDED,
    ColumnMapping,
    Meant,
    names_in,
    resolved_labels,
    resolved_said,
)
from app.services.explain.importing.questions import FAMILY, METRIC, PARAMETER, UNIT
from app.services.explain.importing.table import Grid, is_number_like
from app.services.explain.importing.unjudged import with_unknown_parameter

GUESSED_FROM: Final = 5_000
"""Rows that stand evenly through a table."""

_ALIKE: Final = 0.8  # from which on a heading is likely a parameter's name with a slip in it
_FEW: Final = 12  # different values of a column that may be a condition


def guess_mapping(grid: Grid, families: Families, same: Mapping[str, str] | None = None) -> ColumnMapping:
    """Return a guess at the meaning of a file's columns; one whose meaning would change the result is left UNDECIDED.

    Family, measure and unit are said once where no column says them. The family is the one that has all the parameters
    there are columns for; of several that have them, the one that knows most of the other columns, or else the first.

    Args:
        same: what is known to hold for all rows.
    """
    headings, grid = Headings(families), grid.thinned(GUESSED_FROM)
    columns = [_guess_column(heading, grid.texts_of(place), headings) for place, heading in enumerate(grid.headings)]
    columns = _without_twins(columns)
    columns = _with_values(columns, grid, headings) if VALUE in columns else _with_numbers(columns, grid)
    columns, said = _by_corner(columns, grid, headings, dict(same or {}))
    mapping = with_levels_across(ColumnMapping(tuple(columns), tuple(said.items())), grid)
    columns = _without_second_names(_without_computed(mapping.columns, grid, headings), grid, headings)
    meant = Meant(grid, replace(mapping, columns=tuple(columns)), headings)
    family = dict(meant.mapping.same).get(FAMILY) or next(iter(_fitting(meant, families)), "")
    if family in families and FAMILY not in columns:
        meant = _without_unknown(meant.also({FAMILY: family}), families[family])
    meant = replace(meant, mapping=replace(meant.mapping, columns=tuple(_with_conditions(meant))))
    meant = _without_strange(meant, families.get(family))
    return meant.mapping.also(_only_measure(meant, families.get(family)) or _agreed(meant, families.get(family)))


def _guess_column(heading: str, texts: Sequence[str], headings: Headings) -> str:
    name = headings.column_of(heading) or headings.parameter_called(heading)
    if name:
        return name
    said = headings.says(heading)
    if not texts:
        return LEFT_OUT
    if said.keys() == {RUN} or (said and are_numbers(texts)):
        return VALUE
    return LABEL if _are_labels(dict.fromkeys(texts), headings) else UNDECIDED


def _are_labels(texts: Collection[str], headings: Headings) -> bool:
    """Tell whether different texts say settings or measures, each another one."""
    told = sum(bool(headings.says(text).keys() - {UNIT}) for text in texts)
    return 2 * told >= len(texts) and headings.are_told_apart(texts) and not all(map(str.isdecimal, texts))


def _without_twins(columns: Sequence[str]) -> list[str]:
    """Return columns where of two that mean the same the second is open, and a count of runs without their scatter."""
    columns = [LEFT_OUT if name == RUNS and SD not in columns else name for name in columns]
    many = (VALUE, LABEL, LEFT_OUT)
    return [UNDECIDED if name not in many and name in columns[:place] else name for place, name in enumerate(columns)]


def _with_values(columns: list[str], grid: Grid, headings: Headings) -> list[str]:
    """Return columns where beside one of measures only those called so hold values; without one it holds labels."""
    if METRIC not in columns:
        return columns
    by_name = [headings.column_of(heading) == VALUE for heading in grid.headings]
    if not any(by_name):
        return [LABEL if name == METRIC else name for name in columns]
    return [UNDECIDED if name == VALUE and not own else name for name, own in zip(columns, by_name, strict=True)]


def _with_numbers(columns: Sequence[str], grid: Grid) -> list[str]:
    """Return columns without values where the only one of numbers that nothing is known of holds them."""
    open_ones = [p for p, name in enumerate(columns) if name == UNDECIDED and "(" not in grid.headings[p]]
    numeric = [place for place in open_ones if are_numbers(grid.texts_of(place))]
    return [VALUE if [place] == numeric else name for place, name in enumerate(columns)]


def with_levels_across(mapping: ColumnMapping, grid: Grid) -> ColumnMapping:
    """Return a mapping where the columns that levels head hold values, once the parameter of these is said."""
    if not mapping.common_value(PARAMETER) or VALUE in mapping.columns:
        return mapping
    pairs = zip(mapping.columns, grid.headings, strict=True)
    return replace(mapping, columns=tuple(VALUE if is_number_like(heading) else name for name, heading in pairs))


def _by_corner(columns: Sequence[str], grid: Grid, headings: Headings, said: Said) -> tuple[list[str], Said]:
    """Return columns with both names in the corner of a grid: the parameter of the rows, and that of the headings.

    Where all rows have labels of runs or measures, it names that of the headings alone.
    """
    if said.get(PARAMETER) or not grid.has_levels_across:
        return list(columns), said
    rows_of, columns_of = headings.corner(grid.headings[0])
    said_of_rows = [headings.says(text).keys() for text in grid.texts_of(0)]
    if not rows_of and all(keys and keys <= {RUN, METRIC, UNIT, TIME} for keys in said_of_rows):
        rows_of, columns_of = LABEL, headings.parameter_called(grid.headings[0])
    if not (rows_of and columns_of):
        return list(columns), said
    across = [LEFT_OUT if not is_number_like(text) else UNDECIDED for text in grid.headings[1:]]
    return [rows_of, *across], {**said, PARAMETER: columns_of}


def _without_computed(columns: Sequence[str], grid: Grid, headings: Headings) -> list[str]:
    """Return columns with statistics of others beside them left out."""
    places = [place for place, name in enumerate(columns) if name == VALUE]
    dropped = {places[at] for at in computed_among([headings.says(grid.headings[place]) for place in places])}
    return [LEFT_OUT if place in dropped else name for place, name in enumerate(columns)]


def _without_second_names(columns: Sequence[str], grid: Grid, headings: Headings) -> list[str]:
    """Return columns with one of each measure, and without the length of windows that rates were measured in.

    `delivery_rate` and `current_delivery_rate` of a server's history are no two runs; the shorter name is kept.
    """
    said = {place: headings.says(grid.headings[place]) for place, name in enumerate(columns) if name == VALUE}
    dropped = {place for places in _by_measure(said, grid, headings) for place in _longer_names(places, grid)}
    times = [place for place, one in said.items() if TIME in one and len(set(grid.texts_of(place))) == 1]
    if len(grid.rows) > 1 and len(times) < len(said):
        dropped |= set(times)
    return [LEFT_OUT if place in dropped else name for place, name in enumerate(columns)]


def _by_measure(said: Mapping[int, Said], grid: Grid, headings: Headings) -> list[list[int]]:
    """Return the places of each measure whose headings say nothing else."""
    places: dict[str, list[int]] = {}
    for place, one in said.items():
        metric = next((m.name for family in headings.families if (m := metric_of(one, family))), "")
        if metric and one.keys() <= {METRIC, UNIT, TIME} and not headings.unknown_in(grid.headings[place]):
            places.setdefault(metric, []).append(place)
    return list(places.values())


def _longer_names(places: Sequence[int], grid: Grid) -> list[int]:
    """Return all of these places but that of the shortest heading; none where two have the same one, as runs have."""
    names = {place: plain(grid.headings[place]) for place in places}
    return sorted(places, key=lambda place: len(names[place]))[1:] if len(set(names.values())) == len(names) else []


def _with_conditions(meant: Meant) -> Iterator[str]:
    """Yield columns where one of unknown meaning is a condition, if settings were compared alike in it, or left out."""
    for place, name in enumerate(meant.mapping.columns):
        is_apart = meant.grid.has_titles and place == len(meant.grid.headings) - 1 and _is_measured_again(meant, place)
        yield name if name != UNDECIDED else CONDITION if is_apart else _guess_unknown(meant, place)


def _without_unknown(meant: Meant, family: FamilyColumns) -> Meant:
    """Return the table with conditions open that only other families know."""
    others = meant.headings.known.conditions.keys() - {condition.name for condition in family.conditions}
    columns = tuple(UNDECIDED if name in others else name for name in meant.mapping.columns)
    return replace(meant, mapping=replace(meant.mapping, columns=columns))


def _without_strange(meant: Meant, family: FamilyColumns | None) -> Meant:
    """Return the table without measures that the family does not know, where it knows others.

    What each of several settings has alike, such as the speed of a link, is a condition.
    """
    if family is None or meant.tells(METRIC) or not any(metric_of(said, family) for said in meant.values.values()):
        return meant
    told = {
        place for place, said in meant.values.items() if said.keys() & {METRIC, UNIT} and not metric_of(said, family)
    }
    columns = (
        name if place not in told else CONDITION if _is_shared(meant, place) else LEFT_OUT
        for place, name in enumerate(meant.mapping.columns)
    )
    return replace(meant, mapping=replace(meant.mapping, columns=tuple(columns)))


def _guess_unknown(meant: Meant, place: int) -> str:
    heading, texts = meant.grid.headings[place], meant.grid.texts_of(place)
    is_value_missing = VALUE not in meant.mapping.columns and are_numbers(texts)
    if is_value_missing or _is_near_to_needed(heading, meant):
        return UNDECIDED
    is_day = plain(heading) in DAYS and BLOCK not in meant.mapping.columns
    is_condition = heading and (is_day or 1 < len(set(texts)) <= _FEW) and _are_compared_alike_in(meant, place)
    return (BLOCK if is_day else CONDITION) if is_condition else LEFT_OUT


def _are_compared_alike_in(meant: Meant, place: int) -> bool:
    """Tell whether several settings have one text in a column."""
    if any(meant.headings.known.parameters.keys() & said.keys() for said in meant.values.values()):
        return True
    return any(len(found) > 1 for found in _settings_by_text(meant, place).values())


def _is_shared(meant: Meant, place: int) -> bool:
    """Tell whether a column of numbers holds few, each of them with several settings."""
    found = _settings_by_text(meant, place)
    return 1 < len(found) <= _FEW and all(len(settings) > 1 for settings in found.values())


def _is_measured_again(meant: Meant, place: int) -> bool:
    """Tell whether tables of other titles hold the same setting under known conditions, or the same run of it."""
    alike = (METRIC, *meant.headings.known.conditions, *([RUN] if meant.grid.is_untold else ()))
    found = _settings_by_text(meant, place, *alike)
    return sum(map(len, found.values())) > len(set().union(*found.values()))


def _settings_by_text(meant: Meant, place: int, *others: str) -> dict[str, set[tuple[str, ...]]]:
    varied = meant.places_of(LABEL, *meant.headings.known.parameters, *others)
    settings: dict[str, set[tuple[str, ...]]] = {}
    for _line, cells in meant.grid.rows:
        settings.setdefault(cells[place], set()).add(tuple(cells[at] for at in varied))
    return settings


def _is_near_to_needed(heading: str, meant: Meant) -> bool:
    """Tell whether a heading may be meant as the value or the parameter that no other column holds."""
    parameters = meant.headings.known.parameters
    missing = [] if meant.places_of(VALUE) else [VALUE]
    missing += [] if meant.places_of(LABEL, *parameters) else parameters
    return bool(missing) and bool(nearest(heading, missing, _ALIKE))


def _fitting(meant: Meant, families: Families) -> list[str]:
    """Return the families that have all parameters there are columns for, those that know most of the rest first.

    Of measures they all know as many as the first.
    """
    said = [*meant.values.values(), *meant.labels.values()]
    metrics = {one[METRIC] for one in said if METRIC in one} | {meant.mapping.common_value(METRIC)}

    def measures(family: FamilyColumns) -> int:
        named = sum(family.metric(metric) is not None for metric in metrics)
        return named + any(metric_of(one, family) for one in said)

    def known(family: FamilyColumns) -> tuple[int, int]:
        return measures(family), sum(family.condition(name) is not None for name in meant.named)

    fitting = [family for family in families.values() if meant.factors and all(map(family.parameter, meant.factors))]
    most = max(map(measures, fitting), default=0)
    return [family.family for family in sorted(fitting, key=known, reverse=True) if measures(family) == most]


def family_note(grid: Grid, mapping: ColumnMapping, families: Families) -> Iterator[str]:
    """Yield which family was taken where others would fit as well."""
    taken = mapping.common_value(FAMILY)
    fitting = _fitting(Meant(grid.thinned(GUESSED_FROM), mapping, Headings(families)), families)
    others = [family for family in fitting if family != taken]
    if taken in fitting and others:
        sentence = _(
            "{file}: taken for the family {family}; {others} would fit as well: --family, or Experiment in the window, "
            "names another"
        )
        yield sentence.format(file=grid.source.name, family=taken, others=", ".join(others))


def _only_measure(meant: Meant, family: FamilyColumns | None) -> Said:
    """Return a family's measure where it has one only and nothing tells another."""
    is_said = meant.tells(METRIC) or any({METRIC, UNIT, TIME} & said.keys() for said in meant.values.values())
    return {} if is_said or family is None or len(family.metrics) > 1 else {METRIC: family.metrics[0].name}


def _agreed(meant: Meant, family: FamilyColumns | None) -> Said:
    """Return measure and unit where the headings of all values say the same and nothing else does."""
    by_labels = names_in(*resolved_labels(meant, family)[0].values())
    every = [resolved_said(said, family) for said in meant.values.values()]
    open_ones = [name for name in (METRIC, UNIT) if not meant.tells(name) and name not in by_labels]
    told = {name: {said.get(name, "") for said in every} for name in open_ones}
    return {name: text for name, texts in told.items() if len(texts) == 1 for text in texts if text}


def families_for(grid: Grid, families: Families) -> Families:
    """Return families, with one more where a table varies a parameter that none of them knows (`unjudged`)."""
    grid, headings = grid.thinned(GUESSED_FROM), Headings(families)
    if any(headings.known.name_of(heading) in headings.known.parameters for heading in grid.headings):
        return families
    meant = Meant(grid, guess_mapping(grid, families), headings)
    return families if meant.factors or near_parameter(meant) else with_unknown_parameter(grid, families)


def near_parameter(meant: Meant) -> str:
    """Return the parameter that a heading is likely the name of with a slip in it, "" for none."""
    parameters = meant.headings.known.parameters
    return next(filter(None, (nearest(heading, parameters, _ALIKE) for heading in meant.grid.headings)), "")
