"""Indented lines to read, in a window too narrow for them."""

from PySide6.QtGui import QTextCursor

from app.ui.widgets.hanging_text import HangingText
from tests.ui.conftest import Shown


def test_a_line_goes_on_under_its_own_words(shown: Shown) -> None:
    """The second line of an indented one begins where its words begin; the text itself is as it was given."""
    view = HangingText("test.text", "Findings")
    shown(view, 200, 300)
    text = "Findings:\n     A sentence that is longer than the window is wide.\nEnd."
    view.show_text(text)
    assert view.toPlainText() == text
    sentence = view.document().findBlockByNumber(1)
    on_its_second_line = sentence.position() + sentence.layout().lineAt(1).textStart()
    words = _place_px(view, text.index("A sentence"))
    assert sentence.layout().lineCount() > 1
    assert _place_px(view, text.index("     A")) == _place_px(view, 0) < words
    assert abs(_place_px(view, on_its_second_line) - words) < 2


def _place_px(view: HangingText, position: int) -> int:
    cursor = QTextCursor(view.document())
    cursor.setPosition(position)
    return view.cursorRect(cursor).x()
