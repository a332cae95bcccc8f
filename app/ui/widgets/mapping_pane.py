"""The mapping of a file's columns: heading, first cells, and a list of meanings to choose from."""

from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QWidget

from app.flows.explain.import_view import SaidOnce, Understanding, sample_text
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.one_line import OneLine
from app.ui.widgets.rich_text import PlainLabel, plain_tip
from app.ui.widgets.still_wheel import leave_wheel_to_page


class MappingPane(QWidget):
    """Shows an `Understanding`; lists keep the keyboard while choices in them are tried.

    Signals:
        column_chosen: place of a column, and the name of what it holds.
        said: name of what is said once for all rows, and what is said.
    """

    column_chosen = Signal(int, str)
    said = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Understanding | None = None
        self._columns: list[QComboBox] = []
        self._said: dict[str, tuple[QLabel, QComboBox]] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GRID_PX)
        self._grid.setVerticalSpacing(GRID_PX // 2)
        self._grid.setColumnStretch(0, 4)
        self._grid.setColumnStretch(1, 3)
        self._grid.setColumnStretch(2, 6)

    @property
    def lists(self) -> tuple[QComboBox, ...]:
        """Return the lists, which take the keyboard, in order."""
        return (*self._columns, *(combo for _label, combo in self._said.values()))

    def show_understanding(self, understood: Understanding | None) -> None:
        """Show how a file is understood; nothing for None."""
        is_other = self._shown is None or understood is None or understood.raw != self._shown.raw
        self._shown = understood
        if is_other:
            self._make_rows(understood)
        if understood is not None:
            for combo, name in zip(self._columns, understood.mapping.columns, strict=True):
                with QSignalBlocker(combo):
                    combo.setCurrentIndex(combo.findData(name))
            self._show_said({said.name: said for said in understood.said})

    def _make_rows(self, understood: Understanding | None) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._columns, self._said = [], {}
        if understood is None:
            return
        for place, heading in enumerate(understood.raw.headings):
            named, sample = _line(heading), _line(sample_text(understood, place))
            sample.setForegroundRole(sample.palette().ColorRole.PlaceholderText)
            combo = _combo(f"import.column_{place + 1}_combo", _("What the column {heading} holds"), heading)
            for name, title in understood.columns:
                combo.addItem(title, name)
            combo.currentIndexChanged.connect(partial(self._on_column_chosen, place))
            self._columns.append(combo)
            for column, widget in enumerate((named, sample, combo)):
                self._grid.addWidget(widget, place, column)
        for row, said in enumerate(understood.said, start=len(self._columns)):
            self._add_said(row, said)

    def _add_said(self, row: int, said: SaidOnce) -> None:
        label = PlainLabel(_("{what}, in all rows").format(what=said.title))
        combo = _combo(f"import.{said.name}_combo", "{heading}", said.title)
        label.setBuddy(combo)
        combo.currentIndexChanged.connect(partial(self._on_said, said.name))
        self._said[said.name] = (label, combo)
        self._grid.addWidget(label, row, 0, 1, 2)
        self._grid.addWidget(combo, row, 2)

    def _show_said(self, said_once: dict[str, SaidOnce]) -> None:
        for name, said in said_once.items():
            if name not in self._said:
                self._add_said(self._grid.rowCount(), said)
        for name, (label, combo) in self._said.items():
            label.setVisible(name in said_once)
            combo.setVisible(name in said_once)
            if name in said_once:
                with QSignalBlocker(combo):
                    _fill(combo, said_once[name])

    def _on_column_chosen(self, place: int, _index: int) -> None:
        self.column_chosen.emit(place, self._columns[place].currentData())

    def _on_said(self, name: str, _index: int) -> None:
        self.said.emit(name, self._said[name][1].currentData() or "")


def _line(text: str) -> OneLine:
    line = OneLine()
    line.setText(text)
    line.setToolTip(plain_tip(text))
    return line


def _combo(name: str, spoken: str, heading: str) -> QComboBox:
    combo = QComboBox()
    combo.setObjectName(name)
    combo.setAccessibleName(spoken.format(heading=heading))
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    leave_wheel_to_page(combo)
    return combo


def _fill(combo: QComboBox, said: SaidOnce) -> None:
    combo.clear()
    combo.addItem(_("Choose …"), "")
    for value, title in said.choices:
        combo.addItem(title, value)
    combo.setCurrentIndex(max(0, combo.findData(said.chosen)))
