"""Buttons with a name for tests and one for screen readers."""

from PySide6.QtWidgets import QPushButton


def push_button(name: str, text: str, spoken: str = "") -> QPushButton:
    """Return a button; Return in a field of a dialog never presses it.

    Args:
        name: its object name.
        text: with its mnemonic.
        spoken: what a screen reader says, "" for the text itself.
    """
    button = QPushButton(text)
    button.setObjectName(name)
    button.setAccessibleName(spoken or text.replace("&", "").rstrip("…"))
    button.setAutoDefault(False)
    return button
