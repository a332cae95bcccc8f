"""The ways to begin on the start page: a session on a server or in the lab, and an import."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.flows.target.start_offers import Offer
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.card import Card
from app.ui.widgets.eliding_combo import ElidingCombo
from app.ui.widgets.one_line import OneLine
from app.ui.widgets.paste_field import PasteField
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel, plain_label, plain_tip

_MOST_SERVERS = 4
"""Saved servers shown at once; the page Connect has them all."""


def card_title(text: str) -> QLabel:
    """Return the bold title of a card."""
    label = PlainLabel(text)
    font = label.font()
    font.setBold(True)
    label.setFont(font)
    return label


def _headed(text: str, button: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(GRID_PX)
    title = card_title(text)
    title.setWordWrap(True)  # a longer language has no room for both on one line
    row.addWidget(title, 1)
    row.addWidget(button)
    return row


class GoOnCard(Card):
    """The session worked on last, one press away; hidden where there is none.

    Signals:
        chosen: it is to go on.

    Attributes:
        button: asks for it.
    """

    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("start.go_on_card", parent)
        self.button = push_button("start.go_on_button", _("&Go on"), _("Go on where you were"))
        self.button.clicked.connect(self.chosen)
        self._line = plain_label("")
        self._line.setObjectName("start.go_on_line")
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(card_title(_("Go on where you were")))
        words.addWidget(self._line)
        row = QHBoxLayout()
        row.setSpacing(GRID_PX)
        row.addLayout(words, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.column.addLayout(row)
        self.hide()

    def show_line(self, text: str) -> None:
        """Show the session worked on last, "" for none."""
        self._line.setText(text)
        self.setVisible(bool(text))


class ConnectCard(Card):
    """The saved servers, and the way to all others.

    Signals:
        begin_requested: a session is to begin with the choice of its server.
        target_chosen: target of the saved server to begin at.
        address_entered: an address, as it was typed or pasted; it may hold a password.

    Attributes:
        begin: the button of a new session.
        paste: takes an address.
    """

    begin_requested = Signal()
    target_chosen = Signal(str)
    address_entered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("start.connect_card", parent)
        self.paste = PasteField("start", tells=False)
        self.paste.entered.connect(self._on_address_entered)
        self.begin = push_button("start.new_button", _("&New session…"), _("New session: choose a server"))
        self.begin.setDefault(True)
        self.begin.clicked.connect(self.begin_requested)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(GRID_PX)
        self._shown: tuple[Offer, ...] = ()
        self._more = plain_label("", quiet=True)
        self._more.setObjectName("start.more_servers")
        self._more.hide()
        self.column.addLayout(_headed(_("Connect to a server"), self.begin))
        self.column.addWidget(
            plain_label(_("From the servers to the report, in seven steps. Looking is read-only."), quiet=True)
        )
        self.column.addWidget(self.paste)
        self.column.addLayout(self._rows)
        self.column.addWidget(self._more)

    @Slot(str)
    def _on_address_entered(self, text: str) -> None:
        self.paste.edit.clear()  # a password may be in it
        self.address_entered.emit(text)

    def show_servers(self, servers: Sequence[Offer]) -> None:
        """Show the saved servers, each with a button that begins a session at it."""
        if tuple(servers) == self._shown:
            return
        self._shown = tuple(servers)
        while (item := self._rows.takeAt(0)) is not None:
            row = item.widget()
            if row is not None:
                row.hide()
                row.deleteLater()
        before: QWidget = self.paste.button
        for number, server in enumerate(servers[:_MOST_SERVERS], 1):
            row, button = self._row(number, server)
            self._rows.addWidget(row)
            QWidget.setTabOrder(before, button)
            before = button
        rest = len(servers) - _MOST_SERVERS
        self._more.setText(_("{count} more under “New session”").format(count=rest))
        self._more.setVisible(rest > 0)

    def _row(self, number: int, server: Offer) -> tuple[QWidget, QPushButton]:
        row = QWidget()
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(card_title(server.title.replace("&", "&&")))
        address = OneLine()
        address.setText(server.detail)
        address.setToolTip(plain_tip(server.detail))
        address.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        words.addWidget(address)
        button = push_button(f"start.connect_{number}_button", _("Connect"), server.spoken)
        button.clicked.connect(partial(self._on_chosen, server.target))
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(GRID_PX)
        line.addLayout(words, 1)
        line.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        return row, button

    def _on_chosen(self, target: str, _checked: bool = False) -> None:
        self.target_chosen.emit(target)


class LabCard(Card):
    """The lab's scenarios with their descriptions.

    Signals:
        target_chosen: target of the scenario to begin at, "" for the default one before they are known.

    Attributes:
        keyboard: what takes the keyboard, in order.
    """

    target_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("start.lab_card", parent)
        self._open = push_button("start.lab_button", _("&Try the lab"))
        self._open.clicked.connect(self._on_open_clicked)
        self._labs = ElidingCombo("start.lab_combo", _("Scenario of the lab"))
        self._labs.currentIndexChanged.connect(self._show_chosen)
        self._labs.hide()
        self._shows = plain_label(_("Simulated servers on this computer; no network is needed."), quiet=True)
        self._shows.setObjectName("start.lab_shows")
        self.keyboard = (self._labs, self._open)
        self.column.addLayout(_headed(_("Try it in the lab"), self._open))
        self.column.addWidget(self._labs)
        self.column.addWidget(self._shows)

    def show_labs(self, labs: Sequence[Offer]) -> None:
        """Offer the scenarios, the first one chosen."""
        if self._labs.count():
            return
        for lab in labs:
            self._labs.addItem(lab.title, lab)
            tip = plain_tip(f"{lab.title}\n{lab.detail}")
            self._labs.setItemData(self._labs.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self._labs.setVisible(bool(labs))

    @Slot()
    def _show_chosen(self) -> None:
        lab = self._labs.currentData()
        if isinstance(lab, Offer):
            self._shows.setText(lab.detail)

    @Slot()
    def _on_open_clicked(self) -> None:
        lab = self._labs.currentData()
        self.target_chosen.emit(lab.target if isinstance(lab, Offer) else "")


class ImportCard(Card):
    """Measurements made elsewhere.

    Signals:
        import_requested: they are to be explained.

    Attributes:
        button: asks for it.
    """

    import_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("start.import_card", parent)
        self.button = push_button("start.import_button", _("I&mport measurements…"))
        self.button.clicked.connect(self.import_requested)
        self.column.addLayout(_headed(_("Measured elsewhere"), self.button))
        self.column.addWidget(
            plain_label(_("Explains a CSV or JSON file, or one of the published studies."), quiet=True)
        )
