"""The page that asks whether the run may start, and for consent to every change."""

from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFileDialog, QGroupBox, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.domain.family import ExperimentFamily
from app.domain.plan import Plan
from app.domain.ports import FigureRenderer
from app.domain.rights import Mode
from app.flows.plan.before_visit import before_visit
from app.flows.plan.preflight_modes import mode_lines
from app.flows.plan.preflight_view import (
    changes_heading,
    check_lines,
    checks_heading,
    consent_heading,
    consent_lines,
    simulation_note,
    undo_places,
)
from app.flows.run.resume_view import resumed_line
from app.flows.shell.settings_view import sessions_folder
from app.flows.shell.wizard import Choices, Step, choose_folder, choose_mode, consent, drop_dry_run, keep_dry_run
from app.flows.target.attempt_view import is_mistake
from app.flows.target.observe_view import observing_text
from app.flows.words import sentence
from app.foundation.texts import _
from app.services.hand_over.report_and_scripts import write_as_named
from app.services.look.doctor import target_health
from app.services.look.reading import read_dry_run
from app.services.plan.dry_run import DryRun
from app.services.ports import TargetOpener
from app.services.run.session_folder import FolderState, look_at_folder, propose_folder
from app.ui.desk import Desk
from app.ui.page import WizardPage
from app.ui.pages.observe_dialog import ObserveDialog
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.changes_pane import ChangesPane
from app.ui.widgets.check_list import CheckList
from app.ui.widgets.columns import Columns
from app.ui.widgets.consent_list import ConsentList
from app.ui.widgets.folder_field import FolderField
from app.ui.widgets.keyboard_order import order_keyboard
from app.ui.widgets.mode_choice import ModeChoice
from app.ui.widgets.observing_pane import observing_pane
from app.ui.widgets.page_heading import PageHeading
from app.ui.widgets.path_text import PathText
from app.ui.widgets.push_button import push_button
from app.ui.widgets.status_line import StatusLine


