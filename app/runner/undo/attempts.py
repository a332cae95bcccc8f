"""Trying an undo: again where a server may refuse in passing, once only while it does not answer at all."""

import logging
from collections.abc import Callable
from contextlib import suppress

from app.domain.errors import (
    ChangedByOthers,
    ConnectionLost,
    Gone,
    MayStillArrive,
    NotDoneByHand,
    ProcessDidNotRespond,
    StatementTimeout,
    TargetError,
    VerificationFailed,
)
from app.foundation.clock import Clock
from app.foundation.texts import _

_log = logging.getLogger(__name__)

# A lost connection is back within seconds or not at all; three tries bridge a restart of the network.
UNDO_ATTEMPTS = 3
UNDO_RETRY_PAUSE_S = 5.0


class Attempts:
    """Tries what a restore does.

    Attributes:
        is_gone: what the last action was about is no longer there.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._tries = UNDO_ATTEMPTS
        self.is_gone = False

    def attempt(self, action: Callable[[], None]) -> str:
        """Try an action; return "" or why it failed, a mistake of the program included; raises ChangedByOthers."""
        try:
            return self._attempt(action)
        except ChangedByOthers:
            raise
        except Exception as error:  # noqa: BLE001  # the rest must still be put back; this one stays open
            _log.exception("a mistake of the program while putting back")
            return _("an unexpected error ({error}); restore again, or use rollback.sql").format(error=error)

    def _pause(self) -> None:
        with suppress(TargetError):  # a server's clock that cannot be asked is no reason to try no further
            self._clock.sleep(UNDO_RETRY_PAUSE_S)

    def _attempt(self, action: Callable[[], None]) -> str:
        problem, is_silent = "", False
        self.is_gone = False
        for number in range(self._tries):
            try:
                if number:
                    self._pause()
                action()
            except ChangedByOthers:
                raise  # no further try changes that
            except (VerificationFailed, ProcessDidNotRespond, NotDoneByHand, MayStillArrive) as error:
                return str(error)  # it was waited for, and a second try could hide what the first one saw
            except TargetError as error:
                problem, is_silent = str(error), isinstance(error, ConnectionLost | StatementTimeout)
                self.is_gone = isinstance(error, Gone)
                _log.info("undo attempt %d failed: %s", number + 1, problem)
            else:
                self._tries = UNDO_ATTEMPTS
                return ""
        if is_silent:
            self._tries = 1
        return problem
