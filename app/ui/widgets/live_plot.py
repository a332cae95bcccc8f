"""One reading by time while a run goes on: the mean of each trial over the band of its readings, one after another."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPalette, QPen, QTransform
from PySide6.QtWidgets import QStackedWidget, QStyleOptionGraphicsItem, QVBoxLayout, QWidget

from app.charts.axis import NumberAxis
from app.charts.plot_item import plot_font
from app.charts.theme import Theme
from app.domain.plot import Mark, PlotSpec, Series
from app.flows.run.live_series import Curve, TrialMean
from app.foundation.texts import _
from app.ui.theme import GRID_PX, plot_theme
from app.ui.widgets.plot_canvas import PlotCanvas
from app.ui.widgets.rich_text import PlainLabel

_TIME = _("Time measured, without the pauses between (min)")
_S_PER_MIN = 60.0
_BAND_ALPHA = 22  # of 255
_LABEL_GAP_PX = 4
_LABEL_OVERHANG = 4.0  # at most so many times as wide as its band, else it could be of any
_HEADROOM = 1.25  # of the highest reading: trials carry their labels above it
_SPREAD_ALPHA = 70  # of 255
_MEAN_PX = 2.5


class LivePlot(QWidget):
    """Shows the mean of each trial, and the readings of the present one; cheap enough for a timer.

    Signals:
        recoloured: the window has other colours. The plot is built anew once all widgets have them: an old plot takes
            its menus with it, which Qt, on its way from one widget to the next, would still go to.
    """

    recoloured = Signal()

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
        self._drawn: tuple[Curve, tuple[TrialMean, ...], str, tuple[float, ...]] | None = None
        self._empty = PlainLabel(_("Readings appear once something is measured."))
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
        self.recoloured.connect(self._build_anew, Qt.ConnectionType.QueuedConnection)

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
        self._trials = _Trials(theme)
        self._curve = pg.PlotDataItem(pen=pg.mkPen(theme.accent, width=1.0))
        self._plot.addItem(self._trials, ignoreBounds=True)
        self._plot.addItem(self._curve)
        self._plot.setLabel("bottom", _TIME, color=theme.foreground)
        self._view.setCentralItem(self._plot)

    def show_trials(
        self, curve: Curve, means: tuple[TrialMean, ...], label: str, stamps: tuple[float, ...] = ()
    ) -> None:
        """Show other trials.

        Args:
            curve: of all readings; those of the last trial are drawn over its band.
            label: of the upright axis: the unit, as what it is stands above the plot.
            stamps: when notes were written, seconds; each is marked with its number, which the log has, too.
        """
        self._drawn = (curve, means, label, stamps)
        self._stack.setCurrentWidget(self._view if means else self._empty)
        if not means:
            return
        present = curve.x > means[-1].band.start_s
        self._curve.setData(curve.x[present] / _S_PER_MIN, curve.y[present], connect=curve.joined[present])
        self._trials.show_means(means, stamps)
        self._plot.setLabel("left", label, color=plot_theme().foreground)
        if self._follows:
            right = max(means[-1].band.end_s, 1.0) / _S_PER_MIN
            highest = max(*(mean.high for mean in means), float(np.max(curve.y[present], initial=0.0)))
            self._plot.setRange(xRange=(0.0, right), yRange=(0.0, highest * _HEADROOM or 1.0), padding=0)

    @Slot()
    def _on_view_moved(self) -> None:
        """Keep the part a person looks at closely in place while the run goes on."""
        self._follows = False

    @Slot()
    def follow(self) -> None:
        """Show everything measured so far, from now on."""
        self._follows = True
        if self._drawn is not None:
            self.show_trials(*self._drawn)

    def _as_shown(self) -> PlotSpec | None:
        """Return the plot as drawn, so that it can be copied and saved."""
        if self._drawn is None or not self._drawn[1]:
            return None
        _curve, means, label, _stamps = self._drawn
        middles = tuple((one.band.start_s + one.band.end_s) / 2 / _S_PER_MIN for one in means)
        low, mean, high = zip(*((one.low, one.mean, one.high) for one in means), strict=True)
        told = Series(
            _("mean of each measurement, middle 80 %"), Mark.INTERVALS, middles, mean, low, high, emphasised=True
        )
        title = self.accessibleName()
        return PlotSpec(self.objectName(), title, title, _TIME, label, (told,))

    @property
    def shown_trials(self) -> int:
        """How many trials are drawn."""
        return 0 if self._drawn is None else len(self._drawn[1])

    @property
    def shown_stamps(self) -> int:
        """How many notes are marked."""
        return 0 if self._drawn is None else len(self._drawn[3])

    @property
    def shown_points(self) -> int:
        """Return the number of readings behind the drawing, at most as many as are kept."""
        return 0 if self._drawn is None else int(self._drawn[0].x.size)

    def sizeHint(self) -> QSize:
        """Return a comfortable size (Qt calls this)."""
        return QSize(60 * GRID_PX, 28 * GRID_PX)

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size it can be read at (Qt calls this)."""
        return QSize(30 * GRID_PX, 18 * GRID_PX)

    def changeEvent(self, event: QEvent) -> None:
        """Have it drawn in the new colours (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.recoloured.emit()

    @Slot()
    def _build_anew(self) -> None:
        self._view.scene().removeItem(self._plot)
        self._view.centralWidget = None
        self._build()
        if self._drawn is not None:
            self.show_trials(*self._drawn)


class _Trials(pg.UIGraphicsItem):  # type: ignore[misc]  # pyqtgraph ships no types
    """Every second block on a tinted band; in it each trial's mean over the band of its readings, with its setting."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._means: tuple[TrialMean, ...] = ()
        self._stamps: tuple[float, ...] = ()
        self._colors: dict[str, QColor] = {}
        self.setZValue(-10)

    def show_means(self, means: tuple[TrialMean, ...], stamps: tuple[float, ...]) -> None:
        """Show other trials, and the marks of notes."""
        if (means, stamps) != (self._means, self._stamps):
            self._means, self._stamps = means, stamps
            baseline, *others = self._theme.series
            for mean in means:
                if mean.band.label not in self._colors:
                    place = self._others + 1 if mean.band.place is None else mean.band.place
                    color = baseline if place == 0 else others[(place - 1) % len(others)]
                    self._colors[mean.band.label] = QColor(color)
            self.update()

    @property
    def _others(self) -> int:
        """How many settings have a colour, the baseline left out."""
        baseline = QColor(self._theme.series[0])
        return sum(color != baseline for color in self._colors.values())

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        """Draw in pixels, so that texts are not stretched (Qt calls this)."""
        to_device = QTransform(painter.worldTransform())
        area = to_device.mapRect(self.boundingRect())
        painter.save()
        painter.resetTransform()
        painter.setClipRect(area)
        painter.setFont(plot_font(self._theme))
        tint = QColor(self._theme.foreground)
        tint.setAlpha(_BAND_ALPHA)
        free_from = area.left()
        for one in self._means:
            top_left = to_device.map(QPointF(one.band.start_s / _S_PER_MIN, one.high))
            bottom_right = to_device.map(QPointF(one.band.end_s / _S_PER_MIN, one.low))
            spread = QRectF(top_left, bottom_right).normalized()
            if one.band.block % 2 == 0:
                painter.fillRect(QRectF(spread.left(), area.top(), spread.width(), area.height()), tint)
            self._draw_mean(painter, spread, to_device.map(QPointF(0.0, one.mean)).y(), self._colors[one.band.label])
            free_from = self._draw_label(painter, one.band.label, spread, area, free_from)
        self._draw_stamps(painter, to_device, area)
        painter.restore()

    def _draw_stamps(self, painter: QPainter, to_device: QTransform, area: QRectF) -> None:
        """Draw a line at each note, with its number at the foot."""
        metrics = painter.fontMetrics()
        for number, at_s in enumerate(self._stamps, 1):
            x = to_device.map(QPointF(at_s / _S_PER_MIN, 0.0)).x()
            text = str(number)
            flag = QRectF(x, area.bottom() - metrics.height(), metrics.horizontalAdvance(text) + 8, metrics.height())
            if flag.right() > area.right():
                flag.moveRight(x)
            painter.setPen(QPen(QColor(self._theme.accent), 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            painter.fillRect(flag, QColor(self._theme.accent))
            painter.setPen(QColor(self._theme.background))
            painter.drawText(flag, int(Qt.AlignmentFlag.AlignCenter), text)

    @staticmethod
    def _draw_mean(painter: QPainter, spread: QRectF, mean_y: float, color: QColor) -> None:
        pale = QColor(color)
        pale.setAlpha(_SPREAD_ALPHA)
        painter.fillRect(spread, pale)
        painter.fillRect(QRectF(spread.left(), mean_y - _MEAN_PX / 2, spread.width(), _MEAN_PX), color)

    def _draw_label(self, painter: QPainter, text: str, spread: QRectF, area: QRectF, free_from: float) -> float:
        """Write the setting above its band where that is free; return from where it is free to its right."""
        metrics = painter.fontMetrics()
        width = metrics.horizontalAdvance(text) + 2 * _LABEL_GAP_PX
        starts = spread.center().x() - width / 2
        if starts < free_from or width >= _LABEL_OVERHANG * spread.width() or starts + width > area.right() + 1:
            return free_from
        painter.setPen(QColor(self._theme.foreground))
        top = max(area.top(), spread.top() - metrics.height() - 1)
        painter.drawText(QRectF(starts, top, width, metrics.height()), int(Qt.AlignmentFlag.AlignHCenter), text)
        return starts + width
