"""The pages of the report, looked at one by one before it is written."""

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QImage, QKeyEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QScrollArea, QVBoxLayout, QWidget

from app.flows.hand_over.hand_over_view import page_text
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine


class ReportPreview(QWidget):
    """Shows one page as wide as there is room; Page Up and Page Down turn pages."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("hand_over.preview")
        self._pages: tuple[bytes, ...] = ()
        self._page = 0
        self._image = QImage()
        self._status = StatusLine("hand_over.preview_status")
        self._busy = QProgressBar()
        self._busy.setObjectName("hand_over.preview_busy")
        self._busy.setAccessibleName(_("Preparing the preview"))
        self._busy.setRange(0, 0)
        self._busy.setTextVisible(False)
        self._busy.setFixedHeight(GRID_PX)
        self._sheet = PlainLabel()
        self._sheet.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._area = QScrollArea()
        self._area.setObjectName("hand_over.preview_area")
        self._area.setAccessibleName(_("Preview of the report"))
        self._area.setFrameShape(QFrame.Shape.StyledPanel)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._area.setWidgetResizable(True)
        self._area.setWidget(self._sheet)
        self._area.viewport().installEventFilter(self)
        self._area.installEventFilter(self)
        self._before = push_button("hand_over.page_before_button", _("Previo&us page"))
        self._next = push_button("hand_over.page_next_button", _("Ne&xt page"))
        self._which = PlainLabel()
        self._which.setObjectName("hand_over.page_label")
        self._lay_out()
        self._before.clicked.connect(self.turn_back)
        self._next.clicked.connect(self.turn_on)
        self._show_page(0)
        self.show_busy(is_busy=False)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(GRID_PX)
        row.addWidget(self._status, 1)
        row.addWidget(self._which)
        row.addWidget(self._before)
        row.addWidget(self._next)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX // 2)
        layout.addLayout(row)
        layout.addWidget(self._busy)
        layout.addWidget(self._area, 1)

    @property
    def page_count(self) -> int:
        """How many pages there are."""
        return len(self._pages)

    def show_pages(self, pages: tuple[bytes, ...]) -> None:
        """Show other pages, PNG pictures; the place in the report stays."""
        self._pages = pages
        self._status.show_status("", Tone.MUTED)
        self._show_page(min(self._page, max(0, len(pages) - 1)))

    def show_problem(self, text: str) -> None:
        """Say why there is no preview; the last one stays in sight."""
        self._status.show_status(text, Tone.BAD)

    def show_busy(self, *, is_busy: bool) -> None:
        """Show that another preview is being made; its place is kept so that nothing jumps."""
        policy = self._busy.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._busy.setSizePolicy(policy)
        self._busy.setVisible(is_busy)

    @Slot()
    def turn_back(self) -> None:
        """Show the page before."""
        self._show_page(max(0, self._page - 1))

    @Slot()
    def turn_on(self) -> None:
        """Show the next page."""
        self._show_page(min(len(self._pages) - 1, self._page + 1))

    def _show_page(self, page: int) -> None:
        is_other = page != self._page
        self._page = page
        self._image = QImage()
        if self._pages:
            self._image.loadFromData(self._pages[page])
        self._which.setText(page_text(page, len(self._pages)))
        self._sheet.setAccessibleName(self._which.text())
        self._before.setEnabled(page > 0)
        self._next.setEnabled(page + 1 < len(self._pages))
        self._fit()
        if is_other:
            self._area.verticalScrollBar().setValue(0)

    def _fit(self) -> None:
        """Show the page as wide as the room, sharp on fine screens."""
        if self._image.isNull():
            self._sheet.clear()
            return
        ratio = self.devicePixelRatioF()
        width = min(round(self._area.viewport().width() * ratio), self._image.width())
        fitted = QPixmap.fromImage(self._image.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation))
        fitted.setDevicePixelRatio(ratio)
        self._sheet.setPixmap(fitted)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the page to its room, and turn pages by keyboard (Qt calls this)."""
        if watched is self._area.viewport() and isinstance(event, QResizeEvent):
            self._fit()
        if watched is self._area and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            turn = {Qt.Key.Key_PageUp: self.turn_back, Qt.Key.Key_PageDown: self.turn_on}.get(Qt.Key(event.key()))
            if turn is not None and self._pages:
                turn()
                return True
        return super().eventFilter(watched, event)
