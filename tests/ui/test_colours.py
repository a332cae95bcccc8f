"""Every colour of words is told from its ground by enough contrast, in each scheme, wherever it stands."""

from collections.abc import Iterator
from typing import Final

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import QApplication, QProgressBar, QPushButton, QWidget

from app.ui.theme import Tone, paint_application, plot_theme, tone_color
from app.ui.tokens import CONTRAST, DARK, LIGHT, Colors

# WCAG 2.2, 1.4.3 (AA) and, for the scheme that is chosen for it, 1.4.6 (AAA)
LEAST: Final = {"light": (LIGHT, 4.5), "dark": (DARK, 4.5), "contrast": (CONTRAST, 7.0)}


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2.2 defines it, 1 to 21."""
    low, high = sorted((_luminance(QColor(one)), _luminance(QColor(other))))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: QColor) -> float:
    parts = ((color.redF(), 0.2126), (color.greenF(), 0.7152), (color.blueF(), 0.0722))
    linear = ((part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4, share) for part, share in parts)
    return sum(float(part) * share for part, share in linear)


@pytest.fixture(params=LEAST)
def scheme(request: pytest.FixtureRequest, prepared_qapp: QApplication) -> Iterator[tuple[Colors, float]]:
    """A scheme the window is painted in, and the least contrast of its words."""
    colors, least = LEAST[request.param]
    paint_application(prepared_qapp, colors)
    yield colors, least
    paint_application(prepared_qapp, LIGHT)


def test_words_of_every_tone_are_read_on_every_ground(
    scheme: tuple[Colors, float], prepared_qapp: QApplication
) -> None:
    """As they are painted, on page, card, what lies in a card, and what is chosen."""
    colors, least = scheme
    roles = QPalette.ColorRole
    grounds = [prepared_qapp.palette().color(role).name() for role in (roles.Window, roles.Base, roles.AlternateBase)]
    for tone in Tone:
        color = tone_color(tone).name()
        for ground in (*grounds, colors.tint):
            assert contrast(color, ground) >= least, (tone, color, ground)


def test_tones_are_those_of_the_scheme_in_sight(scheme: tuple[Colors, float]) -> None:
    """High contrast has its own: what is quiet or chosen is not as in dark colours."""
    colors, _least = scheme
    assert tone_color(Tone.MUTED) == QColor(colors.muted)
    assert tone_color(Tone.ACCENT) == QColor(colors.accent)


def test_words_of_a_plot_are_read(scheme: tuple[Colors, float]) -> None:
    """Axes and their titles; what is quiet, too."""
    colors, least = scheme
    theme = plot_theme()
    assert theme.background == colors.surface, "a plot has the ground of the card it stands on"
    assert contrast(theme.foreground, theme.background) >= least
    assert contrast(theme.muted, theme.background) >= min(least, 4.5)


def test_a_full_bar_is_told_from_an_empty_one_and_its_share_is_read(
    scheme: tuple[Colors, float], prepared_qapp: QApplication
) -> None:
    """The words stand on the ground of the page, also where the bar is full; edges as WCAG 2.2 has them, 1.4.11."""
    colors, least = scheme
    with_words, without = _bar_at_its_end("%p %"), _bar_at_its_end(" ")
    places = [(x, y) for x in range(with_words.width()) for y in range(with_words.height())]
    grounds = {without.pixelColor(*at).name() for at in places if with_words.pixel(*at) != without.pixel(*at)}
    assert grounds == {colors.window.lower()}
    assert contrast(colors.text, colors.window) >= least
    assert contrast(colors.fill, colors.sunk) >= 3
    assert contrast(colors.field, colors.window) >= 3


def test_a_button_that_cannot_be_used_is_quieter_than_others_and_read(scheme: tuple[Colors, float]) -> None:
    """The primary one, too: it is no bright area with pale words; 3 : 1, as WCAG 2.2 asks of edges."""
    colors, _least = scheme
    page = QWidget()
    button = QPushButton("Next", page)
    button.setDefault(True)
    button.setEnabled(False)
    button.setGeometry(0, 0, 120, 32)
    ground = page.grab(QRect(0, 0, 120, 32)).toImage().pixelColor(12, 8).name()
    assert contrast(colors.dimmed, ground) >= 3
    assert contrast(ground, colors.window) < 2


def _bar_at_its_end(words: str) -> QImage:
    page = QWidget()
    bar = QProgressBar(page)
    bar.setFormat(words)
    bar.setRange(0, 100)
    bar.setValue(100)
    bar.setGeometry(0, 0, 400, 24)
    return page.grab(QRect(0, 0, 400, 24)).toImage()
