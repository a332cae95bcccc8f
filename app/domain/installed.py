"""Drivers and other parts that the program found on this computer."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """One driver or library.

    Attributes:
        part_id: stable, such as "pyodbc" or "odbc-driver-18".
        kind: "driver", "library" or "keyring".
        version: "" where it is missing, or does not say.
        is_there: it can be used.
        remedy: one sentence what to do where it cannot.
    """

    part_id: str
    kind: str
    title: str
    version: str
    is_there: bool
    remedy: str = ""
