"""JSON as rows: `{"measurements": [{…}], "notes": [...]}` with the same keys as the columns of a CSV file."""

import json
from collections.abc import Iterator
from typing import Any, Final

from app.domain.errors import BadInput
from app.foundation.texts import _
from app.services.explain.importing.source_text import SourceText
from app.services.explain.importing.table import Row, Table, quotable

_ENTRIES: Final = "measurements"
_NOTES: Final = "notes"


class _RepeatedKey(ValueError):
    """An object of the file has the same key twice."""


def looks_like_json(source: SourceText) -> bool:
    """Return whether a text is meant as JSON: by its first character, or by the name of the file."""
    if source.file.casefold().endswith(".json"):
        return True
    first = next((line.lstrip() for line in source.lines() if line.strip()), "")
    return first.startswith(("{", "["))


def open_json(source: SourceText) -> Table:
    """Return a JSON file as a table; its headings are the keys in the order they first appear.

    Raises:
        BadInput: it is no JSON, or JSON of another shape.
    """
    document = _parse(source)
    if not isinstance(document, dict) or not isinstance(document.get(_ENTRIES), list):
        raise BadInput(
            _('{file} has another shape: a JSON file of measurements is {{"measurements": [{{…}}, …]}}').format(
                file=source.file
            )
        )
    others = [key for key in document if key not in (_ENTRIES, _NOTES)]
    if others:
        raise BadInput(
            _('{file}: the key "{key}" is not known at the top; known are "measurements" and "notes"').format(
                file=source.file, key=quotable(others[0])
            )
        )
    entries: list[Any] = document[_ENTRIES]
    if not entries:
        raise BadInput(_('{file} holds no measurements; fill the list "measurements"').format(file=source.file))
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            raise BadInput(
                _("{file}, entry {number}: a measurement must be an object of keys and values").format(
                    file=source.file, number=number
                )
            )
    headings = tuple(dict.fromkeys(key for entry in entries for key in entry))

    def rows() -> Iterator[Row]:
        for number, entry in enumerate(entries, start=1):
            yield number, [_cell(source.file, number, key, entry.get(key)) for key in headings]

    return Table(source.file, headings, 0, "", source.encoding, rows, _notes(source.file, document.get(_NOTES, [])))


def _parse(source: SourceText) -> Any:
    try:
        return json.loads(source.text().lstrip("\ufeff"), object_pairs_hook=_without_repeats)
    except _RepeatedKey as error:
        raise BadInput(
            _('{file}: the key "{key}" stands twice in one object; keep one').format(file=source.file, key=error)
        ) from error
    except json.JSONDecodeError as error:
        raise BadInput(
            _("{file}, line {line}, column {column}: this is no JSON ({reason}); correct it there").format(
                file=source.file, line=error.lineno, column=error.colno, reason=error.msg
            )
        ) from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; brackets nested thousands deep
        raise BadInput(
            _("{file} cannot be read as JSON: a number is too long or brackets are nested too deep").format(
                file=source.file
            )
        ) from error


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs as an object; a key given twice would else silently hide the first value."""
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _value in pairs]
        raise _RepeatedKey(quotable(next(key for key in keys if keys.count(key) > 1)))
    return found


def _cell(file: str, number: int, key: str, value: Any) -> str:
    """Return a JSON value as a cell of a CSV file with decimal points would hold it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):  # True and False become words, which no number column takes
        try:
            return repr(value)
        except ValueError:  # an integer of more digits than Python turns into text
            return "inf"
    if isinstance(value, list) and len(value) == 2 and all(isinstance(v, int | float) for v in value):
        return f"{value[0]!r}-{value[1]!r}"  # lowest and highest, as plans give commands_per_transaction
    raise BadInput(
        _('{file}, entry {number}, key "{key}": a list or an object cannot stand here; give a number or a text').format(
            file=file, number=number, key=quotable(key)
        )
    )


def _notes(file: str, notes: Any) -> tuple[str, ...]:
    if isinstance(notes, list) and all(isinstance(note, str) for note in notes):
        return tuple(notes)
    raise BadInput(_('{file}: "notes" must be a list of texts').format(file=file))
