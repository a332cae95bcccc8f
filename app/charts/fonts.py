"""The shipped font, given to Qt, so that a figure looks the same on every machine."""

from PySide6.QtGui import QFontDatabase

from app.foundation.paths import resource_path

FAMILY = "Inter"
"""Its name, as it says itself."""


def register_fonts() -> None:
    """Give the shipped fonts to Qt; calling it again does no harm.

    Raises:
        RuntimeError: a shipped font is missing, as in a bundle built without it.
    """
    files = sorted(path for path in resource_path("fonts").glob("Inter-*.otf"))
    missing = not files or any(QFontDatabase.addApplicationFont(str(path)) < 0 for path in files)
    if missing:
        raise RuntimeError("resources/fonts is incomplete: the program was installed without its font")
