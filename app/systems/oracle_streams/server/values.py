"""Values of parameters: read from a plan, checked against limits and releases, spelled as the server takes them."""

import math
import re
from typing import Final

from app.domain.errors import BadInput
from app.domain.setting import Value
from app.foundation.texts import _
from app.systems.oracle_streams.server.documented import INFINITE, DocumentedParameter, ValueKind
from app.systems.oracle_streams.server.versions import Release

_SIZE: Final = re.compile(r"(?P<digits>\d+)(?P<unit>[KMG]?)", re.IGNORECASE)
_FACTORS: Final = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}


def spelled(parameter: DocumentedParameter, value: Value) -> str:
    """Return a value as the server takes it: capitals, whole numbers in digits, sizes in bytes.

    Raises:
        BadInput: the value is of another kind, or outside the documented limits.
    """
    if parameter.kind in (ValueKind.FLAG, ValueKind.CHOICE):
        return _choice(parameter, value)
    if parameter.kind is ValueKind.BYTES:
        return str(size_bytes(parameter.name, value))
    if parameter.kind is ValueKind.WHOLE_OR_INFINITE and str(value).upper() == INFINITE:
        return INFINITE
    return _number(parameter, value)


def _choice(parameter: DocumentedParameter, value: Value) -> str:
    choices = parameter.choices or ("Y", "N")
    text = {True: "Y", False: "N"}[value] if isinstance(value, bool) else str(value).upper()
    if text not in choices:
        raise BadInput(
            _('{name} must be one of {choices}, not "{value}"').format(
                name=parameter.name, choices=", ".join(choices), value=value
            )
        )
    return text


def _number(parameter: DocumentedParameter, value: Value) -> str:
    is_fraction = parameter.kind in (ValueKind.DAYS, ValueKind.SECONDS)
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if isinstance(value, bool) or not math.isfinite(number) or (number != int(number) and not is_fraction):
        raise BadInput(
            _('{name} must be a whole number, not "{value}"').format(name=parameter.name, value=value)
            if not is_fraction
            else _('{name} must be a number, not "{value}"').format(name=parameter.name, value=value)
        )
    low, high = parameter.low, parameter.high
    if (low is not None and number < low) or (high is not None and number > high):
        raise BadInput(
            _("{name} = {value} is outside its limits, {low} to {high}").format(
                name=parameter.name, value=value, low=low, high=high
            )
        )
    return f"{number:.12g}" if number != int(number) else str(int(number))


def size_bytes(name: str, value: Value) -> int:
    """Return a size given in bytes, or with K, M or G behind it; raises BadInput."""
    match = _SIZE.fullmatch(str(value).strip())
    if match is None or isinstance(value, bool):
        raise BadInput(_('{name} must be a size such as 4G or 512M, not "{value}"').format(name=name, value=value))
    return int(match["digits"]) * _FACTORS[match["unit"].upper()]


def size_text(size: int) -> str:
    """Return a size in the largest unit that keeps it whole, as Oracle writes it."""
    for unit in ("G", "M", "K"):
        if size and size % _FACTORS[unit] == 0:
            return f"{size // _FACTORS[unit]}{unit}"
    return str(size)


def check_gate(parameter: DocumentedParameter, release: Release, database: str) -> None:
    """Refuse a parameter a release does not have, or that is only shown.

    Raises:
        BadInput: with the releases that have it.
    """
    if not parameter.is_changed:
        raise BadInput(
            _("{name} has no public definition; this program shows it and does not change it").format(
                name=parameter.name
            )
        )
    if parameter.is_known_in(release):
        return
    since, until = (".".join(map(str, gate)) for gate in (parameter.since, parameter.until))
    if release < parameter.since:
        raise BadInput(
            _("{name} came with {since}; {database} is older").format(
                name=parameter.name, since=since, database=database
            )
        )
    raise BadInput(
        _("{name} has no effect from {until} on, and {database} is not older").format(
            name=parameter.name, until=until, database=database
        )
    )
