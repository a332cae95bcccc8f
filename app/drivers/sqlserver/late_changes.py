"""Waiting until a server has ended every connection that changed something, and with it all that was sent over it.

Each such connection holds an application lock, which a server releases when it has ended it: so a lock that excludes
them is granted once nothing is left that could still be carried out. A login needs no right for it, where
`sys.dm_exec_sessions` shows it no other connection.
"""

from collections.abc import Callable
from typing import Final

from app.domain.errors import MayStillArrive
from app.drivers.sqlserver.session import Place, Session
from app.foundation.late_requests import LIMIT_S
from app.foundation.texts import _

TAKE_MARK: Final = "take_change_mark"
AWAIT: Final = "await_changes"
_SLICE_MS: Final = 5_000
_LOCK: Final = "Replitune changes"
# No session is killed from here: KILL takes a number, which the server gives to the next login once its session has
# ended, and nothing ties the two statements of "is it ours?" and "end it" together. An owner of the lock is ours.


class ServerWaits:
    """Waits for late requests at a server.

    Args:
        session: sends the statement that asks.
        end_changing: ends this program's own connections that changed something at a server.
    """

    def __init__(self, session: Session, end_changing: Callable[[str], None]) -> None:
        self._session: Final = session
        self._end_changing: Final = end_changing
        self._given_up: set[Place] = set()

    def __call__(self, place: Place) -> None:
        """Wait; raises MayStillArrive where the server has not ended one in time, and then does not wait again."""
        self._end_changing(place.server)
        left_ms = 0 if place in self._given_up else round(LIMIT_S * 1000)
        while True:
            wait_ms = min(_SLICE_MS, left_ms)
            if self._session.run(AWAIT, place, wait_ms=wait_ms)[0].whole("is_over"):
                self._given_up.discard(place)
                return
            left_ms -= wait_ms
            if left_ms <= 0:
                break
        self._given_up.add(place)
        raise MayStillArrive(
            _(
                "a change that was sent to {server} may still arrive: its connection was given up, and the server has "
                "not ended it; end this program, or have a DBA KILL there the session that sys.dm_tran_locks shows "
                'with the application lock "{lock}", and restore again'
            ).format(server=place.server, lock=_LOCK)
        )
