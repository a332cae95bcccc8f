"""The list of targets to choose from, in groups."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QFont, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeWidget, QTreeWidgetItem, QWidget

from app.flows.target.target_view import ListedTarget, TargetGroup, group_title
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.rich_text import plain_tip

_KEY = Qt.ItemDataRole.UserRole
_LEAST_LETTERS = 28


class TargetList(QTreeWidget):
    """Shows targets under the headings of their groups.

    Signals:
        target_chosen: the ListedTarget the person selected.
        target_activated: it was double-clicked or entered with Return.
    """

    target_chosen = Signal(object)
    target_activated = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("target.list")
        self.setAccessibleName(_("Targets"))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setExpandsOnDoubleClick(False)
        self.setIndentation(16)
        self.setUniformRowHeights(True)
        self.setMinimumWidth(
            _LEAST_LETTERS * self.fontMetrics().averageCharWidth()
        )  # narrower, titles are not told apart
        self._listed: dict[str, ListedTarget] = {}
        self._chosen: ListedTarget | None = None
        self._is_filling = False
        self.itemSelectionChanged.connect(self._on_selection_changed)
        self.itemDoubleClicked.connect(self._on_double_clicked)
        self.itemClicked.connect(self._on_clicked)

    def show_listed(self, listed: Sequence[ListedTarget], chosen: ListedTarget | None) -> None:
        """Show targets, one of them selected."""
        self._is_filling = True
        self._chosen = chosen
        if tuple(self._listed.values()) != tuple(listed):
            self._fill(listed)
        self._select_chosen()
        self._is_filling = False

    def _select_chosen(self) -> None:
        self.clearSelection()
        if self._chosen is None:
            self.selectionModel().clearCurrentIndex()
        for item in self._items():
            if self._chosen is not None and item.data(0, _KEY) == self._chosen.key:
                item.parent().setExpanded(True)
                self.setCurrentItem(item)

    def _fill(self, listed: Sequence[ListedTarget]) -> None:
        self.clear()
        self._listed = {entry.key: entry for entry in listed}
        heading_font = QFont()
        heading_font.setBold(True)
        row_size = QSize(0, self.fontMetrics().height() + GRID_PX)
        for group, entries in groupby(listed, key=attrgetter("group")):
            heading = QTreeWidgetItem(self, [group_title(group)])
            heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
            heading.setSizeHint(0, row_size)
            heading.setFont(0, heading_font)
            for entry in entries:
                item = QTreeWidgetItem(heading, [entry.title])
                item.setSizeHint(0, row_size)
                item.setToolTip(0, plain_tip(f"{entry.title}\n{entry.detail}"))
                item.setData(0, _KEY, entry.key)
                item.setData(0, Qt.ItemDataRole.AccessibleDescriptionRole, entry.detail)
        self.expandAll()
        for heading in self._folded():
            heading.setExpanded(False)

    def _folded(self) -> list[QTreeWidgetItem]:
        """Return the headings whose entries few need: a click opens them, and the arrow key that goes on there."""
        headings = [self.topLevelItem(index) for index in range(self.topLevelItemCount())]
        found = [one for one in headings if one is not None]
        return [one for one in found if self._listed[one.child(0).data(0, _KEY)].group is TargetGroup.MORE_LABS]

    def _items(self) -> list[QTreeWidgetItem]:
        groups = [self.topLevelItem(index) for index in range(self.topLevelItemCount())]
        return [group.child(index) for group in groups if group is not None for index in range(group.childCount())]

    @property
    def chosen(self) -> ListedTarget | None:
        """The target selected."""
        selected = self.selectedItems()
        return self._listed.get(selected[0].data(0, _KEY)) if selected else None

    @Slot()
    def _on_selection_changed(self) -> None:
        if self._is_filling:
            return
        if self.chosen is None:  # a click on a heading must not look as if nothing were chosen
            self._is_filling = True
            self._select_chosen()
            self._is_filling = False
            return
        self._chosen = self.chosen
        self.target_chosen.emit(self._chosen)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Skip headings (Qt calls this)."""
        index = super().moveCursor(action, modifiers)
        if not index.isValid() or index.parent().isValid():
            return index
        up = (QAbstractItemView.CursorAction.MoveUp, QAbstractItemView.CursorAction.MovePrevious)
        if action not in up:
            self.expand(index)
        beyond = self.indexAbove(index) if action in up else self.indexBelow(index)
        return beyond if beyond.isValid() else self.currentIndex()

    @Slot(QTreeWidgetItem, int)
    def _on_clicked(self, item: QTreeWidgetItem, _column: int) -> None:
        if item in self._folded():
            item.setExpanded(not item.isExpanded())

    @Slot(QTreeWidgetItem, int)
    def _on_double_clicked(self, item: QTreeWidgetItem, _column: int) -> None:
        if item.data(0, _KEY):
            self.target_activated.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Make no row current where none is chosen: it looks as if one were (Qt calls this)."""
        super().focusInEvent(event)
        if self._chosen is None:
            self.selectionModel().clearCurrentIndex()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go on with the selected target on Return; select the one under the cursor where none is (Qt calls this)."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif self.chosen is not None:
            self.target_activated.emit()
        elif items := self._items():
            self.setCurrentItem(self.currentItem() if self.currentIndex().isValid() else items[0])
