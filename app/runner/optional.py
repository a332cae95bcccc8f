"""Readings that explain a trial and are not needed for it: left out for the rest of a run once they are refused."""

import logging
from collections.abc import Callable
from typing import TypeVar

from app.domain.errors import ConnectionLost, Deadlock, ShortOfResources, StatementCancelled, TargetError
from app.domain.happening import Happening, PastReadings

_Read = TypeVar("_Read")

_log = logging.getLogger(__name__)


def read_optional(name: str, refused: set[str], read: Callable[[], _Read]) -> _Read | None:
    """Return a reading that explains a measurement without being needed for it, None where it fails; then never again.

    A deadlock, or memory that was short for a moment, costs this reading alone.

    Args:
        refused: names of readings that were refused; a name is added here once.

    Raises:
        ConnectionLost, StatementCancelled: the connection broke, or the run is cancelled.
    """
    if name in refused:
        return None
    try:
        return read()
    except (ConnectionLost, StatementCancelled):
        raise
    except (Deadlock, ShortOfResources) as error:
        _log.info("%s is not read this time: %s", name, error)
        return None
    except TargetError as error:
        _log.info("%s is not read in this run: %s", name, error)
        refused.add(name)
        return None


def tell_past_work(readings: PastReadings, refused: set[str], tell: Callable[[Happening], None]) -> None:
    """Report the work that servers' history shows for the measured time; meant for once, at its end.

    Args:
        refused: as of `read_optional`.

    Raises:
        ConnectionLost, StatementCancelled: the connection broke, or the run is cancelled.
    """
    for name, read in readings.items():
        for happening in read_optional(name, refused, read) or ():
            tell(happening)
