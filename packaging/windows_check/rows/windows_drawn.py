"""A window opens and is drawn."""

import subprocess
import time
from typing import Final

from under_wine import LIMIT_S, ROOT, SCREEN, Failed, Windows

FEWEST_COLOURS: Final = 50
"""A window that was drawn has more; an empty one has a handful."""


def window(windows: Windows) -> str:
    """The window opens and is drawn."""
    return picture_of(windows, "window.png", "/python/python.exe", "-m", "app")


def picture_of(windows: Windows, name: str, *words: str) -> str:
    """Start a window, take its picture, end it.

    Raises:
        Failed: nothing is drawn.
    """
    with SCREEN:
        colours = colours_of(windows, name, *words)
    picture = windows.folder / name
    picture.write_bytes((windows.checkout / name).read_bytes())
    return f"{colours} colours, picture in {picture.relative_to(ROOT)}"


def colours_of(windows: Windows, name: str, *words: str) -> int:
    """Start a window, and end it once its picture has the colours of one that is drawn; return how many."""
    system = ["chroot", str(windows.folder / "system")]
    shown = windows.start(*words, QT_QPA_PLATFORM="")
    try:
        colours, until_s = 0, time.monotonic() + LIMIT_S
        while colours < FEWEST_COLOURS:
            if shown.poll() is not None or time.monotonic() > until_s:
                raise Failed(f"no window was drawn; the program ended with {shown.poll()}")
            time.sleep(1.0)
            taken = subprocess.run(
                [*system, "sh", "-c", f"import -window root /checkout/{name} && identify -format %k /checkout/{name}"],
                capture_output=True, text=True,
            )  # fmt: skip
            colours = int(taken.stdout) if taken.stdout.isdigit() else 0
    finally:
        shown.kill()
        shown.wait()
    return colours
