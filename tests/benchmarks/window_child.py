"""The window in a process of its own, doing one thing; prints what it measured as one line of JSON.

Usage: python -m tests.benchmarks.window_child SCENE FOLDER, scenes as `_SCENES` names them

What is held against a floor of the same process is its processor time: wall time says what else the machine does.

A process of its own has the heap of the product, not that of a test run, and its first paint is a first one.
"""

import json
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from app.domain.events import SamplesTaken
    from app.ui.desk import Desk

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import (
    QAbstractTableModel,
    QElapsedTimer,
    QEvent,
    QEventLoop,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Slot,
)
from PySide6.QtWidgets import QApplication, QMainWindow, QTableView, QWidget

Figures = dict[str, object]

_BEAT_MS = 10
_PATIENCE_S = 60.0
_SIZE = (1280, 720)


class FirstPaint(QObject):
    """Notes when a window was first painted."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.at_s: float | None = None
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note the first paint (Qt calls this); it has ended when timers are next looked at."""
        if event.type() in (QEvent.Type.Paint, QEvent.Type.UpdateRequest) and self.at_s is None:
            QTimer.singleShot(0, self._on_painted)
        return super().eventFilter(watched, event)

    @Slot()
    def _on_painted(self) -> None:
        if self.at_s is None:
            self.at_s = time.monotonic()


