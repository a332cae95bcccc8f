"""Tests keep to folders of their own, on every system."""

import tempfile
from pathlib import Path

from app.foundation.paths import default_sessions_folder, user_data_folder


def test_no_test_reads_or_writes_what_a_person_has() -> None:
    """Undo journal, saved targets and preferences, and where sessions are proposed."""
    for folder in (user_data_folder(), default_sessions_folder()):
        assert folder.is_relative_to(Path(tempfile.gettempdir())), folder
