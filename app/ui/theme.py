"""How the window looks: style, palette by preference or as the system has it, and the colours of states and plots."""

import sys
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from app.charts.fonts import register_fonts
from app.charts.theme import DARK, LIGHT, Theme
from app.services.preferences import Scheme

GRID_PX: Final = 8
"""Distances in the window are multiples of this."""

# Windows and macOS draw their own style in both schemes; elsewhere Fusion with the palettes below.
_HAS_OWN_STYLE: Final = sys.platform in ("win32", "darwin")


class Tone(StrEnum):
    """What a colour says; it never says it alone, a word and an icon stand beside it."""

    GOOD = "good"
    BAD = "bad"
    WARNING = "warning"
    NEUTRAL = "neutral"
    MUTED = "muted"
    ACCENT = "accent"


# Okabe–Ito hues, darkened on white and lightened on dark until they reach a contrast of 4.5 : 1 as text.
_LIGHT_TONES: Final = {
    Tone.GOOD: "#00704F",
    Tone.BAD: "#B04A00",
    Tone.WARNING: "#8A5A00",
    Tone.NEUTRAL: "#2B2F33",
    Tone.MUTED: "#5B6269",
    Tone.ACCENT: "#0068A3",
}
_DARK_TONES: Final = {
    Tone.GOOD: "#4CC9A0",
    Tone.BAD: "#FF9A5C",
    Tone.WARNING: "#F0C04A",
    Tone.NEUTRAL: "#E4E7EA",
    Tone.MUTED: "#A6ADB4",
    Tone.ACCENT: "#56B4E9",
}

_ROLES: Final = QPalette.ColorRole
_LIGHT_ROLES: Final = {
    _ROLES.Window: "#F3F4F6",
    _ROLES.WindowText: "#1F2328",
    _ROLES.Base: "#FFFFFF",
    _ROLES.AlternateBase: "#F6F8FA",
    _ROLES.Text: "#1F2328",
    _ROLES.Button: "#FAFBFC",
    _ROLES.ButtonText: "#1F2328",
    _ROLES.BrightText: "#FFFFFF",
    _ROLES.Light: "#FFFFFF",
    _ROLES.Midlight: "#E8EAED",
    _ROLES.Mid: "#C3C8CE",
    _ROLES.Dark: "#8C939A",
    _ROLES.Shadow: "#6B7278",
    _ROLES.Highlight: "#0072B2",
    _ROLES.HighlightedText: "#FFFFFF",
    _ROLES.Accent: "#0072B2",
    _ROLES.Link: "#0068A3",
    _ROLES.LinkVisited: "#8A4F7D",
    _ROLES.ToolTipBase: "#FFFFFF",
    _ROLES.ToolTipText: "#1F2328",
    _ROLES.PlaceholderText: "#6B7278",
}
_DARK_ROLES: Final = {
    _ROLES.Window: "#2E3237",
    _ROLES.WindowText: "#E4E7EA",
    _ROLES.Base: "#1E2124",
    _ROLES.AlternateBase: "#25292D",
    _ROLES.Text: "#E4E7EA",
    _ROLES.Button: "#3A4046",
    _ROLES.ButtonText: "#E4E7EA",
    _ROLES.BrightText: "#FFFFFF",
    _ROLES.Light: "#565D64",
    _ROLES.Midlight: "#464C53",
    _ROLES.Mid: "#545B62",
    _ROLES.Dark: "#16181A",
    _ROLES.Shadow: "#0E0F10",
    _ROLES.Highlight: "#2B79AD",
    _ROLES.HighlightedText: "#FFFFFF",
    _ROLES.Accent: "#56B4E9",
    _ROLES.Link: "#56B4E9",
    _ROLES.LinkVisited: "#CC9CBD",
    _ROLES.ToolTipBase: "#33383D",
    _ROLES.ToolTipText: "#E4E7EA",
    _ROLES.PlaceholderText: "#9AA1A8",
}
# High contrast: black and white, the frames white, the highlight yellow as the contrast themes of Windows have it.
_CONTRAST_ROLES: Final = {
    **dict.fromkeys(_DARK_ROLES, "#FFFFFF"),
    **dict.fromkeys((_ROLES.Window, _ROLES.Base, _ROLES.AlternateBase, _ROLES.Button, _ROLES.ToolTipBase), "#000000"),
    _ROLES.Midlight: "#000000",
    _ROLES.Dark: "#000000",
    _ROLES.Shadow: "#000000",
    _ROLES.Highlight: "#FFE600",
    _ROLES.HighlightedText: "#000000",
    _ROLES.Accent: "#FFE600",
    _ROLES.Link: "#6FD3FF",
    _ROLES.LinkVisited: "#F0B0E8",
}
_DIMMED: Final = (_ROLES.WindowText, _ROLES.Text, _ROLES.ButtonText, _ROLES.HighlightedText)


