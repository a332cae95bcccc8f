"""What every test of the window has: no screen, guards against what must not be left over, and real parts."""

import gc
import logging
import os
import re
import threading
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
import shiboken6
from PySide6.QtCore import (
    QCoreApplication,
    QElapsedTimer,
    QEvent,
    QMessageLogContext,
    Qt,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.bootstrap import build_program
from app.domain.option_words import window_speaks
from app.services.preferences import PreferenceFile
from app.services.program import Program
from app.ui.desk import Desk
from app.ui.theme import make_palette, paint_application, prepare_application
from app.ui.tokens import LIGHT
from tests.own_folders import move_home
from tests.patience import PATIENCE_MS, PATIENCE_S, PAUSE_S
from tests.prove.killing import lab_server

# Said by the offscreen platform about itself, not about the window.
_OFFSCREEN_SAYS = (r"This plugin does not support", r"QFontDatabase: Cannot find font directory")

# A widget may need so many turns of the event loop to go; one that is there then was left over.
_TURNS = 100


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A warning of Qt fails every test of this folder."""
    here = f"{Path(__file__).parent}{os.sep}"
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            item.add_marker(pytest.mark.qt_log_ignore(*_OFFSCREEN_SAYS, extend=True))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, Any, Any]:
    """A warning of Qt while widgets are taken down fails the test, too."""
    heard: list[str] = []

    def hear(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
        is_warning = kind in (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg)
        if is_warning and not any(re.search(pattern, text) for pattern in _OFFSCREEN_SAYS):
            heard.append(text)

    before = qInstallMessageHandler(hear)
    try:
        result = yield
    finally:
        qInstallMessageHandler(before)
    assert not heard, f"Qt warned while {item.name} was taken down: {heard}"
    return result


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    """Return the command line of the tests' application."""
    return ["replitune"]


@pytest.fixture(scope="session")
def prepared_qapp(qapp: QApplication) -> QApplication:
    """The application with the program's fonts and style."""
    prepare_application(qapp)
    return qapp


class ExpectedLog:
    """Collects what is logged at WARNING and above; a test names what it expects."""

    def __init__(self) -> None:
        self.records: list[logging.LogRecord] = []
        self._expected: list[str] = []

    def expect(self, pattern: str) -> None:
        """A record whose message matches does not fail the test."""
        self._expected.append(pattern)

    def unexpected(self) -> list[str]:
        """Return the messages nobody expected."""
        messages = [f"{r.levelname} {r.name}: {r.getMessage()}" for r in self.records]
        return [m for m in messages if not any(re.search(pattern, m) for pattern in self._expected)]


class _Collector(logging.Handler):
    def __init__(self, log: ExpectedLog) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the record."""
        self._log.records.append(record)


@pytest.fixture(autouse=True)
def expected_log() -> Iterator[ExpectedLog]:
    """Fail the test on a log record at WARNING or above that it did not expect."""
    log = ExpectedLog()
    handler = _Collector(log)
    logging.getLogger().addHandler(handler)
    yield log
    logging.getLogger().removeHandler(handler)
    assert not log.unexpected(), f"unexpected log records: {log.unexpected()}"


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the program away from the user's folders."""
    move_home(monkeypatch, tmp_path / "home")


@pytest.fixture(autouse=True, scope="module")
def small_heap(prepared_qapp: QApplication) -> None:
    """Take what is loaded out of the collector's sight: the guards walk through all of the rest, twice a test."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def nothing_left_over(request: pytest.FixtureRequest, prepared_qapp: QApplication, own_folders: None) -> Iterator[None]:
    """Fail the test on threads, timers, widgets and a pressed button that outlive it; begin in light colours."""
    # a test that no such guard follows may have told widgets to go which have had no turn for it yet
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    if prepared_qapp.palette() != make_palette(LIGHT):
        paint_application(prepared_qapp, LIGHT)
        prepared_qapp.processEvents()  # plots that an earlier test left are built anew before the count
    threads, timers, widgets = _threads(), _active_timers(), _widgets()
    yield
    prepared_qapp.closeAllWindows()
    request.node.funcargs.clear()  # what the test was given is torn down, yet pytest would go on holding it
    _wait_until_gone(threads, widgets)
    left = [thread.name for thread in _threads() - threads]
    assert not left, f"threads left over: {left}"
    assert not (_widgets() - widgets), f"top-level widgets left over: {_describe(_widgets() - widgets)}"
    pressed = QApplication.mouseButtons()  # the next widget would take every move of the mouse for dragging
    assert pressed == Qt.MouseButton.NoButton, f"left pressed: {pressed}"
    assert not (_active_timers() - timers), f"timers left active: {_describe(_active_timers() - timers)}"
    gc.collect()
    gc.freeze()  # what stays, such as libraries this test was the first to load, is not walked through by the next


def _wait_until_gone(threads: set[threading.Thread], widgets: set[QWidget]) -> None:
    """Give widgets their turns to go, and threads that were told to end the time they take."""
    turns, patience = 0, QElapsedTimer()
    patience.start()
    while True:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        QCoreApplication.processEvents()
        left = _threads() - threads
        if left and not patience.hasExpired(PATIENCE_MS):
            for thread in left:
                thread.join(PAUSE_S)
        elif turns == _TURNS or not _widgets() - widgets:
            return
        else:
            turns += 1
        gc.collect()


def _threads() -> set[threading.Thread]:
    return set(threading.enumerate())


def _widgets() -> set[QWidget]:
    return {widget for widget in QApplication.topLevelWidgets() if not widget.parent()}


def _active_timers() -> set[QTimer]:
    kinds = set(_kinds_of(QTimer))  # looked up once: all objects there are are gone through, twice for each test
    timers = [found for found in gc.get_objects() if type(found) in kinds]
    return {timer for timer in timers if shiboken6.isValid(timer) and timer.isActive()}


def _kinds_of(kind: type[QTimer]) -> Iterator[type[QTimer]]:
    yield kind
    for special in kind.__subclasses__():
        yield from _kinds_of(special)


def _describe(objects: set[Any]) -> list[str]:
    return [f"{type(o).__name__} {o.objectName()!r} of {type(o.parent()).__name__}" for o in objects]


@pytest.fixture
def journal_path(tmp_path: Path) -> Path:
    """The undo journal of the test."""
    return tmp_path / "undo.journal"


@pytest.fixture
def program(journal_path: Path) -> Program:
    """The real program, with an undo journal of its own."""
    return Program(replace(build_program().parts, journal_path=journal_path))


@pytest.fixture
def preference_file(tmp_path: Path) -> PreferenceFile:
    """The preferences of the test; sessions go below its folder once a test says so."""
    return PreferenceFile(tmp_path / "preferences.json")


@pytest.fixture
def desk(prepared_qapp: QApplication, program: Program, preference_file: PreferenceFile) -> Iterator[Desk]:
    """What pages are given; a run still going on at the end of the test is cancelled and awaited."""
    made = Desk(program, preference_file)
    with window_speaks(program.parts.connection_ways):
        yield made
    if made.job is not None and made.is_running:
        made.job.control.cancel()
        made.job.join(PATIENCE_S)
        made.bridge.deliver()
    made.close()
    made.deleteLater()


@pytest.fixture(scope="session")
def served_lab() -> Iterator[str]:
    """A lab in a process of its own, as `--target` names it; its settings outlive whoever uses it."""
    with lab_server() as target:
        yield target


@pytest.fixture
def shown(qtbot: QtBot) -> "Shown":
    """Show a widget as it is used, and take it down after the test."""
    return Shown(qtbot)


class Shown:
    """Shows widgets at the smallest size the program is made for."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot

    def __call__(self, widget: QWidget, width_px: int = 1280, height_px: int = 720) -> None:
        """Show a widget and wait until it is on screen and active."""
        self._qtbot.addWidget(widget)
        widget.resize(width_px, height_px)
        with self._qtbot.waitExposed(widget):
            widget.show()
