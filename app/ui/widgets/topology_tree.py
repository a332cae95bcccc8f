"""The tree of a target's topology."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QTreeWidgetItemIterator, QWidget

from app.flows.topology_tree import Node
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.rich_text import plain_tip

_KEY = Qt.ItemDataRole.UserRole


class TopologyTree(QTreeWidget):
    """Shows nodes, all expanded.

    Signals:
        node_chosen: key of the node the person selected.
    """

    node_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("topology.tree")
        self.setAccessibleName(_("What was found on the target"))
        self.setHeaderHidden(True)
        self.setIndentation(2 * GRID_PX)
        self.setUniformRowHeights(True)
        self._tree: tuple[Node, ...] = ()
        self._is_filling = False
        self.itemSelectionChanged.connect(self._on_selection_changed)

    def show_tree(self, tree: tuple[Node, ...], chosen: str) -> None:
        """Show nodes, the one of a key selected."""
        self._is_filling = True
        if tree != self._tree:
            self._tree = tree
            self.clear()
            for node in tree:
                self._add(self.invisibleRootItem(), node)
            self.expandAll()
        item = self._item(chosen)
        if item is not None:
            self.setCurrentItem(item)
        self._is_filling = False

    def show_only(self, wanted: str) -> None:
        """Show the nodes whose titles hold all words of a search, with those below and above them."""
        words = wanted.casefold().split()
        for place in range(self.topLevelItemCount()):
            item = self.topLevelItem(place)
            if item is not None:
                self._narrow(item, words)

    def _narrow(self, item: QTreeWidgetItem, words: list[str]) -> bool:
        is_wanted = all(word in item.text(0).casefold() for word in words)
        below = [self._narrow(item.child(place), [] if is_wanted else words) for place in range(item.childCount())]
        is_shown = is_wanted or any(below)
        item.setHidden(not is_shown)
        return is_shown

    def _add(self, parent: QTreeWidgetItem, node: Node) -> None:
        item = QTreeWidgetItem(parent, [node.title])
        item.setData(0, _KEY, node.key)
        item.setToolTip(0, plain_tip(node.heading))
        item.setData(0, Qt.ItemDataRole.AccessibleDescriptionRole, node.heading)
        item.setSizeHint(0, QSize(0, self.fontMetrics().height() + GRID_PX))
        for child in node.children:
            self._add(item, child)

    def _item(self, key: str) -> QTreeWidgetItem | None:
        iterator = QTreeWidgetItemIterator(self)
        while (item := iterator.value()) is not None:
            if item.data(0, _KEY) == key:
                return item
            iterator += 1
        return None

    @Slot()
    def _on_selection_changed(self) -> None:
        selected = self.selectedItems()
        if selected and not self._is_filling:
            self.node_chosen.emit(selected[0].data(0, _KEY))
