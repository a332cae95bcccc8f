"""The state of a run: headline, present step, progress, and changes that could not be undone."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QVBoxLayout, QWidget

from app.flows.run.mood import Mood
from app.flows.run.run_health import RunHealth
from app.flows.run.run_view import RunPicture
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.picture_copy import make_card
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine

_STEPS = 1_000

_TONES = {Mood.NEUTRAL: Tone.NEUTRAL, Mood.GOOD: Tone.GOOD, Mood.WARNING: Tone.WARNING, Mood.BAD: Tone.BAD}


class RunStatusPane(QWidget):
    """Shows a `RunPicture` in four lines, and the alarms where there are some."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._headline = StatusLine("run.headline")
        font = self._headline.label.font()
        font.setBold(True)
        self._headline.label.setFont(font)
        self._times = _line("run.times")
        self._times.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._trial = _line("run.trial")
        self._detail = _line("run.detail")
        self._detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._note = StatusLine("run.note")
        self._health = StatusLine("run.health")
        self._lost = StatusLine("run.lost")
        self._bar = QProgressBar()
        self._bar.setObjectName("run.progress")
        self._bar.setAccessibleName(_("Progress of the run"))
        self._bar.setRange(0, _STEPS)
        self._bar.setFormat("%p %")
        self._alarms = AlarmBox("run.alarms")
        self._lay_out()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(2 * GRID_PX)
        top.addWidget(self._headline)
        top.addWidget(self._trial, 1)
        top.addWidget(self._times)
        below = QHBoxLayout()
        below.setSpacing(2 * GRID_PX)
        below.addWidget(self._detail, 1)
        below.addWidget(self._note, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX // 2)
        layout.addLayout(top)
        layout.addWidget(self._bar)
        layout.addLayout(below)
        layout.addWidget(self._health)
        layout.addWidget(self._lost)
        layout.addWidget(self._alarms)
        self._note.label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        for label in (self._headline.label, self._times):
            label.setWordWrap(False)
            label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    def show_picture(self, picture: RunPicture) -> None:
        """Show how a run stands."""
        self._headline.show_status(picture.headline, _TONES[picture.mood])
        self._trial.setText(picture.trial)
        self._times.setText(picture.times)
        self._detail.setText(picture.detail)
        self._note.show_status(picture.note, Tone.MUTED)
        self._bar.setValue(round(picture.progress * _STEPS))
        self._alarms.show_alarms(_("Not undone on the server"), picture.alarms, picture.remedy)

    def show_health(self, health: RunHealth) -> None:
        """Show whether the run is alive, and the trials lost."""
        self._health.show_status(health.line, Tone.BAD if health.alarm else Tone.NEUTRAL)
        self._health.setVisible(bool(health.line))
        self._lost.show_status("\n".join(health.lost), Tone.WARNING)
        self._lost.setVisible(bool(health.lost))


class AlarmBox(QFrame):
    """Alarms that must not be overlooked, in a frame of their own; hidden where there are none."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        make_card(self)
        self._title = StatusLine(f"{name}.title")
        font = self._title.label.font()
        font.setBold(True)
        self._title.label.setFont(font)
        self._problems = StatusLine(f"{name}.problems")
        self._remedy = _line(f"{name}.remedy")
        self._remedy.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID_PX, GRID_PX, GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX // 2)
        for widget in (self._title, self._problems, self._remedy):
            layout.addWidget(widget)
        self.hide()

    def show_alarms(self, title: str, problems: tuple[str, ...], remedy: str) -> None:
        """Show problems and their remedies; nothing where there are none."""
        self._title.show_status(title, Tone.BAD)
        self._problems.show_status("\n".join(f"• {problem}" for problem in problems), Tone.BAD)
        self._remedy.setText(remedy)
        self.setAccessibleName(f"{title}: {'; '.join(problems)}")
        self.setVisible(bool(problems))


def _line(name: str) -> QLabel:
    label = PlainLabel()
    label.setObjectName(name)
    label.setWordWrap(True)
    return label
