"""Colours and sizes of a plot: one theme for each place it is shown."""

from dataclasses import dataclass
from typing import Final

from app.charts.fonts import FAMILY

OKABE_ITO: Final = ("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#000000")
"""The palette that people with any colour vision can tell apart (Okabe and Ito, 2008, "Color Universal Design")."""

_ORANGE, _SKY, _GREEN, _YELLOW, _BLUE, _VERMILION, _PURPLE, _ = OKABE_ITO

_GREY: Final = "#6E6E6E"  # the palette's black, softened: what is not emphasised steps back


@dataclass(frozen=True)
class Theme:
    """How plots look in one place.

    Attributes:
        background, foreground: of the plot and of its text and axes, as #RRGGBB.
        muted: grid, reference line and its label.
        accent: colour of an emphasised series.
        series: colours of the others, in order; they repeat after the last.
        font_family, font_px: of every text in the plot.
        width_px, height_px: size of a figure; a window lets its layout decide.
    """

    background: str
    foreground: str
    muted: str
    accent: str
    series: tuple[str, ...]
    font_family: str = FAMILY
    font_px: int = 12
    width_px: int = 720
    height_px: int = 245


LIGHT: Final = Theme(
    background="#FFFFFF",
    foreground="#2B2F33",
    muted="#6B7278",
    accent=_BLUE,
    series=(_GREY, _ORANGE, _GREEN, _VERMILION, _PURPLE, _SKY),
)
"""White, for the report and for light windows."""

DARK: Final = Theme(
    background="#1E2124",
    foreground="#E4E7EA",
    muted="#9AA1A8",
    accent=_SKY,
    series=("#B8BEC4", _ORANGE, _GREEN, _VERMILION, _PURPLE, _YELLOW),
)
"""For dark windows."""
