"""After a run on the client's own work: keep the confirmed setting, or put back what is kept."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.domain.change import Keep
from app.flows.run.keep_view import KeepOffer, keep_title, offer_text
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.picture_copy import make_card
from app.ui.widgets.push_button import push_button
from app.ui.widgets.start_cards import card_title
from app.ui.widgets.status_line import StatusLine


class KeepPane(QFrame):
    """Offers the open decisions; hidden where there are none.

    Signals:
        keep_requested: the `Keep` that is wanted, not agreed to yet.
        put_back_requested: what is kept is to be undone.
    """

    keep_requested = Signal(object)
    put_back_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("run.keep_pane")
        make_card(self)
        self.setAccessibleName(_("And now?"))
        self._text = StatusLine("run.keep_text")
        self._why_not = StatusLine("run.keep_why_not")
        self._keeps = {how: push_button(f"run.keep_{how.value}_button", keep_title(how)) for how in Keep}
        self._put_back = push_button("run.put_back_button", _("Put bac&k now"))
        row = QHBoxLayout()
        row.setSpacing(GRID_PX)
        for how, button in self._keeps.items():
            button.clicked.connect(partial(self._ask, how))
            row.addWidget(button)
        row.addWidget(self._put_back)
        row.addStretch(1)
        self._put_back.clicked.connect(self.put_back_requested)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID_PX, GRID_PX, GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(card_title(_("And now?")))
        layout.addWidget(self._text)
        layout.addWidget(self._why_not)
        layout.addLayout(row)
        self.hide()

    def _ask(self, how: Keep, _checked: bool = False) -> None:
        self.keep_requested.emit(how)

    def show_offer(self, offer: KeepOffer, *, is_keeping: bool, is_busy: bool) -> None:
        """Show what can be decided.

        Args:
            is_keeping: a setting is being put into effect, or kept until the backlog is processed.
            is_busy: something is being undone; nothing can be asked for meanwhile.
        """
        stands = bool(offer.kept) or is_keeping
        self.setVisible(not offer.is_empty)
        tone = Tone.WARNING if stands else Tone.NEUTRAL
        self._text.show_status(offer_text(offer, is_keeping=is_keeping), tone)
        self._why_not.show_status(offer.why_not, Tone.MUTED)
        self._why_not.setVisible(bool(offer.why_not) and not stands)
        hows = () if offer.found is None or offer.why_not else offer.found.hows
        for how, button in self._keeps.items():
            is_offered = how in hows and not stands
            button.setVisible(is_offered)
            button.setEnabled(is_offered and not is_busy)
        self._put_back.setVisible(stands)
        self._put_back.setEnabled(stands and not is_busy)
