"""ODBC drivers as Windows lists them in its registry, once for programs of 64 bits and once for those of 32 bits."""

import sys
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, NamedTuple

_DRIVERS: Final = r"SOFTWARE\ODBC\ODBCINST.INI\ODBC Drivers"
"""https://learn.microsoft.com/sql/odbc/reference/install/odbc-drivers-subkey"""


class View(Enum):
    """Which programs' part of the registry is read; the values are `KEY_WOW64_64KEY` and `KEY_WOW64_32KEY`.

    https://learn.microsoft.com/windows/win32/winprog64/accessing-an-alternate-registry-view
    """

    BITS_64 = 0x0100
    BITS_32 = 0x0200


class RegisteredDrivers(NamedTuple):
    """Names of ODBC drivers.

    Attributes:
        usable: which this program can load.
        only_32_bit: which other programs can.
    """

    usable: tuple[str, ...]
    only_32_bit: tuple[str, ...] = ()


ReadValues = Callable[[str, View], Mapping[str, object]]


def read_registry(values_of: ReadValues | None = None) -> RegisteredDrivers:
    """Return the drivers this computer lists as installed.

    Args:
        values_of: reads a key of the machine; None for Windows' own registry.
    """
    read = values_of or machine_values
    usable, others = (
        [name for name, value in read(_DRIVERS, view).items() if str(value).lower() == "installed"]
        for view in (View.BITS_64, View.BITS_32)
    )
    listed = {name.lower() for name in usable}
    return RegisteredDrivers(tuple(usable), tuple(name for name in others if name.lower() not in listed))


def machine_values(key: str, view: View, root: int | None = None) -> Mapping[str, object]:
    """Return names and values of a key of Windows' registry, none where it is missing or closed to this user.

    Args:
        root: whose key it is, the machine's for None.
    """
    if sys.platform != "win32":
        return {}
    import winreg

    whose = winreg.HKEY_LOCAL_MACHINE if root is None else root
    try:
        with winreg.OpenKey(whose, key, 0, winreg.KEY_READ | view.value) as opened:
            values = [winreg.EnumValue(opened, number) for number in range(winreg.QueryInfoKey(opened)[1])]
    except OSError:
        return {}
    return {name: value for name, value, _kind in values}
