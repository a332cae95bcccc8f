"""Which values the parameters take that the physics knows."""

import math
from typing import Final

from app.systems.oracle_streams.subjects import STREAMS

INFINITE: Final = "INFINITE"

_WHOLE: Final = frozenset({"PARALLELISM", "_SGA_SIZE", "_CHECKPOINT_FREQUENCY", "_TXN_BUFFER_SIZE", "_HASH_TABLE_SIZE"})
_WHOLE_OR_INFINITE: Final = frozenset({"TXN_LCR_SPILL_THRESHOLD", "TXN_AGE_SPILL_THRESHOLD"})
_FLAGS: Final = frozenset({"DISABLE_ON_ERROR", "_DYNAMIC_STMTS", "_CMPKEY_ONLY", "COMPARE_KEY_ONLY"})
_SERIALIZATIONS: Final = frozenset({"FULL", "NONE", "DEPENDENT_TRANSACTIONS"})

SIMULATED: Final = {
    STREAMS: _WHOLE
    | _WHOLE_OR_INFINITE
    | _FLAGS
    | {"CAPTURE_PARALLELISM", "COMMIT_SERIALIZATION", "LATENCY", "streams_pool_size"}
}
"""The parameters a trial can vary here, as plans name them; any other would be set and change nothing."""


def check_value(name: str, value: str) -> None:
    """Check a value of a parameter the physics knows; others take any text.

    Raises:
        ValueError: it is not a whole number ≥ 1, flag or mode as the parameter needs it.
    """
    if not _fits(name, value):
        raise ValueError(f"parameter {name} cannot be {value!r}")


def _fits(name: str, value: str) -> bool:
    is_whole = value.isascii() and value.isdigit() and 1 <= int(value) <= 4_294_967_295
    if name in _WHOLE:
        return is_whole
    if name in _WHOLE_OR_INFINITE:
        return is_whole or value == INFINITE
    if name in _FLAGS:
        return value in ("Y", "N")
    return name != "COMMIT_SERIALIZATION" or value in _SERIALIZATIONS


def as_number(text: str) -> float:
    """Return a value as a number, inf for INFINITE."""
    return math.inf if text == INFINITE else float(text)
