"""Settings: what may be entered, and what becomes of it."""

from dataclasses import replace
from pathlib import Path

import platformdirs
import pytest

from app.flows.shell.settings_view import (
    SettingsForm,
    apply_form,
    check_form,
    fill_form,
    scheme_titles,
    sessions_folder,
)
from app.foundation.paths import default_sessions_folder
from app.services.preferences import Preferences

EMPTY = SettingsForm("system", "system", "", "", "", 1)


def test_the_form_shows_and_keeps_the_preferences() -> None:
    """What is filled in and applied unchanged gives the same preferences; spaces around texts are dropped."""
    kept = Preferences(scheme="dark", sessions_folder="/s", consultant="M", logo="/l.png", lab_seed=5)
    assert apply_form(kept, fill_form(kept)) == kept
    assert apply_form(kept, replace(fill_form(kept), consultant=" N ")).consultant == "N"


def test_new_sessions_go_to_the_documents_unless_told_otherwise() -> None:
    """A folder of one's own goes before the default."""
    assert sessions_folder(Preferences()).name == "Replitune"
    assert sessions_folder(Preferences(sessions_folder="/s")) == Path("/s")


def test_new_sessions_do_not_go_where_another_program_synchronises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Documents that were moved into OneDrive are passed over: it holds files open while it carries them away."""
    home, drive = tmp_path / "home", tmp_path / "home" / "OneDrive - Contoso"
    monkeypatch.setattr(Path, "home", lambda: home)
    for documents, expected in ((home / "Documents", home / "Documents"), (drive / "Documents", home)):
        monkeypatch.setattr(platformdirs, "user_documents_dir", lambda documents=documents: str(documents))
        assert default_sessions_folder({}) == expected / "Replitune"
    monkeypatch.setattr(platformdirs, "user_documents_dir", lambda: str(tmp_path / "moved" / "Documents"))
    assert default_sessions_folder({"OneDriveCommercial": str(tmp_path / "moved")}) == home / "Replitune"


@pytest.mark.parametrize("text", ["", "  ", str(Path("/surely/not/there/yet").absolute())])
def test_a_folder_may_be_made_later(text: str) -> None:
    """A folder that does not exist yet is made when it is needed."""
    assert check_form(replace(EMPTY, sessions_folder=text)).is_complete


def test_wrong_folders_and_logos_are_told(tmp_path: Path) -> None:
    """A relative folder, a file as folder, a missing logo and one that is no picture."""
    file = tmp_path / "logo.PNG"
    file.write_bytes(b"")
    assert "whole path" in check_form(replace(EMPTY, sessions_folder="here")).sessions_folder
    assert "give a folder" in check_form(replace(EMPTY, sessions_folder=str(file))).sessions_folder
    assert check_form(replace(EMPTY, logo=str(file))).is_complete
    assert "no such file" in check_form(replace(EMPTY, logo=str(tmp_path / "x.png"))).logo
    assert "PNG, JPEG or SVG" in check_form(replace(EMPTY, logo=str(tmp_path))).logo


def test_every_scheme_has_a_title() -> None:
    """System, light, dark and high contrast can be chosen."""
    assert [scheme for scheme, _title in scheme_titles()] == ["system", "light", "dark", "contrast"]