class Heart(QObject):
    """Beats on the main thread and notes how long each beat took."""

    def __init__(self) -> None:
        super().__init__()
        self.beats_ms: list[float] = []
        self._since = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_BEAT_MS)
        self._timer.timeout.connect(self._on_timeout)
        self._since.start()
        self._timer.start()

    @Slot()
    def _on_timeout(self) -> None:
        self.beats_ms.append(self._since.nsecsElapsed() / 1e6)
        self._since.restart()

    def figures(self) -> Figures:
        """Stop, and return the median, the 99th percentile and the longest beat in ms, with their number."""
        self._timer.stop()
        beats = sorted(self.beats_ms)
        return {
            "beats": len(beats),
            "median_ms": beats[len(beats) // 2],
            "p99_ms": beats[int(len(beats) * 0.99)],
            "longest_ms": beats[-1],
        }


def beats_bare(_folder: Path) -> Figures:
    """Beat in a bare window with two plots of 2,000 points, set anew four times a second, for ten seconds."""
    import pyqtgraph as pg
    from PySide6.QtWidgets import QSplitter

    application = QApplication(["bare"])
    split = QSplitter(Qt.Orientation.Vertical)
    curves = []
    for _number in range(2):
        plot = pg.PlotWidget()
        split.addWidget(plot)
        curves.append(plot.plot())
    split.resize(1040, 600)
    split.show()
    drawn = QTimer()
    rounds = [0]

    def draw() -> None:
        rounds[0] += 1
        for curve in curves:
            curve.setData(list(range(2_000)), [float((place * rounds[0]) % 97) for place in range(2_000)])

    drawn.timeout.connect(draw)
    drawn.start(250)
    application.processEvents()
    heart = Heart()
    began_s = time.monotonic()
    wait(lambda: time.monotonic() - began_s > _BARE_BEATS_S)
    return heart.figures()


_BARE_BEATS_S = 10.0


def wait(condition: Callable[[], bool]) -> None:
    """Let the window live in an event loop, as it does in the product, until a condition holds."""
    until = time.monotonic() + _PATIENCE_S
    loop, timer = QEventLoop(), QTimer()

    def look() -> None:
        if condition() or time.monotonic() > until:
            loop.quit()

    timer.timeout.connect(look)
    timer.start(20)
    if not condition():
        loop.exec()
    timer.stop()
    if not condition():
        raise TimeoutError("the window did not get there within a minute")


def paint_bare(_folder: Path) -> Figures:
    """Show a bare window with an empty plot."""
    import pyqtgraph as pg

    application = QApplication(["bare"])
    application.setApplicationName("bare")
    window = QMainWindow()
    window.setCentralWidget(pg.PlotWidget())
    return _shown(window)


def paint_window(folder: Path) -> Figures:
    """Show the program's window."""
    from app.bootstrap import build_program
    from app.services.preferences import PreferenceFile
    from app.ui.app import make_application
    from app.ui.desk import Desk
    from app.ui.main_window import MainWindow

    application = make_application(["replitune"])
    desk = Desk(build_program(), PreferenceFile(folder / "preferences.json"), application)
    figures = _shown(MainWindow(desk))
    desk.close()
    return figures


def _shown(window: QWidget) -> Figures:
    window.resize(*_SIZE)
    paint = FirstPaint(window)
    window.show()
    wait(lambda: paint.at_s is not None)
    return {"painted_s": paint.at_s}


@contextmanager
def _desk(folder: Path) -> Iterator["Desk"]:
    """A desk with a journal of its own, its program loaded as it is some seconds after the start."""
    from app.bootstrap import build_program
    from app.flows.shell.start_view import load_ahead
    from app.services.preferences import PreferenceFile
    from app.services.program import Program
    from app.ui.app import keep_still, make_application
    from app.ui.desk import Desk

    application = make_application(["replitune"])
    program = Program(replace(build_program().parts, journal_path=folder / "undo.journal"))
    desk = Desk(program, PreferenceFile(folder / "preferences.json"), application)
    keep_still(desk)
    desk.tasks.query(desk, lambda: load_ahead(program), _ignore, _fail)
    wait(lambda: desk.tasks.count == 0)
    yield desk
    desk.close()


def _ignore(_answer: object) -> None:
    """Loaded; nothing to show."""


def _fail(error: BaseException) -> None:
    raise error


def samples(folder: Path) -> Figures:
    """Draw a run that delivers a thousand readings each second, ten trials of a second."""
    from app.ui.pages.run_page import RunPage
    from app.ui.widgets.live_plot import LivePlot
    from tests.ui.sessions import ready

    with _desk(folder) as desk:
        page = RunPage(desk)
        page.resize(1040, 600)
        page.show()
        page.show_choices(ready(folder))
        page.watch_run()
        ended: list[object] = []
        desk.bridge.run_ended.connect(ended.append)
        desk.bridge.watch()
        heart = Heart()
        worker = threading.Thread(target=_deliver, args=(desk,), name="run-of-the-bench")
        worker.start()
        wait(lambda: bool(ended))
        worker.join()
        plot = page.findChild(LivePlot, "run.time_plot")
        assert isinstance(plot, LivePlot)
        return {**heart.figures(), "points": plot.shown_points}


_TRIALS = 10
_TICKS = 200  # of five readings each: a trial a second


def _deliver(desk: "Desk") -> None:
    """Post what a run tells, at its pace; on a thread of its own, as a run does."""
    from app.domain.events import RunStatus
    from app.services.run.guided_session import RunOutcome
    from app.services.run.run_job import JobEnded
    from tests.unit.flows.run_events import finished, started, trial_finished, trial_started

    desk.bridge.post(started())
    began_s, ticks = time.monotonic(), 0
    for order in range(1, _TRIALS + 1):
        streams = 1 if order % 2 else 8
        desk.bridge.post(trial_started(order, streams, planned=_TRIALS))
        for tick in range(1, _TICKS + 1):
            desk.bridge.post(_tick(order, tick))
            ticks += 1
            time.sleep(max(0.0, began_s + ticks / _TICKS - time.monotonic()))
        desk.bridge.post(trial_finished(order, streams, 100.0 + order % 5 - 30 * (streams == 8)))
    desk.bridge.post(finished())
    desk.bridge.post_end(JobEnded("S1", RunOutcome("E1", RunStatus.SUCCEEDED, "complete", ()), ""))


def _tick(order: int, tick: int) -> "SamplesTaken":
    from app.domain.measurement import Sample
    from tests.unit.flows.run_events import readings

    event = readings(order, tick * 0.5, tick * 900.0 + (tick % 7) * 50, tick / _TICKS)
    more = tuple(Sample(f"stream {name}", tick * 0.5, float(tick * name % 13), "s") for name in (1, 2))
    return replace(event, samples=event.samples + more)


def lab(folder: Path) -> Figures:
    """Draw a run on the lab of this process at full speed: it never waits for anything, and computes in Python."""
    from app.services.run.run_job import JobOrder
    from app.services.workplace import Workplace
    from app.ui.pages.run_page import RunPage
    from tests.ui.sessions import ready, small_plan

    with _desk(folder) as desk:
        choices = ready(folder / "session", small_plan(commands=200_000, levels=(1, 2, 4, 8, 16), blocks=8))
        (folder / "session").mkdir()
        assert choices.plan is not None
        page = RunPage(desk)
        page.resize(1040, 600)
        page.show()
        page.show_choices(choices)
        family = desk.program.families["distribution_agent"]
        began_s = time.monotonic()
        desk.start_job(JobOrder("lab", choices.plan, family, Workplace(folder / "session"), folder / "undo.journal"))
        page.watch_run()
        heart = Heart()
        wait(lambda: not desk.is_running)
        return {**heart.figures(), "run_s": time.monotonic() - began_s}


def _list_bare_s(path: Path) -> float:
    """Fetch the same columns of the runs with `sqlite3` alone and show them in a bare table."""
    rows: list[tuple[object, ...]] = []

    class Bare(QAbstractTableModel):
        def rowCount(self, _parent: object = None) -> int:
            return len(rows)

        def columnCount(self, _parent: object = None) -> int:
            return 7

        def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> object:
            return str(rows[index.row()][index.column()]) if role == Qt.ItemDataRole.DisplayRole else None

    began_s = time.process_time()
    connection = sqlite3.connect(path)
    rows += connection.execute(
        "SELECT run_id, family, target, status, reason, started_utc, finished_utc FROM run ORDER BY run_key"
    ).fetchall()
    connection.close()
    view, model = QTableView(), Bare()
    view.setModel(model)
    view.resize(*_SIZE)
    view.show()
    view.viewport().repaint()
    elapsed_s = time.process_time() - began_s
    view.close()
    return elapsed_s


def runs(folder: Path) -> Figures:
    """Open an engagement of many runs in the browser of runs, seven times; the file is `large.replitune`."""
    from app.ui.pages.runs_page import RunsPage
    from app.ui.widgets.table import DataTable

    opened_s, bare_s, listed = [], [], 0
    with _desk(folder) as desk:
        for _round in range(7):
            bare_s.append(_list_bare_s(folder / "large.replitune"))
            page = RunsPage(desk)
            page.resize(*_SIZE)
            page.show()
            wait(lambda: desk.tasks.count == 0)
            table = page.findChild(DataTable, "runs.table")
            assert isinstance(table, DataTable)
            done: list[float] = []

            def note(table: DataTable = table, done: list[float] = done) -> None:
                table.viewport().repaint()
                done.append(time.process_time())

            page.runs_shown.connect(note)
            began_s = time.process_time()
            page.show_file(folder / "large.replitune")
            wait(partial(bool, done))
            opened_s.append(done[0] - began_s)
            listed = table.model().rowCount()
            wait(lambda: desk.tasks.count == 0)
            page.close()
    return {"opened_s": opened_s, "bare_s": bare_s, "listed": listed}


def pan(folder: Path) -> Figures:
    """Move and zoom a plot of a million readings with the keys; each frame is drawn before the next key."""
    import numpy as np
    from PySide6.QtTest import QTest

    from app.domain.plot import Mark, PlotSpec, Series
    from app.ui.app import make_application
    from app.ui.widgets.plot import PlotView
    from app.ui.widgets.plot_canvas import PlotCanvas

    application = make_application(["replitune"])
    count = 1_000_000
    values = np.random.default_rng(1).normal(1_000.0, 50.0, count)
    values[count // 2] = 5_000.0  # a peak of one reading, which thinning must not lose
    series = Series("readings", Mark.LINE, tuple(np.arange(float(count)).tolist()), tuple(values.tolist()))
    view = PlotView("bench.plot")
    view.resize(*_SIZE)
    view.show()
    view.show_plot(PlotSpec("bench", "Readings", "", "Time (s)", "ms", (series,)))
    wait(lambda: view.plot_item is not None)
    application.processEvents()
    canvas = view.findChild(PlotCanvas, "bench.plot.canvas")
    assert isinstance(canvas, PlotCanvas)
    bare = _bare_plot(values)
    frames_ms: dict[str, list[float]] = {"whole": [], "close": []}
    bare_ms: dict[str, list[float]] = {"whole": [], "close": []}
    for name, zooms in (("whole", 1), ("close", 25)):
        for _press in range(zooms):
            QTest.keyClick(canvas, Qt.Key.Key_Plus)
            bare.getViewBox().scaleBy((0.8, 0.8))
        application.processEvents()
        for step in range(40):
            key = Qt.Key.Key_Right if step % 2 else Qt.Key.Key_Left
            began_s = time.process_time()
            QTest.keyClick(canvas, key)
            canvas.viewport().repaint()
            frames_ms[name].append((time.process_time() - began_s) * 1000)
            began_s = time.process_time()
            width = bare.getViewBox().viewRange()[0]
            bare.getViewBox().translateBy(x=(0.1 if step % 2 else -0.1) * (width[1] - width[0]))
            bare.viewport().repaint()
            bare_ms[name].append((time.process_time() - began_s) * 1000)
    QTest.keyClick(canvas, Qt.Key.Key_0)
    application.processEvents()
    assert view.plot_item is not None
    drawn = max(float(np.nanmax(item.getData()[1])) for item in view.plot_item.listDataItems())
    view.close()
    bare.close()
    return {"frames_ms": frames_ms, "bare_ms": bare_ms, "peak": drawn}


def _bare_plot(values: "np.ndarray[Any, np.dtype[np.float64]]") -> Any:
    """A window of pyqtgraph alone with the same readings, thinned by its own means, which keep the peak, too."""
    import pyqtgraph as pg

    bare = pg.PlotWidget()
    curve = bare.plot(pen=pg.mkPen("k", width=1))
    curve.setDownsampling(auto=True, method="peak")
    curve.setClipToView(True)
    curve.setData(values)
    bare.resize(*_SIZE)
    bare.show()
    QApplication.processEvents()
    return bare


_AGENTS = 200


def picture(_folder: Path) -> Figures:
    """Lay out and paint the topology of two hundred agents, and a bare scene of as many items, in turn."""
    from PySide6.QtWidgets import QGraphicsScene, QGraphicsView

    from app.domain.site_picture import SiteHop, SiteNode, SitePicture, Standing
    from app.ui.app import make_application
    from app.ui.widgets.site_picture import SitePictureView

    make_application(["replitune"])
    pairs = range(1, _AGENTS // 2 + 1)
    nodes = (
        SiteNode("P", 0, "PUB1", "Publisher"),
        SiteNode("D", 1, "DIST1", "Distributor"),
        *(SiteNode(f"S{pair}", 2, f"SUB{pair}", "Subscriber", ("8 processors",)) for pair in pairs),
    )

    def hops(rate: int) -> tuple[SiteHop, ...]:
        lines = (f"{rate} commands/s", "latency 2.0 s", "0 commands wait")
        return tuple(
            hop
            for pair in pairs
            for hop in (
                SiteHop(f"L{pair}", "P", "D", f"PUB1-Sales{pair}", "Log Reader", Standing.KEEPS_UP, "keeps up", lines),
                SiteHop(f"A{pair}", "D", f"S{pair}", f"Sales{pair}", "Agent", Standing.BEHIND, "behind", lines),
            )
        )

    view = SitePictureView()
    view.resize(1280, 720)
    view.show()
    shown_ms, bare_ms = [], []
    for number in range(9):
        began_s = time.process_time()
        view.show_picture(SitePicture(nodes, hops(100 + number)))
        view.resize(1280, view.heightForWidth(1280))
        view.repaint()
        shown_ms.append((time.process_time() - began_s) * 1000)
        began_s = time.process_time()
        scene = QGraphicsScene()
        for place in range(len(nodes) + _AGENTS):
            across, down = 400.0 * (place % 3), 60.0 * (place // 3)
            scene.addRect(across, down, 380.0, 56.0)
            for line in range(4):  # name, and three lines of what is known of it
                scene.addSimpleText(f"{place} {number} commands/s").setPos(across, down + 14.0 * line)
        bare = QGraphicsView(scene)
        bare.resize(1280, int(scene.height()))
        bare.show()
        bare.viewport().repaint()
        bare_ms.append((time.process_time() - began_s) * 1000)
        bare.close()
    view.close()
    return {"shown_ms": shown_ms, "bare_ms": bare_ms}


_SCENES: dict[str, Callable[[Path], Figures]] = {
    "paint-bare": paint_bare,
    "paint-window": paint_window,
    "beats-bare": beats_bare,
    "samples": samples,
    "lab": lab,
    "runs": runs,
    "pan": pan,
    "picture": picture,
}

if __name__ == "__main__":
    sys.stdout.write(json.dumps(_SCENES[sys.argv[1]](Path(sys.argv[2]))) + "\n")
