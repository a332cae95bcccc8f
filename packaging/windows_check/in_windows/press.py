"""Starts the program and does to its console what Windows does: a thread in the program calls its handlers.

Run by check.py with Python for Windows: `press.py EVENT WORDS…` starts the program with these words, and presses
Ctrl+Break (1) or closes the console (2) once a line comes in. Prints JSON: with what code the program ended and what it
said. Windows starts the thread at kernelbase's CtrlRoutine, which asks the handlers, the newest first
(https://learn.microsoft.com/windows/console/handlerroutine); Wine has the same routine, but no console here.
"""

import ctypes
import json
import subprocess
import sys


def main(event: str, words: list[str]) -> int:
    """Run the program, let its handlers be called, tell how it ended."""
    if sys.platform != "win32":
        raise SystemExit("only Windows has such events")
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
    if not kernel.CreateRemoteThread(handle, None, 0, routine, int(event), None, None):
        raise SystemExit(f"the program's handlers cannot be called: {ctypes.get_last_error()}")
    said, _nothing = started.communicate()
    sys.stdout.write(json.dumps({"code": started.returncode, "said": said.splitlines()}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
