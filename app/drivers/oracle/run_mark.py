"""The mark of an experiment at each database it changes: the entry of its control connection in V$SESSION.

Every login may say that (`DBMS_APPLICATION_INFO` is open to all), where a lock of `DBMS_LOCK` takes a grant of its own.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from app.domain.errors import ServerBusy, TargetError
from app.drivers.oracle.session import End, Session
from app.foundation.clock import Clock
from app.foundation.texts import _

_log = logging.getLogger(__name__)

_ATTEMPTS: Final = 5
_PAUSE_S: Final = 0.1


class RunMarks:
    """Marks both databases as long as an experiment is held.

    A mark goes with its connection, so it is set again before each change. A connection of the same owner that was
    abandoned and that the database still takes for alive keeps nobody out.

    Args:
        session: sends the statements of the marks.
        clock: waits for somebody who only looks whether a database is free, and marks it for a moment.
    """

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session: Final = session
        self._clock: Final = clock
        self._owner = ""
        self._once_marked: set[End] = set()
        self._turn = threading.RLock()

    @contextmanager
    def held(self, owner: str) -> Iterator[None]:
        """Hold an experiment.

        Args:
            owner: whose experiment it is; connections of one owner do not keep each other out.

        Raises:
            ServerBusy: somebody else's experiment changes one of the databases.
            TargetError: the mark could not be asked for.
        """
        self._owner = owner
        try:
            for end in End:
                self.need(end)
            yield
        finally:
            self._release()

    def need(self, end: End) -> None:
        """See to it that a database is marked, where an experiment is held; raises as `held` does."""
        with self._turn:
            if not self._owner:
                return
            try:
                is_marked = self._is_marked(end)
            except TargetError as error:
                if end not in self._once_marked:
                    raise
                # what is undone goes first
                _log.warning("%s: the mark could not be taken again: %s", self._session.server_of(end), error)
                return
            if not is_marked:
                raise ServerBusy(
                    _(
                        "{server}: another computer or window of Replitune is changing this server right now and "
                        "undoes its changes itself; wait until it ends, or cancel it there"
                    ).format(server=self._session.server_of(end))
                )
            self._once_marked.add(end)

    def _is_marked(self, end: End) -> bool:
        for attempt in range(_ATTEMPTS):
            if attempt:
                self._clock.sleep(_PAUSE_S)
            if self._session.run("take_run_mark", end, owner=self._owner)[0].whole("others") == 0:
                return True
        return False

    def _release(self) -> None:
        with self._turn:
            ends = tuple(self._once_marked)
            self._owner = ""
            self._once_marked.clear()
            for end in ends:
                try:
                    self._session.run("release_run_mark", end)
                except TargetError as error:
                    _log.info("%s: the mark goes with its connection: %s", self._session.server_of(end), error)
