"""Plots as vector figures: implements the port `FigureRenderer`."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, QThread, Signal, Slot

from app.charts.application import ensure_application
from app.charts.drawing import as_svg, laid_out
from app.charts.fonts import register_fonts
from app.charts.site_figure import site_svg
from app.charts.theme import LIGHT, Theme
from app.domain.plot import Figure, SiteFigure


class PyqtgraphRenderer:
    """Draws plots without showing them, on the GUI thread, one for each turn of its event loop.

    Notes:
        Thread: any, once an application exists; another thread than the GUI's waits for it.
    """

    def __init__(self, theme: Theme = LIGHT) -> None:
        self._theme = theme
        self._application = ensure_application()
        register_fonts()
        self._draftsman = _Draftsman(theme)
        self._draftsman.moveToThread(self._application.thread())

    def render_svg(self, plots: Sequence[Figure]) -> tuple[bytes, ...]:
        """Return one SVG document for each plot, text as text.

        Raises:
            ValueError: a plot that cannot be drawn, named by its id.
        """
        if QThread.currentThread() is self._application.thread():
            return tuple(self._render_here(plot) for plot in plots)
        return tuple(self._render_there(plot) for plot in plots)

    def _render_here(self, plot: Figure) -> bytes:
        figure = render_figure(plot, self._theme)
        self._application.processEvents()
        return figure

    def _render_there(self, plot: Figure) -> bytes:
        order = _Order(plot)
        self._draftsman.figure_requested.emit(order)
        if order.problem is not None:
            raise order.problem
        return order.figure


class _Order:
    """One figure to be drawn on the GUI thread, and its result."""

    def __init__(self, plot: Figure) -> None:
        self.plot = plot
        self.figure = b""
        self.problem: Exception | None = None


class _Draftsman(QObject):
    """Lives on the GUI thread and draws for other threads, while they wait.

    Signals:
        figure_requested(_Order): from any other thread; returns when the figure is drawn.
    """

    figure_requested = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.figure_requested.connect(self._on_figure_requested, Qt.ConnectionType.BlockingQueuedConnection)

    @Slot(object)
    def _on_figure_requested(self, order: _Order) -> None:
        try:
            order.figure = render_figure(order.plot, self._theme)
        except Exception as problem:  # noqa: BLE001 # handed to the thread that waits, which raises it
            order.problem = problem


def render_figure(plot: Figure, theme: Theme) -> bytes:
    """Draw one plot as an SVG document and leave no widget behind.

    Raises:
        ValueError: the plot cannot be drawn; the sentence names its id.

    Notes:
        Thread: the GUI thread only.
    """
    if isinstance(plot, SiteFigure):
        return site_svg(plot, theme)
    try:
        with laid_out(plot, theme) as (_view, item):
            return as_svg(item)
    except ValueError as problem:
        raise ValueError(f'plot "{plot.plot_id}": {problem}') from problem
