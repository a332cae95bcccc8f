"""What stands in a folder, to tell whether something changed it."""

import hashlib
from pathlib import Path


def files_below(folder: Path) -> dict[str, str]:
    """Return a digest of every file below a folder, by its name in it."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
