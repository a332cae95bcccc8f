"""Shows how reading a target stands: going on with a way to give up, reached, or failed."""

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from app.flows.target.attempt_view import NO_ATTEMPT, Attempt, AttemptState, waited_text
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.certificate_card import CertificateCard
from app.ui.widgets.choice_card import ChoiceCard
from app.ui.widgets.push_button import push_button
from app.ui.widgets.status_line import StatusLine

_TICK_MS = 1_000
_TONES = {AttemptState.REACHED: Tone.GOOD, AttemptState.FAILED: Tone.BAD}


class AttemptPane(QWidget):
    """Shows one attempt.

    Signals:
        cancel_requested: the person does not want to wait any longer.
        option_said: name and value of an option of the address, which the person has decided.
    """

    cancel_requested = Signal()
    option_said = Signal(str, str)

    def __init__(self, prefix: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.attempt = NO_ATTEMPT
        self._status = StatusLine(f"{prefix}.attempt")
        self._detail = StatusLine(f"{prefix}.attempt_detail")
        self._certificate = CertificateCard(prefix)
        self._certificate.option_said.connect(self.option_said)
        self._choice = ChoiceCard(prefix)
        self._choice.option_said.connect(self.option_said)
        self._bar = QProgressBar()
        self._bar.setObjectName(f"{prefix}.attempt_progress")
        self._bar.setAccessibleName(_("Reading the target"))
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setFixedSize(20 * GRID_PX, GRID_PX)
        self._since = QElapsedTimer()
        self._ticking = QTimer(self)
        self._ticking.setInterval(_TICK_MS)
        self._ticking.timeout.connect(self._on_tick)
        self._cancel = push_button(f"{prefix}.attempt_cancel_button", _("Cance&l"), _("Cancel reading the target"))
        self._cancel.clicked.connect(self.cancel_requested)
        row = QHBoxLayout()
        row.setSpacing(GRID_PX)
        row.addWidget(self._bar, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._cancel)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX // 2)
        layout.addWidget(self._status)
        layout.addWidget(self._detail)
        layout.addWidget(self._certificate)
        layout.addWidget(self._choice)
        layout.addLayout(row)
        self.show_attempt(NO_ATTEMPT)

    def show_attempt(self, attempt: Attempt) -> None:
        """Show how it stands."""
        self.attempt = attempt
        going_on = attempt.state is AttemptState.GOING_ON
        self._status.show_status(attempt.text, _TONES.get(attempt.state, Tone.NEUTRAL))
        self._detail.show_status(attempt.detail, Tone.MUTED)
        self._detail.setVisible(bool(attempt.detail))
        self._certificate.show_certificate(attempt.certificate)
        self._choice.show_choice(attempt.choice)
        self._bar.setVisible(going_on)
        if going_on:
            self._since.start()
            self._ticking.start()
        else:
            self._ticking.stop()
        self._cancel.setVisible(going_on)

    @Slot()
    def _on_tick(self) -> None:
        waited = waited_text(self._since.elapsed() / 1_000)
        self._detail.show_status(waited, Tone.WARNING)
        self._detail.setVisible(bool(waited))
