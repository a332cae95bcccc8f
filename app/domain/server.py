"""Servers of a target, and the parameters in effect on them."""

from dataclasses import dataclass

from app.domain.naming import ServerName, Word


@dataclass(frozen=True)
class ServerInfo:
    """One server of the topology.

    Attributes:
        name: the server's name.
        role: in the words of its system.
        version: product version such as "16.0.4135.4".
        edition: edition text.
        cpu_count: logical processors.
    """

    name: ServerName
    role: Word
    version: Word
    edition: Word
    cpu_count: int


@dataclass(frozen=True)
class EffectiveParameter:
    """The value a server really uses, and where it comes from.

    Attributes:
        value, default: as text; mostly a number or the vendor's word, and the client's own where it is a user or path.
        origin: what sets it, in the words of its system, the strongest that names it; "default" where nothing does.
        low, high: limits the server itself reports, else the documented ones, None for none.
    """

    name: Word
    value: str
    origin: Word
    default: str
    low: int | None
    high: int | None
    unit: Word


def differs(parameter: EffectiveParameter) -> bool:
    """Tell whether the value in effect is another one than the default."""
    mine, usual = as_number(parameter.value), as_number(parameter.default)
    if mine is not None and usual is not None:
        return mine != usual
    return parameter.value.casefold() != parameter.default.casefold()


def as_number(text: str) -> int | None:
    """Return a value that is a whole number, None for words."""
    try:
        return int(text)
    except ValueError:
        return None
