"""What a label, a tip or a message says is shown letter by letter: names come from servers and from files of others."""

import ast
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from app.ui.widgets.rich_text import PlainLabel, plain_tip

ROOT: Final = Path(__file__).parents[2] / "app" / "ui"
AT_HOME: Final = ROOT / "widgets" / "rich_text.py"
"""Where what may be markup is made, and all of it escaped."""
PICTURE: Final = '<img src="//elsewhere/share/x.png">Sales'


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _may_be_markup(call: ast.Call, source: str) -> bool:
    """Tell whether a call shows a text that Qt may read as markup."""
    name = _called(call)
    if name == "QLabel":
        return True
    if name == "QMessageBox":
        return source.count("QMessageBox(") != source.count("box.setTextFormat(Qt.TextFormat.PlainText)")
    if name in {"setToolTip", "showText"}:
        told = [argument for argument in call.args if isinstance(argument, ast.Call)]
        return not any(_called(argument) in {"plain_tip", "_"} for argument in told)
    return False


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_text_of_the_window_is_read_as_markup(path: Path) -> None:
    """Labels are plain ones, tips and messages say that they are; one room makes markup, and escapes what it shows."""
    if path == AT_HOME:
        return
    source = path.read_text(encoding="utf-8")
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    assert [ast.unparse(call) for call in calls if _may_be_markup(call, source)] == []


def test_a_label_and_a_tip_show_a_picture_s_tag_and_fetch_nothing(qtbot: object) -> None:
    """As Qt shows them: the label does not guess, the tip is escaped, and an ordinary one stays as it is."""
    del qtbot
    assert QLabel(PICTURE).textFormat() is Qt.TextFormat.AutoText, "else the test shows nothing"
    assert PlainLabel(PICTURE).textFormat() is Qt.TextFormat.PlainText
    assert PlainLabel(PICTURE).text() == PICTURE
    assert "<img" not in plain_tip(f"{PICTURE}\nEurope")
    assert "<br>Europe" in plain_tip(f"{PICTURE}\nEurope")
    assert plain_tip("PUB1 & PUB2") == "PUB1 & PUB2"
