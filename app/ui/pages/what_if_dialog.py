"""Noise and smallest effect to play with, beside the results by the plan's values; nothing is kept."""

from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.domain.errors import ReplituneError
from app.flows.explain.what_if_view import WhatIf, plan_percents, read_percent, what_if
from app.flows.words import sentence
from app.foundation.texts import _
from app.reporting.wording import Vocabulary
from app.services.explain.explaining import ExplainedSession
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel, plain_label
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable


class WhatIfDialog(QDialog):
    """Computes in the background whatever is typed; the last values typed count."""

    def __init__(self, desk: Desk, explained: ExplainedSession, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("what_if")
        self.setWindowTitle(_("What if"))
        self._desk, self._explained = desk, explained
        self._asked = 0
        effect, noise = plan_percents(explained.session)
        self._effect = _percent_field("effect", _("Smallest effect worth acting on, in percent"), effect)
        self._effect.setEnabled(bool(explained.session.runs))
        self._noise = _percent_field("noise", _("Noise between runs in percent"), noise)
        self._noise.setPlaceholderText(_("as measured"))
        self._status = StatusLine("what_if.status")
        self._table = DataTable("what_if.table", _("Comparisons by the plan and what if"), desk.table_layouts)
        self._close = push_button("what_if.close_button", _("&Close"))
        self._lay_out()
        for field in (self._effect, self._noise):
            field.textChanged.connect(self._compute)
        self._close.clicked.connect(self.reject)
        self._compute()

    def _lay_out(self) -> None:
        fields = QHBoxLayout()
        fields.setSpacing(GRID_PX)
        for text, field in ((_("Smallest &effect"), self._effect), (_("&Noise"), self._noise)):
            label = PlainLabel(text)
            label.setBuddy(field)
            fields.addWidget(label)
            fields.addWidget(field)
            fields.addWidget(PlainLabel("%"))
            fields.addSpacing(2 * GRID_PX)
        fields.addStretch(1)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(plain_label(_("For a look only: report, scripts and verdicts keep the plan's values.")))
        layout.addLayout(fields)
        layout.addWidget(self._status)
        layout.addWidget(self._table, 1)
        layout.addLayout(buttons)
        self.resize(148 * GRID_PX, 60 * GRID_PX)

    @Slot()
    @Slot(str)
    def _compute(self, _text: str = "") -> None:
        self._asked += 1
        try:
            effect, noise = read_percent(self._effect.text()), read_percent(self._noise.text())
        except ReplituneError as error:
            self._status.show_status(sentence(str(error)), Tone.BAD)
            return
        words = Vocabulary(tuple(self._desk.program.families.values()))
        work = partial(what_if, self._explained, self._desk.program.advisor, words, effect, noise)
        asked = self._asked
        self._desk.tasks.query(self, work, partial(self._show, asked), partial(self._on_failed, asked))

    def _show(self, asked: int, found: WhatIf) -> None:
        if asked == self._asked:  # other values were typed meanwhile
            self._status.show_status(found.sentence, Tone.WARNING)
            self._table.show_content(found.table)

    def _on_failed(self, asked: int, error: BaseException) -> None:
        if not isinstance(error, ReplituneError):
            self._desk.trouble.emit(error)
        elif asked == self._asked:
            self._status.show_status(sentence(str(error)), Tone.BAD)


def _percent_field(name: str, spoken: str, text: str) -> QLineEdit:
    field = QLineEdit(text)
    field.setObjectName(f"what_if.{name}_edit")
    field.setAccessibleName(spoken)
    field.setAlignment(Qt.AlignmentFlag.AlignRight)
    field.setFixedWidth(12 * GRID_PX)
    return field
