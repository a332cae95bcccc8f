"""Quick ways through the window: a place by its name (Ctrl+K), and files dropped onto it."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QDropEvent
from PySide6.QtWidgets import QMainWindow

from app.domain.errors import ReplituneError
from app.flows.shell.wizard import Wizard
from app.services.hand_over.past_sessions import RunKey
from app.ui.desk import Desk

if TYPE_CHECKING:  # loads the rules, which the first page does without
    from app.flows.palette_view import Place


class QuickWays(QObject):
    """Shows the palette, and says where to go.

    Args:
        wizard: returns where the wizard stands.

    Signals:
        node_chosen: key of a node of the site.
        run_chosen: path of a session file, and the RunKey in it.
        note_chosen: path of the file it is in.
        help_chosen: name of a page of the help.
        session_dropped, bundle_dropped, measurements_dropped: path of a file that was dropped onto the window.
    """

    node_chosen = Signal(str)
    run_chosen = Signal(str, object)
    note_chosen = Signal(str)
    help_chosen = Signal(str)
    session_dropped = Signal(str)
    bundle_dropped = Signal(str)
    measurements_dropped = Signal(str)

    def __init__(self, desk: Desk, window: QMainWindow, wizard: Callable[[], Wizard]) -> None:
        super().__init__(window)
        self.setObjectName("quick_ways")
        self._desk, self._window, self._wizard = desk, window, wizard
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take files that are dropped onto the window (Qt calls this)."""
        if isinstance(event, QDropEvent) and watched is self._window:  # entering and moving are of its kind, too
            path = _dropped(event.mimeData())
            if path is not None and not self._desk.is_running:
                event.acceptProposedAction()
                if event.type() == QEvent.Type.Drop:
                    self._take(path)
                return True
        return super().eventFilter(watched, event)

    def _take(self, path: str) -> None:
        from app.flows.hand_over.bundle_view import ENDING
        from app.flows.hand_over.engagement_view import SUFFIX

        ending = Path(path).suffix.lower()
        signals = {SUFFIX: self.session_dropped, ENDING: self.bundle_dropped}
        signals.get(ending, self.measurements_dropped).emit(path)

    @Slot()
    def show_palette(self) -> None:
        """Show every place there is; runs and notes come in as soon as they are read."""
        from app.flows.palette_view import file_places, help_places, site_places
        from app.ui.pages.palette_dialog import PaletteDialog

        wizard = self._wizard()
        places = [*self._pages().values(), *site_places(wizard.choices.discovery)]
        places += help_places(self._desk.program.parts.family_ids)
        dialog = PaletteDialog(places, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.place_chosen.connect(self._on_place_chosen)
        file = self._file_of(wizard)
        if file is not None:
            self._desk.tasks.query(dialog, partial(file_places, file), dialog.add_places, self._on_not_read)
        dialog.open()

    def _pages(self) -> "Mapping[str, Place]":
        """Return the entries of the menus that can be chosen now."""
        from app.flows.palette_view import Place, PlaceKind

        actions = self._window.findChildren(QAction)
        return {
            action.objectName(): Place(PlaceKind.PAGE, _plain(action.text()), action.objectName())
            for action in actions
            if action.objectName().startswith("action.") and action.isEnabled()
        }

    def _file_of(self, wizard: Wizard) -> Path | None:
        """Return the file of the session at hand, else the one opened last."""
        place = wizard.choices.as_found.place
        recent = [Path(path) for path in self._desk.preferences.recent_sessions]
        candidates = [*([] if place is None else [place.session_file]), *recent]
        return next((path for path in candidates if path.is_file()), None)

    def _on_not_read(self, error: BaseException) -> None:
        """A file that cannot be read has no places; opening it says why."""
        if not isinstance(error, ReplituneError):
            self._desk.trouble.emit(error)

    @Slot(object)
    def _on_place_chosen(self, place: "Place") -> None:
        from app.flows.palette_view import PlaceKind

        match place.kind:
            case PlaceKind.PAGE:
                action = self._window.findChild(QAction, place.key)
                if isinstance(action, QAction):
                    action.trigger()
            case PlaceKind.SITE | PlaceKind.PARAMETER:
                self.node_chosen.emit(place.key)
            case PlaceKind.RUN:
                self.run_chosen.emit(str(place.file), RunKey(*place.key.split(" ", 1)))
            case PlaceKind.NOTE:
                self.note_chosen.emit(str(place.file))
            case PlaceKind.HELP:
                self.help_chosen.emit(place.key)


def _dropped(given: QMimeData) -> str | None:
    """Return the file that is dragged, None where it is none."""
    paths = [url.toLocalFile() for url in given.urls() if url.isLocalFile()] if given.hasUrls() else []
    return paths[0] if paths else None


def _plain(text: str) -> str:
    """Return the text of an action without its mnemonic and the dots of a dialog."""
    return " ".join(text.replace("&", "").rstrip("…").split())
