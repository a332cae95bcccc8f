"""Plain text as it is: a label or a tip is never read as markup, whoever named an object so.

Qt reads a text that looks like HTML as such, and then fetches the pictures it names, on Windows from other computers,
too. Names come from servers and from files of others.
"""

from html import escape

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette, QTextDocumentFragment
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


class PlainLabel(QLabel):
    """A label whose text is no markup."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)


def plain_tip(text: str) -> str:
    """Return a text as a tip that shows it letter by letter."""
    return f"<span>{'<br>'.join(map(escape, text.splitlines()))}</span>" if "<" in text else text


def plain_label(text: str, *, quiet: bool = False, parent: QWidget | None = None) -> PlainLabel:
    """Return a label of plain text that wraps and can be selected."""
    label = PlainLabel(text, parent)
    _make_readable(label)
    if quiet:
        label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    return label


def _make_readable(label: QLabel) -> None:
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    policy = label.sizePolicy()  # keeps that its height follows from its width
    policy.setHorizontalPolicy(QSizePolicy.Policy.Expanding)
    label.setSizePolicy(policy)


class _LinkLabel(PlainLabel):
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


def shown_text(label: QLabel) -> str:
    """Return the text of a label as it is read: without markup, and without the mark of its key."""
    if label.textFormat() is Qt.TextFormat.PlainText:
        return label.text() if label.buddy() is None else label.text().replace("&", "")
    return QTextDocumentFragment.fromHtml(label.text()).toPlainText()
