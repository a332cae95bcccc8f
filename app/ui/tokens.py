"""The colours of the window, each declared once: palette, stylesheet and painted widgets use them.

Contrasts on the surface they stand on, by WCAG 2.2: texts 4.5 : 1 or more, also on their own tint; edges of controls
3 : 1 or more; `line` only decorates. Hues after Okabe and Ito, darkened on white and lightened on dark until they do.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Colors:
    """One scheme, every colour as #RRGGBB.

    Attributes:
        icons: which of the shipped icons its controls are drawn with.
        window, surface, sunk: ground of a page, of a card or field, of what lies in a card.
        text, muted, dimmed: of words, of words beside others, of what cannot be used.
        line, field: thin lines, and the edges of controls.
        accent, tint: of links, the present step and what is chosen, and the ground behind that.
        fill, on_fill, pressed: the primary button, its text, and the button under the mouse.
        good, warn, bad: states.
        tooltip: ground of a tooltip.
        visited: of a link that was followed.
    """

    icons: str
    window: str
    surface: str
    sunk: str
    text: str
    muted: str
    dimmed: str
    line: str
    field: str
    accent: str
    tint: str
    fill: str
    on_fill: str
    pressed: str
    good: str
    warn: str
    bad: str
    tooltip: str
    visited: str


LIGHT: Final = Colors(
    icons="light",
    window="#F3F5F7",
    surface="#FFFFFF",
    sunk="#F7F9FA",
    text="#1B1F24",
    muted="#57606A",
    dimmed="#858E98",
    line="#DCE1E6",
    field="#858E98",
    accent="#0068A3",
    tint="#DCEBF6",
    fill="#0068A3",
    on_fill="#FFFFFF",
    pressed="#00507D",
    good="#00704F",
    warn="#8A5A00",
    bad="#B04A00",
    tooltip="#FFFFFF",
    visited="#8A4F7D",
)
DARK: Final = Colors(
    icons="dark",
    window="#15181B",
    surface="#1E2226",
    sunk="#24292E",
    text="#E6E9EC",
    muted="#A6AEB6",
    dimmed="#78828C",
    line="#363D44",
    field="#78828C",
    accent="#6CBFEE",
    tint="#17313F",
    fill="#56B4E9",
    on_fill="#08202F",
    pressed="#8FD0F4",
    good="#4CC9A0",
    warn="#F0C04A",
    bad="#FF9A5C",
    tooltip="#24292E",
    visited="#CC9CBD",
)
# Black and white, what is chosen yellow, as the contrast themes of Windows have it: texts 15 : 1,
# disabled ones 7 : 1, states 7 : 1 on every ground.
CONTRAST: Final = Colors(
    icons="dark",
    window="#000000",
    surface="#000000",
    sunk="#000000",
    text="#FFFFFF",
    muted="#FFFFFF",
    dimmed="#A0A0A0",
    line="#FFFFFF",
    field="#FFFFFF",
    accent="#FFE600",
    tint="#3A3500",
    fill="#FFE600",
    on_fill="#000000",
    pressed="#FFF59A",
    good="#66DDB5",
    warn="#FFD25A",
    bad="#FFB38A",
    tooltip="#000000",
    visited="#F0B0E8",
)
