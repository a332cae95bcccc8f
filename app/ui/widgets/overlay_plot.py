"""A plot specification shown in a page, drawn again when the colours of the window change."""

import pyqtgraph as pg
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from app.charts.plot_item import build_plot_item
from app.domain.plot import PlotSpec
from app.foundation.texts import _
from app.ui.theme import plot_theme


class OverlayPlot(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph ships no types
    """Shows one plot, or nothing; the mouse pans and zooms."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, background=None)
        self.setObjectName(name)
        self._spec: PlotSpec | None = None
        self.show_plot(None)

    def show_plot(self, spec: PlotSpec | None) -> None:
        """Show another plot, None for nothing."""
        self._spec = spec
        self.setAccessibleName(_("No plot") if spec is None else spec.title)
        self.setAccessibleDescription("" if spec is None else spec.alt)
        self.setBackground(plot_theme().background)
        self.setCentralItem(pg.GraphicsWidget() if spec is None else build_plot_item(spec, plot_theme()))

    def changeEvent(self, event: QEvent) -> None:
        """Draw in the new colours (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_spec"):
            self.show_plot(self._spec)
