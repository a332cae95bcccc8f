"""The present state of a site: its picture, the selection in it, and beside it worthwhile experiments."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from app.domain.site_picture import SiteHop, SiteNode, SitePicture, Standing, hop_heading, node_heading, troubles
from app.flows.site_crowd import drawn_of, search_line
from app.flows.target.site_view import standing_line
from app.foundation.texts import _
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.card import Card
from app.ui.widgets.history_strip import HistoryStrip
from app.ui.widgets.keyboard_order import order_keyboard
from app.ui.widgets.legend_line import LegendLine
from app.ui.widgets.proposal_card import ProposalList
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import plain_label
from app.ui.widgets.site_picture import SitePictureView, legend_keys
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.trouble_list import TroubleList

_NARROW_PX = 105 * GRID_PX
_PROPOSALS_PX = 42 * GRID_PX


class SiteNow(QScrollArea):
    """Scrolls both together; one below the other where the window is narrow.

    Signals:
        parameters_wanted: key of the server or hop whose parameters are wanted.
        subject_chosen: key of the box that is to be experimented on.

    Attributes:
        proposals: what is worth testing.
        history: the hours before, where the picture leaves room.
    """

    parameters_wanted = Signal(str)
    subject_chosen = Signal(str)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("site.now")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.proposals = ProposalList()
        self.history = HistoryStrip(desk)
        self._pictures: tuple[SitePicture, ...] = ()
        self._views: list[SitePictureView] = []
        self._standing = StatusLine("site.standing")
        self._troubles = TroubleList()
        self._make_search()
        self._chosen = plain_label("")
        self._chosen.setObjectName("site.chosen")
        self._differing = StatusLine("site.differing")
        self._parameters = push_button("site.parameters_button", _("&Parameters of it"))
        self._card = Card("site.picture_card")
        self._card.installEventFilter(self)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._head = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._legend = LegendLine("site.legend")
        self._legend.show_keys(legend_keys())
        self._lay_out()
        self._parameters.clicked.connect(self._on_parameters_clicked)

    def _make_search(self) -> None:
        """Make the field that stands over a picture with more than it draws."""
        self._search = QLineEdit()
        self._search.setObjectName("site.search_edit")
        self._search.setAccessibleName(_("Search servers and processes"))
        self._search.setPlaceholderText(_("Search servers and processes (Ctrl+F)"))
        self._search.setClearButtonEnabled(True)
        self._found = StatusLine("site.found")
        self._searching = QWidget()
        row = QHBoxLayout(self._searching)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._search, 1)
        row.addWidget(self._found, 1)
        self._search.textChanged.connect(self._on_search_changed)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self._searching)
        find.activated.connect(self._search.setFocus)
        clear = QShortcut(QKeySequence(Qt.Key.Key_Escape), self._search)
        clear.setContext(Qt.ShortcutContext.WidgetShortcut)
        clear.activated.connect(self._search.clear)

    def _lay_out(self) -> None:
        self._head.setSpacing(GRID_PX)
        self._head.addWidget(self._standing, 1)
        self._head.addWidget(self._legend)
        self._card.column.addWidget(self._troubles)
        self._card.column.addLayout(self._head)
        self._card.column.addWidget(self._searching)
        detail = QHBoxLayout()
        words = QVBoxLayout()
        words.setSpacing(GRID_PX // 2)
        words.addWidget(self._chosen)
        words.addWidget(self._differing)
        detail.addLayout(words, 1)
        detail.addWidget(self._parameters, 0, Qt.AlignmentFlag.AlignTop)
        self._card.column.addLayout(detail)
        inside = QWidget()
        self._row.setContentsMargins(0, 0, GRID_PX, 0)
        self._row.setSpacing(2 * GRID_PX)
        left = QVBoxLayout()
        left.setSpacing(GRID_PX)
        left.addWidget(self._card)
        left.addWidget(self.history, 1)
        self._row.addLayout(left, 1)
        self._row.addWidget(self.proposals, 0)
        inside.setLayout(self._row)
        self.setWidget(inside)
        self._show_chosen("")

    def show_pictures(self, pictures: Sequence[SitePicture]) -> None:
        """Show the site at another moment, or another site."""
        self._pictures = tuple(pictures)
        while len(self._views) < len(pictures):
            view = SitePictureView()
            view.setObjectName(f"site.picture_{len(self._views)}")
            view.chosen.connect(partial(self._on_chosen, view))
            view.opened.connect(self._on_opened)
            self._card.column.insertWidget(3 + len(self._views), view)
            self._views.append(view)
            order_keyboard([self._search, *self._views, self._parameters, *self.history.editors])
        self._draw()
        self._card.setVisible(bool(pictures))  # not every system is drawn
        for place, view in enumerate(self._views):
            view.setVisible(place < len(pictures))
        self._troubles.show_troubles(troubles(pictures))
        self._standing.show_status(standing_line(pictures), Tone.MUTED)
        self._arrange_head()
        key = self._key
        self._show_chosen(key)

    def _draw(self) -> None:
        """Draw of each picture as much as can be looked at."""
        wanted, key = self._search.text(), self._key
        drawn = [drawn_of(picture, wanted, key) for picture in self._pictures]
        for view, own in zip(self._views, drawn, strict=False):
            view.show_picture(own.picture)
        crowded = [own for own in drawn if own.is_crowded]
        self._searching.setVisible(bool(crowded))
        if crowded:
            self._found.show_status(search_line(crowded, wanted), Tone.MUTED)

    @Slot()
    def _on_search_changed(self) -> None:
        self._draw()

    @Slot(str)
    def _on_opened(self, key: str) -> None:
        if any(picture.hop(key) or picture.node(key) for picture in self._pictures):
            self.parameters_wanted.emit(key)  # a box that counts others opens nothing

    def choose_first(self) -> None:
        """Choose the hop that stands worst."""
        hops = [hop for picture in self._pictures for hop in picture.hops]
        if hops and not self._key:
            worst = min(hops, key=lambda hop: hop.badness)
            view = next(v for v, p in zip(self._views, self._pictures, strict=False) if worst in p.hops)
            with QSignalBlocker(self):  # one that keeps up is only looked at
                view.choose(worst.key)
            if worst.standing is Standing.BEHIND:
                self.subject_chosen.emit(worst.key)

    @property
    def _key(self) -> str:
        return next((view.key for view in self._views if view.key), "")

    def _on_chosen(self, view: SitePictureView, key: str) -> None:
        for other in self._views:
            if other is not view and key:
                other.choose("")
        if key:
            self._show_chosen(key)
            self.subject_chosen.emit(key)

    def _show_chosen(self, key: str) -> None:
        shown: SiteNode | SiteHop | None = None
        for picture in self._pictures:
            shown = shown or picture.hop(key) or picture.node(key)
        heading = "" if shown is None else hop_heading(shown) if isinstance(shown, SiteHop) else node_heading(shown)
        self._chosen.setText(heading)
        self._differing.show_status("" if shown is None else " · ".join(shown.differing), Tone.ACCENT)
        self._differing.setVisible(bool(self._differing.text))
        self._parameters.setVisible(shown is not None)

    def _arrange_head(self) -> None:
        """Put the legend below the sentence where both have no room in one line."""
        told = self._standing.label
        standing_px = told.fontMetrics().horizontalAdvance(told.text()) + told.x()
        both_px = standing_px + GRID_PX + self._legend.sizeHint().width()
        margins = self._card.column.contentsMargins()
        has_room = both_px <= self._card.width() - margins.left() - margins.right()
        directions = QBoxLayout.Direction
        self._head.setDirection(directions.LeftToRight if has_room else directions.TopToBottom)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrange the card anew in another width (Qt calls this)."""
        if watched is self._card and event.type() == QEvent.Type.Resize:
            self._arrange_head()
        return super().eventFilter(watched, event)

    @Slot()
    def _on_parameters_clicked(self) -> None:
        self.parameters_wanted.emit(self._key)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the worthwhile experiments beside or below the picture (Qt calls this)."""
        super().resizeEvent(event)
        is_narrow = event.size().width() < _NARROW_PX
        directions = QBoxLayout.Direction
        self._row.setDirection(directions.TopToBottom if is_narrow else directions.LeftToRight)
        self.proposals.setMinimumWidth(0 if is_narrow else _PROPOSALS_PX)
        self.proposals.setMaximumWidth(16_777_215 if is_narrow else _PROPOSALS_PX)
