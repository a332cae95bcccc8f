"""Plot specifications drawn with pyqtgraph, on screen or as vectors."""
