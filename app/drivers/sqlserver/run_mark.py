"""The mark of an experiment at each server it changes: an application lock of a connection that stays."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from app.domain.errors import ServerBusy, TargetError
from app.drivers.sqlserver.session import Place, Session
from app.foundation.texts import _

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class MarkPlace(Place):
    """Where a mark is held: equal to no other place, so that it has a connection of its own."""


class RunMarks:
    """Marks each server before it is changed, as long as an experiment is held.

    The server drops a mark with its connection, however that ends. A connection of the same owner that was abandoned
    and that the server still takes for alive holds it for its owner: that is no reason to wait.

    Args:
        session: sends the statements of the marks.
        losses: counts how often connections were given up; marks taken before the last time are taken again.
    """

    def __init__(self, session: Session, losses: Callable[[], int]) -> None:
        self._session: Final = session
        self._losses: Final = losses
        self._owner = ""
        self._marked: dict[str, int] = {}
        self._once_marked: set[str] = set()
        self._turn = threading.RLock()

    @contextmanager
    def held(self, owner: str) -> Iterator[None]:
        """Hold an experiment: its own server is marked now, any other before its first change.

        Args:
            owner: whose experiment it is; connections of one owner do not keep each other out.

        Raises:
            ServerBusy: somebody else's experiment changes the server.
            TargetError: the mark could not be asked for.
        """
        self._owner = owner
        try:
            self.need(self._session.own_server)
            yield
        finally:
            self._release()

    def need(self, server: str) -> None:
        """See to it that a server is marked, where an experiment is held; raises as `held` does."""
        with self._turn:
            losses = self._losses()
            if not self._owner or self._marked.get(server) == losses:
                return
            try:
                row = self._session.run("take_run_mark", MarkPlace(server, "master"), owner=self._owner)[0]
            except TargetError as error:
                if server not in self._once_marked:
                    raise
                _log.warning("%s: the mark could not be taken again: %s", server, error)  # what is undone goes first
                return
            if not row.whole("is_held") and not row.whole("is_own"):
                raise ServerBusy(
                    _(
                        "{server}: another computer or window of Replitune is changing this server right now and "
                        "undoes its changes itself; wait until it ends, or cancel it there"
                    ).format(server=server)
                )
            self._once_marked.add(server)
            if row.whole("is_held"):  # else it is asked for again before the next change
                self._marked[server] = losses

    def _release(self) -> None:
        with self._turn:
            owner, servers = self._owner, tuple(self._marked)
            self._owner = ""
            self._marked.clear()
            self._once_marked.clear()
            for server in servers:
                try:
                    self._session.run("release_run_mark", MarkPlace(server, "master"), owner=owner)
                except TargetError as error:
                    _log.info("%s: the mark goes with its connection: %s", server, error)
