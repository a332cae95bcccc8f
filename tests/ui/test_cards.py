"""Cards are drawn in one way: by the stylesheet, also one that is chosen or cannot be."""

import ast
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from app.ui.stylesheet import STANDING
from app.ui.tokens import LIGHT
from app.ui.widgets.card import Card
from app.ui.widgets.picture_copy import copy_menu, copy_words
from app.ui.widgets.site_picture import SitePictureView
from app.ui.widgets.start_cards import ImportCard
from tests.ui.conftest import Shown

WIDGETS = Path(__file__).parents[2] / "app" / "ui" / "widgets"


def test_no_card_paints_itself() -> None:
    """What is called a card, or made of one, has no painting of its own."""
    painting = []
    for path in sorted(WIDGETS.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and ("Card" in node.name or "Card" in map(ast.unparse, node.bases)):
                painting += [node.name for part in node.body if getattr(part, "name", "") == "paintEvent"]
    assert painting == []


@pytest.mark.parametrize(
    ("standing", "edge", "ground"),
    [
        ("", LIGHT.line, LIGHT.surface),
        ("chosen", LIGHT.accent, LIGHT.surface),
        ("impossible", LIGHT.line, LIGHT.window),
    ],
)
def test_a_card_shows_how_it_stands(shown: Shown, standing: str, edge: str, ground: str) -> None:
    """Chosen by a line in the accent colour, impossible by the ground of the page."""
    card, holder = Card("card"), QWidget()
    card.setProperty(STANDING, standing)
    card.column.addWidget(QLabel("A card"))
    QVBoxLayout(holder).addWidget(card)
    shown(holder, 300, 200)
    image = card.grab().toImage()
    middle = image.height() // 2
    assert image.pixelColor(0, middle) == QColor(edge)
    assert image.pixelColor(image.width() - 6, middle) == QColor(ground)
    assert QApplication.palette().color(QPalette.ColorRole.Window) == QColor(LIGHT.window)


def test_the_words_of_a_card_are_copied(shown: Shown) -> None:
    """By its menu: the words in sight, in the order they are read, without markup."""
    card = ImportCard()
    shown(card)
    copy_words(card)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "Measured elsewhere"
    assert lines[1].startswith("Explains a CSV")


def test_a_card_and_a_topology_are_copied_as_pictures(shown: Shown) -> None:
    """By their menus: as large as they are on the screen."""
    card, picture = ImportCard(), SitePictureView()
    for widget in (card, picture):
        shown(widget, 300, 200)
        QGuiApplication.clipboard().clear()
        copy_menu(widget).actions()[0].trigger()
        assert QGuiApplication.clipboard().image().size() == widget.grab().size()
    assert picture.contextMenuPolicy() is Qt.ContextMenuPolicy.CustomContextMenu
