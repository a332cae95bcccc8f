"""Durations of tables that give the begin and the end of each run instead."""

import re
from dataclasses import replace
from datetime import date
from typing import Final

from app.domain.setting import plain
from app.foundation.texts import _
from app.services.explain.importing.headings import TIME, Headings
from app.services.explain.importing.questions import METRIC, UNIT
from app.services.explain.importing.source_text import clock_text, quotable
from app.services.explain.importing.table import Grid

_BEGINS: Final = frozenset(
    ("start", "started", "startedat", "starttime", "startzeit", "begin", "beginn", "von", "from")
)
_ENDS: Final = frozenset(
    ("end", "ended", "endedat", "endtime", "endzeit", "ende", "finish", "finished", "stop", "bis", "to", "until")
)
_DURATION: Final = "Duration"  # as headings are understood in every language
_MOMENT: Final = re.compile(r"(?:(\S+?),?[ T])?(\d{1,2}):(\d\d)(?::(\d\d(?:[.,]\d+)?))?\s*([ap]m)?", re.IGNORECASE)
_DATES: Final = (
    re.compile(r"(?P<y>\d{4})-(?P<m>\d\d?)-(?P<d>\d\d?)"),
    re.compile(r"(?P<d>\d\d?)\.(?P<m>\d\d?)\.(?P<y>\d{4})"),
)
_DAY_S: Final = 86_400


def with_durations(grid: Grid, headings: Headings) -> Grid:
    """Return a table with a further column of durations, where it has begin and end of each run and no measure.

    Times of day without a date may pass midnight once.
    """
    names = list(map(plain, grid.headings))
    begin, end = (next((at for at, name in enumerate(names) if name in words), -1) for words in (_BEGINS, _ENDS))
    if min(begin, end) < 0 or _holds_measure(grid, headings, (begin, end)):
        return grid
    spans = [_seconds(cells[begin], cells[end]) for _line, cells in grid.rows]
    if None in spans:
        return grid
    at = len(names) - grid.has_titles
    rows = tuple(
        (line, (*cells[:at], clock_text(span or 0), *cells[at:]))
        for (line, cells), span in zip(grid.rows, spans, strict=True)
    )
    sentence = _('{file}: each duration is the time from "{begin}" to "{end}"')
    note = sentence.format(
        file=grid.source.name, begin=quotable(grid.headings[begin]), end=quotable(grid.headings[end])
    )
    return replace(
        grid, headings=(*grid.headings[:at], _DURATION, *grid.headings[at:]), rows=rows, notes=(*grid.notes, note)
    )


def _holds_measure(grid: Grid, headings: Headings, moments: tuple[int, int]) -> bool:
    others = (text for at, text in enumerate(grid.headings) if at not in moments)
    return any(headings.says(text).keys() & {TIME, METRIC, UNIT} for text in others)


def _seconds(begin: str, end: str) -> float | None:
    """Return the seconds between two moments, None where they cannot be told."""
    first, last = _MOMENT.fullmatch(begin), _MOMENT.fullmatch(end)
    if first is None or last is None:
        return None
    span = _second_of_day(last) - _second_of_day(first)
    if first[1] == last[1]:
        span = span if first[1] else span % _DAY_S
    else:
        days = _day(last[1] or ""), _day(first[1] or "")
        span = span + (days[0] - days[1]) * _DAY_S if min(days) else 0.0
    return span if span > 0 else None


def _second_of_day(moment: re.Match[str]) -> float:
    hours, half = int(moment[2]), (moment[5] or "").casefold()
    hours = hours % 12 + 12 * (half == "pm") if half else hours
    return (hours * 60 + int(moment[3])) * 60 + float((moment[4] or "0").replace(",", "."))


def _day(text: str) -> int:
    """Return the number of a date whose order of day and month is known, 0 for any other text."""
    found = next((found for pattern in _DATES if (found := pattern.fullmatch(text))), None)
    try:
        return date(int(found["y"]), int(found["m"]), int(found["d"])).toordinal() if found else 0
    except ValueError:
        return 0
