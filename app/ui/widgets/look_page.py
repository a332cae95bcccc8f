"""One page of a look without an experiment: lines, tables, texts and plots, one below the other."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from app.domain.plot import PlotSpec
from app.domain.view import TableContent
from app.flows.system_views import Content, ObservedPage, ObservedPart, PartKind
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.fitted_table import ShortTable
from app.ui.widgets.hanging_text import HangingText
from app.ui.widgets.modest_plot import ModestPlot
from app.ui.widgets.plot import PlotView
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable

_LEAST_PLOT_PX: Final = 18 * GRID_PX  # two below each other fit on a laptop

PartWidget: TypeAlias = StatusLine | DataTable | QPlainTextEdit | HangingText | PlotView


class LookPage(QWidget):
    """Shows the parts of one page.

    A table with a text below it is no taller than its rows.

    Attributes:
        column: of the parts.
        history: the table that is copied as the history, None where the page has none.
    """

    def __init__(self, desk: Desk, page: ObservedPage, prefix: str = "observe", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._prefix = prefix
        self._has_text = any(part.kind in (PartKind.TEXT, PartKind.FIGURES) for part in page.parts)
        self.page_id = page.page_id
        self.history: DataTable | None = None
        self._parts = [(part, self._make_part(desk, part)) for part in page.parts]
        self.column = column = QVBoxLayout(self)
        column.setContentsMargins(GRID_PX, GRID_PX, GRID_PX, GRID_PX)
        column.setSpacing(GRID_PX)
        for part, widget in self._parts:
            if isinstance(widget, DataTable) and not part.is_history:  # what is copied as the history has all columns
                column.addWidget(widget.alike_label())
            column.addWidget(widget, 0 if part.kind is PartKind.LINE else 1)

    def _make_part(self, desk: Desk, part: ObservedPart) -> PartWidget:
        name = f"{self._prefix}.{part.name}"
        match part.kind:
            case PartKind.LINE:
                return StatusLine(name)
            case PartKind.PLOT:
                plot = ModestPlot(name)
                plot.setMinimumHeight(_LEAST_PLOT_PX)
                return plot
            case PartKind.TABLE:
                kind = ShortTable if self._has_text and not part.is_history else DataTable
                table = kind(name, part.title, desk.table_layouts)
                table.set_placeholder(part.nothing)
                if part.is_history:
                    self.history = table
                return table
            case PartKind.TEXT:
                return HangingText(name, part.title)
        return _figures_part(name, part)

    @property
    def editors(self) -> tuple[QWidget, ...]:
        """Return the widgets that take the keyboard, in order."""
        return tuple(widget for _part, widget in self._parts if not isinstance(widget, StatusLine))

    @property
    def least_width_px(self) -> int:
        """Return the width that no table of it scrolls sideways from."""
        return max((widget.least_width_px for _part, widget in self._parts if isinstance(widget, DataTable)), default=0)

    def wrap_texts(self) -> None:
        """Break the lines of figures, too, where they hold no columns."""
        for _part, widget in self._parts:
            if isinstance(widget, QPlainTextEdit):
                widget.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)

    def show_content(self, content: Mapping[str, Content]) -> None:
        """Show the observations, by the names of the parts; parts without any stay as they are."""
        for part, widget in self._parts:
            if part.name in content:
                _fill(widget, part, content[part.name])


def _figures_part(name: str, part: ObservedPart) -> QPlainTextEdit:
    text = QPlainTextEdit()
    text.setObjectName(name)
    text.setAccessibleName(part.title)
    text.setReadOnly(True)
    text.setTabChangesFocus(True)
    text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    return text


def _fill(widget: PartWidget, part: ObservedPart, content: Content) -> None:
    if isinstance(widget, StatusLine):
        widget.show_status(str(content), Tone.NEUTRAL)
    elif isinstance(widget, QPlainTextEdit):
        widget.setPlainText(str(content))
    elif isinstance(widget, HangingText):
        widget.show_text(str(content))
    elif isinstance(widget, PlotView):
        widget.show_plot(content if isinstance(content, PlotSpec) else None, part.nothing)
    elif isinstance(content, TableContent):
        widget.show_content(content)
