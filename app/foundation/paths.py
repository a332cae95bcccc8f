"""Where files are, in a checkout and in a frozen bundle."""

import sys
from pathlib import Path

import platformdirs

APP_NAME = "replitune"


def program_root() -> Path:
    """Return the folder that holds `resources/` and `advisor_rules/`.

    In a frozen program that is PyInstaller's unpacked folder, else the checkout.
    """
    frozen_root: str | None = getattr(sys, "_MEIPASS", None)
    return Path(frozen_root) if frozen_root else Path(__file__).resolve().parents[2]


def resource_path(*parts: str) -> Path:
    """Return the path of a shipped resource, for example `resource_path("lab", "lan.toml")`."""
    return program_root().joinpath("resources", *parts)


def rules_root() -> Path:
    """Return the folder of the shipped rule packs."""
    return program_root() / "advisor_rules"


def user_data_folder() -> Path:
    """Return the per-user folder for sessions and the undo journal (not created here)."""
    return Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))
