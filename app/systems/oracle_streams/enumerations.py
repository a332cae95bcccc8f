"""Columns of the data dictionary views of capture, propagation and apply that hold one of a few values."""

from typing import Final

from app.foundation.enumeration import Enumeration, named_alike

_REFERENCE: Final = "https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn"

ENABLED, DISABLED, ABORTED = "ENABLED", "DISABLED", "ABORTED"
STATUS: Final = named_alike("status", (ENABLED, DISABLED, ABORTED), f"{_REFERENCE}/DBA_APPLY.html")
STANDING: Final = (DISABLED, ABORTED)
"""What a process reads that does not start by itself."""

STREAMS, XSTREAM, GOLDENGATE = "streams", "xstream", "goldengate"
PURPOSE: Final = Enumeration(
    "purpose",
    {
        "Streams": STREAMS,
        "XStream In": XSTREAM,
        "XStream Out": XSTREAM,
        "GoldenGate Capture": GOLDENGATE,
        "GoldenGate Apply": GOLDENGATE,
    },
    f"{_REFERENCE}/DBA_CAPTURE.html",
)

ENUMERATIONS: Final = (STATUS, PURPOSE)
