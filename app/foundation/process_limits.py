"""Resource limits that a process sets for itself before it touches a file of somebody else's."""

import sys

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes
else:
    import resource

_WRITTEN_BYTES = 300_000_000


def limit_this_process(memory_bytes: int, processor_s: int) -> None:
    """Let the system end this process once it takes more memory or processor time, or writes a larger file than it may.

    Posix: setrlimit(2) with RLIMIT_AS, RLIMIT_CPU, RLIMIT_FSIZE and no core dump; macOS takes the limit of memory but
    does not hold to it. Windows: a job object of its own with limits on committed memory and user time
    (https://learn.microsoft.com/windows/win32/api/winnt/ns-winnt-jobobject_basic_limit_information).

    Raises:
        OSError: the system refuses the limits.
    """
    if sys.platform == "win32":
        _enter_job(memory_bytes, processor_s)
        return
    for kind, most in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CPU, processor_s),
        (resource.RLIMIT_FSIZE, _WRITTEN_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        _soft, hard = resource.getrlimit(kind)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (allowed, hard))


if sys.platform == "win32":
    _EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation
    _PROCESS_TIME, _PROCESS_MEMORY, _DIE_ON_EXCEPTION = 0x2, 0x100, 0x400

    class _BasicLimits(ctypes.Structure):
        _fields_ = (
            ("PerProcessUserTimeLimit", ctypes.c_int64),
            ("PerJobUserTimeLimit", ctypes.c_int64),
            ("LimitFlags", wintypes.DWORD),
            ("MinimumWorkingSetSize", ctypes.c_size_t),
            ("MaximumWorkingSetSize", ctypes.c_size_t),
            ("ActiveProcessLimit", wintypes.DWORD),
            ("Affinity", ctypes.c_size_t),
            ("PriorityClass", wintypes.DWORD),
            ("SchedulingClass", wintypes.DWORD),
        )

    class _ExtendedLimits(ctypes.Structure):
        _fields_ = (
            ("BasicLimitInformation", _BasicLimits),
            ("IoInfo", ctypes.c_uint64 * 6),
            ("ProcessMemoryLimit", ctypes.c_size_t),
            ("JobMemoryLimit", ctypes.c_size_t),
            ("PeakProcessMemoryUsed", ctypes.c_size_t),
            ("PeakJobMemoryUsed", ctypes.c_size_t),
        )

    def _enter_job(memory_bytes: int, processor_s: int) -> None:
        system = ctypes.WinDLL("kernel32", use_last_error=True)
        system.CreateJobObjectW.restype = wintypes.HANDLE
        system.GetCurrentProcess.restype = wintypes.HANDLE
        job = wintypes.HANDLE(system.CreateJobObjectW(None, None))
        limits = _ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = _PROCESS_TIME | _PROCESS_MEMORY | _DIE_ON_EXCEPTION
        limits.BasicLimitInformation.PerProcessUserTimeLimit = processor_s * 10_000_000  # in 100 ns
        limits.ProcessMemoryLimit = memory_bytes
        taken = system.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits))
        if not taken or not system.AssignProcessToJobObject(job, wintypes.HANDLE(system.GetCurrentProcess())):
            raise ctypes.WinError(ctypes.get_last_error())
