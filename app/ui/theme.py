"""How the window looks: colours by preference or as the system has them, font, colours of states and plots."""

from dataclasses import replace
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from app.charts import theme as plots
from app.charts.fonts import FAMILY, register_fonts
from app.services.preferences import Scheme
from app.ui.stylesheet import stylesheet
from app.ui.tokens import CONTRAST, DARK, LIGHT, Colors

GRID_PX: Final = 8
"""Distances in the window are multiples of this."""


class Tone(StrEnum):
    """The meaning of a colour; it never stands alone, a word and an icon are beside it."""

    GOOD = "good"
    BAD = "bad"
    WARNING = "warning"
    NEUTRAL = "neutral"
    MUTED = "muted"
    ACCENT = "accent"


_ROLES: Final = QPalette.ColorRole
# Light of text against ground decides: QPalette has no word for a scheme.
_DARK_BELOW: Final = 128


def is_dark() -> bool:
    """Tell whether the window is dark right now; widgets ask again on `QEvent.Type.PaletteChange`."""
    return QGuiApplication.palette().color(_ROLES.Window).lightness() < _DARK_BELOW


def plot_theme() -> plots.Theme:
    """Return the colours plots have in the window right now; their ground is that of the cards they stand on."""
    theme, colors = plots.DARK if is_dark() else plots.LIGHT, _painted()
    if colors is CONTRAST:
        theme = replace(theme, foreground=colors.text, muted=colors.dimmed)
    return replace(theme, background=colors.surface)


def tone_color(tone: Tone) -> QColor:
    """Return the colour of a state's icon and word in the window right now."""
    return QColor(_tones(_painted())[tone])


def _painted() -> Colors:
    """Return the scheme in sight, which its palette tells; of a palette that is none of them, the nearest."""
    window = QGuiApplication.palette().color(_ROLES.Window)
    nearest = DARK if is_dark() else LIGHT
    return next((colors for colors in (LIGHT, DARK, CONTRAST) if QColor(colors.window) == window), nearest)


def _tones(colors: Colors) -> dict[Tone, str]:
    return {
        Tone.GOOD: colors.good,
        Tone.BAD: colors.bad,
        Tone.WARNING: colors.warn,
        Tone.NEUTRAL: colors.text,
        Tone.MUTED: colors.muted,
        Tone.ACCENT: colors.accent,
    }


def prepare_application(application: QApplication) -> None:
    """Give the application the shipped font, at the system's size, and the style its stylesheet is made for; once."""
    register_fonts()
    application.setStyle("fusion")
    font = application.font()
    font.setFamilies([FAMILY, font.family()])
    application.setFont(font)


class SchemeKeeper(QObject):
    """Keeps the application's colours as the person prefers, following the system live where that is preferred."""

    def __init__(self, application: QApplication, scheme: Scheme) -> None:
        super().__init__(application)
        self._application = application
        self._scheme: Scheme = scheme
        self._painted: Colors | None = None
        application.styleHints().colorSchemeChanged.connect(self._on_system_scheme_changed)
        self.prefer(scheme)

    def prefer(self, scheme: Scheme) -> None:
        """Show the window in a scheme from now on."""
        self._scheme = scheme
        hints = self._application.styleHints()
        if scheme == "system":
            hints.unsetColorScheme()
        else:
            is_dark_scheme = scheme in ("dark", "contrast")
            hints.setColorScheme(Qt.ColorScheme.Dark if is_dark_scheme else Qt.ColorScheme.Light)
        self._paint()

    def _paint(self) -> None:
        if self._scheme == "contrast":
            colors = CONTRAST
        elif self._scheme == "system":
            is_system_dark = self._application.styleHints().colorScheme() is Qt.ColorScheme.Dark
            colors = DARK if is_system_dark else LIGHT
        else:
            colors = DARK if self._scheme == "dark" else LIGHT
        if colors is not self._painted:  # a stylesheet is matched with every widget there is
            self._painted = colors
            paint_application(self._application, colors)

    @Slot(Qt.ColorScheme)
    def _on_system_scheme_changed(self, _scheme: Qt.ColorScheme) -> None:
        self._paint()


def paint_application(application: QApplication, colors: Colors) -> None:
    """Give the application the colours of a scheme."""
    application.setStyleSheet("")  # widgets take the palette sooner without one
    application.setPalette(make_palette(colors))
    application.setStyleSheet(stylesheet(colors))


def make_palette(colors: Colors) -> QPalette:
    """Return the palette of a scheme, for the parts the stylesheet does not draw."""
    palette = QPalette()
    for role, color in _roles(colors).items():
        palette.setColor(role, QColor(color))
    for role in (_ROLES.WindowText, _ROLES.Text, _ROLES.ButtonText, _ROLES.HighlightedText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colors.dimmed))
    return palette


def _roles(colors: Colors) -> dict[QPalette.ColorRole, str]:
    return {
        _ROLES.Window: colors.window,
        _ROLES.WindowText: colors.text,
        _ROLES.Base: colors.surface,
        _ROLES.AlternateBase: colors.sunk,
        _ROLES.Text: colors.text,
        _ROLES.Button: colors.surface,
        _ROLES.ButtonText: colors.text,
        _ROLES.BrightText: colors.on_fill,
        _ROLES.Light: colors.surface,
        _ROLES.Midlight: colors.sunk,
        _ROLES.Mid: colors.line,
        _ROLES.Dark: colors.field,
        _ROLES.Shadow: colors.field,
        _ROLES.Highlight: colors.tint,
        _ROLES.HighlightedText: colors.text,
        _ROLES.Accent: colors.accent,
        _ROLES.Link: colors.accent,
        _ROLES.LinkVisited: colors.visited,
        _ROLES.ToolTipBase: colors.tooltip,
        _ROLES.ToolTipText: colors.text,
        _ROLES.PlaceholderText: colors.muted,
    }
