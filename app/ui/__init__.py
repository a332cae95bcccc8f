"""The window: PySide6 and pyqtgraph; shows what flows decide, and decides nothing itself."""
