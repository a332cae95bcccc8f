"""Pictures that are kept: what is written in them can be read in each kind."""

import math
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader
from PySide6.QtGui import QColor, QImage

from app.charts.export import PictureKind, draw_picture
from app.charts.renderer import PyqtgraphRenderer
from app.charts.theme import LIGHT
from app.domain.plot import Mark, Series
from tests.unit.charts.sample import plot_of, series_of

_TEXTS = ("Title", "Trials", "Mean", "10", "20", "30", "40", "Streams (connections)", "Run time (s)")
_PLOT = plot_of(series_of(Mark.BARS), series_of(Mark.LINE, "Mean"))
_POINTS_PER_PX = 0.75
_POINT_PX = 7


@pytest.fixture(scope="module", autouse=True)
def _fonts() -> None:
    PyqtgraphRenderer()


def test_a_page_has_its_texts_in_one_size() -> None:
    """Title, legend and ticks are as large, and the page as large as the plot, as whoever opens the file sees them."""
    heights_pt: dict[str, float] = {}

    def note(text: str, page: list[float], line: list[float], _font: Any, size: float) -> None:
        across, upright = line[2] * page[0] + line[3] * page[2], line[2] * page[1] + line[3] * page[3]
        heights_pt[" ".join(text.split())] = size * math.hypot(across, upright)

    (page,) = PdfReader(BytesIO(draw_picture(_PLOT, PictureKind.PDF))).pages
    page.extract_text(visitor_text=note)
    assert {text: heights_pt[text] for text in _TEXTS} == pytest.approx(
        dict.fromkeys(_TEXTS, LIGHT.font_px * _POINTS_PER_PX), rel=0.01
    )
    assert float(page.mediabox.width) == pytest.approx(LIGHT.width_px * _POINTS_PER_PX)


def _inked_rows(image: QImage, color: str | None = None) -> list[int]:
    """Return the rows of a picture with anything in a colour, or with anything on the paper."""
    paper, ink = image.pixel(0, 0), QColor(color).rgb() if color else None
    rows = ({image.pixel(x, y) for x in range(image.width())} for y in range(image.height()))
    return [y for y, row in enumerate(rows) if (row != {paper} if ink is None else ink in row)]


def test_a_picture_for_a_sharp_screen_has_everything_at_twice_the_size() -> None:
    """The legend is the last line of ink, its keys as high as in a window; so is a point."""
    inked = _inked_rows(QImage.fromData(draw_picture(_PLOT, PictureKind.PNG)))
    blank = next(y for y in range(inked[-1], 0, -1) if y not in inked)
    assert inked[-1] - blank > LIGHT.font_px * 1.5
    one_point = plot_of(Series("Trials", Mark.POINTS, (1.0,), (1.0,)))
    rows = _inked_rows(QImage.fromData(draw_picture(one_point, PictureKind.PNG)), LIGHT.series[0])
    assert rows[-1] - rows[0] >= _POINT_PX  # what its smoothed edges leave of twice as many
