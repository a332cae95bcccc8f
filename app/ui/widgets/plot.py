"""A plot on screen: the same specification the report draws, in the colours of the window."""

from dataclasses import dataclass, replace
from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from app.charts.legend import add_legend, legend_names
from app.charts.plot_item import draw_plot, plot_font, settle_axes
from app.domain.plot import PlotSpec
from app.flows.explain.plot_tools import with_upright_axis
from app.foundation.texts import _
from app.ui.stylesheet import ROLE
from app.ui.theme import GRID_PX, plot_theme
from app.ui.widgets.legend_line import LegendLine
from app.ui.widgets.plot_canvas import PlotCanvas
from app.ui.widgets.rich_text import PlainLabel

# Below these a legend in columns leaves the data no room.
_LOW_PX: Final = 32 * GRID_PX
_NARROW_PX: Final = 45 * GRID_PX

_LEAST_PX: Final = 12 * GRID_PX
_OTHER_PX: Final = 2 * GRID_PX  # of height: so much more or less may break the label of an axis elsewhere


@dataclass(frozen=True)
class _Ranges:
    """The ranges of the plot when it was built, to which a double click returns."""

    x: tuple[float, float]
    y: tuple[float, float]


class PlotView(QFrame):
    """Shows one plot, or a sentence where there is none; built when it is first seen.

    Signals:
        seen: the widget is painted for the first time with its present plot.
    """

    seen = Signal()

    def __init__(
        self, name: str, *, interactive: bool = True, is_card: bool = False, parent: QWidget | None = None
    ) -> None:
        """Make an empty view.

        Args:
            name: object name such as "findings.card_1.plot".
            interactive: the wheel zooms and the mouse drags; else the wheel scrolls the page. Keys do both always.
            is_card: it stands on a card of its own.
        """
        super().__init__(parent)
        self.setObjectName(name)
        if is_card:
            self.setProperty(ROLE, "card")
        self._interactive = interactive
        self._spec: PlotSpec | None = None
        self._ranges: _Ranges | None = None
        self._item: pg.PlotItem | None = None
        self._is_stale = False
        self._is_small = False
        self._built = QSize()
        self._is_log: bool | None = None  # what the person chose, None for what the plot itself says
        self._title = PlainLabel()
        self._title.setWordWrap(True)
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        self._empty = PlainLabel()
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._view = PlotCanvas(f"{name}.canvas", "", self)
        self._view.explain(has_mouse=interactive)
        self._view.take_from(self._as_shown, can_choose_axis=True)
        self._view.reset_requested.connect(self.reset_view)
        self._view.axis_chosen.connect(self._on_axis_chosen)
        self._view.painted.connect(self._on_canvas_painted)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._view)
        layout = QVBoxLayout(self)
        margin_px = GRID_PX if is_card else 0
        layout.setContentsMargins(margin_px, margin_px, margin_px, margin_px)
        layout.setSpacing(GRID_PX // 2)
        self._legend = LegendLine(f"{name}.legend")  # of a low plot
        self._legend.hide()
        self._heading = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._heading.setSpacing(GRID_PX // 2)
        self._heading.addWidget(self._title, 1)
        self._heading.addWidget(self._legend)
        layout.addLayout(self._heading)
        layout.addWidget(self._stack, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.seen.connect(self._build, Qt.ConnectionType.QueuedConnection)
        self.show_plot(None)

    @property
    def canvas(self) -> QWidget:
        """Return the widget that takes the keyboard."""
        return self._view

    @property
    def spec(self) -> PlotSpec | None:
        """The plot shown."""
        return self._spec

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of its series beside or below it; () where there is one, or it was not seen yet."""
        below = () if self.plot_item is None else legend_names(self.plot_item)
        return self._legend.names or below

    @property
    def plot_item(self) -> pg.PlotItem | None:
        """The present plot as drawn, None before it was seen."""
        return None if self._is_stale else self._item

    def show_plot(self, spec: PlotSpec | None, empty_text: str = "") -> None:
        """Show a plot, or a sentence where there is none."""
        self._empty.setText(empty_text)
        self.setAccessibleName(empty_text if spec is None else spec.title)
        self._view.setAccessibleName(_("Plot") if spec is None else spec.title)
        if spec == self._spec and (spec is None) == (self._stack.currentWidget() is self._empty):
            return
        self._spec = spec
        self._view.forget_cursor()
        self._title.setText("" if spec is None else spec.title)
        self._title.setVisible(spec is not None)
        self.setAccessibleDescription("" if spec is None else spec.alt)
        self._stack.setCurrentWidget(self._empty if spec is None else self._view)
        if spec is None:
            self._drop()
            self._legend.show_entries([], self.font())
        self._is_stale = spec is not None  # the old plot stays in sight until the new one is built
        self.update()

    def _drop(self) -> None:
        if self._item is not None:
            self._view.scene().removeItem(self._item)
            self._view.centralWidget = None
            self._item = None

    def _place_legend(self) -> None:
        """Put the names of a low plot beside its title where both have room on one line, else below it."""
        title_px = self._title.fontMetrics().horizontalAdvance(self._title.text())
        is_beside = title_px + 2 * GRID_PX + self._legend.sizeHint().width() <= self.width()
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._heading.setDirection(beside if is_beside else below)

    @Slot()
    def _on_canvas_painted(self) -> None:
        self._check_size()  # its legend takes another height, too
        # scrolled in from below only the canvas is seen, and nothing else of this widget is painted
        if self._is_stale:
            self.seen.emit()

    @Slot()
    def _build(self) -> None:
        if self._spec is None or not self._is_stale:
            return
        self._is_stale = False
        self._drop()
        self._built = self._view.size().expandedTo(QSize(_LEAST_PX, _LEAST_PX))
        theme = replace(plot_theme(), width_px=self._built.width(), height_px=self._built.height())
        self._is_small = _is_small(self._built)
        self._view.setBackground(theme.background)
        self._view.forget_cursor()
        item, keys = draw_plot(self._as_shown() or self._spec, theme)
        has_names = len(self._spec.series) > 1
        self._legend.show_entries(keys if has_names and self._is_small else [], plot_font(theme))
        if has_names and not self._is_small:
            add_legend(item, keys, theme, plot_font(theme))
        self._place_legend()
        # a million readings stay quick: only what is in view is drawn, peaks kept
        for curve in item.items:
            if isinstance(curve, pg.PlotDataItem):
                curve.setClipToView(True)
                curve.setDownsampling(auto=True, method="peak")
        item.vb.setMouseEnabled(x=self._interactive, y=self._interactive)
        self._view.setCentralItem(item)
        settle_axes(item)
        x_range, y_range = item.vb.viewRange()
        self._ranges = _Ranges(tuple(x_range), tuple(y_range))
        self._item = item

    def _as_shown(self) -> PlotSpec | None:
        """Return the plot with the upright axis the person chose."""
        if self._spec is None or self._is_log is None:
            return self._spec
        return with_upright_axis(self._spec, logarithmic=self._is_log)

    @Slot(bool)
    def _on_axis_chosen(self, is_log: bool) -> None:
        self._is_log = is_log
        self._is_stale = self._spec is not None
        self.update()

    @Slot()
    def reset_view(self) -> None:
        """Return to the first view."""
        if self._item is not None and self._ranges is not None:
            self._item.setRange(xRange=self._ranges.x, yRange=self._ranges.y, padding=0)

    def sizeHint(self) -> QSize:
        """Return a comfortable size (Qt calls this)."""
        return QSize(60 * GRID_PX, 32 * GRID_PX)

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size a plot can be read at (Qt calls this)."""
        return QSize(30 * GRID_PX, 20 * GRID_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw anew where the legend gets another form or an axis another label (Qt calls this)."""
        super().resizeEvent(event)
        self._place_legend()
        self._check_size()

    def _check_size(self) -> None:
        """Have a plot built anew that was built for another size of its canvas."""
        if self._item is None:
            return
        size = self._view.size()
        is_low = min(size.height(), self._built.height()) < _LOW_PX
        is_other = is_low and abs(size.height() - self._built.height()) > _OTHER_PX
        if is_other or _is_small(size) is not self._is_small:
            self._is_stale = True
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Have the plot built as soon as it is seen (Qt calls this)."""
        super().paintEvent(event)
        if self._is_stale:
            self.seen.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Draw in the new colours (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._is_stale = self._spec is not None
            self.update()


def _is_small(size: QSize) -> bool:
    return size.height() < _LOW_PX or size.width() < _NARROW_PX
