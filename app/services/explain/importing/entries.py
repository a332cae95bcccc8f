"""Tables as entries: JSON, and lists "name : value" as PowerShell, MySQL and logs write them."""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from app.foundation.texts import _
from app.services.explain.importing.source_text import SourceText, numbered_lines, quotable
from app.services.explain.importing.table import Grid

_ENTRIES: Final = "measurements"
_NOTES: Final = "notes"
_PAIR: Final = re.compile(r"\s*(\S.*?)\s*(?::|=)(?:\s+(.*)|)")
_PAIRS: Final = re.compile(r"([^\W\d][\w %/.()]*?)\s*[:=]\s+([^,;]+)")


class _RepeatedKey(ValueError):
    """An object of the file has the same key twice, which would silently hide the first value."""


def read_json(source: SourceText) -> Grid:
    """Return the table of a list of objects, alone or under a key; raises BadInput where there is none."""
    document = _parse(source)
    if isinstance(document, list):
        document = {_ENTRIES: document}
    lists = [value for value in document.values() if isinstance(value, list)] if isinstance(document, dict) else []
    if len(lists) == 1 and _ENTRIES not in document and all(isinstance(entry, dict) for entry in lists[0]):
        document = {_ENTRIES: lists[0]}  # by another name
    entries = document.get(_ENTRIES) if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise source.unusable(
            _('{file} has another shape: a JSON file of measurements is {{"measurements": [{{…}}, …]}}')
        )
    _check_shape(source, document, entries)
    grid = grid_of_entries(source, enumerate(entries, start=1))
    return replace(grid, notes=tuple(document.get(_NOTES, [])))


def grid_of_entries(source: SourceText, entries: Iterable[tuple[int, Mapping[str, Any]]]) -> Grid:
    """Return entries as a table with a column for each key; the keys of an object within one are its own."""
    entries = [(number, _flat(entry)) for number, entry in source.within_bounds(entries)]
    headings = tuple(dict.fromkeys(key for _number, entry in entries for key in entry))
    rows = tuple(
        (number, tuple(_cell(source, number, key, entry.get(key)) for key in headings)) for number, entry in entries
    )
    return Grid(source, headings, rows)


def _flat(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    if not any(isinstance(value, dict) for value in entry.values()):
        return entry
    flat = dict(entry)
    for key, value in entry.items():
        if isinstance(value, dict) and value and not value.keys() & entry.keys():
            del flat[key]
            flat |= value
    return flat


def _check_shape(source: SourceText, document: Mapping[str, object], entries: Sequence[object]) -> None:
    """Refuse other keys than the two, a measurement that is no object, and notes that are no texts."""
    for key in document:
        if key not in (_ENTRIES, _NOTES):
            sentence = _('the key "{key}" is not known at the top; known are "measurements" and "notes"')
            raise source.refusal(sentence, key=quotable(key))
    if not entries:
        raise source.unusable(_('{file} holds no measurements; fill the list "measurements"'))
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            raise source.refusal(_("a measurement must be an object of keys and values"), number)
    notes = document.get(_NOTES, [])
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        raise source.refusal(_('"notes" must be a list of texts'))


def _parse(source: SourceText) -> Any:
    """Return a document of JSON; objects on lines of their own are a list."""
    try:
        try:
            return json.loads(source.text, object_pairs_hook=_without_repeats)
        except json.JSONDecodeError as error:
            lines = [line for line in source.text.splitlines() if line.strip()]
            if error.msg != "Extra data" or len(lines) < 2:
                raise
            return [json.loads(line, object_pairs_hook=_without_repeats) for line in lines]
    except _RepeatedKey as error:
        raise source.refusal(_('the key "{key}" occurs twice in one object; keep one'), key=error) from error
    except json.JSONDecodeError as error:
        sentence = _("{file}, line {line}, column {column}: this is no JSON ({reason}); correct it there")
        raise source.unusable(sentence, line=error.lineno, column=error.colno, reason=error.msg) from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; brackets nested thousands deep
        sentence = _("{file} cannot be read as JSON: a number is too long or brackets are nested too deep")
        raise source.unusable(sentence) from error


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value_by_key: dict[str, Any] = {}
    for key, value in pairs:
        if key in value_by_key:
            raise _RepeatedKey(quotable(key))
        value_by_key[key] = value
    return value_by_key


def _cell(source: SourceText, number: int, key: str, value: Any) -> str:
    """Return a JSON value as a cell of a CSV file with decimal points would hold it."""
    match value:
        case None:
            return ""
        case str():
            return value.strip()
        case int() | float():  # True and False become words, which no number column takes
            return repr(value)
        case [int() | float() as low, int() | float() as high]:  # as plans give commands_per_transaction
            return f"{low!r}-{high!r}"
    raise source.refusal(_("a list or an object is not allowed here; give a number or a text"), number, key)


# Lists


def is_list(head: str) -> bool:
    """Tell whether nearly all lines are "name : value", as PowerShell's Format-List writes them, or several such."""
    lines = [line for line in head.splitlines() if line.strip() and not line.startswith("***")]  # MySQL's "1. row"
    pairs = sum(_PAIR.fullmatch(line) is not None and not line.lstrip()[0].isdigit() for line in lines)
    return len(lines) > 1 and pairs >= 0.8 * len(lines)


def listed(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the entries of such a list: each line that holds several pairs, else each block of lines."""
    begin, entry = 0, dict[str, Any]()
    for number, line in numbered_lines(text):
        pairs = _pairs_in(line)
        if entry and (len(pairs) != 1 or pairs.keys() <= entry.keys()):
            yield begin, entry
            entry = {}
        if len(pairs) > 1:
            yield number, pairs
        elif pairs:
            begin = begin if entry else number
            entry |= pairs
    if entry:
        yield begin, entry


def _pairs_in(line: str) -> dict[str, Any]:
    """Return the names and values of a line, {} where it is something else."""
    several, one = _PAIRS.findall(line), _PAIR.fullmatch(line)
    if len(several) > 1:
        return {sys.intern(name.strip()): value.strip() for name, value in several}
    return {sys.intern(one[1]): (one[2] or "").strip()} if one else {}
