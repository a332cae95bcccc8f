"""Starts the program and closes its console, as Windows does: a thread in the program calls its handlers.

Run by check.py with Python for Windows: `close_console.py WORDS…` starts the program with these words and closes its
console once a line comes in. Prints JSON: with what code the program ended and what it said last. Windows starts the
thread at kernelbase's CtrlRoutine, which asks the handlers, the newest first
(https://learn.microsoft.com/windows/console/handlerroutine); Wine has the same routine, but no console to close here.
"""

import ctypes
import json
import subprocess
import sys
from typing import Final

CTRL_CLOSE: Final = 2


def main(words: list[str]) -> int:
    """Run the program, close its console, tell how it ended."""
    if sys.platform != "win32":
        raise SystemExit("only Windows closes consoles so")
    started = subprocess.Popen(
        [sys.executable, "-m", "app", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
    )  # fmt: skip
    sys.stdin.readline()
    kernel, base = ctypes.WinDLL("kernel32", use_last_error=True), ctypes.WinDLL("kernelbase")
    kernel.CreateRemoteThread.restype = ctypes.c_void_p
    kernel.CreateRemoteThread.argtypes = (ctypes.c_void_p,) * 2 + (ctypes.c_size_t,) + (ctypes.c_void_p,) * 4
    # a library of the system stands at the same address in every process
    routine = ctypes.cast(base.CtrlRoutine, ctypes.c_void_p)
    handle = int(started._handle)
    if not kernel.CreateRemoteThread(handle, None, 0, routine, CTRL_CLOSE, None, None):
        raise SystemExit(f"the console cannot be closed: {ctypes.get_last_error()}")
    said, _nothing = started.communicate()
    sys.stdout.write(json.dumps({"code": started.returncode, "said": said.strip().splitlines()[-1:]}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
