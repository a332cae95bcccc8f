"""Waiting until a database has ended every session that changed something, and with it all that was sent over it.

Each such session is marked before its first change (`run_mark.py`), so that `GV$SESSION` tells whether one is left that
is none of this program's own now.
"""

from contextlib import suppress
from typing import Final

from app.domain.errors import MayStillArrive, TargetError
from app.drivers.oracle.session import End, Rows, Session
from app.foundation.clock import Clock
from app.foundation.late_requests import LIMIT_S
from app.foundation.texts import _

CHANGING: Final = "changing_sessions"
_EVERY_S: Final = 1.0

_Identity = tuple[int, int, int, str]


class DatabaseWaits:
    """Waits for late requests at a database; Oracle has no limit for the row locks a change waits for.

    Args:
        session: sends the statement that asks, over the connection that changes something.
    """

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session: Final = session
        self._clock: Final = clock
        self._given_up: set[End] = set()

    def __call__(self, end: End) -> None:
        """Wait; raises MayStillArrive where one has not ended in time, and then does not wait again."""
        rounds = 1 if end in self._given_up else round(LIMIT_S / _EVERY_S)
        for number in range(rounds):
            if number:
                self._clock.sleep(_EVERY_S)
            others = self._others(end)
            if not others:
                self._given_up.discard(end)
                return
        self._given_up.add(end)
        ending = ", ".join(f"'{sid},{serial},@{instance}'" for instance, sid, serial, _logon in sorted(others))
        raise MayStillArrive(
            _(
                "a change that was sent to {server} may still arrive: its connection was given up, and the server has "
                "not ended it; end this program, or have a DBA kill its session {sessions} there, and restore again"
            ).format(server=self._session.server_of(end), sessions=ending)
        )

    def _others(self, end: End) -> set[_Identity]:
        """Return the marked sessions of a database that are none of this program's two connections."""
        rows = self._session.run(CHANGING, end)
        others = _identities(rows, is_own=False)
        if others:
            with suppress(TargetError):  # both ends may be one database
                others -= _identities(self._session.run(CHANGING, end.other), is_own=True)
        return others


def _identities(rows: Rows, *, is_own: bool) -> set[_Identity]:
    return {
        (row.whole("instance_number"), row.whole("session_number"), row.whole("serial_number"), row.text("logon_text"))
        for row in rows
        if bool(row.whole("is_own")) is is_own
    }
