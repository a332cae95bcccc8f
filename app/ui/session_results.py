"""The result of each session of a client's file."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from app.services.explain.verdict_counts import Showed
from app.services.hand_over.engagement import Engagement
from app.ui.desk import Desk
from app.ui.one_by_one import OneByOne


class SessionResults(OneByOne[str]):
    """Knows the results of the sessions of one file, by their ids."""

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(desk, parent)
        self._engagement: Engagement | None = None

    def read(self, engagement: Engagement) -> None:
        """Read the results of a file's sessions, the newest first; earlier ones stay until then."""
        if self._engagement is None or self._engagement.path != engagement.path:
            self._showed = {}
        self._engagement = engagement
        self._read(one.session_id for one in engagement.sessions if one.runs or one.overview.imported_from)

    def _counting(self, key: str) -> Callable[[], Showed | None]:
        assert self._engagement is not None, "its sessions were asked for"
        return partial(self._desk.verdict_counter.showed, self._engagement.path, key)
