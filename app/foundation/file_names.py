"""Names of files and folders, made so that every system takes them: what moves to Windows later keeps its name."""

import re
from typing import Final

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
