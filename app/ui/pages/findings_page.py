"""The page of the findings: results shown and not shown, and the way from each number to its trials."""

from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, SignalInstance, Slot
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.domain.errors import ReplituneError
from app.domain.events import RunStatus
from app.domain.setting import value_text
from app.flows.explain.findings_view import Findings, findings
from app.flows.explain.trial_view import TrialDetail, trial_detail
from app.flows.run.extend_view import blocks_left, blocks_line
from app.flows.run.resume_view import unfinished_line
from app.flows.shell.wizard import Choices, Step
from app.flows.words import sentence
from app.foundation.texts import _, in_words_of
from app.reporting.wording import Vocabulary
from app.services.explain.explaining import ExplainedSession, Explanations
from app.services.program import Program
from app.ui.desk import Desk
from app.ui.page import WizardPage
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.findings_panes import DecisionsPane, MeasuredPane, TablePane
from app.ui.widgets.page_heading import PageHeading
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import plain_label
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.summary_line import SummaryLine
from app.ui.widgets.trial_dialog import TrialDialog
from app.ui.widgets.verdict_badge import VerdictBadge

_MEASURED: Final = 2  # places of tabs
_FORECASTS: Final = 3
_TRIALS: Final = 4

Loaded = tuple[ExplainedSession, Findings, int]
"""A session, what it showed, and how many confirming blocks its last run may add."""


