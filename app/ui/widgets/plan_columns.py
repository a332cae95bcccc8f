"""Form and outlook of a plan beside each other, each scrolling by itself, or below each other in a narrow window."""

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.ui.theme import GRID_PX
from app.ui.widgets.plan_form_pane import PlanFormPane
from app.ui.widgets.plan_outlook_pane import PlanOutlookPane
from app.ui.widgets.tall_area import TallArea

_GAP_PX = 2 * GRID_PX
_EASY_PX = 6 * GRID_PX  # more of width than the outlook needs: fewer of its lines are broken
_MOST_SPARE_PX = 10 * GRID_PX  # that the form takes beyond what it needs; the outlook has use for more


class PlanColumns(QWidget):
    """Holds both columns.

    Signals:
        font_changed: text has another size; the fields are told of it next.
    """

    font_changed = Signal()

    def __init__(self, form: PlanFormPane, outlook: PlanOutlookPane, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form, self._outlook = form, outlook
        self._area = TallArea("plan.outlook_area")
        self._area.setWidget(outlook)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(_GAP_PX)
        self._box.addWidget(form)
        self._box.addWidget(self._area, 1)
        self.font_changed.connect(self.arrange, Qt.ConnectionType.QueuedConnection)

    @Slot()
    def arrange(self) -> None:
        """Put the columns beside each other where both fit, with labels wrapped if need be."""
        room_px = self.width()
        usual, wrapped = self._form.width_px(narrow=False), self._form.width_px(narrow=True)
        needed = (self._outlook.wanted_width_px, self._outlook.least_width_px)
        # in whole steps: what is told changes as somebody types, and moves nothing by a pixel or two
        wanted, least = (-(-px // GRID_PX) * GRID_PX + GRID_PX for px in needed)
        easy = wanted + _EASY_PX
        ways = [(form_px, other) for other in (easy, wanted, least) for form_px in (usual, wrapped)]
        form_px = next((form for form, other in ways if form + _GAP_PX + other <= room_px), None)
        is_beside = form_px is not None
        self._form.make_narrow(narrow=(form_px or room_px) < usual)
        for area in (self._form, self._area):
            area.show_whole(whole=not is_beside)
        if form_px is None:
            self._form.setMaximumWidth(room_px)
            self._form.setMinimumWidth(0)
            self._box.setDirection(QBoxLayout.Direction.TopToBottom)
        else:
            spare_px = room_px - form_px - _GAP_PX - easy
            self._form.setFixedWidth(form_px + max(0, min(spare_px // 3, _MOST_SPARE_PX)))
            self._box.setDirection(QBoxLayout.Direction.LeftToRight)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the columns for the new width (Qt calls this)."""
        super().resizeEvent(event)
        self.arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Arrange the columns for the new size of text (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.font_changed.emit()
