"""Oracle's error codes (ORA-, DPY-, DPI-, TNS-) as the product's own errors, each with its remedy."""

import re
from typing import Final

from app.domain.errors import ConnectionLost, LoginFailed, TargetError
from app.drivers.oracle.error_table import (
    DRIVER_ENDED,
    DROPPED,
    ENTRIES,
    INSIDE,
    LOST,
    OTHER,
    PERMISSION,
    WRAPPERS,
    Entry,
)

__all__ = [
    "DRIVER_ENDED",
    "KEPT",
    "OracleError",
    "first_line",
    "is_lost",
    "is_refused",
    "is_unknown",
    "to_target_error",
]

_CODE: Final = re.compile(r"\b(?P<prefix>ORA|DPY|DPI|TNS)-(?P<digits>\d{4,5})\b")

CONNECTING: Final = "connect"
# A driver's own limit was over, or somebody cancelled.
_NOT_WAITED_FOR: Final = frozenset({"DPY-4024", "DPI-1067", "ORA-01013", "ORA-03136"})

KEPT: Final = "20004"
"""What a block that compares raises where another value stands than the expected one: ORA-20004."""


class OracleError(Exception):
    """An error of a driver or the lab before it is made a sentence; pickles, so that it can cross a process.

    Attributes:
        code: such as "ORA-01017", "DPY-6005" or "DPI-1047"; "" where there is none.
        text: the whole text, in which further codes may stand.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text

    def __str__(self) -> str:
        return self.text if self.code in self.text else f"{self.code}: {self.text}"

    @staticmethod
    def of_text(text: str) -> "OracleError":
        """Return the error a text tells, by the first code in it."""
        match = _CODE.search(text)
        return OracleError("" if match is None else _spelled(match), text)

    @property
    def codes(self) -> tuple[str, ...]:
        """Every code the text names, the leading one first."""
        named = [_spelled(match) for match in _CODE.finditer(self.text)]
        return tuple(dict.fromkeys([self.code, *named] if self.code else named))


def _spelled(match: re.Match[str]) -> str:
    digits = match["digits"]
    return f"{match['prefix']}-{digits:0>5}" if match["prefix"] in ("ORA", "TNS") else f"{match['prefix']}-{digits}"


def to_target_error(error: OracleError, statement: str, permission: str, server: str) -> TargetError:
    """Return the product's error for a driver's; the sentence never repeats the connect string.

    Of several codes in a text the most telling one counts: DPY-6005 "cannot connect" wraps the reason.

    Args:
        error: code and text as reported.
        statement: name of the statement in the catalogue, or `CONNECTING`.
        permission: what its header says it needs.
        server: the database it was meant for, as the user wrote it, without a password.
    """
    kind, sentence = _entry_of(error)
    if statement == CONNECTING and kind is ConnectionLost:
        kind, sentence = DROPPED
    told = sentence().format(statement=statement, permission=permission, server=server, text=first_line(error.text))
    return kind(told, f"{error.code}: {error.text}" if error.code not in error.text else error.text)


def first_line(text: str) -> str:
    """Return the line of a server's text that tells most: the first that is not a driver's wrapper."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Help:")]
    return next((line for line in lines if line.split(":")[0] not in WRAPPERS), lines[-1] if lines else "")


def _entry_of(error: OracleError) -> Entry:
    codes = error.codes
    for code in codes:
        if code in ENTRIES and code not in WRAPPERS:
            return _without_privilege(code, error.text)
    for piece, entry in INSIDE:
        if piece in error.text:
            return entry
    for code in reversed(codes):
        if code in ENTRIES:
            return ENTRIES[code]
    return OTHER if codes else LOST


def _without_privilege(code: str, text: str) -> Entry:
    # ORA-06550 is any error in a block; an unknown package there means it may not be executed.
    if code == "ORA-06550" and ("PLS-00201" in text or "PLS-00904" in text or "ORA-01031" in text):
        return PERMISSION
    return ENTRIES[code]


def is_lost(error: OracleError) -> bool:
    """Tell whether the connection is gone."""
    return issubclass(_entry_of(error)[0], ConnectionLost)


def is_unknown(error: OracleError) -> bool:
    """Tell whether a changing statement that ended so may have been carried out, or may still be."""
    return is_lost(error) or not _NOT_WAITED_FOR.isdisjoint(error.codes)


def is_refused(error: OracleError) -> bool:
    """Tell whether a database refused a login, so that asking again may have its account locked."""
    return issubclass(_entry_of(error)[0], LoginFailed)
