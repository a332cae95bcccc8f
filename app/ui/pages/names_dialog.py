"""Free texts of a report whose names are replaced: a person decides on each before it is written."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from app.flows.hand_over.bundle_view import undecided_text
from app.foundation.texts import _
from app.services.hand_over.free_texts import NameChoices
from app.ui.theme import GRID_PX
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.undecided_list import UndecidedList


class NamesDialog(QDialog):
    """Asks which texts are replaced.

    Signals:
        decided: the `NameChoices`.
    """

    decided = Signal(object)

    def __init__(self, texts: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("names")
        self.setWindowTitle(_("Words of your own"))
        hint = PlainLabel(undecided_text(len(texts)))
        hint.setWordWrap(True)
        self._texts = UndecidedList("names.undecided_list")
        self._texts.add_texts(texts)
        write = push_button("names.write_button", _("&Write"))
        close = push_button("names.close_button", _("&Close"))
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID_PX)
        buttons.addStretch(1)
        buttons.addWidget(write)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(hint)
        layout.addWidget(self._texts, 1)
        layout.addLayout(buttons)
        write.clicked.connect(self._on_write_clicked)
        close.clicked.connect(self.reject)
        self.resize(84 * GRID_PX, self.sizeHint().height())

    def _on_write_clicked(self) -> None:
        kept = self._texts.kept
        self.decided.emit(NameChoices(tuple(text for text in self._texts.texts if text not in kept), tuple(kept)))
        self.accept()
