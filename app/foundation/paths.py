"""Where files are, in a checkout and in a frozen bundle."""

import os
import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import platformdirs

APP_NAME = "replitune"


def program_root() -> Path:
    """Return the folder that holds `resources/` and `advisor_rules/`.

    In a frozen program that is PyInstaller's unpacked folder, else the checkout.
    """
    frozen_root: str | None = getattr(sys, "_MEIPASS", None)
    return Path(frozen_root) if frozen_root else _checkout()


@cache
def _checkout() -> Path:
    return Path(__file__).resolve().parents[2]


def resource_path(*parts: str) -> Path:
    """Return the path of a shipped resource, for example `resource_path("lab", "lan.toml")`."""
    return program_root().joinpath("resources", *parts)


def rules_root() -> Path:
    """Return the folder of the shipped rule packs."""
    return program_root() / "advisor_rules"


def rules_roots() -> tuple[Path, ...]:
    """Return the folders of rule packs, the shipped ones first, then those of further systems."""
    more = more_systems()
    return (rules_root(),) if more is None else (rules_root(), more / "advisor_rules")


MORE_SYSTEMS = "REPLITUNE_SYSTEMS"
"""Environment variable that names a folder with further systems, laid out as the program's own: `systems/<id>/`,
`advisor_rules/<family>/` and `lab/*.toml` below it."""


def more_systems() -> Path | None:
    """Return the folder of further systems, None where none is named."""
    named = os.environ.get(MORE_SYSTEMS, "")
    return Path(named) if named else None


def systems_roots() -> tuple[Path, ...]:
    """Return the folders that hold systems: the program's own first."""
    return _systems_roots(program_root(), more_systems())  # asked for with every statement


@cache
def _systems_roots(own: Path, more: Path | None) -> tuple[Path, ...]:
    roots = (own / "app" / "systems",)
    return roots if more is None else (*roots, more / "systems")


def statement_folders(engine: str, roots: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the folders with statements for an engine, one of each system below these roots that has some."""
    return tuple(folder for root in roots for folder in sorted(root.glob(f"*/statements/{engine}")))


def lab_folders() -> tuple[Path, ...]:
    """Return the folders of scenarios that can be named without their path."""
    more = more_systems()
    return (resource_path("lab"),) if more is None else (resource_path("lab"), more / "lab")


# OneDrive's own variables; others are known by what they call their folder.
_SYNCHRONISED: Final = ("OneDrive", "OneDriveCommercial", "OneDriveConsumer")
_SYNCHRONISED_NAMES: Final = re.compile(r"(?i)(?:onedrive|dropbox|google ?drive|icloud|nextcloud|mobile documents)\b.*")


def is_synchronised(folder: Path, environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether a folder lies in one that another program carries to a server, and holds open while it does."""
    roots = [Path(environment[name]) for name in _SYNCHRONISED if environment.get(name)]
    named = any(_SYNCHRONISED_NAMES.fullmatch(part) for part in folder.parts)
    return named or any(folder.is_relative_to(root) for root in roots)


def default_sessions_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return where sessions are put unless a person says otherwise: their documents, or, where these are synchronised,
    their home folder, since a session file is written to all the time."""
    documents = Path(platformdirs.user_documents_dir())
    parent = Path.home() if is_synchronised(documents, environment) else documents
    return parent / "Replitune"


def user_data_folder() -> Path:
    """Return the per-user folder for sessions and the undo journal (not created here)."""
    return Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))
