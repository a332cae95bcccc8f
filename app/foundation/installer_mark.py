"""Telling the installer that servers are changed right now: it waits before it replaces or removes the program.

Windows only: a named mutex, which Inno Setup looks for (`AppMutex` in packaging/windows.iss;
https://jrsoftware.org/ishelp/topic_setup_appmutex.htm). It goes with the process, however that ends.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

MUTEX: Final = "ReplituneChangesServers"


@contextmanager
def installer_waits(kernel: Any = None) -> Iterator[None]:
    """Keep an installer from going on meanwhile.

    Args:
        kernel: what has Windows' CreateMutexW and CloseHandle; the system's own where None.
    """
    if kernel is None:
        kernel = _kernel()
    if kernel is None:
        yield
        return
    handle = kernel.CreateMutexW(None, False, MUTEX)
    try:
        yield
    finally:
        kernel.CloseHandle(handle)


def _kernel() -> Any:
    if sys.platform != "win32":
        return None
    import ctypes

    kernel = ctypes.WinDLL("kernel32")
    kernel.CreateMutexW.restype = ctypes.c_void_p
    kernel.CloseHandle.argtypes = (ctypes.c_void_p,)
    return kernel
