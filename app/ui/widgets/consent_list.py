"""The servers a run touches, each to be agreed to by its own tick."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from app.flows.plan.preflight_view import ConsentLine
from app.ui.theme import GRID_PX
from app.ui.widgets.rich_text import PlainLabel


class ConsentList(QWidget):
    """Shows a check box for each server, with the changes there.

    Signals:
        servers_ticked: frozenset of the servers ticked, whenever one is ticked or unticked.
    """

    servers_ticked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preflight.consent")
        self._lines: tuple[ConsentLine, ...] = ()
        self._boxes: dict[str, QCheckBox] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID_PX // 2)
        self._widgets: list[QWidget] = []

    def show_lines(self, lines: tuple[ConsentLine, ...]) -> None:
        """Show other servers, or other ticks; boxes stay while servers and texts do, so that the keyboard does."""
        if [(one.server, one.consequence) for one in lines] != [(one.server, one.consequence) for one in self._lines]:
            self._build(lines)
        self._lines = lines
        for line in lines:
            self._boxes[line.server].setChecked(line.is_ticked)

    @property
    def boxes(self) -> tuple[QCheckBox, ...]:
        """The check boxes, in order."""
        return tuple(self._boxes.values())

    def _build(self, lines: tuple[ConsentLine, ...]) -> None:
        for widget in self._widgets:
            self._column.removeWidget(widget)
            widget.setParent(None)  # off the page now: nobody may tick what is deleted a moment later
            widget.deleteLater()
        self._widgets, self._boxes = [], {}
        for line in lines:
            box = QCheckBox(line.server)
            box.setObjectName(f"preflight.consent.{line.server.replace(' ', '_')}_check")
            box.setAccessibleName(f"{line.server}: {line.consequence}")
            box.clicked.connect(partial(self._on_clicked, line.server))
            text = PlainLabel(line.consequence)
            text.setWordWrap(True)
            text.setIndent(3 * GRID_PX)
            text.setForegroundRole(QPalette.ColorRole.PlaceholderText)
            for widget in (box, text):
                self._column.addWidget(widget)
                self._widgets.append(widget)
            self._boxes[line.server] = box

    def _on_clicked(self, _server: str, _checked: bool = False) -> None:
        self.servers_ticked.emit(frozenset(server for server, box in self._boxes.items() if box.isChecked()))
