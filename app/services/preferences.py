"""Settings a user can change, each declared once; kept as JSON in the user's data folder."""

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Literal

from app.foundation.files import write_atomically
from app.foundation.input_file import json_of, read_text

Scheme = Literal["system", "light", "dark", "contrast"]
LanguageChoice = Literal["system", "en", "de"]

# What may stand in the file, for the settings that are one of a few words.
_CHOICES = {"scheme": ("system", "light", "dark", "contrast"), "language": ("system", "en", "de")}


@dataclass(frozen=True)
class Preferences:
    """A user's preferences.

    Attributes:
        scheme: colours of the window.
        language: of every text; another one holds from the next start on.
        sessions_folder: where new sessions are put, "" for the user's documents.
        consultant: name for the cover of reports.
        logo: path of the logo for the cover, "" for none.
        template: path of the folder with the report's own colours and fonts, "" for none.
        lab_seed: seed of the lab's noise.
        recent_sessions: session files opened last, newest first.
        recent_targets: servers that were read last, newest first.
        table_layouts: name of a table and its layout as text.
        imports: headings of tables that were imported, each with the meaning its columns were given, as texts; newest
            first.
        window_place: size and place of the window as the toolkit writes them, "" before it was closed once.
    """

    scheme: Scheme = "system"
    language: LanguageChoice = "system"
    sessions_folder: str = ""
    consultant: str = ""
    logo: str = ""
    template: str = ""
    lab_seed: int = 1
    recent_sessions: tuple[str, ...] = ()
    recent_targets: tuple[str, ...] = ()
    table_layouts: tuple[tuple[str, str], ...] = ()
    imports: tuple[tuple[str, str], ...] = ()
    window_place: str = ""


# The start page shows no more than fit on a small screen.
MOST_RECENT = 12


class PreferenceFile:
    """The file preferences are kept in; a damaged or missing one gives the defaults, and is replaced when saving."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> Preferences:
        """Return the preferences kept, the default for whatever is missing or unusable."""
        try:
            kept = json_of(read_text(self._path))
        except (OSError, ValueError):
            return Preferences()
        return _from_json(kept) if isinstance(kept, dict) else Preferences()

    def save(self, preferences: Preferences) -> None:
        """Keep the preferences.

        Raises:
            OSError: the folder cannot be written.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(asdict(preferences), ensure_ascii=False, indent=2)
        write_atomically(self._path, text.encode("utf-8"))


def remember_session(preferences: Preferences, session_file: Path) -> Preferences:
    """Return the preferences with a session file as the one opened last."""
    others = [path for path in preferences.recent_sessions if path != str(session_file)]
    return replace(preferences, recent_sessions=tuple([str(session_file), *others][:MOST_RECENT]))


def remember_target(preferences: Preferences, target: str) -> Preferences:
    """Return the preferences with a server as the one read last."""
    others = [kept for kept in preferences.recent_targets if kept != target]
    return replace(preferences, recent_targets=tuple([target, *others][:MOST_RECENT]))


def forget_target(preferences: Preferences, target: str) -> Preferences:
    """Return the preferences without a server among those read last."""
    return replace(preferences, recent_targets=tuple(kept for kept in preferences.recent_targets if kept != target))


def remember_import(preferences: Preferences, headings: str, meaning: str) -> Preferences:
    """Return the preferences with the meaning that a person gave the columns under these headings."""
    others = [kept for kept in preferences.imports if kept[0] != headings]
    return replace(preferences, imports=tuple([(headings, meaning), *others][:MOST_RECENT]))


def _from_json(kept: dict[str, object]) -> Preferences:
    """Take over each value of the right type; anything else keeps its default."""
    default = Preferences()
    taken: dict[str, object] = {}
    for field in fields(Preferences):
        value, usual = kept.get(field.name), getattr(default, field.name)
        if field.name in _CHOICES:
            taken[field.name] = value if value in _CHOICES[field.name] else usual
        elif field.name in ("recent_sessions", "recent_targets"):
            taken[field.name] = _texts(value)
        elif field.name in ("table_layouts", "imports"):
            taken[field.name] = _pairs(value)
        else:
            taken[field.name] = value if type(value) is type(usual) else usual
    return Preferences(**taken)  # type: ignore[arg-type]  # each value was checked against its default's type


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _pairs(value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, list):
        return ()
    return tuple(
        (item[0], item[1])
        for item in value
        if isinstance(item, list) and len(item) == 2 and all(isinstance(part, str) for part in item)
    )
