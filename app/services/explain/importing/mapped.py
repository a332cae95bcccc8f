"""The values of a table by the meaning of its columns, each in a row of its own."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from app.domain.setting import plain, value_text
from app.foundation.texts import _
from app.services.explain.importing.columns import BLOCK, RUN, RUNS, VALUE, Families, did_you_mean, quoted
from app.services.explain.importing.headings import DAYS, STATISTIC, Headings, Said, but_for_statistic, statistic_of
from app.services.explain.importing.meaning import (
    COMMON_VALUES,
    CONDITION,
    LABEL,
    LEFT_OUT,
    MOST_NAMED,
    UNDECIDED,
    ColumnMapping,
    Meant,
    names_in,
    resolved_labels,
    resolved_said,
)
from app.services.explain.importing.questions import CONDITIONS, FAMILY, METRIC, conditions_in
from app.services.explain.importing.source_text import quotable
from app.services.explain.importing.table import TITLE, Grid, Row, Table, is_subtotal, is_summary

_FEWEST_GROUPS: Final = 2  # that are followed by an empty cell, where a column says something once for several rows

_Rows: TypeAlias = tuple[tuple[int, tuple[str, ...]], ...]


def read_mapped(grid: Grid, mapping: ColumnMapping, families: Families) -> Table:
    """Return the values of a table, each in a row of its own; errors go on naming the file's own headings.

    Raises:
        BadInput: the mapping lacks something, or has a column twice.
    """
    meant, family = Meant(grid, mapping, Headings(families)), families.get(mapping.common_value(FAMILY))
    same = _said_of_all(meant)
    values = _told_apart(meant, {place: resolved_said(said, family) | same for place, said in meant.values.items()})
    own = meant.headings_of(CONDITION) + [TITLE for said in values.values() if TITLE in said][:1]
    labels, unknown = resolved_labels(meant, family)
    places = meant.places
    rows_read, filled = _filled_down(meant)
    rows_read = _with_blocks_numbered(meant, rows_read)
    summed = _summed(rows_read)
    left_out = frozenset(summed)
    blank = names_in(*values.values(), *labels.values()) | same
    label_places, rows = meant.places_of(LABEL), list[Row]()
    for number, cells in rows_read:
        told = [cells[place] for place in label_places]
        if number not in left_out and unknown.isdisjoint(told):
            base = blank | {name: cells[place] for name, place in places.items()}
            for text in told:
                base |= labels.get(text, {})
            rows += _values_of(number, cells, base, values)
    place = next(iter(values)) if len(values) == 1 else -1
    return Table(
        grid,
        dict.fromkeys((*places, *blank), -1) | places | {VALUE: place},
        tuple(rows),
        own=tuple(own),
        notes=(*filled, *_notes(meant, unknown, summed), *_own_notes(meant, own)),
        unread=tuple(unknown),
    )


def _told_apart(meant: Meant, values: dict[int, Said]) -> dict[int, Said]:
    """Return the meanings of columns of values; where only words that nothing is known of tell some apart, with these.

    So "LAN" and "WAN" above the same runs, or "LAN run time" beside "WAN run time", are conditions.
    """
    words = {
        place: meant.headings.unknown_in(meant.grid.headings[place]) or said.get(METRIC, "")
        for place, said in meant.values.items()
    }
    alike: dict[tuple[tuple[str, str], ...], set[str]] = {}
    keys = {place: tuple(sorted(said.items())) for place, said in values.items()}
    for place, key in keys.items():
        alike.setdefault(key, set()).add(words[place])
    return {p: said | {TITLE: words[p]} if len(alike[keys[p]]) > 1 else said for p, said in values.items()}


def _summed(rows: _Rows) -> list[int]:
    """Return the numbers of rows that are worked out from others."""
    groups = {cells[0] for _number, cells in rows}
    return [number for number, cells in rows if is_summary(cells) or is_subtotal(cells, groups)]


def _filled_down(meant: Meant) -> tuple[_Rows, list[str]]:
    """Return the rows with the first columns filled in where they say something once for several rows, and notes on it.

    One empty cell is rather a mistake, or a row of sums.
    """
    rows, notes, source = meant.grid.rows, list[str](), meant.grid.source
    for place, name in enumerate(meant.mapping.columns):
        texts = [cells[place] for _line, cells in rows]
        groups = sum(bool(text) and not below for text, below in pairwise(texts))
        if groups < _FEWEST_GROUPS or not texts[0] or name in (VALUE, RUN, LEFT_OUT, UNDECIDED):
            break
        first, count = next(line for line, cells in rows if not cells[place]), texts.count("")
        rows = _filled(rows, place)
        sentence = _('{place}: empty cells of "{heading}" were read as the one above them: {count}')
        at, heading = f"{source.name}, {source.row_name(first)}", quotable(meant.grid.headings[place])
        notes.append(sentence.format(place=at, heading=heading, count=value_text(count)))
    return rows, notes


def _with_blocks_numbered(meant: Meant, rows: _Rows) -> _Rows:
    """Return the rows with days in place of blocks numbered as they follow each other."""
    at = next((place for place in meant.places_of(BLOCK) if plain(meant.grid.headings[place]) in DAYS), None)
    if at is None:
        return rows
    numbers: dict[str, int] = {}
    days = [re.split(r"[ T](?=\d)", cells[at])[0] for _line, cells in rows]
    blocks = [str(numbers.setdefault(day, len(numbers) + 1)) if day else "" for day in days]
    return tuple(
        (line, (*cells[:at], block, *cells[at + 1 :])) for (line, cells), block in zip(rows, blocks, strict=True)
    )


def _filled(rows: _Rows, place: int) -> _Rows:
    """Return rows with the empty cells of a column filled with the one above them."""
    above, filled = "", list[tuple[int, tuple[str, ...]]]()
    for line, cells in rows:
        above = cells[place] or above
        filled.append((line, (*cells[:place], above, *cells[place + 1 :])))
    return tuple(filled)


def _values_of(number: int, cells: Sequence[str], base: Said, values: Mapping[int, Said]) -> Iterator[Row]:
    """Yield a row for each value that stands side by side with others in one; one alone may be missing."""
    for place, said in values.items():
        if len(values) == 1 or cells[place]:
            yield Row(number, base | said | {VALUE: cells[place]}, place)


def _said_of_all(meant: Meant) -> Said:
    """Return the names and values that hold for all rows: common ones, and conditions given; a column goes first.

    Raises:
        BadInput: there is no such condition.
    """
    mapping, known = meant.mapping, tuple(meant.headings.known.conditions)
    same = {name: mapping.common_value(name) for name in COMMON_VALUES if mapping.common_value(name)}
    for name, text in conditions_in(mapping.common_value(CONDITIONS)).items():
        condition = meant.headings.parameter_called(name)
        if condition not in known:
            sentence, hint = _('there is no condition "{name}"{hint}; known are {known}'), did_you_mean(name, known)
            raise meant.grid.source.refusal(sentence, name=name, hint=hint, known=quoted(known))
        same |= {} if condition in mapping.columns else {condition: text}
    return same


def _notes(meant: Meant, unknown: Iterable[str], summed: Sequence[int]) -> Iterator[str]:
    """Yield how the table was understood where that could be doubted, and what of it is not read."""
    source, headings = meant.grid.source, meant.headings
    file, left_out = source.name, _left_out(meant)
    computed = [heading for heading in left_out if statistic_of(headings.says(heading))]
    others = [heading for heading in left_out if heading not in computed]
    yield from _named(_("{file}: columns that are worked out from others are left out: {names}"), file, computed)
    yield from _named(_("{file}: columns that are not read: {names}"), file, others)
    yield from _named(_("{file}: rows that are not read: {names}"), file, list(unknown))
    if summed:
        sentence = _("{place}: rows that are worked out from others are left out: {count}")
        yield sentence.format(place=f"{file}, {source.row_name(summed[0])}", count=value_text(len(summed)))
    said = [headings.says(heading) for heading in meant.headings_of(VALUE)]
    statistics = dict.fromkeys(one[STATISTIC] for one in said if STATISTIC in one)
    if statistics and RUNS not in meant.mapping.columns:
        sentence = _("{file}: values are a {statistic} of runs or samples nobody counts; each is taken for one run")
        yield sentence.format(file=file, statistic=", ".join(statistics))


def _own_notes(meant: Meant, own: Iterable[str]) -> Iterator[str]:
    """Yield the conditions that no family knows."""
    sentence = _('{file}: "{heading}" was taken for a condition: only values alike in it are compared')
    for heading in own:
        yield sentence.format(file=meant.grid.source.name, heading=quotable(heading))


def _left_out(meant: Meant) -> list[str]:
    """Return the headings that are left out, without that of numbers this program gave to tables."""
    own = len(meant.mapping.columns) - 1 if meant.grid.is_untold else -1
    headings = (meant.grid.headings[place] for place in meant.places_of(LEFT_OUT) if place != own)
    return list(filter(str.strip, headings))


def _named(sentence: str, file: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the sentence with the first of these names, nothing where there are none."""
    if names:
        more = ", …" if len(names) > MOST_NAMED else ""
        yield sentence.format(file=file, names=quoted(map(quotable, names[:MOST_NAMED])) + more)


def statistics_beside(
    grid: Grid, mapping: ColumnMapping, families: Families
) -> Iterator[tuple[int, tuple[int, ...], str]]:
    """Yield the place of each mean, median, minimum or maximum that is left out, those of its values, and its kind."""
    headings = Headings(families)
    for place, (heading, name) in enumerate(zip(grid.headings, mapping.columns, strict=True)):
        kind, measure = statistic_of(headings.says(heading)), but_for_statistic(headings.says(heading))
        if name == LEFT_OUT and kind in ("mean", "median", "min", "max"):
            values = [at for at, value in enumerate(mapping.columns) if value == VALUE]
            beside = [at for at in values if but_for_statistic(headings.says(grid.headings[at])) == measure]
            yield place, tuple(beside), kind
