"""The clip test of the window: in each look no text, drawn or in a widget, lacks room, and nothing sticks out.

A range of numbers stands in one line.

Room is a widget's own size against what it asks for; a text that is painted, the box it is painted in. What a scroll
area holds may be larger than its sight, upright only.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QComboBox,
    QDialog,
    QGroupBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QTableView,
    QWidget,
)

from app.ui.widgets.eliding_combo import ElidingCombo
from app.ui.widgets.one_line import OneLine
from tests.ui.plots import titles_over_ticks
from tests.ui.studio import Studio

_SPARE_PX: Final = 1

# A page that scrolls by less than a row of buttons shows half of it.
_A_LITTLE_PX: Final = 32
_PAGES: Final = frozenset({"wizard.scroll_area", "import.scroll_area"})  # a part of a page scrolls as it must
_PAGES_FIT_IN: Final = frozenset({"light"})  # in less room every page scrolls

# Where it is broken, a number is read on its own.
_RANGE: Final = re.compile(r"[\d.,]+ (?:to|bis) [\d.,]+")


@dataclass(frozen=True)
class Look:
    """What everything is looked at in.

    Attributes:
        font_percent: size of all text against the system's.
        width_px, height_px: of the window, in logical pixels.
    """

    name: str
    font_percent: int = 100
    width_px: int = 1366
    height_px: int = 768


LOOKS: Final = {
    look.name: look
    for look in (
        Look("light"),  # the other schemes have other colours only, to which a test holds them
        Look("font-110", font_percent=110),
        # a laptop's 1366 × 768 pixels at 200 %
        Look("scale-200", width_px=683, height_px=384),
        # what 40 % longer texts must have room in
        Look("longer", width_px=1280, height_px=720),
    )
}


def clipped_as(studio: Studio, root: QWidget, look: Look) -> dict[str, str]:
    """Return each text below a window or dialog that is cut off in a look, with the widget it is cut off in."""
    lay_out_as(studio, root, look)
    with painted_texts() as painted:
        root.grab()
        studio.settle()
        painted.clear()
        root.grab()
    found = dict.fromkeys(painted, "painted") | titles_over_ticks(root)
    for widget in (root, *root.findChildren(QWidget)):
        cut = clipped_text(widget) or sticking_out(widget)
        if cut:
            found.setdefault(cut, f"{type(widget).__name__} {widget.objectName()}")
        if isinstance(widget, QTableView) and widget.isVisible():
            found |= dict.fromkeys(cut_headings(widget), f"heading of {widget.objectName()}")
        if (spare := scrolls_a_little(widget)) and look.name in _PAGES_FIT_IN:
            found[spare] = widget.objectName()
    return found


def cut_headings(table: QTableView) -> list[str]:
    """Return the headings of a table of which a line is wider than its column."""
    header, model = table.horizontalHeader(), table.model()
    measure = header.fontMetrics().horizontalAdvance
    texts = {
        place: str(model.headerData(place, Qt.Orientation.Horizontal)).rstrip()
        for place in range(model.columnCount(QModelIndex()))
        if not header.isSectionHidden(place)
    }
    return [
        text
        for place, text in texts.items()
        if max(measure(line) for line in text.split("\n")) > header.sectionSize(place)
    ]


def scrolls_a_little(area: QWidget) -> str:
    """Tell of a page that scrolls by less than a row of buttons; "" for any other widget."""
    if not isinstance(area, QScrollArea) or area.objectName() not in _PAGES or not area.isVisible():
        return ""
    scrolled_px = area.verticalScrollBar().maximum()
    return f"{area.objectName()} scrolls by {scrolled_px} px" if 0 < scrolled_px <= _A_LITTLE_PX else ""


def lay_out_as(studio: Studio, root: QWidget, look: Look) -> None:
    """Give a window or dialog the size, and its text the size, of a look."""
    studio.show_at(look.font_percent)
    if isinstance(root, QDialog):
        studio.settle()
        before = root.size()
        root.adjustSize()  # as it opens at another size of text
        root.resize(root.size().expandedTo(before).boundedTo(QSize(look.width_px, look.height_px)))
    else:
        root.window().resize(look.width_px, look.height_px)
    studio.settle()


def clipped_text(widget: QWidget) -> str:
    """Return the text of a widget that has no room for it, "" where it has."""
    if not widget.isVisible() or isinstance(widget, OneLine | ElidingCombo):
        return ""
    if isinstance(widget, QLabel) and widget.text() and widget.pixmap().isNull():
        if widget.wordWrap():
            is_cut = widget.heightForWidth(widget.width()) > widget.height() + _SPARE_PX or _longest_word_cut(widget)
            return widget.text() if is_cut or _range_broken(widget) else ""
        return widget.text() if _lacks_room(widget) else ""
    if isinstance(widget, QAbstractButton) and widget.text():
        return widget.text() if _lacks_room(widget) else ""
    if isinstance(widget, QGroupBox) and widget.title():
        room = widget.width() - 16
        return widget.title() if widget.fontMetrics().horizontalAdvance(widget.title()) > room else ""
    if isinstance(widget, QComboBox):
        return widget.currentText() if _combo_room(widget) < 0 else ""
    if isinstance(widget, QLineEdit) and widget.objectName().startswith("plan."):
        return widget.text() if widget.fontMetrics().horizontalAdvance(widget.text()) > widget.width() - 8 else ""
    return ""


def _lacks_room(widget: QWidget) -> bool:
    hint = widget.sizeHint()
    return hint.width() > widget.width() + _SPARE_PX or hint.height() > widget.height() + _SPARE_PX


def _longest_word_cut(label: QLabel) -> bool:
    if "<" in label.text():
        return False
    metrics = label.fontMetrics()
    return any(
        metrics.horizontalAdvance(word) > label.width() + _SPARE_PX for word in re.split(r"[\s-]+", label.text())
    )


def _range_broken(label: QLabel) -> bool:
    is_range = _RANGE.fullmatch(label.text()) is not None
    return is_range and label.heightForWidth(label.width()) > 1.5 * label.fontMetrics().height()


def _combo_room(combo: QComboBox) -> float:
    option = QStyleOptionComboBox()
    combo.initStyleOption(option)
    part = QStyle.SubControl.SC_ComboBoxEditField
    field = combo.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, combo)
    return field.width() + _SPARE_PX - combo.fontMetrics().horizontalAdvance(combo.currentText())


def sticking_out(widget: QWidget) -> str:
    """Return what a widget is called whose place lies beyond its parent's, where no scroll bar leads; "" for none."""
    parent = widget.parentWidget()
    if parent is None or not widget.isVisible() or widget.isWindow() or widget.width() < 2:
        return ""
    area = parent.parentWidget()
    if isinstance(area, QAbstractScrollArea) and area.viewport() is parent:
        sideways = isinstance(area, QScrollArea) and area.horizontalScrollBar().maximum() > 0
        return f"{area.objectName()} scrolls sideways for {_widest(widget)}" if sideways else ""
    if isinstance(parent, QAbstractItemView):
        return ""
    place, room = widget.geometry(), parent.rect().adjusted(-1, -1, 1, 1)
    name = widget.objectName() or type(widget).__name__
    return "" if room.contains(place) else f"{name} {place.getRect()} beyond {parent.objectName()} {room.getRect()}"


