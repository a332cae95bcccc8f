"""Keeps the list of sessions opened last among the preferences."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from app.domain.events import RunEvent, RunStarted
from app.services.preferences import remember_session
from app.ui.desk import Desk


class RecentSessions(QObject):
    """Adds every session that is opened or begun; removes those the person does not want to see."""

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        desk.bridge.events_delivered.connect(self._on_events_delivered)

    def remember(self, session_file: Path) -> None:
        """Put a session on top of the list."""
        self._desk.prefer(remember_session(self._desk.preferences, session_file))

    def forget(self, path: str) -> None:
        """Take a session off the list; its file is not touched."""
        kept = tuple(recent for recent in self._desk.preferences.recent_sessions if recent != path)
        self._desk.prefer(replace(self._desk.preferences, recent_sessions=kept))

    @Slot(object)
    def _on_events_delivered(self, events: tuple[RunEvent, ...]) -> None:
        # the session file is there once the run has begun: on the list from then on, also if the program dies
        if self._desk.job is not None and any(isinstance(event, RunStarted) for event in events):
            self.remember(self._desk.job.place.session_file)