# Fusion draws the frame of a widget in a darker shade of its window colour, which nobody sees on a dark window: what
# is filled in, ticked or scrolled gets a light one to be shaded.
_OUTLINED: Final = (
    "QCheckBox",
    "QRadioButton",
    "QLineEdit",
    "QAbstractSpinBox",
    "QComboBox",
    "QTableView",
    "QTreeView",
    "QPlainTextEdit",
    "QGroupBox",
)
_OUTLINED_IN_CONTRAST: Final = ("QPushButton", "QProgressBar", "QScrollBar", "QTabBar")
_DARK_OUTLINE_BASE: Final = "#8E979F"
# The circle of a radio button is all there is to see of one that is not chosen: 3 : 1 against the ground of a card.
_TICKED: Final = ("QCheckBox", "QRadioButton")
_DARK_TICK_BASE: Final = "#D6DEE6"


def is_dark() -> bool:
    """Tell whether the window is dark right now; widgets ask again on `QEvent.Type.PaletteChange`."""
    return QGuiApplication.palette().color(_ROLES.Window).lightness() < 128


def plot_theme() -> Theme:
    """Return the colours plots have in the window right now."""
    return DARK if is_dark() else LIGHT


def tone_color(tone: Tone) -> QColor:
    """Return the colour of a state's icon and word in the window right now."""
    return QColor((_DARK_TONES if is_dark() else _LIGHT_TONES)[tone])


def prepare_application(application: QApplication) -> None:
    """Give the application the shipped fonts (for plots) and its style; once."""
    register_fonts()
    if not _HAS_OWN_STYLE:
        application.setStyle("fusion")


class SchemeKeeper(QObject):
    """Keeps the application's colours as the person prefers, following the system live where that is preferred."""

    def __init__(self, application: QApplication, scheme: Scheme) -> None:
        super().__init__(application)
        self._application = application
        self._scheme: Scheme = scheme
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
            # over the system's own style, too: somebody asked for it here
            paint_contrast(self._application)
            return
        if _HAS_OWN_STYLE:
            self._application.setPalette(QPalette())
            return
        if self._scheme == "system":
            dark = self._application.styleHints().colorScheme() is Qt.ColorScheme.Dark
        else:
            dark = self._scheme == "dark"
        paint_application(self._application, dark=dark)

    @Slot(Qt.ColorScheme)
    def _on_system_scheme_changed(self, _scheme: Qt.ColorScheme) -> None:
        self._paint()


def paint_application(application: QApplication, *, dark: bool) -> None:
    """Give the application the palette of a scheme, and in the dark an outline to what needs one."""
    palette = make_palette(dark=dark)
    application.setPalette(palette)  # takes back the palettes of single kinds of widgets, too
    if dark:
        for kind in _OUTLINED:
            palette.setColor(_ROLES.Window, QColor(_DARK_TICK_BASE if kind in _TICKED else _DARK_OUTLINE_BASE))
            application.setPalette(palette, kind)  # type: ignore[arg-type]  # text is what it takes; its stub says bytes


def make_palette(*, dark: bool) -> QPalette:
    """Return the palette of a scheme."""
    palette = QPalette()
    for role, color in (_DARK_ROLES if dark else _LIGHT_ROLES).items():
        palette.setColor(role, QColor(color))
    dimmed = QColor("#7A8188" if dark else "#8C939A")
    for role in _DIMMED:
        palette.setColor(QPalette.ColorGroup.Disabled, role, dimmed)
    palette.setColor(QPalette.ColorGroup.Disabled, _ROLES.Highlight, QColor("#4A5056" if dark else "#C3C8CE"))
    return palette


def paint_contrast(application: QApplication) -> None:
    """Give the application the palette of high contrast, with an outline to what needs one."""
    palette = make_contrast_palette()
    application.setPalette(palette)
    palette.setColor(_ROLES.Window, QColor("#FFFFFF"))
    for kind in (*_OUTLINED, *_OUTLINED_IN_CONTRAST):
        application.setPalette(palette, kind)  # type: ignore[arg-type]  # text is what it takes; its stub says bytes


def make_contrast_palette() -> QPalette:
    """Return the palette of high contrast: every text reaches 15 : 1, what is disabled 7 : 1."""
    palette = QPalette()
    for role, color in _CONTRAST_ROLES.items():
        palette.setColor(role, QColor(color))
    for role in _DIMMED:
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor("#A0A0A0"))
    return palette
