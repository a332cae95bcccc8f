"""The window: PySide6 and pyqtgraph; shows the view-models of flows, and decides nothing itself."""
