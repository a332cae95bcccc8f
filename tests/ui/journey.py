"""The steps of a whole journey through the real window, for a person with a mouse and for one with a keyboard."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QListView,
    QProgressBar,
    QRadioButton,
    QScrollArea,
    QSpinBox,
    QTabBar,
    QTreeWidgetItem,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.flows.shell.wizard import Step
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.widgets.target_list import TargetList
from app.ui.wizard_frame import WizardFrame
from tests.ui.conftest import Shown
from tests.ui.person import double_click, find

_ARROWS = (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Left)
_NUMBER = re.compile(r"(?<![\w.,:/-])\d{1,3}(?:,\d{3})+(?![\w,])|(?<![\w.,:/-])\d{4,}(?![\w:/-])")


class Traveller(ABC):
    """Somebody who goes through the window; subclasses say with what."""

    def __init__(self, window: MainWindow, desk: Desk, qtbot: QtBot) -> None:
        self.window = window
        self.desk = desk
        self._qtbot = qtbot
        self.presses = 0
        """Buttons pressed and boxes ticked so far."""
        self._seen_waiting: set[tuple[str, ...]] = set()

    @property
    def frame(self) -> WizardFrame:
        """The wizard."""
        return find(self.window, WizardFrame, "wizard")

    @property
    def folder(self) -> Path:
        """Where the session is kept."""
        folder = self.frame.wizard.choices.folder
        assert folder is not None
        return folder

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds, and look meanwhile which bars say that something is waited for."""

        def looked() -> bool:
            self._seen_waiting.add(waiting_bars(self.window))
            return condition()

        self._qtbot.waitUntil(looked)

    def settle(self) -> None:
        """Wait until nothing is read or computed any more."""
        self.wait(lambda: self.desk.tasks.count == 0)

    def ready(self, name: str) -> QAbstractButton:
        """Return a button once it is on screen and can be pressed."""

        def found() -> list[QAbstractButton]:
            buttons = self.window.findChildren(QAbstractButton, name)
            return [button for button in buttons if button.isVisible() and button.isEnabled()]

        self.wait(lambda: bool(found()))
        (button,) = found()
        return button

    def arrive(self, step: Step) -> None:
        """Be at a step, with nothing read any more, never shown by two bars, and no key of the page in use twice."""
        self.wait(lambda: self.frame.page is not None and self.frame.wizard.step is step)
        self.wait(lambda: self.desk.tasks.count == 0)
        assert [bars for bars in self._seen_waiting if len(bars) > 1] == []
        clashing = clashing_mnemonics(self.window)
        assert clashing == {}, f"{step}: {clashing}"

    def unfold(self, name: str) -> None:
        """Have a field of the plan in sight that stands behind a button."""
        if name.startswith(("plan.design.", "plan.limits.")) and not find(self.window, QWidget, name).isVisible():
            self.press_button("plan.fold_button")

    @abstractmethod
    def press_button(self, name: str) -> None:
        """Press a button."""

    @abstractmethod
    def tick(self, box: QCheckBox) -> None:
        """Tick a box."""

    @abstractmethod
    def fill(self, name: str, text: str) -> None:
        """Replace what stands in a field."""

    @abstractmethod
    def go_on(self) -> None:
        """Go to the next step."""

    @abstractmethod
    def choose(self, name: str, title: str) -> None:
        """Choose an entry of a combo box."""

    @abstractmethod
    def choose_target(self, title: str) -> None:
        """Choose a target of the list."""

    def agree(self) -> None:
        """Tick every server."""
        for box in self.window.findChildren(QCheckBox):
            if box.objectName().startswith("preflight.consent") and not box.isChecked():
                self.tick(box)


