"""The time of a server, asked with statements: the clock of a lab in a process of its own."""

import math
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final, TypeVar

from app.domain.errors import ConnectionLost, LoginFailed
from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import Statement
from app.drivers.sqlserver.session import Place, Session, Transport
from app.foundation.clock import Clock
from app.foundation.rows import Cell
from app.foundation.texts import _

# WAITFOR DELAY waits less than a day: MicrosoftDocs/sql-docs:docs/t-sql/language-elements/waitfor-transact-sql.md
_LONGEST_WAIT_MS: Final = 12 * 3600 * 1000

_T = TypeVar("_T")


class ServerClock:
    """The time at the server opened first; sleeping sends `lab_wait`, on which a lab's virtual time passes at once.

    Each reading is a round trip, unless a transport is watched: then the time is asked once after each statement that
    takes some, which is exact where time passes by statements alone. Where it passes by itself, as a lab shows that
    tells another time when it is asked twice, it is asked after each statement. A lab that went away has no time of its
    own any more: the last it told is read from then on, so that what ended with it can still be recorded.

    Args:
        session: sends the two statements; it needs a clock of its own for its records, such as SystemClock.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._place = Place(session.own_server, "master")
        self._is_watching = False
        self._first = self._ask()
        self._told = self._ask()
        self._passes_by_itself = self._told != self._first
        self._known: datetime | None = self._told

    def watch(self, transport: Transport) -> Transport:
        """Return the transport with this clock looking on; every statement but this clock's own must go through it."""
        self._is_watching = True
        return _WatchedTransport(transport, self)

    def look(self, statement: Statement, *, has_failed: bool) -> None:
        """Ask the server at the next reading, unless no time has passed since the last: a failed call may have
        waited."""
        if has_failed or self._passes_by_itself or statement.takes_time:
            self._known = None

    def now_utc(self) -> datetime:
        """Return the server's time of day, the last known where it went away or lets nobody in.

        Raises:
            TargetError: it refuses to tell.
        """
        if self._known is None or not self._is_watching:
            try:
                self._known = self._told = self._ask()
            except (ConnectionLost, LoginFailed):
                return self._told  # not kept as known: a lab that answers again is asked again
        return self._known

    def _ask(self) -> datetime:
        return self._session.run("server_time", self._place)[0].moment_utc("now_utc")

    def monotonic_s(self) -> float:
        """Return seconds of the server's time since this clock was made; raises TargetError as `now_utc` does."""
        return (self.now_utc() - self._first).total_seconds()

    def resolution_s(self) -> float:
        """Return 0: simulated time is exact."""
        return 0.0

    def sleep(self, seconds: float) -> None:
        """Let time pass, in whole milliseconds, never less than asked for.

        Raises:
            ConnectionLost: the server went away; how much of the time passed is unknown.
            TargetError: it refused to wait.
        """
        left_ms = math.ceil(round(seconds * 1000.0, 6))
        while left_ms > 0:
            step_ms = min(left_ms, _LONGEST_WAIT_MS)
            left_ms -= step_ms
            self._known = None
            try:
                rows = self._session.run("lab_wait", self._place, delay=wait_text(step_ms))
            except (ConnectionLost, LoginFailed) as error:
                raise ConnectionLost(_("the lab is gone; start it again, then restore"), error.server_error) from error
            self._known = self._told = rows[0].moment_utc("now_utc")


class _WatchedTransport:
    """Has the clock look at each statement, whether it succeeded or not."""

    def __init__(self, transport: Transport, clock: ServerClock) -> None:
        self.own_server = transport.own_server
        self._transport = transport
        self._clock = clock

    def send(self, statement: Statement, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Send a statement."""
        try:
            rows = self._transport.send(statement, place, parameters)
        except Exception:  # whatever it is, it goes on to the caller, and time may have passed until then
            self._clock.look(statement, has_failed=True)
            raise
        self._clock.look(statement, has_failed=False)
        return rows

    def close(self) -> None:
        """Close every connection."""
        self._transport.close()


def wait_text(wait_ms: int) -> str:
    """Return a wait (under a day) as WAITFOR takes it."""
    seconds, milliseconds = divmod(wait_ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}.{milliseconds:03}"


def ask_with_time(clock: Clock, ask: Callable[[], _T]) -> tuple[_T, datetime]:
    """Return a server's answer, and this computer's time (UTC) at the middle of the round trip.

    Half of the round trip is how far an offset between two clocks taken from it may be off at most.
    """
    began_utc, began_s = clock.now_utc(), clock.monotonic_s()
    answer = ask()
    return answer, began_utc + timedelta(seconds=(clock.monotonic_s() - began_s) / 2)
