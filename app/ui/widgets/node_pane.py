"""What is known of one node of the topology: parameters of an agent, facts of anything else."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFont, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.foundation.texts import _
from app.services.look.discovering import Discovery
from app.systems.oracle_streams.views.topology import nothing_of_streams, streams_parameters, streams_summary
from app.systems.transactional_replication.views.parameters import nothing_shown, parameter_table, parameters_summary
from app.systems.transactional_replication.views.topology import Node, facts_table
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable

_AGENT, _FACTS = range(2)


class NodePane(QWidget):
    """Shows one node."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._discovery: Discovery | None = None
        self._node: Node | None = None
        self._heading = QLabel()
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
        self._streams = DataTable("topology.streams_table", _("Parameters of the process"), desk.table_layouts)
        self._facts = DataTable("topology.facts_table", _("Properties"), desk.table_layouts)
        self._details = DataTable("topology.details_table", _("Parts"), desk.table_layouts)
        self._tables = QStackedWidget()
        self._lay_out()
        self._search.textChanged.connect(self._show)
        self._only_different.toggled.connect(self._show)

    def _make_filter(self) -> None:
        self._search = QLineEdit()
        self._search.setObjectName("topology.search_edit")
        self._search.setAccessibleName(_("Search parameters"))
        self._search.setPlaceholderText(_("Search parameters (Ctrl+F)"))
        self._search.setClearButtonEnabled(True)
        self._only_different = QCheckBox(_("&Only what differs from the default"))
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
        self._tables.addWidget(self._parameters)
        self._tables.addWidget(self._make_facts())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX)
        for widget in (self._heading, self._summary, self._filter):
            layout.addWidget(widget)
        layout.addWidget(self._tables, 1)

    def _make_facts(self) -> QWidget:
        """Return the properties of a node over the table of its parts, and over its parameters."""
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setObjectName("topology.facts_splitter")
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self._facts)
        splitter.addWidget(self._details)
        splitter.addWidget(self._streams)
        splitter.setSizes([26 * GRID_PX, 28 * GRID_PX, 28 * GRID_PX])
        return splitter

    def show_node(self, discovery: Discovery, node: Node | None) -> None:
        """Show a node of what was read."""
        self._discovery, self._node = discovery, node
        self._show()

    @Slot()
    def _show(self) -> None:
        node, discovery = self._node, self._discovery
        self.setVisible(node is not None)
        if node is None or discovery is None:
            return
        self._heading.setText(node.heading)
        self._filter.setVisible(node.has_parameters)
        self._summary.setVisible(node.has_parameters)
        if node.agent:
            self._tables.setCurrentIndex(_AGENT)
            self._show_parameters(discovery, node.agent)
        else:
            self._tables.setCurrentIndex(_FACTS)
            self._show_facts(node)

    def _show_parameters(self, discovery: Discovery, agent: str) -> None:
        only, wanted = self._only_different.isChecked(), self._search.text()
        self._summary.show_status(parameters_summary(discovery, agent), Tone.MUTED)
        self._parameters.show_content(parameter_table(discovery, agent, only_different=only))
        self._parameters.set_filter(wanted)
        self._parameters.set_placeholder(nothing_shown(discovery, agent, wanted, only_different=only))

    def _show_facts(self, node: Node) -> None:
        self._facts.show_content(facts_table(node))
        self._details.setVisible(node.details is not None)
        self._streams.setVisible(bool(node.parameters))
        if node.details is not None:
            self._details.show_content(node.details)
        if node.parameters:
            self._show_streams(node)

    def _show_streams(self, node: Node) -> None:
        only, wanted = self._only_different.isChecked(), self._search.text()
        self._summary.show_status(streams_summary(node), Tone.MUTED)
        self._streams.show_content(streams_parameters(node, only_different=only))
        self._streams.set_filter(wanted)
        self._streams.set_placeholder(nothing_of_streams(wanted))

    @Slot()
    def _on_find(self) -> None:
        if self._filter.isVisibleTo(self):
            self._search.setFocus()
            self._search.selectAll()
