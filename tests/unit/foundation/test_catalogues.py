"""The catalogues of texts: every text is translated, and no translation lost a part of its text."""

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from app.foundation.paths import program_root
from tests.catalogue_texts import TEXTS, all_texts


def _problems(text: str, translation: str | None) -> list[str]:
    """Return what the check says of a catalogue of one text."""
    catalogue = Catalog(locale="de")
    if translation is not None:
        catalogue.add(text, translation)
    said: list[str] = TEXTS.problems({text: ["app/somewhere.py"]}, catalogue)
    return said


def test_the_german_catalogue_is_complete_and_unbroken(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every text of the program and its rules has a translation with the same placeholders, mnemonic and tags."""
    for language in TEXTS.LANGUAGES:
        assert TEXTS.problems(all_texts(tmp_path_factory), TEXTS.read_or_begin(language)) == []


@pytest.mark.parametrize(
    ("text", "translation", "problem"),
    [
        ("{count} trials of {run}", "{count} Versuche von {lauf}", "placeholders differ"),
        ("{count} trials of {run}", "Versuche von {run}", "placeholders differ"),
        ("{share:.0%} of the time", "{share:.1%} der Zeit", "placeholders differ"),
        ("at {time}", "um {time", "placeholders differ"),
        ("&Write report", "Bericht schreiben", "mnemonic differs"),
        ("Write report", "Bericht &schreiben", "mnemonic differs"),
        ("&Write report", "&Bericht &schreiben", "mnemonic differs"),
        ("a <b>bold</b> word", "ein <b>fettes</i> Wort", "tags differ"),
        ("  in a list", "in einer Liste", "blanks at an end differ"),
        ("Open file…", "Datei öffnen", "an ellipsis is lost or added"),
        ("Run", "", "not translated"),
        ("Run", None, "missing in the catalogue"),
    ],
)
def test_a_broken_translation_is_found(text: str, translation: str | None, problem: str) -> None:
    """What a translation lost, and a text without one, is said with its place and its words."""
    (said,) = _problems(text, translation)
    assert said.startswith(f"{problem} (app/somewhere.py)")
    assert repr(text) in said


@pytest.mark.parametrize(
    ("text", "translation"),
    [
        ("{count} trials of {run}", "{run}: {count} Versuche"),
        ("&Write report", "Bericht &schreiben"),
        ("a && b &nbsp; c", "a && b &nbsp; c"),
        ("a <b>bold</b> word", "ein <b>fettes</b> Wort"),
        ("Open file…", "Datei öffnen …"),
    ],
)
def test_a_good_translation_passes(text: str, translation: str) -> None:
    """Order and words may differ; characters that only look like a mnemonic are none."""
    assert _problems(text, translation) == []


def test_a_translation_that_is_only_guessed_is_found() -> None:
    """What a tool marked as fuzzy nobody has looked at."""
    catalogue = Catalog(locale="de")
    catalogue.add("Run", "Lauf", flags=["fuzzy"])
    assert TEXTS.problems({"Run": ["app/somewhere.py"]}, catalogue) == ["fuzzy (app/somewhere.py): 'Run' -> 'Lauf'"]


def test_a_new_text_of_the_code_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is given to `_()` anywhere in the code has to be in the catalogue."""
    (tmp_path / "app" / "room").mkdir(parents=True)
    (tmp_path / "app" / "room" / "page.py").write_text('said = [_("A text nobody knows")]\n', encoding="utf-8")
    monkeypatch.setattr(TEXTS, "ROOT", tmp_path)
    texts = TEXTS.texts_of_program()
    assert TEXTS.problems(texts, Catalog(locale="de")) == [
        "missing in the catalogue (app/room/page.py): 'A text nobody knows'"
    ]


@pytest.mark.parametrize("pattern", ["advisor_rules/*/*.yaml", "resources/lab/*.toml", "resources/published/*.toml"])
def test_a_text_of_a_file_is_found(pattern: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each file that holds texts for a reader is looked into: a catalogue without them is told of it."""
    said = TEXTS.problems(all_texts(tmp_path_factory), Catalog(locale="de"))
    for path in program_root().glob(pattern):
        if path.parent.name == "common":
            continue  # its texts are found where rules say them
        place = path.relative_to(program_root()).as_posix()
        assert any(line.startswith(f"missing in the catalogue ({place}): ") for line in said), place


def test_a_text_that_is_gone_is_found() -> None:
    """A translation whose text nobody uses any more is named."""
    catalogue = Catalog(locale="de")
    catalogue.add("Old", "Alt")
    assert TEXTS.problems({}, catalogue) == ["obsolete: 'Old'"]


def test_a_text_put_together_before_it_is_looked_up_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could translate it: the check ends with its file and line."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "page.py").write_text('name = "x"\ntext = _(f"Run {name}")\n', encoding="utf-8")
    monkeypatch.setattr(TEXTS, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match=r"app/page.py, line 2"):
        TEXTS.texts_of_program()
