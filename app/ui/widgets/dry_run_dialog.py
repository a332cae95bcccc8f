"""The dry run of a plan, read-only: trials in order, steps, changes with their scripts, statements."""

from collections.abc import MutableMapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTabWidget, QVBoxLayout, QWidget

from app.domain.setting import value_text
from app.flows.plan.dry_run_view import (
    changes_text,
    dry_run_heading,
    measured_lines,
    statements_text,
    step_lines,
    trials_table,
)
from app.flows.table_view import TableLayout
from app.foundation.texts import _, in_words_of
from app.services.plan.dry_run import DryRun
from app.ui.theme import GRID_PX
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.script_view import ScriptView
from app.ui.widgets.table import DataTable


class DryRunDialog(QDialog):
    """Shows one dry run; Escape closes it."""

    def __init__(
        self, dry: DryRun, target: str, layouts: MutableMapping[str, TableLayout], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        with in_words_of(dry):
            self._fill(dry, target, layouts)

    def _fill(self, dry: DryRun, target: str, layouts: MutableMapping[str, TableLayout]) -> None:
        self.setObjectName("dry_run")
        self.setWindowTitle(_("Dry run"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        heading = PlainLabel("\n".join((*measured_lines(dry), dry_run_heading(dry, target))))
        heading.setObjectName("dry_run.heading")
        heading.setWordWrap(True)
        trials = DataTable("dry_run.trials_table", _("Trials in order"), layouts, self)
        trials.show_content(trials_table(dry))
        tabs = QTabWidget()
        tabs.setObjectName("dry_run.tabs")
        tabs.setAccessibleName(_("Parts of the dry run"))
        tabs.addTab(trials, _("&Trials ({n})").format(n=value_text(len(dry.trials))))
        tabs.addTab(_script("dry_run.steps", _("Steps of each trial"), "\n".join(step_lines(dry))), _("Ste&ps"))
        changes = _script("dry_run.changes", _("Changes with their scripts"), changes_text(dry))
        tabs.addTab(changes, _("C&hanges ({n})").format(n=len(dry.changes)))
        statements = _script("dry_run.statements", _("Statements that may be sent"), statements_text(dry))
        tabs.addTab(statements, _("State&ments ({n})").format(n=len(dry.statements)))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close = buttons.button(QDialogButtonBox.StandardButton.Close)
        close.setObjectName("dry_run.close_button")
        close.setAccessibleName(_("Close the dry run"))
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(GRID_PX)
        layout.addWidget(heading)
        layout.addWidget(tabs, 1)
        layout.addWidget(buttons)
        self.resize(110 * GRID_PX, 70 * GRID_PX)


def _script(name: str, accessible_name: str, text: str) -> ScriptView:
    view = ScriptView(name, accessible_name)
    view.show_text(text)
    return view
