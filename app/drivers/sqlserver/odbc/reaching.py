"""The answer of a network name and port, without a driver: drivers say too little when they cannot connect."""

import socket
from enum import StrEnum
from typing import Final

SQL_PORT: Final = 1433
_LIMIT_S: Final = 3.0


class Reached(StrEnum):
    """The state of an address."""

    UNKNOWN_HOST = "unknown host"
    REFUSED = "refused"
    SILENT = "silent"
    ANSWERS = "answers"


def reach(host: str, port: int, limit_s: float = _LIMIT_S) -> Reached:
    """Connect and hang up at once; sends nothing.

    Args:
        limit_s: longest wait for each address the name stands for.
    """
    try:
        with socket.create_connection((host, port), timeout=limit_s):
            return Reached.ANSWERS
    except socket.gaierror:
        return Reached.UNKNOWN_HOST
    except UnicodeError:  # a name no resolver can be asked for
        return Reached.UNKNOWN_HOST
    except ConnectionRefusedError:
        return Reached.REFUSED
    except OSError:  # no answer in time, no route, or refused by a firewall on the way
        return Reached.SILENT
