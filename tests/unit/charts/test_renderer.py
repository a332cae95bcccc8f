"""Figures: well-formed, text as text, every mark drawn, nothing left behind."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from app.charts.export import PictureKind, draw_picture
from app.charts.renderer import PyqtgraphRenderer
from app.charts.theme import LIGHT
from app.domain.plot import Mark, PlotSpec, Series
from app.foundation.paths import program_root
from tests.patience import PATIENCE_S
from tests.read_once import drawn_anew
from tests.unit.charts.sample import HIGH, LOW, X, Y, plot_of, series_of

_SVG = "{http://www.w3.org/2000/svg}"
_SHAPES = tuple(_SVG + name for name in ("path", "polyline", "rect", "circle", "ellipse", "polygon"))


@pytest.fixture(autouse=True)
def qt_messages() -> Iterator[list[str]]:
    """Fail a test that makes Qt complain."""
    messages: list[str] = []
    previous = qInstallMessageHandler(lambda kind, _where, text: _keep(messages, kind, text))
    yield messages
    qInstallMessageHandler(previous)
    assert messages == []


def _keep(messages: list[str], kind: QtMsgType, text: str | None) -> None:
    if kind is not QtMsgType.QtDebugMsg:
        messages.append(text or "")


@pytest.fixture(autouse=True)
def each_figure_is_drawn() -> Iterator[None]:
    """None is taken from a test before."""
    with drawn_anew():
        yield


@pytest.fixture(scope="module")
def renderer() -> PyqtgraphRenderer:
    """Return the renderer under test."""
    return PyqtgraphRenderer()


def _draw(renderer: PyqtgraphRenderer, plot: PlotSpec) -> ElementTree.Element:
    return ElementTree.fromstring(renderer.render_svg([plot])[0])


def _texts(root: ElementTree.Element) -> list[str]:
    return ["".join(element.itertext()).strip() for element in root.iter(f"{_SVG}text")]


def _colored(root: ElementTree.Element, color: str) -> int:
    """Count shapes painted in a colour."""
    groups = [
        g for g in root.iter(f"{_SVG}g") if color.lower() in (g.get("fill", "").lower(), g.get("stroke", "").lower())
    ]
    return sum(shape.tag in _SHAPES for group in groups for shape in group)


def test_axis_labels_and_ticks_are_text(renderer: PyqtgraphRenderer) -> None:
    """Labels with their units, tick texts and legend entries can be read, searched and spoken."""
    ticks = tuple((x, f"level {x:.0f}") for x in X)
    root = _draw(renderer, plot_of(series_of(Mark.POINTS), series_of(Mark.LINE, "Mean"), x_ticks=ticks))
    texts = _texts(root)
    assert {"Streams (connections)", "Run time (s)", "Trials", "Mean", "level 0", "level 3"} <= set(texts)


def test_text_is_set_in_the_shipped_font(renderer: PyqtgraphRenderer) -> None:
    """A figure names the font that ships with the program, so it looks the same everywhere."""
    root = _draw(renderer, plot_of(series_of(Mark.LINE)))
    families = {element.get("font-family", "") for element in root.iter(f"{_SVG}text")}
    assert families == {f"{LIGHT.font_family}, sans-serif"} or families == {LIGHT.font_family}


@pytest.mark.parametrize("mark", list(Mark))
def test_each_mark_draws_something(renderer: PyqtgraphRenderer, mark: Mark) -> None:
    """A series adds shapes in its colour to an empty plot, whatever its mark."""
    empty = _draw(renderer, plot_of(Series("Trials", mark, (), ())))
    drawn = _draw(renderer, plot_of(series_of(mark)))
    assert _colored(empty, LIGHT.series[0]) == 0
    assert _colored(drawn, LIGHT.series[0]) >= (len(X) if mark is Mark.BARS else 1)


def test_bars_stand_at_their_heights(renderer: PyqtgraphRenderer) -> None:
    """Four bars are drawn, each as high as its value above zero."""
    root = _draw(renderer, plot_of(series_of(Mark.BARS)))
    bars = [r for r in root.iter(f"{_SVG}rect") if float(r.get("height", "0").rstrip("%")) in Y]
    assert [float(bar.get("height", "0")) for bar in bars] == list(Y)


def test_bars_of_several_series_stand_side_by_side(renderer: PyqtgraphRenderer) -> None:
    """Two bar series at the same positions do not hide each other."""
    root = _draw(renderer, plot_of(series_of(Mark.BARS, "A"), series_of(Mark.BARS, "B")))
    bars = [r for r in root.iter(f"{_SVG}rect") if float(r.get("height", "0").rstrip("%")) in Y]
    edges = sorted((float(b.get("x", "0")), float(b.get("x", "0")) + float(b.get("width", "0"))) for b in bars)
    assert len(edges) == 8
    assert all(end <= start for (_low, end), (start, _high) in pairwise(edges))


def test_emphasised_series_has_the_accent_colour(renderer: PyqtgraphRenderer) -> None:
    """The recommended setting stands out in the accent colour, the others do not use it."""
    plain = _draw(renderer, plot_of(series_of(Mark.LINE)))
    strong = _draw(renderer, plot_of(series_of(Mark.LINE, emphasised=True)))
    assert _colored(plain, LIGHT.accent) == 0
    assert _colored(strong, LIGHT.accent) > 0


def test_single_series_needs_no_legend(renderer: PyqtgraphRenderer) -> None:
    """With one series the axis says what it is."""
    assert "Trials" not in _texts(_draw(renderer, plot_of(series_of(Mark.LINE))))


def test_reference_is_dashed_and_labelled(renderer: PyqtgraphRenderer) -> None:
    """The baseline is a dashed line that says what it is."""
    root = _draw(renderer, plot_of(series_of(Mark.LINE), reference_y=40.0, reference_label="baseline 40 s"))
    dashed = [g for g in root.iter(f"{_SVG}g") if g.get("stroke-dasharray") not in (None, "none")]
    assert dashed
    assert "baseline 40 s" in _texts(root)


def test_logarithmic_axes_are_labelled_with_plain_numbers(renderer: PyqtgraphRenderer) -> None:
    """Decades read 100, 1,000, 10,000, not exponents."""
    series = Series("Rate", Mark.LINE, (100.0, 1000.0, 10000.0), (1.0, 50.0, 900.0))
    texts = _texts(_draw(renderer, plot_of(series, log_x=True, log_y=True)))
    assert {"100", "1,000", "10,000", "1", "10"} <= set(texts)


def test_markup_in_labels_stays_text(renderer: PyqtgraphRenderer) -> None:
    """A label such as "<b>A & B</b>" is shown as it is."""
    root = _draw(renderer, plot_of(series_of(Mark.LINE, "<b>A & B</b>"), series_of(Mark.LINE, "x < y")))
    assert {"<b>A & B</b>", "x < y"} <= set(_texts(root))


def test_plot_without_data_is_an_empty_frame(renderer: PyqtgraphRenderer) -> None:
    """A plot whose series are empty, or that has none, is drawn as axes."""
    assert "Run time (s)" in _texts(_draw(renderer, plot_of()))
    assert "Run time (s)" in _texts(_draw(renderer, plot_of(Series("Trials", Mark.POINTS, (), ()))))


def test_a_single_point_is_drawn(renderer: PyqtgraphRenderer) -> None:
    """One point has no range of its own and is drawn all the same."""
    root = _draw(renderer, plot_of(Series("Trials", Mark.INTERVALS, (8.0,), (331.0,), (320.0,), (342.0,))))
    assert _colored(root, LIGHT.series[0]) > 0


@pytest.mark.parametrize(
    ("series", "options"),
    [
        (Series("A", Mark.LINE, (1.0, 2.0), (1.0,)), {}),
        (Series("A", Mark.LINE, (1.0,), (float("nan"),)), {}),
        (Series("A", Mark.LINE, (1.0,), (float("inf"),)), {}),
        (Series("A", Mark.LINE, (0.0,), (1.0,)), {"log_x": True}),
        (Series("A", Mark.INTERVALS, X, Y, LOW, HIGH[:2]), {}),
    ],
)
def test_data_that_cannot_be_drawn_is_refused(
    renderer: PyqtgraphRenderer, series: Series, options: dict[str, object]
) -> None:
    """Unequal lengths and numbers without a place on the axis are an error that names plot and series."""
    with pytest.raises(ValueError, match=r'plot "sample/plot": series "A"'):
        renderer.render_svg([plot_of(series, **options)])


def test_no_widget_is_left(renderer: PyqtgraphRenderer) -> None:
    """Drawing leaves no window or widget behind, not even after an error."""
    renderer.render_svg([plot_of(series_of(mark)) for mark in Mark])
    with pytest.raises(ValueError):
        renderer.render_svg([plot_of(Series("A", Mark.LINE, (1.0,), ()))])
    assert QApplication.topLevelWidgets() == []


def test_same_plot_gives_the_same_bytes(renderer: PyqtgraphRenderer) -> None:
    """A figure depends on its plot alone, not on what was drawn before."""
    plot = plot_of(series_of(Mark.BAND), series_of(Mark.POINTS, "Trials"))
    first, _other, again = renderer.render_svg([plot, plot_of(series_of(Mark.BARS)), plot])
    assert first == again


def test_the_font_of_the_application_changes_nothing(renderer: PyqtgraphRenderer) -> None:
    """What is drawn beside a window, for its report, is byte for byte what is drawn where there is none."""
    high = tuple(3.0 * y for y in Y)  # of three digits: the axis needs more room than it had, and moves the legend
    series = [Series(mark.value, mark, X, high, high, high) for mark in Mark]
    plots = [plot_of(*series[:count], reference_y=60.0) for count in range(1, len(series) + 1)]

    def draw() -> list[bytes]:
        return [*renderer.render_svg(plots), *(draw_picture(plot, PictureKind.SVG) for plot in plots)]

    drawn, font = draw(), QApplication.font()
    QApplication.setFont(QFont("Serif", 21, QFont.Weight.Bold, italic=True))
    try:
        assert draw() == drawn
    finally:
        QApplication.setFont(font)


def test_worker_thread_is_served_by_the_gui_thread(renderer: PyqtgraphRenderer) -> None:
    """A report made on another thread waits while the GUI thread draws; errors reach it, too."""
    loop = QEventLoop()

    def work() -> tuple[bytes, str]:
        try:
            figure = renderer.render_svg([plot_of(series_of(Mark.LINE))])[0]
            with pytest.raises(ValueError) as problem:
                renderer.render_svg([plot_of(Series("A", Mark.LINE, (1.0,), ()))])
            return figure, str(problem.value)
        finally:
            QCoreApplication.postEvent(loop, _quit_event())

    loop.customEvent = lambda _event: loop.quit()  # type: ignore[method-assign]  # a hook of the event loop
    with ThreadPoolExecutor(max_workers=1) as pool:
        result = pool.submit(work)
        loop.exec()
        figure, problem = result.result(timeout=PATIENCE_S)
    assert ElementTree.fromstring(figure).tag == f"{_SVG}svg"
    assert 'series "A"' in problem


def _quit_event() -> QEvent:
    return QEvent(QEvent.Type.User)


def test_first_figure_needs_no_screen() -> None:
    """In a fresh process without a display, and with a platform named that is not there, figures are drawn."""
    code = (
        "from app.charts.renderer import PyqtgraphRenderer\n"
        "from app.domain.plot import Mark, PlotSpec, Series\n"
        "plot = PlotSpec('a', 't', 'alt', 'x', 'y', (Series('s', Mark.LINE, (0.0, 1.0), (1.0, 2.0)),))\n"
        "print(len(PyqtgraphRenderer().render_svg([plot])[0]) > 1000)\n"
    )
    environment = {"PATH": "", "QT_QPA_PLATFORM": "xcb", "DISPLAY": ":77", "HOME": "/nonexistent"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=program_root(), env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.stdout.strip() == "True", done.stderr
