"""Where tests write: into a file system in memory where there is one, so that none waits for a disk.

Journals, scripts and session files are written through to the disk at every step, as they must be; in tests, which end
no computer, half of the time went into that.
"""

import os
import shutil
from pathlib import Path
from typing import Final

_FOLDER: Final = Path("/dev/shm")  # on Linux; each test makes a folder of its own below it
_LEAST_FREE_BYTES: Final = 6 * 2**30
"""The whole suite leaves less than 2 GiB at a time, a long proof of large files 1 GiB more."""


def folder_in_memory() -> Path | None:
    """Return a folder in memory with room for what tests write, None where there is none.

    Windows has none: what Wine finds there belongs to programs of this system, too.
    """
    if os.name == "nt" or not _FOLDER.is_dir() or not os.access(_FOLDER, os.W_OK):
        return None
    return _FOLDER if shutil.disk_usage(_FOLDER).free >= _LEAST_FREE_BYTES else None
