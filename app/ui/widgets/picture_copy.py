"""A widget on the clipboard: as a picture, to be pasted into a mail or slides, and a card also as words."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QWidget

from app.foundation.texts import _
from app.ui.stylesheet import ROLE
from app.ui.widgets.rich_text import shown_text


def copy_as_picture(widget: QWidget) -> None:
    """Put a widget, as it looks now, on the clipboard."""
    QGuiApplication.clipboard().setPixmap(widget.grab())


def words_of(widget: QWidget) -> str:
    """Return all words in sight on a widget, in the order they are read, a line for each."""
    labels = [label for label in widget.findChildren(QLabel) if label.isVisible() and label.text().strip()]
    labels.sort(key=lambda label: (label.mapTo(widget, QPoint()).y(), label.mapTo(widget, QPoint()).x()))
    return "\n".join(shown_text(label) for label in labels)


def copy_menu(widget: QWidget) -> QMenu:
    """Return a menu that offers to copy a widget as a picture."""
    menu = QMenu(widget)
    menu.setObjectName(f"{widget.objectName()}.menu")
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    _add(menu, widget, "copy_picture", _("Copy as &picture"), lambda: copy_as_picture(widget))
    return menu


def offer_copy(widget: QWidget, *, has_words: bool = False) -> None:
    """Offer a widget as a picture in its context menu.

    Args:
        has_words: and as the words on it.
    """

    def show(at: QPoint) -> None:
        menu = copy_menu(widget)
        if has_words:
            _add(menu, widget, "copy_words", _("Copy the &card"), lambda: copy_words(widget))
        menu.popup(widget.mapToGlobal(at))

    widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    widget.customContextMenuRequested.connect(show)


def copy_words(widget: QWidget) -> None:
    """Put the words on a widget on the clipboard."""
    QGuiApplication.clipboard().setText(words_of(widget))


def make_card(frame: QFrame) -> None:
    """Have the stylesheet draw a frame as a card, and offer it to be copied."""
    frame.setProperty(ROLE, "card")
    offer_copy(frame, has_words=True)


def _add(menu: QMenu, widget: QWidget, name: str, text: str, action: Callable[[], None]) -> None:
    added = menu.addAction(text)
    added.setObjectName(f"{widget.objectName()}.{name}_action")
    added.triggered.connect(action)
