"""The time of a lab in a process of its own, asked with statements."""

import contextlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from app.domain.errors import ConnectionLost, LoginFailed
from app.domain.statement import Access
from app.drivers.oracle.catalogue import Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.session import End, Session, Transport
from app.foundation.rows import Cell
from app.foundation.texts import _

WAIT_STATEMENT: Final = "lab_wait"


class ServedLabClock:
    """The time at a served lab; sleeping sends `lab_wait`, on which the lab's time passes at once.

    The time is asked once after each statement of the transport it looks on that changes something, which is exact
    where time passes by statements alone. Where it passes by itself, as a lab shows that tells another time when it is
    asked twice, it is asked after each statement. A lab that went away has no time of its own any more: the last it
    told is read from then on, so that what ended with it can still be recorded.

    Args:
        session: sends the two statements; it needs a clock of its own for its records, such as SystemClock.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._first_utc = session.run("server_time", End.SOURCE)[0].moment_utc("now_utc")
        self._first_s = self._pass(0.0)
        self._told_s = self._pass(0.0)
        self._passes_by_itself = self._told_s != self._first_s
        self._is_asked = True

    def watch(self, transport: Transport) -> Transport:
        """Return the transport with this clock looking on; every statement but this clock's own must go through it."""
        return _WatchedTransport(transport, self)

    def look(self, statement: Statement, *, has_failed: bool) -> None:
        """Ask the lab at the next reading, unless no time has passed since the last: a failed call may have waited."""
        if has_failed or self._passes_by_itself or statement.access is Access.CHANGE:
            self._is_asked = False

    def now_utc(self) -> datetime:
        """Return the lab's time of day; raises TargetError where it refuses."""
        return self._first_utc + timedelta(seconds=self.monotonic_s())

    def monotonic_s(self) -> float:
        """Return seconds of the lab's time since this clock was made; raises TargetError where it refuses."""
        if not self._is_asked:
            # not kept as asked: a lab that answers again is asked again
            with contextlib.suppress(ConnectionLost, LoginFailed):
                self._told_s, self._is_asked = self._pass(0.0), True
        return self._told_s - self._first_s

    def resolution_s(self) -> float:
        """Return 0: simulated time is exact."""
        return 0.0

    def sleep(self, seconds: float) -> None:
        """Let time pass.

        Raises:
            ConnectionLost: the lab went away; how much of the time passed is unknown.
            TargetError: it refused to wait.
        """
        self._is_asked = False
        try:
            self._told_s, self._is_asked = self._pass(seconds), True
        except (ConnectionLost, LoginFailed) as error:
            raise ConnectionLost(_("the lab is gone; start it again, then restore"), error.server_error) from error

    def _pass(self, seconds: float) -> float:
        return self._session.run(WAIT_STATEMENT, End.SOURCE, seconds=seconds)[0].number("now_s")


class _WatchedTransport:
    """Has the clock look at each statement, whether it succeeded or not."""

    def __init__(self, transport: Transport, clock: ServedLabClock) -> None:
        self._transport = transport
        self._clock = clock

    def server_of(self, end: End) -> str:
        """Return how a person writes a database."""
        return self._transport.server_of(end)

    def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Send a statement."""
        try:
            rows = self._transport.send(statement, end, binds)
        except Exception:  # whatever it is, it goes on to the caller, and time may have passed until then
            self._clock.look(statement, has_failed=True)
            raise
        self._clock.look(statement, has_failed=False)
        return rows

    def cancel(self) -> None:
        """Cancel whatever statements run now."""
        self._transport.cancel()

    def close(self) -> None:
        """Close every connection."""
        self._transport.close()
