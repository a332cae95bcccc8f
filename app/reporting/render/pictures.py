"""Figures as pictures, for documents that take no SVG."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.foundation.typesetting import DOCUMENT, Order, typeset

_PIXELS_PER_INCH: Final = 200.0


def pictures_of(figures: Sequence[bytes], width_cm: float) -> tuple[bytes, ...]:
    """Return figures, SVG, as PNG pictures of a width, of 200 pixels per inch."""
    if not figures:
        return ()
    with tempfile.TemporaryDirectory(prefix="replitune-pictures-") as folder:
        root = Path(folder) / DOCUMENT
        root.mkdir()
        pages = []
        for index, figure in enumerate(figures):
            (root / f"figure-{index}.svg").write_bytes(figure)
            pages.append(f'#image("figure-{index}.svg", width: {width_cm}cm)')
        page = "#set page(width: auto, height: auto, margin: 0pt)\n"
        (root / "main.typ").write_text(page + "\n#pagebreak()\n".join(pages), encoding="utf-8")
        return typeset(Path(folder), Order((), _PIXELS_PER_INCH, use_system_fonts=True))
