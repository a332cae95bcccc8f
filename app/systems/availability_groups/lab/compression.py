"""Which product version compresses the log stream and the seeding stream, under which trace flags.

Source: Microsoft, "Tune compression for availability group" and "DBCC TRACEON - Trace Flags". SQL Server 2012 and
2014 compress for every secondary, 2016 and later only for asynchronous ones. 9592 compresses for synchronous ones too,
1462 stops it for asynchronous ones, 9591 stops it altogether, 9567 compresses automatic seeding; 3459 makes redo
serial.
"""

from collections.abc import Set
from typing import Final

COMPRESS_SYNCHRONOUS: Final = 9592
NO_COMPRESSION_ASYNCHRONOUS: Final = 1462
NO_COMPRESSION: Final = 9591
COMPRESS_SEEDING: Final = 9567
SERIAL_REDO: Final = 3459

_SQL_SERVER_2016: Final = 13


def major_version(product_version: str) -> int:
    """Return the first part of a product version, 13 for "13.0.4001.0"."""
    return int(product_version.split(".")[0])


def compresses_log(product_version: str, is_synchronous: bool, trace_flags: Set[int]) -> bool:
    """Tell whether the primary compresses the log it sends to a replica of this mode."""
    if NO_COMPRESSION in trace_flags:
        return False
    if major_version(product_version) < _SQL_SERVER_2016:
        return True
    if is_synchronous:
        return COMPRESS_SYNCHRONOUS in trace_flags
    return NO_COMPRESSION_ASYNCHRONOUS not in trace_flags


def compresses_seeding(trace_flags: Set[int]) -> bool:
    """Tell whether the primary compresses the stream of a seeding."""
    return COMPRESS_SEEDING in trace_flags


def can_seed(product_version: str) -> bool:
    """Tell whether a version knows automatic seeding (2016 and later)."""
    return major_version(product_version) >= _SQL_SERVER_2016


def redoes_in_parallel(product_version: str, trace_flags: Set[int]) -> bool:
    """Tell whether a secondary redoes with several workers (2016 and later, unless 3459 is on)."""
    return major_version(product_version) >= _SQL_SERVER_2016 and SERIAL_REDO not in trace_flags
