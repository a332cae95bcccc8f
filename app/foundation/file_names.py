"""Names of files and folders that every operating system takes, so that one moved to Windows later keeps its name."""

import errno
import re
import sys
from pathlib import Path
from typing import Final

from app.foundation.texts import _

_LONGEST_OWN: Final = 34
"""Characters of a separator and the longest name a run writes: `.report-redacted.pdf.0123456789ab`, for a moment."""
_WINDOWS_MOST: Final = 259
"""Of a whole path (MAX_PATH, one of which is a zero):
https://learn.microsoft.com/windows/win32/fileio/maximum-file-path-limitation"""

_UNSAFE: Final = re.compile(r"[^\w.-]+")
# https://learn.microsoft.com/windows/win32/fileio/naming-a-file#naming-conventions: a device in every folder, whatever
# follows its first dot; digits in superscript count.
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?", re.IGNORECASE)


def is_device_name(name: str) -> bool:
    """Tell whether Windows takes a name of a file or folder for that of a device."""
    return _DEVICE.fullmatch(name) is not None


def file_name_of(words: str, *, most: int, otherwise: str) -> str:
    """Return words as the name of a file or folder: letters, digits, dots and hyphens, no dot at either end.

    Args:
        most: characters of the name; Windows takes 260 for a whole path unless told otherwise.
        otherwise: the name where nothing is left of the words.
    """
    name = _UNSAFE.sub("-", words)[:most].strip("-.") or otherwise
    return f"_{name}" if is_device_name(name) else name


def check_path_length(folder: Path) -> None:
    """Check that files can be put in a folder, before the last of them turns out to be one too many.

    Raises:
        OSError: Windows would not find them (ENAMETOOLONG).
    """
    most = most_path_characters()
    if most is not None and len(str(folder.absolute())) > most - _LONGEST_OWN:
        why = _("with the names of its files the path is longer than the {most} characters Windows takes")
        raise OSError(errno.ENAMETOOLONG, why.format(most=most), str(folder))


def why_not_found(error: OSError, path: Path) -> str:
    """Return why the system does not find a file: Windows says of one with too long a path that it is not there."""
    most = most_path_characters()
    if error.errno == errno.ENOENT and most is not None and len(str(path.absolute())) > most:
        return _("the path is longer than the {most} characters Windows takes").format(most=most)
    return error.strerror or str(error)


def most_path_characters() -> int | None:
    """Return how many characters a path may have, None where only each of its names is limited.

    Windows tells by `RtlAreLongPathsEnabled` whether this computer and this program allow long paths.
    """
    if sys.platform != "win32":
        return None
    import ctypes

    is_unlimited = getattr(ctypes.windll.ntdll, "RtlAreLongPathsEnabled", None)
    return None if is_unlimited is not None and is_unlimited() & 0xFF else _WINDOWS_MOST
