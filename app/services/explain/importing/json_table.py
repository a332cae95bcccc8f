"""JSON as rows: `{"measurements": [{…}], "notes": [...]}` with the same keys as the columns of a CSV file."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from app.domain.errors import BadInput
from app.foundation.texts import _
from app.services.explain.importing.headings import KnownColumns
from app.services.explain.importing.source_text import SourceText, quotable
from app.services.explain.importing.table import Row, Table

_ENTRIES: Final = "measurements"
_NOTES: Final = "notes"


class _RepeatedKey(ValueError):
    """An object of the file has the same key twice."""


def read_json(source: SourceText, columns: KnownColumns) -> Table:
    """Return a JSON file as a table; its headings are the keys in the order they first appear.

    Raises:
        BadInput: it is no JSON, JSON of another shape, or its keys cannot be used.
    """
    document = _parse(source)
    entries = document.get(_ENTRIES) if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise BadInput(
            _('{file} has another shape: a JSON file of measurements is {{"measurements": [{{…}}, …]}}').format(
                file=source.file
            )
        )
    _check_shape(source, document, entries)
    keys = tuple(dict.fromkeys(key for entry in entries for key in entry))
    headings = columns.match(source, keys)
    rows = tuple(
        Row(number, {name: _cell(source, number, key, entry.get(key)) for name, key in headings.items()})
        for number, entry in enumerate(entries, start=1)
    )
    return Table(source, headings, rows, notes=tuple(document.get(_NOTES, [])))


def _check_shape(source: SourceText, document: Mapping[str, object], entries: Sequence[object]) -> None:
    """Refuse other keys than the two, a measurement that is no object, and notes that are no texts."""
    for key in document:
        if key not in (_ENTRIES, _NOTES):
            sentence = _('the key "{key}" is not known at the top; known are "measurements" and "notes"')
            raise source.refusal(sentence.format(key=quotable(key)))
    if not entries:
        raise BadInput(_('{file} holds no measurements; fill the list "measurements"').format(file=source.file))
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            raise source.refusal(_("a measurement must be an object of keys and values"), number)
    notes = document.get(_NOTES, [])
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        raise source.refusal(_('"notes" must be a list of texts'))


def _parse(source: SourceText) -> Any:
    try:
        return json.loads(source.text, object_pairs_hook=_without_repeats)
    except _RepeatedKey as error:
        raise source.refusal(_('the key "{key}" occurs twice in one object; keep one').format(key=error)) from error
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
    sentence = _("a list or an object is not allowed here; give a number or a text")
    raise source.refusal(sentence, number, key)