def scrolls_sideways(table: QTableView) -> bool:
    """Tell whether a table in sight has not all its columns beside each other though its numbers would leave the room.

    Numbers are never cut: a table that has more of them than its width holds scrolls.
    """
    model = table.model()
    rightly = [
        table.columnWidth(place)
        for place in range(model.columnCount(QModelIndex()))
        if model.headerData(place, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
        & Qt.AlignmentFlag.AlignRight
    ]
    is_sideways = table.isVisible() and table.horizontalScrollBar().maximum() > 0
    return is_sideways and sum(rightly) <= table.viewport().width()


def _widest(inside: QWidget) -> str:
    """Return what asks for the most room in a page, its smallest part."""
    asked = [(part.minimumSizeHint().width(), part) for part in inside.findChildren(QWidget) if part.isVisible()]
    most = max((width for width, _part in asked), default=0)
    smallest = min((part for width, part in asked if width > 0.8 * most), key=lambda part: part.width() * part.height())
    text = smallest.text() if isinstance(smallest, QLabel | QAbstractButton) else ""
    return f"{type(smallest).__name__} {smallest.objectName()} {text!r}, {most} px"


@contextmanager
def painted_texts() -> Iterator[list[str]]:
    """Collect the texts that the program's own painting draws beyond their box or their widget."""
    found: list[str] = []
    draw = QPainter.drawText

    def watch(painter: QPainter, place: Any, *rest: Any) -> Any:
        text = rest[-1]
        if isinstance(text, str) and text and not _fits(painter, place, rest):
            found.append(text)
        return draw(painter, place, *rest)

    QPainter.drawText = watch  # type: ignore[method-assign, assignment]  # Qt offers no event for painted text
    try:
        yield found
    finally:
        QPainter.drawText = draw  # type: ignore[method-assign]  # the method of Qt again


def _fits(painter: QPainter, place: Any, rest: tuple[Any, ...]) -> bool:
    metrics = QFontMetricsF(painter.font())
    text = rest[-1]
    if isinstance(place, QPointF):
        at = painter.transform().map(place)
        width = metrics.horizontalAdvance(text)
        return at.x() >= -_SPARE_PX and at.x() + width <= painter.device().width() + _SPARE_PX
    if isinstance(place, QRectF) and len(rest) == 2:
        needed = metrics.boundingRect(place, int(rest[0]), text)
        return needed.width() <= place.width() + _SPARE_PX and needed.height() <= place.height() + _SPARE_PX
    return True
