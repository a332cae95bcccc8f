"""The page that shows what is there and which values are really in effect."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPushButton, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.flows.shell.wizard import Choices, Step, keep_reading
from app.flows.target.attempt_view import (
    NO_ATTEMPT,
    Attempt,
    AttemptState,
    attempt_begun,
    attempt_cancelled,
    attempt_failed,
    attempt_nothing,
    is_mistake,
)
from app.flows.target.topology_found import found_tree, nothing_here, unread_notice
from app.flows.topology_tree import Node, find_node, first_node
from app.foundation.texts import _
from app.services.look.reading import TargetReading
from app.ui.desk import Desk
from app.ui.page import WizardPage
from app.ui.pages.observe_dialog import ObserveDialog
from app.ui.target_reader import TargetReader
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.attempt_pane import AttemptPane
from app.ui.widgets.node_pane import NodePane
from app.ui.widgets.page_heading import PageHeading
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.topology_tree import TopologyTree


class TopologyPage(WizardPage):
    """Reads the target when it is entered for the first time, and shows what was found."""

    step = Step.TOPOLOGY

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self._choices = Choices()
        self._nodes: tuple[Node, ...] = ()
        self._node_key = ""
        self._reader = TargetReader(desk, self)
        self._tree = TopologyTree()
        self._pane = NodePane(desk)
        self._attempt = AttemptPane("topology")
        self._again = self._make_button("topology.read_again_button", _("Read &again"), _("Read the target again"))
        self._retry = self._make_button("topology.retry_button", _("&Try again"), _("Try to read the target again"))
        self._observe = self._make_button(
            "topology.observe_button", _("Observe &from history…"), _("Look at what the server's own history tells")
        )
        self._unread = StatusLine("topology.unread")
        self._stack = QStackedWidget()
        self._lay_out()
        self._tree.node_chosen.connect(self._on_node_chosen)
        self._again.clicked.connect(self._read)
        self._retry.clicked.connect(self._read)
        self._observe.clicked.connect(self._on_observe_clicked)
        self._attempt.cancel_requested.connect(self._on_cancel_requested)
        self._reader.reading_arrived.connect(self._on_reading_arrived)
        self._reader.reading_failed.connect(self._on_reading_failed)

    def show_choices(self, choices: Choices) -> None:
        """Show what was read; read it now where that has not been done."""
        is_other = choices.target != self._choices.target
        self._choices = choices
        if is_other:
            self._reader.cancel()
            self._node_key = ""
        if choices.discovery is not None:
            self._show_content()
        elif choices.target and not self._reader.is_reading:
            self._read()

    # Making it

    def _make_button(self, name: str, text: str, spoken: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setAccessibleName(spoken)
        return button

    def _lay_out(self) -> None:
        self._stack.addWidget(self._make_content())
        self._stack.addWidget(self._make_waiting())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(2 * GRID_PX)
        layout.addWidget(PageHeading(self.step))
        layout.addWidget(self._stack, 1)

    def _make_content(self) -> QWidget:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, GRID_PX, 0)
        column.setSpacing(GRID_PX)
        column.addWidget(self._tree, 1)
        row = QHBoxLayout()
        row.addWidget(self._again)
        row.addWidget(self._observe)
        row.addStretch(1)
        column.addLayout(row)
        self._pane.setContentsMargins(GRID_PX, 0, 0, 0)
        content = QWidget()
        whole = QVBoxLayout(content)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._unread)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setObjectName("topology.splitter")
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(left)
        splitter.addWidget(self._pane)
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 4)
        splitter.setSizes([34 * GRID_PX, 94 * GRID_PX])
        whole.addWidget(splitter, 1)
        return content

    def _make_waiting(self) -> QWidget:
        waiting = QWidget()
        row = QHBoxLayout()
        row.addWidget(self._retry)
        row.addStretch(1)
        column = QVBoxLayout(waiting)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID_PX)
        column.addWidget(self._attempt)
        column.addLayout(row)
        column.addStretch(1)
        return waiting

    # Showing

    def _show_content(self) -> None:
        discovery = self._choices.discovery
        if discovery is None:
            return
        nothing = nothing_here(discovery, self.desk.program.systems)
        if nothing:
            self._show_attempt(attempt_nothing(nothing))
            return
        self._nodes = found_tree(discovery)
        node = find_node(self._nodes, self._node_key) or first_node(self._nodes) or self._nodes[0]
        notice = unread_notice(discovery)
        self._unread.show_status(notice, Tone.WARNING)
        self._unread.setVisible(bool(notice))
        self._node_key = node.key
        self._tree.show_tree(self._nodes, node.key)
        self._pane.show_node(discovery, node)
        self._stack.setCurrentIndex(0)

    def _show_attempt(self, attempt: Attempt) -> None:
        self._attempt.show_attempt(attempt)
        self._retry.setVisible(attempt.state is AttemptState.FAILED)
        self._stack.setCurrentIndex(1)

    @Slot(str)
    def _on_node_chosen(self, key: str) -> None:
        node = find_node(self._nodes, key)
        if node is not None and self._choices.discovery is not None:
            self._node_key = key
            self._pane.show_node(self._choices.discovery, node)

    @Slot()
    def _on_observe_clicked(self) -> None:
        dialog = ObserveDialog(self.desk, self._choices.target, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    # Reading

    @Slot()
    def _read(self) -> None:
        self._reader.read(self._choices.target)
        self._show_attempt(attempt_begun(self._choices.target))

    @Slot()
    def _on_cancel_requested(self) -> None:
        self._reader.cancel()
        if self._choices.discovery is not None:
            self._end_reading()
        else:
            self._show_attempt(attempt_cancelled())

    @Slot(str, object)
    def _on_reading_arrived(self, _target: str, reading: TargetReading) -> None:
        self._choices = keep_reading(self._choices, reading.discovery, reading.sites, reading.impossible)
        self._end_reading()
        self.choices_changed.emit(self._choices)

    def _end_reading(self) -> None:
        focused = QApplication.focusWidget()
        had_focus = focused is not None and self.isAncestorOf(focused)
        self._attempt.show_attempt(NO_ATTEMPT)
        self._show_content()
        if had_focus:  # what had it, the button to cancel, has gone
            self._tree.setFocus()

    @Slot(str, object)
    def _on_reading_failed(self, _target: str, error: BaseException) -> None:
        self._show_attempt(attempt_failed(error))
        if is_mistake(error):
            self.desk.trouble.emit(error)
