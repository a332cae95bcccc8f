"""A user's folders for tests alone: nobody's own undo journal, saved targets or sessions are read or written."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pytest  # not by programs of which tests measure what they take

# Windows is asked for folders itself, whatever else is set; platformdirs is told others by its own variables.
_DATA: Final = ("XDG_DATA_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA", "WIN_PD_OVERRIDE_APPDATA")
_DOCUMENTS: Final = ("XDG_DOCUMENTS_DIR", "WIN_PD_OVERRIDE_PERSONAL")
_OTHERS: Final = (
    "HOME",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
)


def data_folders(folder: Path) -> dict[str, str]:
    """Return what, set in an environment, has the program keep what it keeps for a user below a folder."""
    documents = folder / "documents"
    return {name: str(folder) for name in _DATA} | {name: str(documents) for name in _DOCUMENTS}


def own_folders(home: Path) -> dict[str, str]:
    """Return what, set in an environment, has every program keep everything of a user below a folder."""
    return data_folders(home) | {name: str(home) for name in _OTHERS}


def move_data(monkeypatch: "pytest.MonkeyPatch", folder: Path) -> None:
    """Have the program keep what it keeps for a user below a folder, in this process and those started by it."""
    for name, place in data_folders(folder).items():
        monkeypatch.setenv(name, place)


def move_home(monkeypatch: "pytest.MonkeyPatch", home: Path) -> None:
    """Have every program keep everything of a user below a folder, as `move_data` does."""
    for name, place in own_folders(home).items():
        monkeypatch.setenv(name, place)
