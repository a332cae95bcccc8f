"""Holds the files of a run for a moment, again and again, as a virus scanner does; `hold_files.py FOLDER COUNT`.

Run by check.py with Python for Windows beside a run: a process of its own opens journal, session file and scripts with
what SQLite keeps beside them, by Windows' own sharing. Prints JSON: how often files of each kind were held alone, and
how often only against being replaced or removed, since the run had them open. Ends with its input, or once it has held
so often.
"""

import ctypes
import json
import random
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

HELD_S: Final = 0.03
LONGEST_PAUSE_S: Final = 0.06
HOLDERS: Final = 4
PATTERNS: Final = {"journal": ("undo.journal*",), "session": ("session.replitune*",), "scripts": ("*.sql", ".*.sql.*")}
# https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-createfilew
GENERIC_READ: Final = 0x80000000
SHARES_NOTHING: Final = 0
SHARES_READING_AND_WRITING: Final = 0x1 | 0x2
OPEN_EXISTING: Final = 3
INVALID_HANDLE: Final = ctypes.c_void_p(-1).value


class Holding:
    """What several threads hold, and how often."""

    def __init__(self, kernel: Any, folder: Path, most: int) -> None:
        self._kernel = kernel
        self._folder = folder
        self._most = most
        self._lock = threading.Lock()
        self.is_over = threading.Event()
        self.counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())

    def run(self, number: int) -> None:
        """Hold one file after the other until told to end."""
        drawn = random.Random(number)
        while not self.is_over.wait(drawn.random() * LONGEST_PAUSE_S):
            kind = drawn.choice(tuple(PATTERNS))
            paths = [path for pattern in PATTERNS[kind] for path in self._folder.glob(pattern)]
            if paths:
                self._hold(kind, drawn.choice(paths))

    def _hold(self, kind: str, path: Path) -> None:
        for count, share in zip(self.counts, (SHARES_NOTHING, SHARES_READING_AND_WRITING), strict=True):
            handle = self._kernel.CreateFileW(str(path), GENERIC_READ, share, None, OPEN_EXISTING, 0, None)
            if handle == INVALID_HANDLE:
                continue  # the run has it open, or it is gone already
            time.sleep(HELD_S)
            self._kernel.CloseHandle(handle)
            with self._lock:
                count[kind] += 1
                if sum(count.total() for count in self.counts) >= self._most:
                    self.is_over.set()
            return


def main(folder: str, most: str) -> int:
    """Hold files until the input ends; print what was held."""
    if sys.platform != "win32":
        raise SystemExit("only Windows holds files so")
    kernel = ctypes.WinDLL("kernel32")
    kernel.CreateFileW.restype = ctypes.c_void_p
    kernel.CreateFileW.argtypes = (
        ctypes.c_wchar_p, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32,
        ctypes.c_void_p,
    )  # fmt: skip
    kernel.CloseHandle.argtypes = (ctypes.c_void_p,)
    holding = Holding(kernel, Path(folder), int(most))
    holders = [threading.Thread(target=holding.run, args=(number,)) for number in range(HOLDERS)]
    for holder in holders:
        holder.start()
    sys.stdin.read()
    holding.is_over.set()
    for holder in holders:
        holder.join()
    sys.stdout.write(json.dumps(holding.counts))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
