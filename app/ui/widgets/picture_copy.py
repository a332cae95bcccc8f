"""A widget as a picture on the clipboard, to be pasted into a mail or slides."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from app.foundation.texts import _


def copy_as_picture(widget: QWidget) -> None:
    """Put a widget, as it looks now, on the clipboard."""
    QGuiApplication.clipboard().setPixmap(widget.grab())


def copy_menu(widget: QWidget) -> QMenu:
    """Return a menu that offers to copy a widget as a picture."""
    menu = QMenu(widget)
    menu.setObjectName(f"{widget.objectName()}.menu")
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addAction(_("Copy as &picture")).triggered.connect(lambda: copy_as_picture(widget))
    return menu


def offer_copy(widget: QWidget) -> None:
    """Offer a widget as a picture in its context menu."""

    def show(at: QPoint) -> None:
        copy_menu(widget).popup(widget.mapToGlobal(at))

    widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    widget.customContextMenuRequested.connect(show)
