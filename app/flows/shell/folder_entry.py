"""Checking a folder a person typed."""

from pathlib import Path

from app.foundation.texts import _


def folder_problem(text: str) -> str:
    """Return the problem with the path of a folder, "" where there is none; an empty one, and a new one, are fine."""
    if not text:
        return ""
    folder = Path(text)
    if not folder.is_absolute():
        return _("Give the whole path, starting at the drive or root.")
    if folder.exists() and not folder.is_dir():
        return _("This is a file; give a folder.")
    return ""
