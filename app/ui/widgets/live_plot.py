"""One reading by time while a run goes on: a curve that is moved on, never built again, over bands of its trials."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPalette, QTransform
from PySide6.QtWidgets import QLabel, QStackedWidget, QStyleOptionGraphicsItem, QVBoxLayout, QWidget

from app.charts.axis import NumberAxis
from app.charts.plot_item import plot_font
from app.charts.theme import Theme
from app.domain.plot import Mark, PlotSpec, Series
from app.flows.run.live_series import Curve, TrialBand
from app.foundation.texts import _
from app.ui.theme import GRID_PX, plot_theme
from app.ui.widgets.plot_canvas import PlotCanvas

_TIME = _("Time measured, one trial after another (s)")
_BAND_ALPHA = 22  # of 255
_LABEL_GAP_PX = 4
_LABEL_OVERHANG = 4.0  # at most so many times as wide as its band, else it could be of any
_HEADROOM = 1.12  # of the highest reading: bands carry their labels above the curve


class LivePlot(QWidget):
    """Shows a curve and the trials it belongs to; `show_curve` is cheap enough for a timer."""

    def __init__(self, name: str, accessible_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(accessible_name)
        self._view = PlotCanvas(f"{name}.canvas", accessible_name, self)
        self._view.explain(has_mouse=False)
        self._view.take_from(self._as_shown, can_choose_axis=False)
        self._view.view_moved.connect(self._on_view_moved)
        self._view.reset_requested.connect(self.follow)
        self._follows = True
        self._drawn: tuple[Curve, tuple[TrialBand, ...], str] | None = None
        self._empty = QLabel(_("Readings appear when the first trial is measured."))
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._view)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self._build()

    def _build(self) -> None:
        theme = plot_theme()
        self._view.setBackground(theme.background)
        axes = {"bottom": NumberAxis("bottom", theme, False), "left": NumberAxis("left", theme, False)}
        for axis in axes.values():
            axis.setStyle(tickFont=plot_font(theme), tickLength=4, tickTextOffset=5, hideOverlappingLabels=False)
            axis.label.setFont(plot_font(theme))
        self._plot = pg.PlotItem(viewBox=pg.ViewBox(enableMenu=False), axisItems=axes)
        self._plot.hideButtons()
        self._plot.setMenuEnabled(False)
        self._plot.vb.setMouseEnabled(x=False, y=False)
        self._plot.showGrid(x=False, y=True, alpha=0.18)
        self._bands = _Bands(theme)
        self._curve = pg.PlotDataItem(pen=pg.mkPen(theme.accent, width=1.4))
        self._plot.addItem(self._bands, ignoreBounds=True)
        self._plot.addItem(self._curve)
        self._plot.setLabel("bottom", _TIME, color=theme.foreground)
        self._view.setCentralItem(self._plot)

    def show_curve(self, curve: Curve, bands: tuple[TrialBand, ...], label: str) -> None:
        """Show other points.

        Args:
            label: of the upright axis: the unit, as what it is stands above the plot.
        """
        self._drawn = (curve, bands, label)
        self._stack.setCurrentWidget(self._view if curve.x.size else self._empty)
        if not curve.x.size:
            return
        self._curve.setData(curve.x, curve.y, connect=curve.joined)
        self._bands.show_bands(bands)
        self._plot.setLabel("left", label, color=plot_theme().foreground)
        if self._follows:
            right = max(bands[-1].end_s if bands else 0.0, 1.0)
            top = float(np.max(curve.y)) * _HEADROOM
            self._plot.setRange(xRange=(0.0, right), yRange=(0.0, top or 1.0), padding=0)

    @Slot()
    def _on_view_moved(self) -> None:
        """What a person looks at closely stays where it is while the run goes on."""
        self._follows = False

    @Slot()
    def follow(self) -> None:
        """Show everything measured so far, from now on."""
        self._follows = True
        if self._drawn is not None:
            self.show_curve(*self._drawn)

    def _as_shown(self) -> PlotSpec | None:
        """Return what is drawn, as a plot that can be copied and saved."""
        if self._drawn is None or not self._drawn[0].x.size:
            return None
        curve, _bands, label = self._drawn
        line = Series(label, Mark.LINE, tuple(curve.x.tolist()), tuple(curve.y.tolist()), emphasised=True)
        title = self.accessibleName()
        return PlotSpec(self.objectName(), title, title, _TIME, label, (line,))

    @property
    def shown_points(self) -> int:
        """How many points the curve has."""
        return 0 if self._drawn is None else int(self._drawn[0].x.size)

    def sizeHint(self) -> QSize:
        """Return a comfortable size (Qt calls this)."""
        return QSize(60 * GRID_PX, 28 * GRID_PX)

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size it can be read at (Qt calls this)."""
        return QSize(30 * GRID_PX, 18 * GRID_PX)

    def changeEvent(self, event: QEvent) -> None:
        """Draw in the new colours (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._view.scene().removeItem(self._plot)
            self._view.centralWidget = None
            self._build()
            if self._drawn is not None:
                self.show_curve(*self._drawn)


class _Bands(pg.UIGraphicsItem):  # type: ignore[misc]  # pyqtgraph ships no types
    """Every second trial on a tinted band, each with its setting at the top where that is free."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._bands: tuple[TrialBand, ...] = ()
        self.setZValue(-10)

    def show_bands(self, bands: tuple[TrialBand, ...]) -> None:
        """Show other trials."""
        if bands != self._bands:
            self._bands = bands
            self.update()

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        """Draw the bands in pixels, so that their texts are not stretched (Qt calls this)."""
        to_device = QTransform(painter.worldTransform())
        area = to_device.mapRect(self.boundingRect())
        painter.save()
        painter.resetTransform()
        painter.setFont(plot_font(self._theme))
        tint = QColor(self._theme.foreground)
        tint.setAlpha(_BAND_ALPHA)
        metrics = painter.fontMetrics()
        free_from = area.left()
        for place, band in enumerate(self._bands):
            left = to_device.map(QPointF(band.start_s, 0.0)).x()
            right = to_device.map(QPointF(band.end_s, 0.0)).x()
            if place % 2:
                painter.fillRect(QRectF(left, area.top(), right - left, area.height()), tint)
            width = metrics.horizontalAdvance(band.label) + 2 * _LABEL_GAP_PX
            starts = (left + right - width) / 2
            if starts >= free_from and width < _LABEL_OVERHANG * (right - left) and starts + width <= area.right() + 1:
                free_from = starts + width
                painter.setPen(QColor(self._theme.muted))
                where = QRectF(starts, area.top() + _LABEL_GAP_PX, width, metrics.height())
                painter.drawText(where, int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop), band.label)
        painter.restore()
