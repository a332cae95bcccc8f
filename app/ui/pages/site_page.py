"""The page of the site: its present picture, worthwhile experiments, and everything that was read of it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.domain.ports import FigureRenderer
from app.flows.shell.wizard import Choices, Step, choose_experiment, choose_subject, choose_target, keep_reading
from app.flows.target.attempt_view import (
    NO_ATTEMPT,
    Attempt,
    AttemptState,
    attempt_begun,
    attempt_cancelled,
    attempt_failed,
    attempt_nothing,
    choice_view,
    is_mistake,
)
from app.flows.target.observe_report import site_report
from app.flows.target.observe_view import look_plots, look_watched
from app.flows.target.proposals import Proposal, proposals
from app.flows.target.shown_before import shown_last, shown_line
from app.flows.target.site_view import (
    Worth,
    nothing_proposed,
    proposed_line,
    reading_line,
    site_pictures,
    subject_at,
    unread_line,
)
from app.flows.target.topology_found import nothing_here, unread_notice
from app.flows.words import sentence
from app.foundation.texts import _
from app.reporting.request import ReportRequest
from app.services.explain.verdict_counts import Showed
from app.services.hand_over.report_and_scripts import write_as_named
from app.services.look.reading import TargetReading
from app.services.look.watching import LiveReading
from app.services.plan.checking import leftover_notice
from app.ui.desk import Desk
from app.ui.page import WizardPage
from app.ui.site_watcher import SiteWatcher
from app.ui.target_keeper import TargetKeeper
from app.ui.target_reader import TargetReader
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.attempt_pane import AttemptPane
from app.ui.widgets.choice_card import ChoiceCard
from app.ui.widgets.experiments_pane import ExperimentsPane
from app.ui.widgets.observe_pane import ObservePane
from app.ui.widgets.page_heading import PageHeading
from app.ui.widgets.push_button import push_button
from app.ui.widgets.servers_pane import ServersPane
from app.ui.widgets.site_now import SiteNow
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.view_stack import ViewStack

_NOW, _SERVERS, _HISTORY, _EXPERIMENTS = range(4)


class SitePage(WizardPage):
    """Reads the target when it is first entered, shows its topology, and watches it while it is shown."""

    step = Step.TOPOLOGY

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self._choices = Choices()
        self._worth: Worth | None = None
        self._reading: LiveReading | None = None
        self._reader = TargetReader(desk, self)
        self._watcher = SiteWatcher(desk, self)
        self._now = SiteNow(desk)
        self._servers = ServersPane(desk)
        self._history = ObservePane(desk)
        self._experiments = ExperimentsPane(desk)
        self._attempt = AttemptPane("topology")
        self._again = push_button("topology.read_again_button", _("&Read again"), _("Read the target again"))
        self._retry = push_button("topology.retry_button", _("&Try again"), _("Try to read the target again"))
        self._report = push_button("site.report_button", _("Rep&ort…"), _("Write a report of the site"))
        self._report.setEnabled(False)
        self._written = StatusLine("site.report_line")
        self._line = StatusLine("site.line")
        self._unread = StatusLine("topology.unread")
        self._choice = ChoiceCard("site")
        self._shown = StatusLine("site.shown_line")
        self._shown.hide()
        self._showed: tuple[Showed, ...] = ()
        self._switches: list[QPushButton] = []  # no button group: Tab would lead to the chosen one alone
        self._views = ViewStack()
        self._stack = ViewStack()
        self._lay_out()
        self._connect()

    def _connect(self) -> None:
        for place, switch in enumerate(self._switches):
            switch.clicked.connect(partial(self._show_view, place))
        self._again.clicked.connect(self._read)
        self._retry.clicked.connect(self._read)
        self._report.clicked.connect(self._on_report_clicked)
        self._now.parameters_wanted.connect(self._on_parameters_wanted)
        self._now.subject_chosen.connect(self._on_subject_chosen)
        self._now.proposals.planned.connect(self._on_planned)
        self._experiments.choices_changed.connect(self._on_experiment_chosen)
        self._experiments.advance_requested.connect(self.advance_requested)
        self._attempt.cancel_requested.connect(self._on_cancel_requested)
        self._attempt.option_said.connect(self._on_option_said)
        self._choice.option_said.connect(self._on_option_said)
        self._reader.reading_arrived.connect(self._on_reading_arrived)
        self._reader.reading_failed.connect(self._on_reading_failed)
        self._watcher.reading_arrived.connect(self._on_live_reading)
        self._watcher.worth_arrived.connect(self._on_worth)
        self._watcher.failed.connect(self._on_watch_failed)

    def show_choices(self, choices: Choices) -> None:
        """Show the reading; read now where that has not been done."""
        if choices.target != self._choices.target:
            self._reader.cancel()
            self._servers.forget()
        is_other = choices.discovery is not self._choices.discovery
        self._choices = choices
        if is_other:
            self._forget_watched()
        if choices.discovery is not None:
            self._show_content()
        elif choices.target and not self._reader.is_reading:
            self._read()

    # Making it

    def _lay_out(self) -> None:
        for view in (self._now, self._servers, self._history, self._experiments):
            self._views.add_view(view)
        self._stack.add_view(self._make_content())
        self._stack.add_view(self._make_waiting())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(PageHeading(self.step))
        layout.addWidget(self._stack, 1)

    def _make_content(self) -> QWidget:
        row = QHBoxLayout()
        row.setSpacing(GRID_PX // 2)
        titles = (
            (_NOW, "site.now_button", _("S&tate")),
            (_SERVERS, "site.servers_button", _("Ser&vers and parameters")),
            (_HISTORY, "site.history_button", _("Hi&story")),
            (_EXPERIMENTS, "site.experiments_button", _("All experi&ments")),
        )
        for place, name, text in titles:
            button = push_button(name, text, text.replace("&", ""))
            button.setCheckable(True)
            button.setChecked(place == _NOW)
            self._switches.append(button)
            row.addWidget(button)
        row.addStretch(1)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID_PX)
        column.addLayout(row)
        below = QHBoxLayout()
        below.setSpacing(GRID_PX)
        below.addWidget(self._line, 1)
        below.addWidget(self._report)
        below.addWidget(self._again)
        column.addLayout(below)
        column.addWidget(self._unread)
        column.addWidget(self._choice)
        column.addWidget(self._shown)
        column.addWidget(self._written)
        column.addWidget(self._views, 1)
        return content

    def _make_waiting(self) -> QWidget:
        waiting = QWidget()
        row = QHBoxLayout()
        row.addWidget(self._retry)
        row.addStretch(1)
        column = QVBoxLayout(waiting)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID_PX)
        column.addWidget(self._attempt)
        column.addLayout(row)
        column.addStretch(1)
        return waiting

    # Showing

    def _show_content(self) -> None:
        discovery = self._choices.discovery
        if discovery is None:
            return
        nothing = nothing_here(discovery, self.desk.program.systems)
        if nothing:
            self._show_attempt(attempt_nothing(nothing))
            return
        self._choice.show_choice(choice_view(discovery.to_choose))
        self._servers.show_discovery(discovery)
        self._history.show_target(self._choices.target)
        self._experiments.show_choices(self._choices)
        self._show_now()
        self._ask_what_showed()
        self._stack.show_view(0)
        if self.isVisible():
            self._watcher.watch(self._choices)

    def _show_now(self) -> None:
        """Show the newest readings and observations."""
        discovery = self._choices.discovery
        if discovery is None:
            return
        looked = None if self._worth is None else self._worth.looked
        pictures = site_pictures(discovery, looked, self._reading)
        self._now.show_pictures(pictures)
        self._line.show_status(reading_line(pictures, self._reading), Tone.MUTED)
        left = leftover_notice(discovery.target, discovery.left)
        notices = (left and f"{left}.", unread_notice(discovery), unread_line(self._reading))
        notice = " ".join(text for text in notices if text)
        self._unread.show_status(notice, Tone.WARNING)
        self._unread.setVisible(bool(notice))

    def _forget_watched(self) -> None:
        self._watcher.stop()
        self._worth = self._reading = None
        self._report.setEnabled(False)
        self._show_written("", Tone.MUTED)
        self._now.proposals.show_proposals(())
        self._now.history.show_seen((), {})
        self._now.proposals.show_line(_("Reading what the servers keep …"), Tone.MUTED)

    def _show_attempt(self, attempt: Attempt) -> None:
        self._watcher.stop()
        with self.keeping_keyboard():  # the button to cancel goes: the first thing to be decided takes it
            self._attempt.show_attempt(attempt)
            self._retry.setVisible(attempt.state is AttemptState.FAILED)
            self._stack.show_view(1)

    def _show_view(self, place: int, _checked: bool = True) -> None:
        for number, switch in enumerate(self._switches):
            switch.setChecked(number == place)
        self._views.show_view(place)

    def show_node(self, key: str) -> None:
        """Show a node of the site with its parameters."""
        self._on_parameters_wanted(key)

    @Slot(str)
    def _on_parameters_wanted(self, key: str) -> None:
        self._servers.choose(key)
        self._show_view(_SERVERS)
        self._servers.tree.setFocus()

    # Choosing

    @Slot(object)
    def _on_planned(self, proposal: Proposal) -> None:
        self._choices = choose_experiment(self._choices, proposal.family, proposal.plan)
        self._experiments.show_choices(self._choices)
        self.choices_changed.emit(self._choices)
        self.advance_requested.emit()

    @Slot(str)
    def _on_subject_chosen(self, key: str) -> None:
        """Have plans be about the box that was chosen, where it can be experimented on."""
        discovery = self._choices.discovery
        subject = () if discovery is None else subject_at(discovery, key)
        chosen = choose_subject(self._choices, subject) if subject else self._choices
        if chosen is self._choices:
            return
        self._choices = chosen
        self._experiments.show_choices(chosen)
        self.choices_changed.emit(chosen)
        self._propose_for_chosen()

    def _propose_for_chosen(self) -> None:
        """Show the experiments on the box chosen, once the site was looked at."""
        discovery, subject = self._choices.discovery, self._choices.subject
        if discovery is not None and self._worth is not None and subject:
            families = self.desk.program.families
            work = partial(proposals, discovery, self._worth.looked, self._choices.sites, families, subject)
            self.desk.tasks.query(self, work, partial(self._on_proposals, subject), self._on_watch_failed)

    def _on_proposals(self, subject: tuple[tuple[str, str], ...], made: tuple[Proposal, ...]) -> None:
        if subject == self._choices.subject and self._worth is not None:
            self._worth = replace(self._worth, proposals=made)
            self._show_proposals(made)

    def _ask_what_showed(self) -> None:
        """Read the results of the client's sessions here, while the next thing to test is chosen."""
        place, end = self._choices.as_found.place, self._choices.as_found.run_end
        if not self._choices.shows_found or place is None or end is None:
            self._on_showed(())
            return
        work = partial(self.desk.verdict_counter.showed_on, place.session_file, self._choices.target)
        self.desk.tasks.query(self, work, self._on_showed, self._on_watch_failed)

    def _on_showed(self, showed: tuple[Showed, ...]) -> None:
        self._showed = showed
        text = shown_line(showed)
        self._shown.show_status(text, Tone.GOOD)
        self._shown.setVisible(bool(text))
        if text and self._worth is not None:
            self._show_proposals(self._worth.proposals)

    def _show_proposals(self, made: tuple[Proposal, ...]) -> None:
        made = shown_last(made, self._showed)
        self._now.proposals.show_proposals(made)
        discovery, looked = self._choices.discovery, None if self._worth is None else self._worth.looked
        pictures = () if discovery is None else site_pictures(discovery, looked, self._reading)
        line = proposed_line(pictures) if made else nothing_proposed()
        self._now.proposals.show_line(line, Tone.MUTED)

    @Slot(object)
    def _on_experiment_chosen(self, choices: Choices) -> None:
        self._choices = choices
        self.choices_changed.emit(choices)

    # Watching

    @Slot(object)
    def _on_live_reading(self, reading: LiveReading) -> None:
        self._reading = reading
        self._show_now()

    @Slot(object)
    def _on_worth(self, worth: Worth) -> None:
        self._worth = worth
        early = self._choices.subject  # a box clicked before its experiments were known
        if not early:
            self._show_proposals(worth.proposals)
        self._history.show_look(worth.looked)
        self._now.history.show_seen(look_plots(worth.looked), look_watched(worth.looked))
        self._report.setEnabled(True)
        self._show_now()
        self._now.choose_first()
        if early and early == self._choices.subject:
            self._propose_for_chosen()

    @Slot(object)
    def _on_watch_failed(self, error: BaseException) -> None:
        if is_mistake(error):
            self.desk.trouble.emit(error)
        if self._worth is None:
            self._now.proposals.show_line(sentence(str(error)), Tone.BAD)
        self._line.show_status(sentence(str(error)), Tone.BAD)

    # Its report

    @Slot()
    def _on_report_clicked(self) -> None:
        kinds = _("PDF (*.pdf);;HTML (*.html);;Markdown (*.md)")
        path, _kind = QFileDialog.getSaveFileName(self, _("Save the report of the site"), "site.pdf", kinds)
        if path:
            self.write_report(Path(path))

    def write_report(self, path: Path) -> None:
        """Write the readings and observations as a report, in the background."""
        discovery, worth = self._choices.discovery, self._worth
        if discovery is not None and worth is not None:
            self._report.setEnabled(False)
            self._show_written(_("Writing the report …"), Tone.MUTED)
            renderer = self.desk.program.parts.make_renderer()  # on this thread; figures are drawn here, too
            now_utc = self.desk.clock.now_utc()
            request = partial(site_report, discovery, worth.looked, now_utc, reading=self._reading)
            work = partial(_write_report, request, path, renderer)
            self.desk.tasks.query(self, work, self._on_report_written, self._on_report_failed)

    def _on_report_written(self, path: Path) -> None:
        self._report.setEnabled(self._worth is not None)
        self._show_written(_("Report written: {file}").format(file=path), Tone.GOOD)

    def _on_report_failed(self, error: BaseException) -> None:
        self._report.setEnabled(self._worth is not None)
        self._show_written(sentence(str(error)), Tone.BAD)
        if is_mistake(error):
            self.desk.trouble.emit(error)

    def _show_written(self, text: str, tone: Tone) -> None:
        self._written.show_status(text, tone)
        self._written.setVisible(bool(text))

    def showEvent(self, event: QShowEvent) -> None:
        """Watch the site again (Qt calls this)."""
        super().showEvent(event)
        if self._choices.discovery is not None and self._stack.place == 0:
            self._watcher.watch(self._choices)

    def hideEvent(self, event: QHideEvent) -> None:
        """Watch no longer (Qt calls this)."""
        super().hideEvent(event)
        self._watcher.stop()

    # Reading

    @Slot()
    def _read(self) -> None:
        self._reader.read(self._choices.target)
        self._show_attempt(attempt_begun(self._choices.target))

    @Slot()
    def _on_cancel_requested(self) -> None:
        self._reader.cancel()
        if self._choices.discovery is not None:
            self._end_reading()
        else:
            self._show_attempt(attempt_cancelled())

    @Slot(str, str)
    def _on_option_said(self, option: str, value: str) -> None:
        """Read the target again, of which the person has decided something."""
        said = TargetKeeper(self.desk, self).say(self._choices.target, option, value)
        self._choices = choose_target(self._choices, said)
        self._read()
        self.choices_changed.emit(self._choices)

    @Slot(str, object)
    def _on_reading_arrived(self, target: str, reading: TargetReading) -> None:
        TargetKeeper(self.desk, self).remember_read(target)
        self._choices = keep_reading(self._choices, reading.discovery, reading.sites, reading.impossible)
        self._forget_watched()
        self._end_reading()
        self.choices_changed.emit(self._choices)

    def _end_reading(self) -> None:
        had_keyboard = self.has_keyboard
        self._attempt.show_attempt(NO_ATTEMPT)
        self._show_content()
        if had_keyboard:  # what had it, the button to cancel, has gone
            self._switches[self._views.place].setFocus()

    @Slot(str, object)
    def _on_reading_failed(self, _target: str, error: BaseException) -> None:
        self._show_attempt(attempt_failed(error))
        if is_mistake(error):
            self.desk.trouble.emit(error)


def _write_report(request: Callable[[], ReportRequest], path: Path, renderer: FigureRenderer) -> Path:
    """Runs on a worker thread."""
    write_as_named(request(), path, renderer)
    return path
