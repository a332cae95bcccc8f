"""Every server and process of a site as a tree, with the values in effect of the one chosen."""

from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSplitter, QVBoxLayout, QWidget

from app.flows.target.topology_found import found_tree
from app.flows.topology_tree import Node, find_node, first_node, walk
from app.foundation.texts import _
from app.services.look.discovering import Discovery
from app.ui.desk import Desk
from app.ui.theme import GRID_PX
from app.ui.widgets.node_pane import NodePane
from app.ui.widgets.topology_tree import TopologyTree

_MOST_UNSEARCHED: Final = 60
"""So many nodes are found by looking: about three screens."""


class ServersPane(QWidget):
    """Shows the topology; the node chosen stays chosen when it is read again.

    Attributes:
        tree: the tree.
    """

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._discovery: Discovery | None = None
        self._nodes: tuple[Node, ...] = ()
        self._node_key = ""
        self.tree = TopologyTree()
        self._search = QLineEdit()
        self._search.setObjectName("topology.tree_search_edit")
        self._search.setAccessibleName(_("Search servers and processes"))
        self._search.setPlaceholderText(_("Search servers and processes"))
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(self._on_search_changed)
        self._pane = NodePane(desk)
        self._pane.setContentsMargins(GRID_PX, 0, 0, 0)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setObjectName("topology.splitter")
        splitter.setChildrenCollapsible(False)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID_PX)
        column.addWidget(self._search)
        column.addWidget(self.tree, 1)
        splitter.addWidget(left)
        splitter.addWidget(self._pane)
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 4)
        splitter.setSizes([34 * GRID_PX, 94 * GRID_PX])
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter, 1)
        self.tree.node_chosen.connect(self._on_node_chosen)

    def forget(self) -> None:
        """Show another site from its first node on."""
        self._node_key = ""
        self._search.clear()

    def show_discovery(self, discovery: Discovery) -> None:
        """Show the topology, which is not empty."""
        self._discovery = discovery
        self._nodes = found_tree(discovery)
        node = find_node(self._nodes, self._node_key) or first_node(self._nodes) or self._nodes[0]
        self._node_key = node.key
        self.tree.show_tree(self._nodes, node.key)
        self._search.setVisible(sum(len(walk(root)) for root in self._nodes) > _MOST_UNSEARCHED)
        self._on_search_changed()
        self._pane.show_node(discovery, node)

    @Slot()
    def _on_search_changed(self) -> None:
        self.tree.show_only("" if self._search.isHidden() else self._search.text())

    def choose(self, key: str) -> bool:
        """Show the node of a key; False where there is none."""
        node = find_node(self._nodes, key)
        if node is None or self._discovery is None:
            return False
        self._node_key = key
        self.tree.show_tree(self._nodes, key)
        self._pane.show_node(self._discovery, node)
        return True

    @Slot(str)
    def _on_node_chosen(self, key: str) -> None:
        self.choose(key)
