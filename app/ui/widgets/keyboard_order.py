"""The order in which Tab goes through widgets that were made at different times."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtWidgets import QWidget


def order_keyboard(widgets: Sequence[QWidget]) -> None:
    """Let Tab go from each widget to the next one; all stand in one window and take the keyboard."""
    for before, after in pairwise(widgets):
        QWidget.setTabOrder(before, after)
