"""One finding as a card: recommendation, certainty, cost, undo, and sources."""

from collections.abc import MutableMapping
from typing import Final

from PySide6.QtCore import Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.domain.setting import value_text
from app.flows.explain.findings_view import Card
from app.flows.table_view import TableLayout
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.fitted_table import FittedTable
from app.ui.widgets.picture_copy import make_card
from app.ui.widgets.plot import PlotView
from app.ui.widgets.rich_text import headed_label, link_label, plain_label
from app.ui.widgets.verdict_badge import VerdictBadge

_MOST_LINKS: Final = 24  # more are found in the table of trials
_TITLE_SCALE: Final = 1.15
_NO_BREAK: Final = "\N{NON-BREAKING HYPHEN}"
_PLOT_HEIGHT_PX: Final = 36 * GRID_PX


class FindingCard(QFrame):
    """Shows one `Card`.

    Signals:
        trial_chosen: key of a trial behind the finding.
        trials_requested: the person wants to see all trials.
    """

    trial_chosen = Signal(str)
    trials_requested = Signal()

    def __init__(
        self, name: str, card: Card, layouts: MutableMapping[str, TableLayout], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(card.title)
        make_card(self)
        # not Maximum: the height wanted is that at the width there is, which a hint does not know
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._card = card
        self._layouts = layouts
        self._details: QWidget | None = None
        self._more = QToolButton()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(2 * GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)
        self._layout.setSpacing(GRID_PX)
        self._layout.addLayout(self._head())
        self._layout.addLayout(self._body())
        self._layout.addLayout(self._foot())

    def _head(self) -> QVBoxLayout:
        title = plain_label(self._card.title)
        font = title.font()
        font.setBold(True)
        font.setPointSizeF(font.pointSizeF() * _TITLE_SCALE)
        title.setFont(font)
        top = QHBoxLayout()
        top.setSpacing(2 * GRID_PX)
        if self._card.verdict is not None:
            badge = VerdictBadge(self._card.verdict, self._card.verdict_text)
            badge.setObjectName(f"{self.objectName()}.verdict")
            top.addWidget(badge)
        if self._card.change:
            top.addWidget(plain_label(self._card.change), 1)
        else:
            top.addStretch(1)
        priority = plain_label(self._card.priority, quiet=True)
        priority.setWordWrap(False)
        priority.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        top.addWidget(priority)
        head = QVBoxLayout()
        head.setSpacing(GRID_PX // 2)
        head.addWidget(title)
        head.addLayout(top)
        if self._card.effect:
            head.addWidget(plain_label(self._card.effect))
        return head

    def _body(self) -> QHBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(GRID_PX)
        if self._card.recommendation:
            words.addWidget(headed_label(_("Recommendation"), self._card.recommendation))
        for heading, text in self._card.paragraphs:
            words.addWidget(headed_label(heading, text))
        words.addStretch(1)
        body = QHBoxLayout()
        body.setSpacing(2 * GRID_PX)
        body.addLayout(words, 1)
        if self._card.plot is not None:
            plot = PlotView(f"{self.objectName()}.plot", interactive=False)
            plot.show_plot(self._card.plot)
            plot.setFixedHeight(_PLOT_HEIGHT_PX)
            body.addWidget(plot, 1, Qt.AlignmentFlag.AlignTop)
        return body

    def _foot(self) -> QVBoxLayout:
        foot = QVBoxLayout()
        foot.setSpacing(GRID_PX // 2)
        if self._card.sources:
            sources = [(source.url, source.title) for source in self._card.sources]
            label = link_label(f"{self.objectName()}.sources", _("Sources"), sources)
            label.linkActivated.connect(self._on_source_activated)
            foot.addWidget(label)
        trials = [(key, trial.replace("-", _NO_BREAK)) for key, trial in self._card.evidence[:_MOST_LINKS]]
        if len(self._card.evidence) > _MOST_LINKS:
            trials.append(("*", _("all {count}").format(count=value_text(len(self._card.evidence)))))
        label = link_label(f"{self.objectName()}.evidence", _("Trials behind it"), trials)
        label.linkActivated.connect(self._on_trial_activated)
        foot.addWidget(label)
        self._more.setObjectName(f"{self.objectName()}.details_button")
        self._more.setText(_("Comparisons and facts behind it"))
        self._more.setAccessibleName(_("Details: {title}").format(title=self._card.title))
        self._more.setCheckable(True)
        self._more.setAutoRaise(True)
        self._more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._more.setArrowType(Qt.ArrowType.RightArrow)
        self._more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._more.toggled.connect(self._on_more_toggled)
        foot.addWidget(self._more)
        return foot

    @Slot(bool)
    def _on_more_toggled(self, is_open: bool) -> None:
        self._more.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        if self._details is None:
            self._details = self._make_details()
            self._layout.addWidget(self._details)
        self._details.setVisible(is_open)

    def _make_details(self) -> QWidget:
        details = QWidget()
        layout = QVBoxLayout(details)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX)
        name = self.objectName()
        tables = (
            (f"{name}.comparisons_table", _("What was compared"), self._card.comparisons),
            (f"{name}.facts_table", _("Facts the rule used"), self._card.facts),
        )
        for table_name, spoken, content in tables:
            if content.rows:
                table = FittedTable(table_name, spoken, self._layouts)
                layout.addWidget(table.below_alike())
                table.show_content(content)
        layout.addWidget(plain_label(self._card.rule, quiet=True))
        return details

    @Slot(str)
    def _on_source_activated(self, url: str) -> None:
        QDesktopServices.openUrl(QUrl(url))

    @Slot(str)
    def _on_trial_activated(self, key: str) -> None:
        if key == "*":
            self.trials_requested.emit()
        else:
            self.trial_chosen.emit(key)
