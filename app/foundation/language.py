"""The language of the program: chosen once, before any text is made."""

import json
import locale
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

Language = Literal["en", "de", "pseudo"]

VARIABLE: Final = "REPLITUNE_LANGUAGE"
"""Environment variable that overrides preference and system; `--language` sets it for the process."""

PREFERENCE_KEY: Final = "language"
"""Key of the preference in `preferences.json`: "system", "en" or "de"."""

# "pseudo" is English with accents, brackets and 40 % more length: what stays plain on the screen is not translated.
_KNOWN: Final[dict[str, Language]] = {"en": "en", "de": "de", "pseudo": "pseudo"}

_MOST_BYTES: Final = 100_000


def choose_language(environment: Mapping[str, str], preference_file: Path, system_locale: str) -> Language:
    """Return the language: of the environment, else of the preferences, else of the system, else English."""
    named = _KNOWN.get(environment.get(VARIABLE, "").strip().lower()) or _preferred(preference_file)
    return named or _KNOWN.get(system_locale[:2].lower(), "en")


def system_locale(environment: Mapping[str, str] = os.environ) -> str:
    """Return the locale of the user's texts, such as "de_DE", "" where the system names none."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return environment[name]
    if sys.platform == "win32":
        import ctypes

        return locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    return ""


def take_language(arguments: list[str]) -> tuple[str, list[str]]:
    """Return the language named by a leading `--language`, "" for none, and the other arguments."""
    if arguments and arguments[0].startswith("--language="):
        return arguments[0].partition("=")[2], arguments[1:]
    if len(arguments) > 1 and arguments[0] == "--language":
        return arguments[1], arguments[2:]
    return "", arguments


def is_known(language: str) -> bool:
    """Return whether there are texts in a language."""
    return language in _KNOWN


def _preferred(preference_file: Path) -> Language | None:
    try:
        if not preference_file.is_file():  # a device or a pipe would not end
            return None
        with preference_file.open("rb") as stream:
            kept = json.loads(stream.read(_MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    value = kept.get(PREFERENCE_KEY) if isinstance(kept, dict) else None
    return _KNOWN.get(value) if isinstance(value, str) else None
