"""Where results go: names for new folders, and whether a chosen one can be used."""

import sys
from datetime import date
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.foundation import file_names
from app.foundation.files import write_atomically
from app.services.run.session_folder import look_at_folder, propose_folder
from app.services.workplace import open_workplace
from tests.abilities import IS_ROOT

_DAY = date(2026, 3, 1)


def test_a_folder_is_named_after_day_and_target(tmp_path: Path) -> None:
    """Characters that no folder may have are replaced, and nothing is made."""
    assert propose_folder(tmp_path, "lab", _DAY) == tmp_path / "2026-03-01-lab"
    assert propose_folder(tmp_path, "lab@127.0.0.1:14330", _DAY).name == "2026-03-01-lab-127.0.0.1-14330"
    assert propose_folder(tmp_path, "../..", _DAY).name == "2026-03-01-session"
    assert propose_folder(tmp_path, "é" * 300, _DAY).name == "2026-03-01-" + "é" * 60
    assert list(tmp_path.iterdir()) == []


def test_a_second_session_of_a_day_gets_a_folder_of_its_own(tmp_path: Path) -> None:
    """A folder that exists is never proposed again."""
    (tmp_path / "2026-03-01-lab").mkdir()
    (tmp_path / "2026-03-01-lab-2").mkdir()
    assert propose_folder(tmp_path, "lab", _DAY).name == "2026-03-01-lab-3"


def test_a_folder_that_does_not_exist_yet_can_be_used(tmp_path: Path) -> None:
    """It is made when the run begins, not when it is looked at."""
    state = look_at_folder(tmp_path / "a" / "b")
    assert (state.problem, state.note) == ("", "It is created when the run begins.")
    assert not (tmp_path / "a").exists()


def test_an_existing_folder_says_what_happens_there(tmp_path: Path) -> None:
    """An empty one is used, a session file is added to."""
    assert look_at_folder(tmp_path).note == "It exists; the files are put in it."
    (tmp_path / "session.replitune").touch()
    assert "added to it" in look_at_folder(tmp_path).note


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """Neither a file itself nor a path below one can be used."""
    (tmp_path / "file").touch()
    assert "is a file" in look_at_folder(tmp_path / "file").problem
    assert "is a file" in look_at_folder(tmp_path / "file" / "below").problem


@pytest.mark.parametrize("text", ["", "relative/folder", "bad\0name"])
def test_what_is_no_whole_path_cannot_be_used(text: str) -> None:
    """A relative path would depend on where the program was started."""
    assert look_at_folder(Path(text)).problem


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such permission there")
@pytest.mark.skipif(IS_ROOT, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_is_refused(tmp_path: Path) -> None:
    """Better now than after the first trial."""
    tmp_path.chmod(0o555)
    try:
        assert "cannot be written" in look_at_folder(tmp_path / "below").problem
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="names may be longer there")
def test_a_name_too_long_for_the_system_is_a_sentence(tmp_path: Path) -> None:
    """An error of the system is told, not raised."""
    assert "cannot be used" in look_at_folder(tmp_path / ("x" * 300)).problem


def test_a_path_without_room_for_the_files_is_told_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows says of a file with too long a path that it is not there, of the last one at the end of a run only."""
    most = len(str(tmp_path)) + 60
    monkeypatch.setattr(file_names, "most_path_characters", lambda: most)
    near, far = tmp_path / ("x" * 25), tmp_path / ("x" * 26)
    assert look_at_folder(near).problem == ""
    why = f"with the names of its files the path is longer than the {most} characters Windows takes"
    assert look_at_folder(far).problem == f"{far} cannot be used: {why}."
    with pytest.raises(BadInput, match=f"{why}; give another folder"):
        open_workplace(far)
    assert list(tmp_path.iterdir()) == []
    place = open_workplace(near)
    for path in (place.session_file, place.measurements, place.redacted_report):
        write_atomically(path, b"")
        assert len(f"{path.parent / f'.{path.name}.'}") + 12 <= most


@pytest.mark.skipif(sys.platform != "win32", reason="only there paths as a whole are limited")
def test_windows_tells_how_long_a_path_may_be() -> None:
    """Either the old limit, or none where this computer and the program allow more."""
    assert file_names.most_path_characters() in (259, None)
