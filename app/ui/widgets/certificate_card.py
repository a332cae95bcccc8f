"""The sheet of a certificate that this computer does not trust, with the decision about it."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from app.flows.target.certificate_view import CertificateView
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.card import Card
from app.ui.widgets.path_text import PathText
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel, plain_label
from app.ui.widgets.start_cards import card_title


class CertificateCard(Card):
    """Shows one certificate; hidden where there is none to decide about.

    Signals:
        option_said: name and value of the option of the address with which the person trusts it.
    """

    option_said = Signal(str, str)

    def __init__(self, prefix: str, parent: QWidget | None = None) -> None:
        super().__init__(f"{prefix}.certificate_card", parent)
        self._view: CertificateView | None = None
        self._title, self._question, self._meaning = card_title(""), plain_label(""), plain_label("", quiet=True)
        self._rows: list[tuple[PlainLabel, PathText]] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(2 * GRID_PX)
        self._grid.setVerticalSpacing(GRID_PX // 2)
        self._grid.setColumnStretch(1, 1)
        self.button = push_button(
            f"{prefix}.trust_button", _("Tr&ust it and connect"), _("Trust this certificate and connect")
        )
        self.button.clicked.connect(self._on_clicked)
        row = QHBoxLayout()
        row.addWidget(self.button)
        row.addStretch(1)
        self.column.addWidget(self._title)
        self.column.addWidget(self._question)
        self.column.addLayout(self._grid)
        self.column.addWidget(self._meaning)
        self.column.addLayout(row)
        self.hide()

    def show_certificate(self, view: CertificateView | None) -> None:
        """Show the sheet, None for no question."""
        self._view = view
        if view is not None:
            self._title.setText(view.title)
            self._question.setText(view.question)
            self._meaning.setText(view.meaning)
            self._show_rows(view.rows)
        self.setVisible(view is not None)

    def _show_rows(self, rows: tuple[tuple[str, str], ...]) -> None:
        for number in range(len(self._rows), len(rows)):
            label, text = PlainLabel(), PathText(f"{self.objectName()}.row_{number + 1}", "")
            text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            self._grid.addWidget(label, number, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(text, number, 1)
            self._rows.append((label, text))
        for (label, text), (heading, told) in zip(self._rows, rows, strict=True):
            label.setText(heading)
            text.setAccessibleName(heading)
            text.show_text(told)

    @Slot()
    def _on_clicked(self) -> None:
        if self._view is not None:
            self.option_said.emit(*self._view.certificate.trusting)
