"""One worthwhile experiment: parameter, place, reason, expected effect, and the button that plans it."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.flows.target.proposals import Proposal, expected_text
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.card import Card
from app.ui.widgets.interval_bar import BarInterval, BarScale, IntervalBar, scale_of
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import plain_label, plain_tip
from app.ui.widgets.status_line import StatusLine

_FIRST: Final = 1.3  # the most promising one is larger than the others


def bar_interval(proposal: Proposal) -> BarInterval | None:
    """Return the expected effect as an interval, None where nothing is known that could be compared."""
    expected = proposal.expected
    if expected is None:
        return None
    return BarInterval(expected.low, expected.high, expected.middle, proposal.plan.design.minimum_effect)


class ProposalCard(Card):
    """Shows one proposal.

    Signals:
        planned: the Proposal, when its experiment is to be planned.
    """

    planned = Signal(object)

    def __init__(self, number: int, proposal: Proposal, scale: BarScale | None) -> None:
        super().__init__(f"site.proposal_{number}")
        is_first = number == 1
        self.column.addWidget(_title(f"{number}  {proposal.title}", _FIRST if is_first else 1.0))
        about = StatusLine(f"site.proposal_{number}_about")
        about.show_status(proposal.about, Tone.MUTED)
        self.column.addWidget(about)
        interval = bar_interval(proposal)
        if interval is not None and scale is not None and proposal.expected is not None:
            expected = expected_text(proposal.expected)
            self.column.addWidget(plain_label(expected))
            tone = Tone.GOOD if proposal.expected.high < 0 else Tone.WARNING
            if is_first:
                self.column.addWidget(IntervalBar(f"site.proposal_{number}_bar", interval, scale, tone, expected))
        if is_first:
            self.column.addWidget(plain_label(proposal.because))
        else:
            self.setToolTip(plain_tip(proposal.because))
        self.column.addLayout(self._foot(number, proposal))

    def _foot(self, number: int, proposal: Proposal) -> QVBoxLayout:
        words = _("&{number}  Plan this experiment") if number < 10 else _("Plan this experiment")
        button = push_button(
            f"site.plan_{number}_button",
            (_("&{number}  Find the fastest setting") if number == 1 else words).format(number=number),
            _("Plan {title}").format(title=proposal.title),
        )
        button.setDefault(number == 1)
        button.clicked.connect(lambda: self.planned.emit(proposal))
        foot = QVBoxLayout()
        foot.setSpacing(GRID_PX)
        cost = f"{proposal.cost}; {proposal.written}" if proposal.written else proposal.cost
        foot.addWidget(plain_label(cost, quiet=True))
        foot.addWidget(button, 0, Qt.AlignmentFlag.AlignRight)
        return foot


class ProposalList(QWidget):
    """Shows all proposals, the most promising first, on one scale.

    Signals:
        planned: the Proposal whose experiment is to be planned.
    """

    planned = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("site.proposals")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID_PX + 4)
        self._line = StatusLine("site.proposals_line")
        self._column.addWidget(_title(_("Worth testing")))
        self._column.addWidget(self._line)
        self._cards: list[ProposalCard] = []
        self._shown: tuple[Proposal, ...] = ()
        self._column.addStretch(1)

    def show_line(self, text: str, tone: Tone) -> None:
        """Show the line above the list."""
        self._line.show_status(text, tone)
        self._line.setVisible(bool(text))

    def show_proposals(self, proposals: tuple[Proposal, ...]) -> None:
        """Show others; cards of the same ones stay where the mouse or the keyboard may be on them."""
        if proposals == self._shown:
            return
        self._shown = proposals
        for card in self._cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        intervals = [interval for one in proposals if (interval := bar_interval(one)) is not None]
        scale = scale_of(intervals) if intervals else None
        self._cards = [ProposalCard(number, one, scale) for number, one in enumerate(proposals, 1)]
        for card in self._cards:
            card.planned.connect(self.planned)
            self._column.insertWidget(self._column.count() - 1, card)
            card.show()  # at once: its layout would show it a turn of the event loop later, and the list stand empty


def _title(text: str, factor: float = 1.0) -> QLabel:
    label = plain_label(text)
    font = label.font()
    font.setBold(True)
    font.setPointSizeF(font.pointSizeF() * factor)
    label.setFont(font)
    return label
