"""The page that asks which settings are tried, how often, and when it must stop."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.domain.limits import RUN_DURATION
from app.domain.plan import Plan
from app.flows.plan.designs_view import NO_DESIGNS, designs_view
from app.flows.plan.form_history import FormHistory
from app.flows.plan.plan_file_words import is_other_family, loaded_sentence, saved_sentence
from app.flows.plan.plan_form import TIME_FIELD, PlanForm, asks_for_time, in_time, plan_form
from app.flows.plan.plan_presets import Preset, about_chosen, presets
from app.flows.plan.plan_summary import NO_FORM, summarise
from app.flows.plan.power_view import power_plot
from app.flows.plan.trial_grid import trial_grid
from app.flows.shell.wizard import Choices, Step, choose_plan, drop_plan
from app.flows.target.attempt_view import is_mistake
from app.flows.words import sentence
from app.foundation.texts import _
from app.services.look.reading import read_dry_run
from app.services.plan.dry_run import DryRun
from app.services.plan.plan_file import load_plan, save_plan
from app.services.target.target_spec import is_lab
from app.ui.desk import Desk
from app.ui.page import WizardPage
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.columns import Columns
from app.ui.widgets.dry_run_dialog import DryRunDialog
from app.ui.widgets.keyboard_order import order_keyboard
from app.ui.widgets.page_heading import PageHeading
from app.ui.widgets.plan_columns import PlanColumns
from app.ui.widgets.plan_form_pane import PlanFormPane
from app.ui.widgets.plan_outlook_pane import PlanOutlookPane
from app.ui.widgets.plan_summary_bar import PlanSummaryBar
from app.ui.widgets.preset_bar import PresetBar
from app.ui.widgets.push_button import push_button
from app.ui.widgets.status_line import StatusLine

_PLAN_FILES = "TOML (*.toml)"
_UNDO_KEYS = ("Ctrl+Z",)
_REDO_KEYS = ("Ctrl+Y", "Ctrl+Shift+Z")  # each system's standard is one of them


class PlanPage(WizardPage):
    """A form generated from the family, with its cost and its dry run always in sight."""

    step = Step.PLAN

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self._choices = Choices()
        self._subject = self._choices.subject
        self._form: PlanForm | None = None
        self._history = FormHistory()
        self._time_s: float | None = None  # there is, None while nobody said
        self._designed: Plan | None = None  # whose designs are shown: the last one that was not chosen from them
        self._asked = 0
        self._presets = PresetBar()
        self._load = push_button("plan.load_button", _("&Load plan…"), _("Load a plan file"))
        self._save = push_button("plan.save_button", _("Sa&ve plan…"), _("Save the plan as a file"))
        self._file_status = StatusLine("plan.file_status")
        self._pane = PlanFormPane()
        self._outlook = PlanOutlookPane()
        self._columns = PlanColumns(self._pane, self._outlook)
        self._summary = PlanSummaryBar()
        self._add_action("undo", _("Take back"), _UNDO_KEYS, self._on_undo_triggered)
        self._add_action("redo", _("Make again"), _REDO_KEYS, self._on_redo_triggered)
        self._lay_out()
        self._pane.text_entered.connect(self._on_text_entered)
        self._pane.focus_entered.connect(self._on_focus_entered)
        self._presets.preset_chosen.connect(self._on_preset_chosen)
        self._load.clicked.connect(self._on_load_clicked)
        self._save.clicked.connect(self._on_save_clicked)
        self._outlook.designs.time_entered.connect(self._on_time_entered)
        self._outlook.designs.design_chosen.connect(self._on_design_chosen)
        self._summary.dry_run_requested.connect(self._on_dry_run_requested)

    def _add_action(self, name: str, text: str, keys: tuple[str, ...], triggered: Callable[[], None]) -> None:
        action = QAction(text, self)
        action.setObjectName(f"plan.{name}_action")
        action.setShortcuts([QKeySequence(key) for key in keys])
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(triggered)
        self.addAction(action)

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setSpacing(GRID_PX)
        bar.addWidget(self._presets)
        bar.addWidget(self._file_status, 1)
        bar.addWidget(self._load)
        bar.addWidget(self._save)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        self._head = Columns()
        self._head.setSpacing(2 * GRID_PX)
        self._head.addWidget(PageHeading(self.step))
        self._head.addLayout(bar)
        layout.addLayout(self._head)
        layout.addWidget(self._columns, 1)
        layout.addWidget(self._summary)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons below the heading where they have no room beside it (Qt calls this)."""
        super().resizeEvent(event)
        self._head.fold(self)

    # Showing

    def show_choices(self, choices: Choices) -> None:
        """Show the plan chosen; a form that was typed into stays as long as it stands for it."""
        self._choices = choices
        family = self.desk.program.families.get(choices.family)
        if family is None:
            self._form = self._designed = None
            self._pane.show_form(None)
            self._outlook.show_power(None)
            self._refresh()
            return
        site = choices.site(family)
        form = self._form
        is_other = form is None or form.family is not family or form.site != site or choices.subject != self._subject
        self._subject = choices.subject
        if is_other or (choices.plan is not None and form is not None and choices.plan != form.to_plan()):
            self._show_form(in_time(plan_form(family, site, choices.plan, choices.subject), self._time_s))
        self._presets.show_presets(presets(family, choices.target, site))
        self._order_keyboard()
        self._publish()

    def _order_keyboard(self) -> None:
        buttons = (*self._presets.buttons, self._load, self._save)
        order_keyboard([*buttons, *self._pane.editors, *self._outlook.editors, self._summary.dry_run_button])

    def _show_form(self, form: PlanForm, *, chosen: bool = False, entry: tuple[str, str] = ("", "")) -> None:
        """Show another form, typed into or new.

        Args:
            chosen: its plan is one of the designs shown, which stay.
            entry: field and text that were typed.
        """
        self._form = form
        self._history.keep(form, entry)
        self._pane.show_form(form)
        for editor in self._pane.editors:
            editor.installEventFilter(self)
        plan = form.to_plan()
        if plan is not None and asks_for_time(form.family):
            self._time_s = plan.limits.get(RUN_DURATION.name)
            self._outlook.designs.show_time(self._time_s)
        power = None if plan is None else power_plot(plan, form.family)
        self._outlook.show_power(power, is_complete=plan is not None)
        if not chosen:
            self._designed = plan
        self._refresh()
        self._columns.arrange()

    def _refresh(self) -> None:
        form = self._form
        summary = NO_FORM if form is None else summarise(form, self._now())
        self._summary.show_summary(summary)
        self._outlook.show_summary(summary)
        self._outlook.show_grid(None if form is None else trial_grid(form, self._now(), self._time_s))
        self._load.setEnabled(form is not None)
        self._save.setEnabled(summary.is_complete)
        self._show_designs()

    def _show_designs(self) -> None:
        form, designed, time_s = self._form, self._designed, self._time_s
        view = None if time_s is None else NO_DESIGNS
        if form is not None and designed is not None and time_s is not None:
            view = designs_view(designed, form.family, time_s, self._now(), form.site)
        designs = self._outlook.designs
        before = designs.editors
        self._outlook.show_designs(view)
        designs.show_plan(None if form is None else form.to_plan())
        if designs.editors != before:
            self._order_keyboard()

    def _publish(self) -> None:
        """Tell the plan of the form, or that there is none."""
        plan = self._form.to_plan() if self._form is not None else None
        choices = drop_plan(self._choices) if plan is None else choose_plan(self._choices, plan)
        if choices != self._choices:
            self._choices = choices
            self.choices_changed.emit(choices)

    # Typing

    @Slot(str, str)
    def _on_text_entered(self, field_id: str, text: str) -> None:
        if self._form is not None:
            self._file_status.show_status("", Tone.MUTED)
            self._show_form(self._form.enter(field_id, text), entry=(field_id, text))
            self._publish()

    @Slot()
    def _on_undo_triggered(self) -> None:
        """Take back a preset, a design, a loaded plan or an entry."""
        self._show_kept(self._history.undo())

    @Slot()
    def _on_redo_triggered(self) -> None:
        """Make the step again that was taken back last."""
        self._show_kept(self._history.redo())

    def _show_kept(self, form: PlanForm | None) -> None:
        if form is not None:
            self._file_status.show_status("", Tone.MUTED)
            self._show_form(form)
            self._publish()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the keys of undo and redo to the form where a field has nothing of its own to do (Qt calls this)."""
        is_key = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        line = watched if isinstance(watched, QLineEdit) else None
        if is_key and isinstance(event, QKeyEvent):
            pressed = QKeySequence(event.keyCombination()).toString()
            undoes = pressed in _UNDO_KEYS and not (line is not None and line.isUndoAvailable())
            redoes = pressed in _REDO_KEYS and not (line is not None and line.isRedoAvailable())
            if undoes or redoes:
                event.ignore()
                return True
        return super().eventFilter(watched, event)

    @Slot(str)
    def _on_focus_entered(self, field_id: str) -> None:
        if self._form is not None:
            field = self._form.field(field_id)
            named = _("{field}: {help}").format(field=field.spoken or field.label, help=field.help)
            self._summary.show_help(named if field.help else "")

    @Slot(object)
    def _on_preset_chosen(self, preset: Preset) -> None:
        self._take_plan(about_chosen(preset, None if self._form is None else self._form.to_plan()))

    def _take_plan(self, plan: Plan, *, chosen: bool = False) -> None:
        if self._form is not None:
            self._file_status.show_status("", Tone.MUTED)
            form = in_time(plan_form(self._form.family, self._form.site, plan), self._time_s)
            self._show_form(form, chosen=chosen)
            self._publish()

    @Slot(int)
    def _on_time_entered(self, minutes: int) -> None:
        if self._form is not None and asks_for_time(self._form.family):
            self._on_text_entered(TIME_FIELD, str(minutes) if minutes else "")
            return
        self._time_s = 60.0 * minutes if minutes else None
        self._refresh()

    @Slot(object)
    def _on_design_chosen(self, plan: Plan) -> None:
        self._take_plan(plan, chosen=True)

    def _now(self) -> datetime | None:
        """Return the time of day; None for a lab, whose time is virtual."""
        return None if is_lab(self._choices.target) else self.desk.clock.now_utc().astimezone()

    # Plan files

    @Slot()
    def _on_load_clicked(self) -> None:
        path, _kind = QFileDialog.getOpenFileName(self, _("Load plan"), "", _PLAN_FILES)
        if path:
            self.load_file(Path(path))

    def load_file(self, path: Path) -> None:
        """Fill the form from a plan file, read in the background."""
        work = partial(load_plan, path, dict(self.desk.program.families))
        self.desk.tasks.query(self, work, partial(self._on_loaded, path), self._on_file_failed)

    def _on_loaded(self, path: Path, plan: Plan) -> None:
        if self._form is None:
            return
        if is_other_family(plan, self._form.family):
            problem = loaded_sentence(path, plan, self._form.family, self.desk.program.families)
            self._file_status.show_status(problem, Tone.BAD)
            return
        self._take_plan(plan)
        done = loaded_sentence(path, plan, self._form.family, self.desk.program.families)
        self._file_status.show_status(done, Tone.GOOD)

    @Slot()
    def _on_save_clicked(self) -> None:
        path, _kind = QFileDialog.getSaveFileName(self, _("Save plan"), "plan.toml", _PLAN_FILES)
        if path:
            self.save_file(Path(path))

    def save_file(self, path: Path) -> None:
        """Write the form's plan to a file, in the background."""
        if self._choices.plan is not None and self._form is not None:
            work = partial(save_plan, path, self._choices.plan, self._form.family)
            self.desk.tasks.query(self, work, partial(self._on_saved, path), self._on_file_failed)

    def _on_saved(self, path: Path, _nothing: None) -> None:
        self._file_status.show_status(saved_sentence(path), Tone.GOOD)

    def _on_file_failed(self, error: BaseException) -> None:
        self._file_status.show_status(sentence(str(error)), Tone.BAD)
        if is_mistake(error):
            self.desk.trouble.emit(error)

    # Dry run

    @Slot()
    def _on_dry_run_requested(self) -> None:
        plan, target = self._choices.plan, self._choices.target
        if plan is None or self._form is None:
            return
        self._asked += 1
        self._summary.show_reading(is_reading=True)
        self.busy_changed.emit(_("Reading what the plan would do …"))
        work = partial(read_dry_run, plan, self._form.family, target, seed=self.desk.preferences.lab_seed)
        on_read, on_error = partial(self._on_dry_run_read, self._asked, target), partial(self._on_failed, self._asked)
        self.desk.servers.query(self, work, on_read, on_error)

    def _on_dry_run_read(self, asked: int, target: str, dry: DryRun) -> None:
        if asked == self._asked:
            self._end_reading()
            DryRunDialog(dry, target, self.desk.table_layouts, self).open()

    def _on_failed(self, asked: int, error: BaseException) -> None:
        if asked == self._asked:
            self._end_reading()
            self._on_file_failed(error)

    def _end_reading(self) -> None:
        self._summary.show_reading(is_reading=False)
        self.busy_changed.emit("")
