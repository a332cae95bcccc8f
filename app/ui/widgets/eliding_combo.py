"""A list to choose from whose entries may be longer than it is wide: the one chosen ends in an ellipsis then."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QWidget

from app.ui.widgets.still_wheel import leave_wheel_to_page

_CHARACTERS = 12
"""It is never narrower than this; more is given by what it stands in."""


class ElidingCombo(QComboBox):
    """Takes the width it is given; the whole text of the entry chosen is its tooltip."""

    def __init__(self, name: str, spoken: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_CHARACTERS)
        self.currentTextChanged.connect(self.setToolTip)
        leave_wheel_to_page(self)

    def shown_text(self) -> str:
        """Return the text as drawn."""
        return self._option().currentText

    def _option(self) -> QStyleOptionComboBox:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        option.currentText = self.fontMetrics().elidedText(
            option.currentText, Qt.TextElideMode.ElideRight, field.width() - 2
        )
        return option

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw it with a text that fits (Qt calls this)."""
        painter = QStylePainter(self)
        option = self._option()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()
