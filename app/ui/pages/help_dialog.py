"""The help: contents, a search over all pages, and the page itself."""

from PySide6.QtCore import QEvent, Qt, QUrl, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QSplitter,
    QTextBrowser,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.flows.shell.help_view import START, find_pages, help_groups, page_of_link, read_page
from app.foundation.texts import _
from app.ui.theme import GRID_PX

_NAME = Qt.ItemDataRole.UserRole


class _Page(QTextBrowser):
    """A page whose links follow the colours of the window."""

    _markdown = ""

    def read(self, markdown: str) -> None:
        """Show a text from its beginning."""
        self._markdown = markdown
        self.setMarkdown(markdown)

    def changeEvent(self, event: QEvent) -> None:
        """Read the text again: links get their colour when it is read (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._markdown:
            self.setMarkdown(self._markdown)


class HelpDialog(QDialog):
    """Stays open beside the window; F1 there brings its step's page here."""

    def __init__(self, families: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("help")
        self.setWindowTitle(_("Help"))
        self.setModal(False)
        self._groups = help_groups(families)
        self._search = QLineEdit()
        self._search.setObjectName("help.search_edit")
        self._search.setAccessibleName(_("Search in the help"))
        self._search.setPlaceholderText(_("Search in the help"))
        self._search.setClearButtonEnabled(True)
        self._contents = QTreeWidget()
        self._contents.setObjectName("help.contents")
        self._contents.setAccessibleName(_("Contents of the help"))
        self._contents.setHeaderHidden(True)
        self._contents.setRootIsDecorated(False)
        self._contents.setItemsExpandable(False)
        self._page = _Page()
        self._page.setObjectName("help.page")
        self._page.setAccessibleName(_("Page of the help"))
        self._page.setOpenLinks(False)
        self._items = self._fill_contents()
        self._lay_out()
        self._search.textChanged.connect(self._on_search_changed)
        self._contents.currentItemChanged.connect(self._on_current_changed)
        self._page.anchorClicked.connect(self._on_link_clicked)
        self.resize(110 * GRID_PX, 75 * GRID_PX)

    def _fill_contents(self) -> dict[str, QTreeWidgetItem]:
        items: dict[str, QTreeWidgetItem] = {}
        for group in self._groups:
            heading = QTreeWidgetItem(self._contents, [group.title])
            heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
            font = heading.font(0)
            font.setBold(True)
            heading.setFont(0, font)
            for page in group.pages:
                items[page.name] = QTreeWidgetItem(heading, [page.title])
                items[page.name].setData(0, _NAME, page.name)
        self._contents.expandAll()
        return items

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID_PX)
        column.addWidget(self._search)
        column.addWidget(self._contents, 1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(left)
        split.addWidget(self._page)
        split.setStretchFactor(1, 1)
        split.setSizes([34 * GRID_PX, 76 * GRID_PX])
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        button = close.button(QDialogButtonBox.StandardButton.Close)
        button.setObjectName("help.close_button")
        button.setAccessibleName(_("Close"))
        close.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX)
        layout.setSpacing(2 * GRID_PX)
        layout.addWidget(split, 1)
        layout.addWidget(close)

    def show_page(self, name: str) -> None:
        """Show a page, the first one where there is none of that name."""
        self._contents.setCurrentItem(self._items.get(name, self._items[START]))

    @Slot(QTreeWidgetItem, QTreeWidgetItem)
    def _on_current_changed(self, item: QTreeWidgetItem | None, _before: QTreeWidgetItem | None) -> None:
        page = read_page(item.data(0, _NAME) or "") if item is not None else None
        if page is not None:
            self._page.read(page.text)

    @Slot(QUrl)
    def _on_link_clicked(self, url: QUrl) -> None:
        self._search.clear()  # the page linked to may be among those the search hides
        self.show_page(page_of_link(url.path()))

    @Slot(str)
    def _on_search_changed(self, words: str) -> None:
        pages = find_pages(self._groups, words)
        for name, item in self._items.items():
            item.setHidden(name not in pages)
        if pages and self._contents.currentItem().isHidden():
            self.show_page(pages[0])
