"""What a trial is called where trials are windows: in every text of the program, in both languages."""

import re

import pytest
from babel.messages.pofile import read_po

from app.foundation.paths import resource_path
from app.foundation.texts import _, in_its_words, in_words_of
from app.foundation.window_words import names_trials, told_of_windows

# Of masculine words before a noun, those that only the nominative and accusative singular have.
_MASCULINE = re.compile(
    r"\b(?:der|den|jeder|jeden|dieser|diesen|einen|keinen)(?: [a-zäöüß]+e[rn]?)* Fenster\b"
    r"|\b(?:ein|kein)(?: [a-zäöüß]+er)+ Fenster\b|\bFenster(?: (?:beginnt|endet)(?: mehr)?)?, de[rn]\b"
)
_SINGULAR = re.compile(r"\b[Vv]ersuch\b")


class _Run:
    """What has trials."""

    def __init__(self, *, is_windowed: bool) -> None:
        self.is_windowed = is_windowed


@pytest.mark.parametrize(
    ("trials", "windows"),
    [
        ("Order of the trials:", "Order of the windows:"),
        ("Ends a trial", "Ends a window"),
        ("{sizes} trials, not confirmed by fresh trials", "{sizes} windows, not confirmed by fresh windows"),
        ("{trials:,} trials of {trial}", "{trials:,} windows of {trial}"),
        ("T&rials ({count})", "&Windows ({count})"),
        ("&Pause after this trial", "&Pause after this window"),
        ("Ein Versuch, der länger dauert, wird beendet", "Ein Fenster, das länger dauert, wird beendet"),
        ("zu früh für einen weiteren Versuch ({trial})", "zu früh für ein weiteres Fenster ({trial})"),
        ("Jeder verglichene Versuch lief", "Jedes verglichene Fenster lief"),
        ("während des Versuchs um 3 s gestellt", "während des Fensters um 3 s gestellt"),
        ("allein auf neuen Bestätigungsversuchen", "allein auf neuen Bestätigungsfenstern"),
        ("niedrigster und höchster Versuch", "niedrigstes und höchstes Fenster"),
        ("Nach diesem Versuch &pausieren", "Nach diesem Fenster &pausieren"),
        ("Ve&rsuche ({count})", "F&enster ({count})"),
    ],
)
def test_a_text_of_trials_is_told_of_windows(trials: str, windows: str) -> None:
    """The word is exchanged, and in German what agrees with it; placeholders stay, a mnemonic moves."""
    assert told_of_windows(trials) == windows


def test_a_text_without_the_word_or_with_both_is_left() -> None:
    """A sentence that explains windows, a placeholder and a file's name are no trials."""
    both = "On the client's own work nothing is written: trials are short windows on one backlog."
    assert not any(names_trials(text) for text in (both, "{trials}: {why}", "See trials.csv.", "Experiments"))


def test_every_german_text_of_trials_agrees_with_its_windows() -> None:
    """No text of the catalogue keeps the word, or a masculine before the neuter noun."""
    with resource_path("locale", "de", "LC_MESSAGES", "replitune.po").open("rb") as file:
        told = [(str(m.string), told_of_windows(str(m.string))) for m in read_po(file) if names_trials(str(m.id or ""))]
    wrong = [
        window
        for trial, window in told
        if re.search("ersuch", window) or (_SINGULAR.search(trial) and _MASCULINE.search(window))
    ]
    assert len(told) > 100
    assert wrong == []


def test_only_texts_within_a_run_of_windows_are_told_of_windows() -> None:
    """The innermost run decides, and nothing is left behind it."""

    @in_its_words
    def heading(_run: _Run, end: str) -> str:
        return _("Order of the trials") + end

    assert heading(_Run(is_windowed=True), ":") == "Order of the windows:"
    with in_words_of(_Run(is_windowed=True)):
        assert heading(_Run(is_windowed=False), ":") == "Order of the trials:"
    assert _("Order of the trials") == "Order of the trials"
