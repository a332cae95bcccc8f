"""One part of a form: a heading and its fields in a grid."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QGroupBox, QWidget

from app.flows.plan.plan_fields import Field
from app.ui.theme import GRID_PX
from app.ui.widgets.field import ROWS_PER_FIELD, FieldRow

_LAST_COLUMN = 3


class FormSection(QGroupBox):
    """Shows fields as data; made anew where other fields are to be shown.

    Signals:
        text_entered: field id and the new text.
        focus_entered: field id.
    """

    text_entered = Signal(str, str)
    focus_entered = Signal(str)

    def __init__(self, name: str, title: str, fields: tuple[Field, ...], parent: QWidget | None = None) -> None:
        """Make the fields.

        Args:
            name: object name of the section, such as "plan.design_section"; fields are named after its first word.
        """
        super().__init__(title, parent)
        self.setObjectName(name)
        grid = QGridLayout(self)
        grid.setContentsMargins(GRID_PX, GRID_PX // 2, GRID_PX, GRID_PX // 2)
        grid.setHorizontalSpacing(GRID_PX)
        grid.setVerticalSpacing(GRID_PX // 4)
        grid.setColumnStretch(_LAST_COLUMN, 1)
        self._grid = grid
        prefix = name.partition(".")[0]
        self._rows: dict[str, FieldRow] = {}
        for place, field in enumerate(fields):
            row = FieldRow(prefix, field, grid, place * ROWS_PER_FIELD, self)
            row.text_entered.connect(self.text_entered)
            row.focus_entered.connect(self.focus_entered)
            self._rows[field.field_id] = row

    @property
    def label_width_px(self) -> int:
        """How wide the longest label must be, hidden ones counted."""
        return max((row.label_width_px for row in self._rows.values()), default=0)

    def make_narrow(self, *, narrow: bool) -> None:
        """Let labels wrap, or give each one line."""
        for row in self._rows.values():
            row.make_narrow(narrow=narrow)

    def align_labels(self, width_px: int) -> None:
        """Give the labels a width, so that the fields of parts below each other stand in one line."""
        self._grid.setColumnMinimumWidth(0, width_px)

    @property
    def editors(self) -> tuple[QWidget, ...]:
        """Return the editors, in order."""
        return tuple(editor for row in self._rows.values() for editor in row.editors)

    def show_fields(self, fields: tuple[Field, ...]) -> None:
        """Show other values of the same fields."""
        for field in fields:
            self._rows[field.field_id].show_field(field)
