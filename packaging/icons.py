"""The program's icon as a picture, from which PyInstaller makes what each system wants: `build/replitune.png`."""

import os
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ROOT = Path(__file__).resolve().parents[1]
SIZE = 1024

application = QGuiApplication([])
image = QImage(SIZE, SIZE, QImage.Format.Format_ARGB32)
image.fill(Qt.GlobalColor.transparent)
painter = QPainter(image)
QSvgRenderer(str(ROOT / "resources" / "icons" / "replitune.svg")).render(painter)
painter.end()
target = ROOT / "build" / "replitune.png"
target.parent.mkdir(parents=True, exist_ok=True)
if not image.save(str(target)):
    raise SystemExit(f"{target} cannot be written")
