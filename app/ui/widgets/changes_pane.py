"""Every change of a run, with the script that makes it and the one that undoes it."""

from collections.abc import MutableMapping

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QSplitter, QTabWidget, QVBoxLayout, QWidget

from app.flows.plan.dry_run_view import change_sentence, changes_table
from app.flows.table_view import TableLayout
from app.foundation.texts import _
from app.services.plan.dry_run import DryRun
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.script_view import ScriptView
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable


class ChangesPane(QWidget):
    """A table of changes; the scripts of the chosen one stand below it."""

    def __init__(self, layouts: MutableMapping[str, TableLayout], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preflight.changes")
        self._dry: DryRun | None = None
        self._table = DataTable("preflight.changes_table", _("Changes"), layouts, self)
        self._table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # subjects differ at both ends
        self._table.set_placeholder(_("No parameter is changed."))
        self._table.setMinimumHeight(12 * GRID_PX)
        self._meaning = StatusLine("preflight.change_meaning")
        self._apply = ScriptView("preflight.apply", _("Script that makes the change"))
        self._undo = ScriptView("preflight.undo", _("Script that undoes the change"))
        self._tabs = QTabWidget()
        self._tabs.setObjectName("preflight.script_tabs")
        self._tabs.setAccessibleName(_("Scripts of the chosen change"))
        self._tabs.addTab(self._undo, _("&Undo script"))
        self._tabs.addTab(self._apply, _("Appl&y script"))
        self._tabs.setMinimumHeight(13 * GRID_PX)
        scripts = QWidget()
        scripts.setMinimumHeight(21 * GRID_PX)  # what the sentence above takes in a narrow window, the tabs give way to
        column = QVBoxLayout(scripts)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID_PX // 2)
        column.addWidget(self._meaning)
        column.addWidget(self._tabs, 1)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setObjectName("preflight.changes_splitter")
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self._table.below_alike())
        splitter.addWidget(scripts)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)
        self._table.row_chosen.connect(self._on_row_chosen)

    def show_dry_run(self, dry: DryRun) -> None:
        """Show the changes of a dry run; the chosen row stays where it can."""
        self._dry = dry
        self._table.show_content(changes_table(dry))
        if not self._table.current_key:
            self._table.choose_row("0")
        self._on_row_chosen(self._table.current_key)

    @Slot(str)
    def _on_row_chosen(self, key: str) -> None:
        change = self._dry.changes[int(key)] if self._dry is not None and key else None
        self._apply.show_text(change.apply_sql.strip() if change else "")
        self._undo.show_text(change.undo_sql.strip() if change else "")
        self._tabs.setEnabled(change is not None)
        self._meaning.show_status(change_sentence(change) if change else "", Tone.NEUTRAL)
