"""The progress of a run on the button of the window in Windows' taskbar.

ITaskbarList3: https://learn.microsoft.com/windows/win32/api/shobjidl_core/nn-shobjidl_core-itaskbarlist3; Qt 6 has no
class for it. Elsewhere the title of the window tells it.
"""

import sys
from collections.abc import Callable
from enum import IntEnum
from functools import partial
from typing import Any, Final, Protocol

from PySide6.QtWidgets import QWidget

_CLASS: Final = "{56FDF344-FD6D-11D0-958A-006097C9A090}"
_INTERFACE: Final = "{EA1AFB91-9E28-4B86-90E9-9E9F8A5EEFAF}"
_HR_INIT, _SET_VALUE, _SET_STATE = 3, 9, 10
"""Places of its methods behind those of IUnknown, ITaskbarList and ITaskbarList2 (shobjidl_core.h)."""


class TaskbarState(IntEnum):
    """The colour of the button (TBPFLAG)."""

    NONE = 0
    NORMAL = 2
    ERROR = 4
    PAUSED = 8


class TaskbarList(Protocol):
    """The interface of the system's taskbar."""

    def set_value(self, window: int, percent: int) -> None:
        """Show a share on the button of a window."""
        ...

    def set_state(self, window: int, state: TaskbarState) -> None:
        """Give the button a colour."""
        ...


class Taskbar:
    """Shows progress on a window's button.

    Args:
        buttons: what shows it; the system's own where None, and nothing where it has none.
    """

    def __init__(self, window: QWidget, buttons: TaskbarList | None = None) -> None:
        self._window = window
        self._buttons = buttons or _of_system()

    def show(self, percent: int | None, state: TaskbarState) -> None:
        """Show a share done, None for none."""
        if self._buttons is None:
            return
        window = int(self._window.winId())
        self._buttons.set_state(window, TaskbarState.NONE if percent is None else state)
        if percent is not None:
            self._buttons.set_value(window, percent)


class _SystemTaskbar:
    """Calls ITaskbarList3 through its table of methods."""

    def __init__(self, call: Callable[..., None]) -> None:
        self._call = call

    def set_value(self, window: int, percent: int) -> None:
        """Show a share on the button of a window."""
        self._call(_SET_VALUE, window, percent, 100)

    def set_state(self, window: int, state: TaskbarState) -> None:
        """Give the button a colour."""
        self._call(_SET_STATE, window, int(state))


def _of_system() -> TaskbarList | None:
    """Return the system's taskbar, None where it has none of this kind, or it cannot be had."""
    if sys.platform != "win32":
        return None
    import ctypes
    from uuid import UUID

    def guid(text: str) -> Any:
        return (ctypes.c_byte * 16).from_buffer_copy(UUID(text).bytes_le)

    made, in_process = ctypes.c_void_p(), 1
    created = ctypes.windll.ole32.CoCreateInstance(
        ctypes.byref(guid(_CLASS)), None, in_process, ctypes.byref(guid(_INTERFACE)), ctypes.byref(made)
    )
    if created != 0 or not made.value:
        return None
    methods = ctypes.cast(ctypes.cast(made, ctypes.POINTER(ctypes.c_void_p))[0] or 0, ctypes.POINTER(ctypes.c_void_p))

    def call(place: int, *values: int) -> None:
        kinds = [ctypes.c_void_p, *(ctypes.c_void_p if number == 0 else ctypes.c_ulonglong for number in range(3))]
        if place == _SET_STATE:
            kinds = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
        prototype = ctypes.WINFUNCTYPE(ctypes.c_long, *kinds[: 1 + len(values)])
        prototype(methods[place] or 0)(made, *values)

    call(_HR_INIT)
    return _SystemTaskbar(partial(call))
