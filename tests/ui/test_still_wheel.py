"""A wheel that scrolls a page changes nothing it passes over, in any field of the window."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6 import QtWidgets
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QScrollArea, QScrollBar, QSpinBox, QVBoxLayout, QWidget

from app.ui.widgets.still_wheel import leave_wheel_to_page
from tests.ui.conftest import Shown

UI = Path(__file__).parents[2] / "app" / "ui"
SOURCES = [path for path in sorted(UI.rglob("*.py")) if path.name != "still_wheel.py"]
LEAST_FIELDS = 18


def turns_by_wheel(name: str) -> bool:
    """Tell whether a class of Qt is a field whose value the wheel changes, wherever the keyboard is."""
    kind = getattr(QtWidgets, name, None)
    fields = (QtWidgets.QComboBox, QtWidgets.QAbstractSpinBox, QtWidgets.QAbstractSlider)
    return isinstance(kind, type) and issubclass(kind, fields) and not issubclass(kind, QScrollBar)


def fields_of(tree: ast.Module) -> Iterator[str]:
    """Return what each such field of a file is called: where it is made, and `self` where it is a class of its own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and turns_by_wheel(node.func.id):
            made = [n for n in ast.walk(tree) if isinstance(n, ast.Assign | ast.AnnAssign) and n.value is node]
            yield (
                ast.unparse(made[0].targets[0] if isinstance(made[0], ast.Assign) else made[0].target) if made else "?"
            )
        if isinstance(node, ast.ClassDef) and any(turns_by_wheel(ast.unparse(base)) for base in node.bases):
            yield "self"


def left_to_the_page(tree: ast.Module) -> set[str]:
    """Return the fields of a file whose wheel is left to the page."""
    return {
        ast.unparse(node.args[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == leave_wheel_to_page.__name__
    }


def test_every_field_of_the_window_leaves_the_wheel_to_its_page() -> None:
    """Also one that is added tomorrow: on whatever page, in whatever dialog."""
    changing, count = [], 0
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        fields = list(fields_of(tree))
        count += len(fields)
        changing += [f"{path.name}: {name}" for name in fields if name not in left_to_the_page(tree)]
    assert changing == []
    assert count >= LEAST_FIELDS


@pytest.mark.parametrize("kind", [QComboBox, QSpinBox])
def test_the_wheel_scrolls_past_a_field(shown: Shown, kind: type[QWidget]) -> None:
    """The page moves, the value stays."""
    area, inside, field = QScrollArea(), QWidget(), kind()
    column = QVBoxLayout(inside)
    column.addWidget(field)
    column.addWidget(QLabel("\n" * 100))
    area.setWidget(inside)
    area.setWidgetResizable(True)
    if isinstance(field, QComboBox):
        field.addItems(["a", "b", "c"])
    assert isinstance(field, QComboBox | QSpinBox)
    leave_wheel_to_page(field)
    shown(area, 300, 200)
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    QTest.wheelEvent(area.windowHandle(), field.mapTo(area, field.rect().center()), QPoint(0, -120))
    assert area.verticalScrollBar().value() > 0
    assert (field.currentIndex() if isinstance(field, QComboBox) else field.value()) == 0
