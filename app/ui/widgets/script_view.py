"""A read-only text such as a script: to be searched and copied."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import (
    QFontDatabase,
    QGuiApplication,
    QKeySequence,
    QPalette,
    QShortcut,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel

# Beyond so many, marking every place is slower than anyone would look at them.
_MOST_MARKED = 500


class ScriptView(QWidget):
    """Shows a text; Ctrl+F searches it, Return goes to the next place found, Shift+Return to the one before."""

    def __init__(self, name: str, accessible_name: str, parent: QWidget | None = None) -> None:
        """Make an empty view.

        Args:
            name: first part of the object names, such as "plan.statements".
        """
        super().__init__(parent)
        self.setObjectName(name)
        self._places: list[QTextCursor] = []
        self._text = QPlainTextEdit()
        self._text.setObjectName(f"{name}.text")
        self._text.setAccessibleName(accessible_name)
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._search = QLineEdit()
        self._search.setObjectName(f"{name}.search_edit")
        self._search.setAccessibleName(_("Search in {what}").format(what=accessible_name))
        self._search.setPlaceholderText(_("Search (Ctrl+F)"))
        self._search.setClearButtonEnabled(True)
        self._found = PlainLabel()
        self._found.setObjectName(f"{name}.found")
        self._copy = push_button(
            f"{name}.copy_button", _("Copy a&ll"), _("Copy all of {what}").format(what=accessible_name)
        )
        self._lay_out()
        self._search.textChanged.connect(self._on_search_changed)
        self._search.returnPressed.connect(self._on_return_pressed)
        self._copy.clicked.connect(self.copy_all)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self._on_find_activated)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(GRID_PX)
        row.addWidget(self._search, 1)
        row.addWidget(self._found)
        row.addWidget(self._copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX // 2)
        layout.addLayout(row)
        layout.addWidget(self._text, 1)

    def show_text(self, text: str) -> None:
        """Show another text."""
        if text != self._text.toPlainText():
            self._text.setPlainText(text)
            self._mark(self._search.text())

    @Slot()
    def copy_all(self) -> None:
        """Put the whole text on the clipboard."""
        QGuiApplication.clipboard().setText(self._text.toPlainText())

    @Slot()
    def _on_find_activated(self) -> None:
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    @Slot(str)
    def _on_search_changed(self, wanted: str) -> None:
        self._mark(wanted)
        if self._places:
            self._show_place(0)

    @Slot()
    def _on_return_pressed(self) -> None:
        backwards = bool(QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._go(-1 if backwards else 1)

    def _go(self, step: int) -> None:
        """Show the next place found, or the one before; round at the ends."""
        if not self._places:
            return
        starts = [place.selectionStart() for place in self._places]
        here = self._text.textCursor().selectionStart()
        if here in starts:
            place = (starts.index(here) + step) % len(starts)
        else:
            place = next((n for n, start in enumerate(starts) if start > here), 0)
        self._show_place(place)

    def _mark(self, wanted: str) -> None:
        self._places = self._find_all(wanted) if wanted.strip() else []
        marked = QTextCharFormat()
        marked.setBackground(self.palette().brush(QPalette.ColorRole.Highlight))
        marked.setForeground(self.palette().brush(QPalette.ColorRole.HighlightedText))
        selections = []
        for cursor in self._places:
            selection = QTextEdit.ExtraSelection()
            selection.cursor, selection.format = cursor, marked
            selections.append(selection)
        self._text.setExtraSelections(selections)
        if not wanted.strip():
            self._found.clear()
        elif self._places:
            self._say_place(0)
        else:
            self._found.setText(_("not found"))

    def _show_place(self, place: int) -> None:
        self._text.setTextCursor(self._places[place])
        self._text.centerCursor()
        self._say_place(place)

    def _say_place(self, place: int) -> None:
        self._found.setText(_("{n} of {all}").format(n=place + 1, all=len(self._places)))

    def _find_all(self, wanted: str) -> list[QTextCursor]:
        document: QTextDocument = self._text.document()
        matches: list[QTextCursor] = []
        cursor = document.find(wanted, 0)
        while not cursor.isNull() and len(matches) < _MOST_MARKED:
            matches.append(cursor)
            cursor = document.find(wanted, cursor)
        return matches
