"""Fields that a turn of the wheel scrolls past, instead of changing them unseen."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox


def leave_wheel_to_page(field: QComboBox | QAbstractSpinBox) -> None:
    """Let the wheel scroll the page a field stands in: Qt has it choose the next value wherever the pointer passes."""
    field.installEventFilter(_WheelFilter(field))


class _WheelFilter(QObject):
    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Send the wheel on to the page around the field (Qt calls this)."""
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return False
