"""Pictures of every step and dialog in every state, light and dark, at 100 and 200 %: `make screenshots`.

`--size` and `--scheme` take others: on a laptop, at 300 %, in high contrast; `REPLITUNE_LANGUAGE` another language.

Each size is photographed by a process of its own, because Qt takes its scale when it starts.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.services.preferences import Scheme


@dataclass(frozen=True)
class Size:
    """A screen.

    Attributes:
        width_px, height_px: in pixels of the screen.
    """

    width_px: int
    height_px: int
    scale_percent: int

    @property
    def name(self) -> str:
        """Name of its folder."""
        return f"{self.width_px}x{self.height_px}-{self.scale_percent}"

    @property
    def factor(self) -> str:
        """What Qt is told of its scale."""
        return str(self.scale_percent / 100)


SIZES: Final = (Size(1280, 720, 100), Size(1920, 1080, 200))
MORE_SIZES: Final = (
    Size(1366, 768, 100),
    Size(1366, 768, 200),
    Size(1920, 1080, 100),
    Size(1920, 1080, 300),
)


def main() -> int:
    """Take all pictures, or those of one size where the program calls itself."""
    parser = argparse.ArgumentParser(description="pictures of the window in every state")
    parser.add_argument("--out", type=Path, default=Path("build/screenshots"), help="folder, emptied first")
    parser.add_argument("--size", choices=[size.name for size in (*SIZES, *MORE_SIZES)], help="only this size")
    parser.add_argument("--scheme", choices=["light", "dark", "contrast"], help="only these colours")
    options = parser.parse_args()
    if options.size:
        size = next(size for size in (*SIZES, *MORE_SIZES) if size.name == options.size)
        if os.environ.get("QT_SCALE_FACTOR") == size.factor:
            return photograph(size, options.out, options.scheme)
    chosen = [size for size in (*SIZES, *MORE_SIZES) if size.name == options.size] or SIZES
    shutil.rmtree(options.out, ignore_errors=True)
    for size in chosen:
        environment = {
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "QT_SCALE_FACTOR": size.factor,
        }
        command = [sys.executable, "-m", "tests.ui.screenshots", "--out", str(options.out), "--size", size.name]
        command += ["--scheme", options.scheme] if options.scheme else []
        code = subprocess.run(command, env=environment, check=False).returncode
        if code:
            return code
    print(f"{options.out}: {len(list(options.out.rglob('*.png')))} pictures")
    return 0


def photograph(size: Size, out: Path, scheme: Scheme | None) -> int:
    """Drive the window through its states in this process."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from tests.ui.screenshot_scenes import take_all
    from tests.ui.studio import SCHEMES, open_studio

    scale = size.scale_percent / 100
    with (
        tempfile.TemporaryDirectory(prefix="Replitune-") as folder,
        open_studio(
            Path(folder),
            out / size.name,
            round(size.width_px / scale),
            round(size.height_px / scale),
            SCHEMES if scheme is None else (scheme,),
        ) as studio,
    ):
        take_all(studio)
    return 0


if __name__ == "__main__":
    sys.exit(main())
