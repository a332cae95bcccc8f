"""The site's history as plots, or the figures of a watch, in the room that a picture of its present leaves.

Nothing where that is too little.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.domain.plot import PlotSpec
from app.flows.system_views import Content, watched_page
from app.ui.desk import Desk
from app.ui.theme import GRID_PX
from app.ui.widgets.look_page import LookPage
from app.ui.widgets.plot import PlotView

_LEAST_PX: Final = 24 * GRID_PX
_LEAST_WATCHED_WIDE_PX: Final = 90 * GRID_PX
_LEAST_WATCHED_PX: Final = 22 * GRID_PX
_EACH_PX: Final = 70 * GRID_PX
_MOST_PLOTS: Final = 2


class HistoryStrip(QWidget):
    """Asks for no room; shows one plot in the spare room, or two beside each other where it is wide.

    A site that keeps no history, or a short one, is shown as it was seen.
    """

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("site.history_strip")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        names = [f"site.history_plot_{place}" for place in range(_MOST_PLOTS)]
        self._plots = [PlotView(name, interactive=False, is_card=True, parent=self) for name in names]
        self._watched = LookPage(desk, watched_page(""), "site")
        self._specs: tuple[PlotSpec, ...] = ()
        self._is_watched = False
        self._inside = QWidget(self)
        row = QHBoxLayout(self._inside)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID_PX)
        for plot in self._plots:
            row.addWidget(plot)
        row.addWidget(self._watched)
        self._watched.column.setContentsMargins(0, 0, 0, 0)
        self._watched.wrap_texts()
        self._arrange()

    @property
    def editors(self) -> tuple[QWidget, ...]:
        """Return the widgets that take the keyboard, in order."""
        return (*(plot.canvas for plot in self._plots), *self._watched.editors)

    def show_seen(self, specs: Sequence[PlotSpec], watched: Mapping[str, Content]) -> None:
        """Show other plots, the first where there is room for one; without any, the figures of a watch."""
        self._specs = tuple(specs[:_MOST_PLOTS])
        self._is_watched = bool(watched) and not specs
        self._watched.show_content(watched)
        for plot, spec in zip(self._plots, self._specs, strict=False):
            plot.show_plot(spec)
        self._arrange()

    def _arrange(self) -> None:
        fitting = max(1, self.width() // _EACH_PX)
        for place, plot in enumerate(self._plots):
            plot.setVisible(place < min(len(self._specs), fitting))
        self._inside.setGeometry(self.rect())
        self._watched.setVisible(self._is_watched)
        has_room = self.height() >= _LEAST_PX
        if self._is_watched:  # no table of it scrolls sideways
            wide_px = max(_LEAST_WATCHED_WIDE_PX, self._watched.least_width_px)
            high_px = max(_LEAST_WATCHED_PX, self._watched.minimumSizeHint().height())
            has_room = self.height() >= high_px and self.width() >= wide_px
        self._inside.setVisible((bool(self._specs) or self._is_watched) and has_room)

    def sizeHint(self) -> QSize:
        """Return no size: it takes the spare room (Qt calls this)."""
        return QSize(0, 0)

    def minimumSizeHint(self) -> QSize:
        """Return no size (Qt calls this)."""
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many plots as there is room for (Qt calls this)."""
        super().resizeEvent(event)
        self._arrange()
