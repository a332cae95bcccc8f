"""What a person does with the window: finds a widget by its name, clicks, and presses keys."""

from typing import TypeVar

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

T = TypeVar("T", bound=QObject)


def find(parent: QObject, kind: type[T], name: str) -> T:
    """Return the one object of a kind and name below a parent."""
    found = parent.findChildren(kind, name)
    assert len(found) == 1, f"{len(found)} objects named {name}"
    return found[0]


def click(widget: QWidget, point: QPoint | None = None) -> None:
    """Click with the left button, in the middle unless a point is given."""
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=point or widget.rect().center())


def double_click(widget: QWidget, point: QPoint | None = None) -> None:
    """Click twice, quickly, with the left button, and let go of it: Qt would keep it pressed for whoever comes next."""
    where = point or widget.rect().center()
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=where)
    QTest.mouseDClick(widget, Qt.MouseButton.LeftButton, pos=where)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=where)


def press(widget: QWidget, key: Qt.Key, *, ctrl: bool = False) -> None:
    """Press a key, alone or with Ctrl."""
    modifier = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(widget, key, modifier)


def walk_by_tab(most: int) -> list[str]:
    """Press Tab until a widget is reached again, or so many times; return the names of what was reached, in order."""
    visited: list[str] = []
    for _step in range(most):
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused.objectName() in visited:
            break
        visited.append(focused.objectName())
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    return visited


def type_text(widget: QWidget, text: str) -> None:
    """Type letter by letter."""
    QTest.keyClicks(widget, text)