class PreflightPage(WizardPage):
    """Reads the plan's dry run in the background, and shows it to be agreed to."""

    step = Step.PREFLIGHT

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self._choices = Choices()
        self._asked = self._looked = 0
        self._reading: Plan | None = None
        self._status = StatusLine("preflight.status")
        self._again = push_button("preflight.again_button", _("Check &again"), _("Run the checks again"))
        self._paper = push_button("preflight.paper_button", _("&For the DBA…"), _("Write what the DBA agrees to"))
        self._modes = ModeChoice()
        self._lab = StatusLine("preflight.lab_note")
        self._checks = CheckList()
        self._changes = ChangesPane(desk.table_layouts)
        self._consent = ConsentList()
        self._resumed = StatusLine("preflight.resumed_line")
        self._folder = FolderField("preflight.folder", _("Folder for the results"))
        self._undo = PathText("preflight.undo_places", _("How it is undone"))
        self._checks_box = _box("preflight.checks_box", "", self._checks)
        self._changes_box = _box("preflight.changes_box", "", self._changes)
        self._consent_box = _box("preflight.consent_box", "", self._lab, self._consent)
        self._folder_box = _box("preflight.folder_box", _("Results go to"), self._folder)
        self._content = QWidget()
        self._columns = Columns(self._content)
        self._observing = observing_pane(observing_text(desk.program.systems.values()), self._modes.observe_button)
        self._lay_out()
        self._again.clicked.connect(self._on_again_clicked)
        self._paper.clicked.connect(self._on_paper_clicked)
        self._modes.mode_chosen.connect(self._on_mode_chosen)
        self._modes.observe_button.clicked.connect(self._on_observe_clicked)
        self._consent.servers_ticked.connect(self._on_servers_ticked)
        self._folder.folder_entered.connect(self._on_folder_entered)

    def _lay_out(self) -> None:
        right = QVBoxLayout()
        right.setSpacing(GRID_PX)
        right.addWidget(self._consent_box)
        right.addWidget(self._folder_box)
        right.addWidget(_box("preflight.undo_box", _("How it is undone"), self._undo))
        right.addStretch(1)
        # What is shown of scripts and changes gives way: the page fits the smallest window without scrolling.
        self._changes_box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        left = QVBoxLayout()
        left.setSpacing(GRID_PX)
        left.addWidget(self._checks_box)
        left.addWidget(self._changes_box, 1)
        columns = self._columns
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(2 * GRID_PX)
        columns.addLayout(left, 3)
        columns.addLayout(right, 2)
        top = QHBoxLayout()
        top.addWidget(self._status, 1)
        top.addWidget(self._paper)
        top.addWidget(self._again)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(PageHeading(self.step))
        layout.addWidget(self._resumed)
        layout.addWidget(self._modes)
        layout.addLayout(top)
        layout.addWidget(self._content, 1_000)
        layout.addWidget(self._observing, 1_000)
        layout.addStretch(1)  # keeps the rest at the top where there is nothing to check

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the consent below the changes where the window is narrow (Qt calls this)."""
        super().resizeEvent(event)
        self._columns.fold(self)

    # Showing

    def show_choices(self, choices: Choices) -> None:
        """Show the plan's dry run; where it was not read yet, begin to read it."""
        self._choices = choices
        if choices.dry_run is None and choices.plan is not None and choices.plan != self._reading:
            self._read()
        self._refresh()
        self._resumed.show_status(resumed_line(choices), Tone.ACCENT)
        self._resumed.setVisible(choices.resumes is not None)
        self._folder_box.setVisible(choices.resumes is None)
        if choices.resumes is not None:
            return  # its results go where they are
        if choices.folder is None and not self._folder.text:
            self._propose_folder()
        elif choices.folder is not None:
            self._folder.show_folder(str(choices.folder))
            self._look_at(choices.folder)

    def _refresh(self) -> None:
        choices = self._choices
        dry = choices.dry_run
        family = self.desk.program.families.get(choices.family)
        self._modes.setVisible(family is not None)
        if family is not None:
            self._modes.show_lines(mode_lines(choices, family))
        runs = choices.mode is not Mode.OBSERVE
        for part in (self._status, self._paper, self._again):
            part.setVisible(runs)
        self._content.setVisible(dry is not None and runs)
        self._observing.setVisible(family is not None and not runs)
        self._again.setEnabled(choices.plan is not None and self._reading is None)
        self._paper.setEnabled(dry is not None and self._reading is None)
        if dry is None or family is None:
            return
        self._checks_box.setTitle(checks_heading(dry))
        self._checks.show_checks(check_lines(dry))
        self._changes_box.setTitle(changes_heading(dry, choices.mode))
        self._changes_box.setMinimumHeight(self._changes_box.minimumSizeHint().height())
        self._changes.show_dry_run(dry)
        self._lab.show_status(simulation_note(choices.target), Tone.ACCENT)
        self._lab.setVisible(bool(simulation_note(choices.target)))
        self._consent_box.setTitle(consent_heading(dry))
        self._consent.show_lines(consent_lines(choices, family))
        order_keyboard([*self._consent.boxes, self._folder.edit, self._folder.button])
        self._undo.show_text(undo_places(self.desk.program.parts.journal_path, choices.folder))

    def _choose(self, choices: Choices) -> None:
        if choices != self._choices:
            self._choices = choices
            self.choices_changed.emit(choices)
        self._refresh()

    # Reading

    @Slot()
    def _on_again_clicked(self) -> None:
        self._read()

    def _read(self) -> None:
        plan = self._choices.plan
        family = self.desk.program.families.get(self._choices.family)
        if plan is None or family is None:
            return
        self._asked += 1
        self._reading = plan
        self._status.show_status(_("Reading the target and running the checks; nothing is changed …"), Tone.MUTED)
        self.busy_changed.emit(_("Running the checks …"))
        work = partial(read_dry_run, plan, family, self._choices.target, seed=self.desk.preferences.lab_seed)
        earlier = self._choices.resumes
        if earlier is not None:
            work = partial(work, kept=earlier.trials, least_confirm_blocks=earlier.least_confirm_blocks)
        on_done, on_error = partial(self._on_read, self._asked), partial(self._on_read_failed, self._asked)
        self.desk.servers.query(self, work, on_done, on_error)

    def _end_reading(self) -> None:
        self._reading = None
        self.busy_changed.emit("")

    def _on_read(self, asked: int, dry: DryRun) -> None:
        if asked == self._asked:
            self._end_reading()
            at = f"{self.desk.clock.now_utc().astimezone():%H:%M:%S}"
            self._status.show_status(_("Checked at {time}; nothing was changed.").format(time=at), Tone.MUTED)
            self._choose(keep_dry_run(self._choices, dry))

    def _on_read_failed(self, asked: int, error: BaseException) -> None:
        if asked != self._asked:
            return
        self._end_reading()
        self._status.show_status(sentence(str(error)), Tone.BAD)
        self._choose(drop_dry_run(self._choices))
        if is_mistake(error):
            self.desk.trouble.emit(error)

    # What the client's DBA agrees to

    @Slot()
    def _on_paper_clicked(self) -> None:
        kinds = _("PDF (*.pdf);;HTML (*.html);;Markdown (*.md)")
        path, _kind = QFileDialog.getSaveFileName(self, _("Save what the DBA agrees to"), "before-the-visit.pdf", kinds)
        if path:
            self.write_paper(Path(path))

    def write_paper(self, path: Path) -> None:
        """Write the plan, tried dry, as a paper for the client's DBA, in the background."""
        dry, family = self._choices.dry_run, self.desk.program.families.get(self._choices.family)
        if dry is not None and family is not None:
            self._paper.setEnabled(False)
            self._status.show_status(_("Reading the rights and writing …"), Tone.MUTED)
            renderer = self.desk.program.parts.make_renderer()  # on this thread; figures are drawn here, too
            work = partial(_write_paper, dry, family, self._choices.target, self.desk.clock.now_utc(), path, renderer)
            self.desk.servers.query(self, work, self._on_paper_written, self._on_paper_failed)

    def _on_paper_written(self, path: Path) -> None:
        self._status.show_status(_("Written for the DBA: {file}").format(file=path), Tone.GOOD)
        self._refresh()

    def _on_paper_failed(self, error: BaseException) -> None:
        self._status.show_status(sentence(str(error)), Tone.BAD)
        self._refresh()
        if is_mistake(error):
            self.desk.trouble.emit(error)

    # Way to work, consent and folder

    @Slot(object)
    def _on_mode_chosen(self, mode: Mode) -> None:
        self._choose(choose_mode(self._choices, mode))

    @Slot()
    def _on_observe_clicked(self) -> None:
        dialog = ObserveDialog(self.desk, self._choices.target, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    @Slot(object)
    def _on_servers_ticked(self, servers: frozenset[str]) -> None:
        self._choose(consent(self._choices, servers))

    def _propose_folder(self) -> None:
        parent = sessions_folder(self.desk.preferences)
        today = self.desk.clock.now_utc().astimezone().date()
        work = partial(propose_folder, parent, self._choices.target, today)
        self._looked += 1
        on_done, on_error = partial(self._on_proposed, self._looked), self._on_folder_failed
        self.desk.tasks.query(self, work, on_done, on_error)

    def _on_proposed(self, looked: int, folder: Path) -> None:
        if looked == self._looked:
            self._folder.show_folder(str(folder))
            self._look_at(folder)

    @Slot(str)
    def _on_folder_entered(self, text: str) -> None:
        self._choose(choose_folder(self._choices, None))
        self._look_at(Path(text))

    def _look_at(self, folder: Path) -> None:
        self._looked += 1
        on_done = partial(self._on_looked_at, self._looked)
        self.desk.tasks.query(self, partial(look_at_folder, folder), on_done, self._on_folder_failed)

    def _on_looked_at(self, looked: int, state: FolderState) -> None:
        if looked == self._looked:
            self._folder.show_status(state.problem, state.note)
            self._choose(choose_folder(self._choices, None if state.problem else state.folder))

    def _on_folder_failed(self, error: BaseException) -> None:
        self.desk.trouble.emit(error)


def _write_paper(
    dry: DryRun,
    family: ExperimentFamily,
    target: str,
    now_utc: datetime,
    path: Path,
    renderer: FigureRenderer,
    open_target: TargetOpener,
) -> Path:
    """Runs on a worker thread."""
    health = target_health(target, {family.family_id: family}, open_target)
    write_as_named(before_visit(dry, family, health, now_utc), path, renderer)
    return path


class _Box(QGroupBox):
    """A part of the page, never narrower than its title: a stylesheet does not ask for its room."""

    def minimumSizeHint(self) -> QSize:
        """Return the size that its parts and its title need (Qt calls this)."""
        title_px = self.fontMetrics().horizontalAdvance(self.title()) + 3 * GRID_PX
        return super().minimumSizeHint().expandedTo(QSize(title_px, 0))


def _box(name: str, title: str, *widgets: QWidget) -> QGroupBox:
    box = _Box(title)
    box.setObjectName(name)
    column = QVBoxLayout(box)
    column.setContentsMargins(GRID_PX, GRID_PX, GRID_PX, GRID_PX)
    column.setSpacing(GRID_PX)
    for widget in widgets:
        column.addWidget(widget)
    return box
