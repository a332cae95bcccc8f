"""Words that wrap, can be selected, and may carry links; what they say is never read as markup."""

from html import escape

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


def plain_label(text: str, *, quiet: bool = False, parent: QWidget | None = None) -> QLabel:
    """Return a label of plain text that wraps and can be selected."""
    label = QLabel(text, parent)
    _make_readable(label)
    if quiet:
        label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    return label


def _make_readable(label: QLabel) -> None:
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    policy = label.sizePolicy()  # keeps that its height follows from its width
    policy.setHorizontalPolicy(QSizePolicy.Policy.Expanding)
    label.setSizePolicy(policy)


class _LinkLabel(QLabel):
    """A label whose links follow the colours of the window."""

    def changeEvent(self, event: QEvent) -> None:
        """Read the text again: links get their colour when it is read (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.text():
            text = self.text()
            self.setText("")
            self.setText(text)


def headed_label(heading: str, text: str) -> QLabel:
    """Return a label whose text follows a bold heading."""
    label = plain_label("")
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setText(f"<b>{escape(heading)}.</b> {escape(text)}")
    return label


def link_label(name: str, heading: str, links: list[tuple[str, str]]) -> QLabel:
    """Return a label of links after a bold heading; Tab goes from one to the next, Return follows it.

    Args:
        links: where each leads (empty for words that lead nowhere), and its text.
    """
    label = _LinkLabel()
    _make_readable(label)
    label.setObjectName(name)
    label.setAccessibleName(heading)
    label.setTextFormat(Qt.TextFormat.RichText)
    shown = [f'<a href="{escape(url)}">{escape(text)}</a>' if url else escape(text) for url, text in links]
    label.setText(f"<b>{escape(heading)}:</b> {', '.join(shown)}")
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse
        | Qt.TextInteractionFlag.LinksAccessibleByMouse
        | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
    )
    return label
