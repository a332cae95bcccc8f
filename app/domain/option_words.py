"""Options of an address in an error's sentence, in the words of whoever reads: `trust=yes`, or the window's switch.

A sentence writes an option as a command line does. A window says once which forms it has; from then on every error of
this process names the field, the choice or the switch that makes the option.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from app.domain.connection import ConnectionField, ConnectionWay, FieldKind
from app.foundation.texts import _

Ways = Callable[[], Iterable[ConnectionWay]]

# Not one inside an address; NAME and the like stand for a value.
_WRITTEN: Final = re.compile(r"(?<![^\s(])\??(?P<name>[a-z_]+)=(?!=)(?P<value>(?!NAME\b)[\w-]+)?(?:NAME\b)?")

_ways_of_window: list[Ways] = []


@contextmanager
def window_speaks(ways: Ways) -> Iterator[None]:
    """Have errors speak the words of a window as long as it is open.

    Args:
        ways: gives the forms; asked when an error first names an option.
    """
    _ways_of_window.append(ways)
    try:
        yield
    finally:
        _ways_of_window.remove(ways)


def as_read(text: str) -> str:
    """Return a sentence in the words of whoever reads the errors of this process."""
    return in_window_words(text, _ways_of_window[-1]()) if _ways_of_window and _WRITTEN.search(text) else text


def in_window_words(text: str, ways: Iterable[ConnectionWay]) -> str:
    """Return a sentence with each option named by the field that makes it; one that no form has stays as it is."""
    fields = [field for way in ways for field in way.fields]

    def said(found: re.Match[str]) -> str:
        return _said(fields, found["name"], found["value"] or "") or found[0]

    return _WRITTEN.sub(said, text)


def _said(fields: Iterable[ConnectionField], name: str, value: str) -> str:
    """Return the field that makes an option, with the choice in it; "" where there is none."""
    known = list(fields)
    for field in known:
        for choice in field.options:
            if choice.option == name or (field.option, choice.value) == (name, value):
                return _("“{field}: {value}”").format(field=field.label, value=choice.label)
    maker = next((field for field in known if field.option == name), None)
    if maker is None:
        return ""
    is_said = value and maker.kind is not FieldKind.CHECK
    text = _("“{field}: {value}”") if is_said else _("“{field}”")
    return text.format(field=maker.label, value=value)
