"""One node of the topology: its facts, its parts, and its parameters."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFont, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.flows.target.topology_found import node_parameters
from app.flows.topology_tree import Node, facts_table, no_rows_text
from app.foundation.texts import _
from app.services.look.discovering import Discovery
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable


class NodePane(QWidget):
    """Shows one node."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._discovery: Discovery | None = None
        self._node: Node | None = None
        self._heading = PlainLabel()
        self._heading.setObjectName("topology.node_heading")
        self._heading.setTextFormat(Qt.TextFormat.PlainText)
        self._heading.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._heading.setWordWrap(True)
        font = QFont()
        font.setBold(True)
        self._heading.setFont(font)
        self._summary = StatusLine("topology.summary")
        self._make_filter()
        self._parameters = DataTable("topology.parameters_table", _("Parameters"), desk.table_layouts)
        self._facts = DataTable("topology.facts_table", _("Properties"), desk.table_layouts)
        self._details = DataTable("topology.details_table", _("Parts"), desk.table_layouts)
        self._lay_out()
        self._search.textChanged.connect(self._show)
        self._only_different.toggled.connect(self._show)

    def _make_filter(self) -> None:
        self._search = QLineEdit()
        self._search.setObjectName("topology.search_edit")
        self._search.setAccessibleName(_("Search parameters"))
        self._search.setPlaceholderText(_("Search parameters (Ctrl+F)"))
        self._search.setClearButtonEnabled(True)
        self._only_different = QCheckBox(_("Only what &differs from the default"))
        self._only_different.setObjectName("topology.only_different_check")
        self._only_different.setAccessibleName(_("Only what differs from the default"))
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.activated.connect(self._on_find)
        clear = QShortcut(QKeySequence(Qt.Key.Key_Escape), self._search)
        clear.setContext(Qt.ShortcutContext.WidgetShortcut)
        clear.activated.connect(self._search.clear)

    def _lay_out(self) -> None:
        self._filter = QWidget()
        row = QHBoxLayout(self._filter)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * GRID_PX)
        row.addWidget(self._search, 1)
        row.addWidget(self._only_different)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX)
        for widget in (self._heading, self._summary, self._filter):
            layout.addWidget(widget)
        layout.addWidget(self._make_tables(), 1)

    def _make_tables(self) -> QWidget:
        """Return the properties of a node over the table of its parts, and over its parameters."""
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setObjectName("topology.facts_splitter")
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self._facts)
        splitter.addWidget(self._details)
        splitter.addWidget(self._parameters)
        splitter.setSizes([26 * GRID_PX, 28 * GRID_PX, 28 * GRID_PX])
        return splitter

    def show_node(self, discovery: Discovery, node: Node | None) -> None:
        """Show a node of the topology."""
        self._discovery, self._node = discovery, node
        self._show()

    @Slot()
    def _show(self) -> None:
        node, discovery = self._node, self._discovery
        self.setVisible(node is not None)
        if node is None or discovery is None:
            return
        self._heading.setText(node.heading)
        self._facts.setVisible(bool(node.facts) or not node.tuned)
        self._details.setVisible(node.details is not None)
        self._facts.show_content(facts_table(node))
        if node.details is not None:
            self._details.show_content(node.details)
        self._show_parameters(discovery, node)

    def _show_parameters(self, discovery: Discovery, node: Node) -> None:
        own = node_parameters(discovery, node, only_different=self._only_different.isChecked())
        for widget in (self._filter, self._summary, self._parameters):
            widget.setVisible(own is not None)
        if own is not None:
            wanted = self._search.text()
            self._summary.show_status(own.summary, Tone.MUTED)
            self._parameters.show_content(own.content)
            self._parameters.set_filter(wanted)
            self._parameters.set_placeholder(no_rows_text(own, wanted))

    @Slot()
    def _on_find(self) -> None:
        if self._filter.isVisibleTo(self):
            self._search.setFocus()
            self._search.selectAll()
