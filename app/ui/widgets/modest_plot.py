"""A plot that asks for no more height than it must have: spare room is shared out beyond that.

Qt's layouts take the height a part likes to have at a width for the least it needs.
"""

from PySide6.QtCore import QSize

from app.ui.widgets.plot import PlotView


class ModestPlot(PlotView):
    """Likes to be as high as its least height, in any width."""

    def hasHeightForWidth(self) -> bool:
        """Tell that it is as high in any width (Qt calls this)."""
        return False

    def sizeHint(self) -> QSize:
        """Return a comfortable width (Qt calls this)."""
        return QSize(super().sizeHint().width(), self.minimumHeight())