class MouseTraveller(Traveller):
    """Clicks."""

    def press_button(self, name: str) -> None:
        """Click a button, which must be on screen and enabled."""
        self._click(self.ready(name))

    def tick(self, box: QCheckBox) -> None:
        """Click on the square of a box."""
        self._click(box)

    def choose(self, name: str, title: str) -> None:
        """Open the list of a combo box and click on an entry."""
        combo = find(self.window, QComboBox, name)
        self.wait(combo.isVisible)
        self._point_at(combo)
        combo.showPopup()
        listed = combo.view()
        entry = combo.model().index(combo.findText(title), 0)
        listed.scrollTo(entry)
        self._qtbot.wait(QApplication.doubleClickInterval())  # Qt takes a click before for the rest of a double one
        QTest.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=listed.visualRect(entry).center())
        assert combo.currentText() == title

    def choose_target(self, title: str) -> None:
        """Click on a target."""
        targets = find(self.window, TargetList, "target.list")
        item = target_item(targets, title)
        targets.scrollToItem(item)
        QTest.mouseClick(targets.viewport(), Qt.MouseButton.LeftButton, pos=targets.visualItemRect(item).center())

    def _click(self, button: QAbstractButton) -> None:
        self.presses += 1
        QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=self._point_at(button))

    def _point_at(self, widget: QWidget) -> QPoint:
        """Turn the wheel until a widget is in sight; return where to click, which hits nothing else."""
        QApplication.processEvents()  # what was made a moment ago has its place now
        top, at = widget.window(), self._spot(widget)
        for _turn in range(100):
            where = {area: seen_part(area.viewport()) for area in scroll_areas(widget)}
            beyond = [
                area
                for area, seen in where.items()
                if not seen.isEmpty() and not seen.contains(seen.left(), widget.mapTo(area.viewport(), at).y())
            ]
            if not beyond:
                break
            seen = where[beyond[0]]
            turn_wheel(beyond[0], seen.center(), up=widget.mapTo(beyond[0].viewport(), at).y() < seen.top())
        hit = top.childAt(widget.mapTo(top, at))
        assert hit is not None, f"{widget.objectName()} is not in sight"
        assert hit is widget or widget.isAncestorOf(hit), f"{hit.objectName()} hides {widget.objectName()}"
        return at

    @staticmethod
    def _spot(widget: QWidget) -> QPoint:
        """A box is clicked on its square, which is at its left end."""
        is_box = isinstance(widget, QCheckBox | QRadioButton)
        return QPoint(10, widget.height() // 2) if is_box else widget.rect().center()

    def fill(self, name: str, text: str) -> None:
        """Click into a field, mark everything and type over it."""
        self.unfold(name)
        field = line_of(find(self.window, QWidget, name))
        double_click(field, self._point_at(field))
        field.selectAll()
        QTest.keyClicks(field, text)

    def go_on(self) -> None:
        """Click Next."""
        self.press_button("wizard.next_button")


class KeyboardTraveller(Traveller):
    """Never touches the mouse: Tab leads to everything."""

    def reach(self, name: str) -> QWidget:
        """Press Tab until a widget has the keyboard."""
        for _press in range(200):
            QApplication.processEvents()  # what was made a moment ago must be on screen to be reached
            focused = QApplication.focusWidget()
            if focused is not None and focused.objectName() == name:
                assert not seen_part(focused).isEmpty(), f"{name} has the keyboard out of sight"
                return focused
            # Tab enters a group of radio buttons, the arrow keys walk in it
            walks = isinstance(focused, QRadioButton) and name.endswith("_radio")
            for key in (*(_ARROWS if walks else ()), Qt.Key.Key_Tab):
                QTest.keyClick(focused or self.window, key)
                if QApplication.focusWidget() is not focused:
                    break
        raise AssertionError(f"Tab never reaches {name}")

    def press_button(self, name: str) -> None:
        """Go to a button with Tab and press Space."""
        self.ready(name)
        self.presses += 1
        QTest.keyClick(self.reach(name), Qt.Key.Key_Space)

    def choose_target(self, title: str) -> None:
        """Go to the list with Tab and down to a target."""
        targets = self.reach("target.list")
        assert isinstance(targets, TargetList)
        wanted = target_item(targets, title)
        for _press in range(30):
            if targets.currentItem() is wanted:
                return
            QTest.keyClick(targets, Qt.Key.Key_Down)
        raise AssertionError(f"Down never reaches {title}")

    def choose(self, name: str, title: str) -> None:
        """Go to a combo box with Tab and along its entries with the arrow keys."""
        combo = self.reach(name)
        assert isinstance(combo, QComboBox)
        for _press in range(combo.count()):
            if combo.currentText() == title:
                return
            is_below = combo.findText(title) > combo.currentIndex()
            QTest.keyClick(combo, Qt.Key.Key_Down if is_below else Qt.Key.Key_Up)
        raise AssertionError(f"the arrow keys never reach {title}")

    def tick(self, box: QCheckBox) -> None:
        """Go to a box with Tab and press Space."""
        self.presses += 1
        QTest.keyClick(self.reach(box.objectName()), Qt.Key.Key_Space)

    def fill(self, name: str, text: str) -> None:
        """Go to a field with Tab, mark everything and type over it."""
        self.unfold(name)
        field = self.reach(name)
        QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(field, text)

    def go_on(self) -> None:
        """Press Ctrl+Return, once nothing is missing."""
        self.presses += 1
        self.wait(find(self.window, QAction, "action.next").isEnabled)
        focused = QApplication.focusWidget() or self.window
        QTest.keyClick(focused, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


@dataclass(frozen=True)
class Way:
    """With what somebody goes through a window on a laptop of 1366 × 768 pixels, and how large it shows things.

    Attributes:
        width_px, height_px: of the window, in logical pixels.
    """

    traveller: type[Traveller]
    width_px: int
    height_px: int

    def begin(self, desk: Desk, shown: Shown, qtbot: QtBot) -> Traveller:
        """Open the real window, and wait until its start page is read."""
        window = MainWindow(desk)
        shown(window, self.width_px, self.height_px)
        made = self.traveller(window, desk, qtbot)
        made.settle()
        return made


WAYS: Final = {
    "mouse": Way(MouseTraveller, 1366, 768),
    "keyboard": Way(KeyboardTraveller, 1366, 768),
    "mouse-200": Way(MouseTraveller, 683, 384),
    "keyboard-200": Way(KeyboardTraveller, 683, 384),
}


def line_of(field: QWidget) -> QLineEdit:
    """Return what is typed into: a field itself, or the line of a number field."""
    line = field.lineEdit() if isinstance(field, QSpinBox) else field
    assert isinstance(line, QLineEdit)
    return line


def scroll_areas(widget: QWidget) -> list[QScrollArea]:
    """Return the areas a widget is scrolled in, the innermost first."""
    found: list[QScrollArea] = []
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            found.append(above)
        above = above.parentWidget()
    return found


def seen_part(widget: QWidget) -> QRect:
    """Return the part of a widget that is in sight, in its own pixels; empty where it is scrolled away."""
    seen, above = widget.rect(), widget.parentWidget()
    while above is not None and not widget.isWindow():
        at = widget.mapTo(above, QPoint(0, 0))
        seen = seen.intersected(above.rect().translated(-at))
        above = None if above.isWindow() else above.parentWidget()
    return seen


def turn_wheel(area: QScrollArea, at: QPoint, *, up: bool) -> None:
    """Turn the wheel by one notch over a place in an area, whatever stands there."""
    window = area.window()
    QTest.wheelEvent(window.windowHandle(), area.viewport().mapTo(window, at), QPoint(0, 120 if up else -120))
    QApplication.processEvents()


def target_item(targets: TargetList, title: str) -> QTreeWidgetItem:
    """Return the entry of a target whose title begins like this."""
    flags = Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive
    (item,) = targets.findItems(title, flags)
    return item


def waiting_bars(window: QWidget) -> tuple[str, ...]:
    """Return the bars in sight that tell of no share: something is read, and nobody knows how long that takes."""
    bars = (bar for bar in window.findChildren(QProgressBar) if bar.isVisible() and bar.maximum() == 0)
    return tuple(sorted(bar.objectName() for bar in bars))


def clashing_mnemonics(window: QWidget) -> dict[str, list[str]]:
    """Return the letters that lead to more than one thing on screen, with what they lead to."""
    texts = [label.text() for label in window.findChildren(QLabel) if label.isVisible() and label.buddy() is not None]
    texts += [button.text() for button in window.findChildren(QAbstractButton) if button.isVisible()]
    texts += [box.title() for box in window.findChildren(QGroupBox) if box.isVisible()]
    for tabs in window.findChildren(QTabBar):
        texts += [tabs.tabText(place) for place in range(tabs.count()) if tabs.isVisible() and tabs.isTabVisible(place)]
    if isinstance(window, MainWindow):
        texts += [action.text() for action in window.menuBar().actions()]
    found: dict[str, list[str]] = {}
    for text in texts:
        letter = re.search(r"&([^&])", text.replace("&&", ""))
        if letter:
            found.setdefault(letter.group(1).upper(), []).append(text)
    return {letter: those for letter, those in found.items() if len(those) > 1}


def find_person_texts(window: QWidget) -> list[str]:
    """Return every text on screen outside the list of targets: labels, buttons, titles, tables and trees."""
    texts = [label.text() for label in window.findChildren(QLabel) if label.isVisible()]
    texts += [button.text() for button in window.findChildren(QAbstractButton) if button.isVisible()]
    texts += [box.title() for box in window.findChildren(QGroupBox) if box.isVisible()]
    for view in window.findChildren(QAbstractItemView):
        model = view.model()
        if view.isVisible() and not isinstance(view, QListView):
            for row in range(model.rowCount(QModelIndex())):
                columns = model.columnCount(QModelIndex())
                texts += [str(model.index(row, place).data() or "") for place in range(columns)]
    return texts


def numbers_on(window: QWidget) -> list[str]:
    """Return the texts of a window or dialog that may hold numbers, those that are typed among them."""
    entered = [field.text() for field in window.findChildren(QLineEdit) if field.isVisible()]
    return [*find_person_texts(window), *(part for text in entered for part in text.split(", "))]


def spelt_twice(texts: list[str]) -> set[int]:
    """Return the numbers that stand among some texts with and without separators."""
    spellings: dict[int, set[str]] = {}
    for text in texts:
        for found in _NUMBER.findall(text):
            spellings.setdefault(int(found.replace(",", "")), set()).add(found)
    return {number for number, forms in spellings.items() if len(forms) > 1}
