"""Texts a user reads, looked up in one gettext catalogue for window, rules, report and command line."""

import gettext
from pathlib import Path

from app.foundation.paths import resource_path

DOMAIN = "replitune"

_catalogue: gettext.NullTranslations = gettext.translation(
    DOMAIN, localedir=str(Path(resource_path("locale"))), fallback=True
)


def _(text: str) -> str:
    """Return the translation of a text, or the text itself where the catalogue has none."""
    return _catalogue.gettext(text)
