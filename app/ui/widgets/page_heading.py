"""The name of a page, as its heading."""

from PySide6.QtWidgets import QWidget

from app.flows.shell.wizard import Step, step_text
from app.ui.widgets.rich_text import PlainLabel


class PageHeading(PlainLabel):
    """Shows the name of a step."""

    def __init__(self, step: Step, parent: QWidget | None = None) -> None:
        super().__init__(step_text(step).title, parent)
        self.setObjectName(f"{step}.heading")
        self.setWordWrap(True)
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 1.4)
        font.setBold(True)
        self.setFont(font)