class FindingsPage(WizardPage):
    """Loads the session of these choices, once, and shows its advice."""

    step = Step.FINDINGS

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self._wanted: tuple[Path, str | None] | None = None
        self._is_unfinished = False
        self._explained: ExplainedSession | None = None
        self._status = StatusLine("findings.status")
        self._retry = push_button("findings.retry_button", _("&Try again"), _("Try to read the session again"))
        self._loading = QProgressBar()
        self._loading.setObjectName("findings.loading")
        self._loading.setAccessibleName(_("Reading the session"))
        self._loading.setRange(0, 0)
        self._loading.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # keeps the keyboard for what is read
        self._shown = QWidget()
        self._stack = QStackedWidget()
        self._lay_out()
        self._retry.clicked.connect(self._load)

    def _lay_out(self) -> None:
        waiting = QWidget()
        inside = QVBoxLayout(waiting)
        inside.setContentsMargins(0, GRID_PX, 0, 0)
        inside.setSpacing(GRID_PX)
        inside.addWidget(self._status)
        inside.addWidget(self._loading)
        row = QHBoxLayout()
        row.addWidget(self._retry)
        row.addStretch(1)
        inside.addLayout(row)
        inside.addStretch(1)
        self._stack.addWidget(waiting)
        self._stack.addWidget(self._shown)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(PageHeading(self.step))
        layout.addWidget(self._stack, 1)

    def show_choices(self, choices: Choices) -> None:
        """Show the findings of the session of these choices."""
        if choices.place is None:
            self._wanted = None
            self._say(_("There is no session yet; run the experiment first."), Tone.MUTED)
            return
        end = choices.run_end
        self._is_unfinished = end is not None and RunStatus(end.status).may_go_on
        session_id = end.session_id if end is not None else None
        wanted = (choices.place.session_file, session_id or None)
        if wanted != self._wanted:
            self._wanted = wanted
            self._load()

    # Loading

    @Slot()
    def _load(self) -> None:
        if self._wanted is None:
            return
        self._say(_("Reading the session and comparing what was measured …"), Tone.MUTED, is_loading=True)
        wanted = self._wanted
        work = partial(_load, self.desk.explanations, self.desk.program, *wanted)
        self.desk.tasks.query(self, work, partial(self._on_loaded, wanted), partial(self._on_failed, wanted))

    def _on_loaded(self, wanted: tuple[Path, str | None], loaded: Loaded) -> None:
        if wanted != self._wanted:
            return  # another session was asked for meanwhile
        self._explained, shown, more_blocks = loaded
        had_keyboard = self._has_keyboard()
        self._stack.removeWidget(self._shown)
        self._shown.deleteLater()
        with in_words_of(loaded[0]):
            self._shown = self._make_shown(shown, more_blocks)
        self._stack.addWidget(self._shown)
        self._stack.setCurrentWidget(self._shown)
        if had_keyboard:
            self.take_keyboard()

    def _on_failed(self, wanted: tuple[Path, str | None], error: BaseException) -> None:
        if wanted != self._wanted:
            return
        if isinstance(error, ReplituneError):
            self._say(sentence(str(error)), Tone.BAD, can_retry=True)
        else:
            self._say(_("The findings could not be shown because of a mistake in this program."), Tone.BAD)
            self.desk.trouble.emit(error)

    def _say(self, text: str, tone: Tone, *, is_loading: bool = False, can_retry: bool = False) -> None:
        had_keyboard = self._has_keyboard()
        self._status.show_status(text, tone)
        self._loading.setVisible(is_loading)
        self._retry.setVisible(can_retry)
        self._stack.setCurrentIndex(0)
        if had_keyboard:
            self.take_keyboard()

    # The keyboard

    def _has_keyboard(self) -> bool:
        """Tell whether the keyboard is in this page, whose focused widget is about to go."""
        focused = QApplication.focusWidget()
        return focused is not None and (focused is self or self.isAncestorOf(focused))

    def take_keyboard(self) -> None:
        """Give the keyboard to the decisions, which the arrow keys scroll; before, to the parts there."""
        cards = self._shown.findChild(DecisionsPane)
        if cards is not None and self._stack.currentWidget() is self._shown:
            cards.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().take_keyboard()

    # Showing

    def _make_shown(self, shown: Findings, more_blocks: int) -> QWidget:
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX)
        cards = DecisionsPane(shown, self.desk.table_layouts)
        cards.trial_chosen.connect(self._show_trial)
        cards.trials_requested.connect(self._on_trials_requested)
        layout.addWidget(self._summary(shown, cards))
        for place, warning in enumerate(shown.warnings):
            line = StatusLine(f"findings.warning_{place}")
            line.show_status(sentence(warning), Tone.WARNING)
            layout.addWidget(line)
        if more_blocks:
            text, hint = _("Run more bloc&ks"), _("Run further confirming blocks")
            wanted = self.desk.extension_requested
            layout.addLayout(_offer("findings.more_blocks", blocks_line(more_blocks), text, hint, wanted))
        elif self._is_unfinished:
            text, hint = _("R&esume run"), _("Resume this run where it stopped")
            wanted = self.desk.resume_requested
            layout.addLayout(_offer("findings.resume", unfinished_line(), text, hint, wanted))
        layout.addWidget(self._tabs(shown, cards), 1)
        return box

    def _summary(self, shown: Findings, cards: DecisionsPane) -> SummaryLine:
        """Return one line: the result, each verdict with its count, and the way to the results not shown."""
        headline = plain_label(shown.headline)
        headline.setObjectName("findings.headline")
        font = headline.font()
        font.setBold(True)
        headline.setFont(font)
        button = push_button("findings.not_shown_button", _("Not pro&ven"), _("Go to what is not proven"))
        button.clicked.connect(partial(self._on_not_shown_clicked, cards))
        return SummaryLine(headline, [VerdictBadge(verdict, text) for verdict, text in shown.counts], button)

    def _tabs(self, shown: Findings, cards: DecisionsPane) -> QTabWidget:
        layouts = self.desk.table_layouts
        trials_hint = _("Double click or Return shows the measures and readings of a trial.")
        trials = TablePane("findings.trials", _("All trials"), shown.trials, layouts, hint=trials_hint, has_filter=True)
        trials.row_activated.connect(self._show_trial)
        tabs = QTabWidget()
        tabs.setObjectName("findings.tabs")
        tabs.setAccessibleName(_("Parts of the findings"))
        tabs.addTab(cards, _("&Decisions ({count})").format(count=value_text(len(shown.decisions))))
        tabs.addTab(
            TablePane("findings.comparisons", _("All comparisons"), shown.comparisons, layouts),
            _("&Comparisons ({count})").format(count=value_text(len(shown.comparisons.rows))),
        )
        tabs.addTab(MeasuredPane(shown.measured, layouts), _("&Measures"))
        tabs.setTabVisible(_MEASURED, bool(shown.measured))
        tabs.addTab(
            TablePane("findings.forecasts", _("Catch-up forecast"), shown.forecasts, layouts, hint=shown.forecast_note),
            _("Catch-&up forecast ({count})").format(count=value_text(len(shown.forecasts.rows))),
        )
        tabs.setTabVisible(_FORECASTS, bool(shown.forecasts.rows))  # most experiments make none
        tabs.setCornerWidget(self._what_if_button())
        tabs.addTab(trials, _("T&rials ({count})").format(count=value_text(len(shown.trials.rows))))
        return tabs

    def _what_if_button(self) -> QPushButton:
        button = push_button(
            "findings.what_if_button", _("What i&f…"), _("Try another noise and another smallest effect")
        )
        button.clicked.connect(self._on_what_if_clicked)
        return button

    @Slot()
    def _on_what_if_clicked(self) -> None:
        from app.ui.pages.what_if_dialog import WhatIfDialog

        if self._explained is not None:
            dialog = WhatIfDialog(self.desk, self._explained, self)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()

    def _on_not_shown_clicked(self, cards: DecisionsPane, _checked: bool = False) -> None:
        self._go_to_tab(0)
        cards.show_not_shown()

    @Slot()
    def _on_trials_requested(self) -> None:
        self._go_to_tab(_TRIALS)

    def _go_to_tab(self, place: int) -> None:
        tabs = self._shown.findChild(QTabWidget, "findings.tabs")
        if isinstance(tabs, QTabWidget):
            tabs.setCurrentIndex(place)

    @Slot(str)
    def _show_trial(self, key: str) -> None:
        if self._explained is None:
            return
        words = Vocabulary(tuple(self.desk.program.families.values()))
        detail: TrialDetail | None = trial_detail(self._explained.session, key, words)
        if detail is not None:
            TrialDialog(self.desk, detail, self).open()


def _offer(name: str, sentence_: str, text: str, hint: str, wanted: SignalInstance) -> QHBoxLayout:
    """Return a sentence with the button that acts on it."""
    line = StatusLine(name)
    line.show_status(sentence_, Tone.MUTED)
    button = push_button(f"{name}_button", text, hint)
    button.clicked.connect(wanted)
    row = QHBoxLayout()
    row.addWidget(line, 1)
    row.addWidget(button)
    return row


def _load(explanations: Explanations, program: Program, session_file: Path, session_id: str | None) -> Loaded:
    """Read and explain a session; runs on a worker thread and touches no widget."""
    explained = explanations.explain(session_file, session_id)
    words = Vocabulary(tuple(program.families.values()))
    return explained, findings(explained, words), blocks_left(explained.session, program)
