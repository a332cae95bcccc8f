"""Words of the consultant's own in a report: title, foreword, version, confidentiality, and prose for each decision."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.flows.hand_over.own_words_view import WordsField, changed_words
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel

_TEXT_HEIGHT_PX = 10 * GRID_PX


class OwnWordsDialog(QDialog):
    """Shows the fields; nothing is kept before "Keep".

    Signals:
        words_entered: what was changed, by its place.
    """

    words_entered = Signal(object)

    def __init__(self, fields: Sequence[WordsField], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("own_words")
        self.setWindowTitle(_("Your own words in the report"))
        self._fields = tuple(fields)
        self._edits: dict[str, QLineEdit | QPlainTextEdit] = {field.place: _edit(field) for field in fields}
        self._keep = push_button("own_words.keep_button", _("&Keep"))
        self._close = push_button("own_words.close_button", _("&Close"))
        self._lay_out()
        self._keep.setDefault(True)
        self._keep.clicked.connect(self._on_keep_clicked)
        self._close.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        inside = QWidget()
        form = QFormLayout(inside)
        form.setVerticalSpacing(GRID_PX)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for field in self._fields:
            label = PlainLabel(field.title.replace("&", "&&"))
            label.setWordWrap(True)
            label.setBuddy(self._edits[field.place])
            form.addRow(label, self._edits[field.place])
        area = QScrollArea()
        area.setObjectName("own_words.area")
        area.setWidgetResizable(True)
        area.setWidget(inside)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID_PX)
        buttons.addStretch(1)
        buttons.addWidget(self._keep)
        buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(area, 1)
        layout.addLayout(buttons)
        self.resize(80 * GRID_PX, 74 * GRID_PX)

    @Slot()
    def _on_keep_clicked(self) -> None:
        entered = {
            place: edit.text() if isinstance(edit, QLineEdit) else edit.toPlainText()
            for place, edit in self._edits.items()
        }
        self.words_entered.emit(changed_words(self._fields, entered))
        self.accept()


def _edit(field: WordsField) -> QLineEdit | QPlainTextEdit:
    edit: QLineEdit | QPlainTextEdit
    if field.is_line:
        edit = QLineEdit(field.text)
    else:
        edit = QPlainTextEdit(field.text)
        edit.setTabChangesFocus(True)
        edit.setFixedHeight(_TEXT_HEIGHT_PX)
    edit.setObjectName(f"own_words.{field.place}_edit")
    edit.setAccessibleName(field.title)
    return edit
