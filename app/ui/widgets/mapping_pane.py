"""The mapping of a file's columns: heading, first cells, and a list of meanings to choose from."""

from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QLineEdit, QWidget

from app.flows.explain.import_view import CommonValue, Understanding, sample_text
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.one_line import OneLine
from app.ui.widgets.rich_text import PlainLabel, plain_tip
from app.ui.widgets.still_wheel import leave_wheel_to_page


class MappingPane(QWidget):
    """Shows an `Understanding`; lists keep the keyboard while choices in them are tried.

    Signals:
        column_chosen: place of a column, and the name of what it holds.
        chosen: name of a value of all rows, and the choice.
    """

    column_chosen = Signal(int, str)
    chosen = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Understanding | None = None
        self._columns: list[QComboBox] = []
        self._common: dict[str, tuple[QLabel, QComboBox | QLineEdit]] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GRID_PX)
        self._grid.setVerticalSpacing(GRID_PX // 2)
        self._grid.setColumnStretch(0, 4)
        self._grid.setColumnStretch(1, 3)
        self._grid.setColumnStretch(2, 6)

    @property
    def lists(self) -> tuple[QWidget, ...]:
        """Return the lists and fields, which take the keyboard, in order."""
        return (*self._columns, *(field for _label, field in self._common.values()))

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
            self._show_common({value.name: value for value in understood.common})

    def _make_rows(self, understood: Understanding | None) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._columns, self._common = [], {}
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
        for row, value in enumerate(understood.common, start=len(self._columns)):
            self._add_common(row, value)

    def _add_common(self, row: int, value: CommonValue) -> None:
        label = PlainLabel(_("{what}, in all rows").format(what=value.title))
        field: QComboBox | QLineEdit
        if value.choices:
            field = _combo(f"import.{value.name}_combo", "{heading}", value.title)
            field.currentIndexChanged.connect(partial(self._on_chosen, value.name))
        else:
            field = QLineEdit()
            field.setObjectName(f"import.{value.name}_edit")
            field.setAccessibleName(value.title)
            field.setPlaceholderText(value.blank)
            field.editingFinished.connect(partial(self._on_typed, value.name))
        label.setBuddy(field)
        self._common[value.name] = (label, field)
        self._grid.addWidget(label, row, 0, 1, 2)
        self._grid.addWidget(field, row, 2)

    def _show_common(self, common: dict[str, CommonValue]) -> None:
        for name, value in common.items():
            if name not in self._common:
                self._add_common(self._grid.rowCount(), value)
        for name, (label, field) in self._common.items():
            label.setVisible(name in common)
            field.setVisible(name in common)
            if name in common:
                with QSignalBlocker(field):
                    _fill(field, common[name])

    def _on_column_chosen(self, place: int, _index: int) -> None:
        self.column_chosen.emit(place, self._columns[place].currentData())

    def _on_chosen(self, name: str, _index: int) -> None:
        field = self._common[name][1]
        if isinstance(field, QComboBox):
            self.chosen.emit(name, field.currentData() or "")

    def _on_typed(self, name: str) -> None:
        """Tell a text, where it is another one than before: the field is also left without a change."""
        field, shown = self._common[name][1], self._shown
        if isinstance(field, QLineEdit) and shown is not None and field.text() != shown.mapping.common_value(name):
            self.chosen.emit(name, field.text())


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


def _fill(field: QComboBox | QLineEdit, common: CommonValue) -> None:
    if isinstance(field, QLineEdit):
        if not field.hasFocus():
            field.setText(common.chosen)
        return
    field.clear()
    field.addItem(common.blank or _("Choose …"), "")
    for value, title in common.choices:
        field.addItem(title, value)
    field.setCurrentIndex(max(0, field.findData(common.chosen)))
