"""Settings as plain data: the fields of the dialog, and their permitted values."""

from dataclasses import dataclass, replace
from pathlib import Path

from app.flows.shell.folder_entry import folder_problem
from app.foundation.paths import default_sessions_folder
from app.foundation.texts import _
from app.services.preferences import LanguageChoice, Preferences, Scheme

LOGO_SUFFIXES = (".png", ".jpg", ".jpeg", ".svg")

# The lab's seed is kept small enough for a spin box; any whole number gives a lab of its own.
MOST_SEED = 999_999


def scheme_titles() -> tuple[tuple[Scheme, str], ...]:
    """Return the schemes a person can choose, in order."""
    return (
        ("system", _("As the system")),
        ("light", _("Light")),
        ("dark", _("Dark")),
        ("contrast", _("High contrast")),
    )


def language_titles() -> tuple[tuple[LanguageChoice, str], ...]:
    """Return the languages a person can choose, in order, each named in itself."""
    return (("system", _("As the system")), ("en", "English"), ("de", "Deutsch"))


def sessions_folder(preferences: Preferences) -> Path:
    """Return the folder new sessions are put in."""
    if preferences.sessions_folder:
        return Path(preferences.sessions_folder)
    return default_sessions_folder()


@dataclass(frozen=True)
class SettingsForm:
    """The contents of the dialog's fields."""

    scheme: Scheme
    language: LanguageChoice
    sessions_folder: str
    consultant: str
    logo: str
    lab_seed: int


@dataclass(frozen=True)
class SettingsProblems:
    """The message beside each field, "" where it is right."""

    sessions_folder: str = ""
    logo: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether the settings can be saved."""
        return not (self.sessions_folder or self.logo)


def fill_form(preferences: Preferences) -> SettingsForm:
    """Return the fields as the preferences have them."""
    return SettingsForm(
        scheme=preferences.scheme,
        language=preferences.language,
        sessions_folder=preferences.sessions_folder,
        consultant=preferences.consultant,
        logo=preferences.logo,
        lab_seed=preferences.lab_seed,
    )


def check_form(form: SettingsForm) -> SettingsProblems:
    """Return the mistake in each field."""
    return SettingsProblems(folder_problem(form.sessions_folder.strip()), logo_problem(form.logo.strip()))


def logo_problem(text: str) -> str:
    """Return the problem with the path of a logo, "" where there is none."""
    if not text:
        return ""
    logo = Path(text)
    if logo.suffix.lower() not in LOGO_SUFFIXES:
        return _("A logo is a PNG, JPEG or SVG file.")
    if not logo.is_file():
        return _("There is no such file.")
    return ""


def apply_form(preferences: Preferences, form: SettingsForm) -> Preferences:
    """Return the preferences with the contents of the fields."""
    return replace(
        preferences,
        scheme=form.scheme,
        language=form.language,
        sessions_folder=form.sessions_folder.strip(),
        consultant=form.consultant.strip(),
        logo=form.logo.strip(),
        lab_seed=form.lab_seed,
    )
