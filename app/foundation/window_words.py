"""What a trial is called where trials are windows on one backlog: the word, in both languages, in one place.

A window differs from a trial in its word alone, so a text is written once, of trials, and told of windows by exchanging
the word. German changes the gender with it, and so the words that agree with it.
"""

import re
from functools import lru_cache
from typing import Final

# Not a placeholder such as {trials:,}, and not a file's name such as trials.csv.
_TRIAL: Final = re.compile(r"(?<![\w{])(t)rial(s?)(?![\w}]|\.csv)", re.IGNORECASE)
_VERSUCH: Final = re.compile(r"(?<![\w{])(\w*)([Vv])ersuch(en|e|s)?(?![\w}])")
_MNEMONIC: Final = re.compile(r"\bT\w*&\w*ials|\bV\w*&\w*che")  # within the word
_KEYED: Final = re.compile(r"\b(?=Window)|(?<=\bF)(?=enster)")  # a letter that no other part of the pages has
_NAMES_WINDOWS: Final = re.compile(r"\bwindows?\b|\bFenstern?s?\b", re.IGNORECASE)

# A determiner and an adjective before "Versuch", nominative and accusative: dative and genitive are alike for both.
_DETERMINERS: Final = {
    "der": "das",
    "den": "das",
    "jeder": "jedes",
    "jeden": "jedes",
    "dieser": "dieses",
    "diesen": "dieses",
    "einen": "ein",
    "keinen": "kein",
    "ein": "ein",
    "kein": "kein",
}
_WEAK: Final = frozenset({"der", "den", "jeder", "jeden", "dieser", "diesen"})
_WRITTEN: Final = "|".join(_DETERMINERS)
_AGREEING: Final = re.compile(
    rf"\b((?i:{_WRITTEN}))((?: (?!(?:{_WRITTEN})\b)[a-zäöüß]+e[rn]?)*) Versuch(?!\w)"
    r"((?: (?:beginnt|endet)(?: mehr)?)?, der\b)?"
)
_RELATIVE: Final = re.compile(r"(?<=em Versuch, )der\b")
_BARE: Final = re.compile(r"\b([a-zäöüß]+)er (und|oder) ([a-zäöüß]+)er Versuch(?!\w)")
_MEANT: Final = {
    "ein laufender": "ein laufendes",
    "maß einer": "maß eines",
    "was einer": "was eines",
    "jeden davon": "jedes davon",
}
_CASES: Final = {"en": "n", "s": "s"}
_ENDING: Final = re.compile(r"e[rn]?$")


def names_trials(text: str) -> bool:
    """Tell whether an English text speaks of trials, and not of windows as well."""
    return _TRIAL.search(text.replace("&", "")) is not None and _NAMES_WINDOWS.search(text) is None


def names_windows(text: str) -> bool:
    """Tell whether an English or German text speaks of windows."""
    return _NAMES_WINDOWS.search(text) is not None


@lru_cache(maxsize=4096)
def told_of_windows(text: str) -> str:
    """Return an English or German text about trials, told of windows."""
    if _MNEMONIC.search(text):
        return _KEYED.sub("&", told_of_windows(text.replace("&", "")), count=1)
    told = _TRIAL.sub(lambda found: _like(found[1], "window") + found[2], text)
    return _german(told) if _VERSUCH.search(told) else told


def _german(text: str) -> str:
    told = _BARE.sub(r"\1es \2 \3es Versuch", _AGREEING.sub(_neuter, _RELATIVE.sub("das", text)))
    for trial, window in _MEANT.items():
        told = told.replace(trial, window)
    return _VERSUCH.sub(lambda found: f"{found[1]}{_like(found[2], 'fenster')}{_CASES.get(found[3], '')}", told)


def _neuter(found: re.Match[str]) -> str:
    """Return a determiner, its adjectives and the noun in the neuter, with the pronoun that refers to them."""
    written = found[1].lower()
    ending = "e" if written in _WEAK else "es"
    adjectives = " ".join(_ENDING.sub(ending, one) for one in found[2].split())
    words = (_like(found[1][0], _DETERMINERS[written]), adjectives, "Fenster")
    return " ".join(word for word in words if word) + (found[3] or "").replace(" der", " das")


def _like(first: str, word: str) -> str:
    """Return a word with the case of the first letter that it replaces."""
    return word.capitalize() if first.isupper() else word
