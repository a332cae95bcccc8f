"""How long this computer stood still while it was suspended, by the clocks of its operating system."""

import ctypes
import sys
import time
from typing import Final

# GetTickCount64 counts milliseconds, QueryUnbiasedInterruptTime units of 100 ns without the time suspended: Microsoft,
# win32 sysinfo "GetTickCount64", realtimeapiset "QueryUnbiasedInterruptTime".
_MS_PER_S: Final = 1e3
_UNITS_PER_S: Final = 1e7


def suspended_s() -> float:
    """Return the seconds this computer was suspended since an arbitrary moment: the difference of two calls counts.

    Linux: CLOCK_BOOTTIME goes on in suspend, CLOCK_MONOTONIC does not (clock_gettime(2)). macOS: CLOCK_MONOTONIC goes
    on, CLOCK_UPTIME_RAW does not (clock_gettime(3)). Elsewhere 0 is returned.
    """
    if sys.platform == "win32":
        unbiased = ctypes.c_ulonglong()
        ctypes.windll.kernel32.QueryUnbiasedInterruptTime(ctypes.byref(unbiased))
        ticks = ctypes.windll.kernel32.GetTickCount64
        ticks.restype = ctypes.c_ulonglong
        return float(ticks()) / _MS_PER_S - unbiased.value / _UNITS_PER_S
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC) - time.clock_gettime(time.CLOCK_UPTIME_RAW)
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)
    return 0.0
