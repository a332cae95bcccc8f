"""Which ODBC drivers Windows lists, for whose programs; read from a registry of the test's own."""

import sys
import uuid
from collections.abc import Callable, Mapping

import pytest

from app.drivers.sqlserver.odbc.registry import View, machine_values, read_registry

DRIVERS = r"SOFTWARE\ODBC\ODBCINST.INI\ODBC Drivers"
NAME_18, NAME_17 = "ODBC Driver 18 for SQL Server", "ODBC Driver 17 for SQL Server"


def _reading(**by_view: Mapping[str, object]) -> Callable[[str, View], Mapping[str, object]]:
    keys = {(DRIVERS, View[name]): values for name, values in by_view.items()}
    return lambda key, view: keys.get((key, view), {})


def test_drivers_of_both_views_are_told_apart() -> None:
    """What is listed for 64 bits can be used, whatever else is; what is removed or half installed is not listed."""
    listed = read_registry(
        _reading(
            BITS_64={NAME_18: "Installed", "(none)": "", NAME_17: "Removed", "Odd": 1},
            BITS_32={NAME_17: "installed", NAME_18.upper(): "Installed", "SQL Server": "Installed"},
        )
    )
    assert listed.usable == (NAME_18,)
    assert listed.only_32_bit == (NAME_17, "SQL Server")


def test_a_computer_without_any_driver_lists_none() -> None:
    """The key is missing where no driver was ever installed."""
    assert read_registry(_reading()) == ((), ())


def test_windows_registry_is_read() -> None:
    """A key of this user's; the machine's two views are read by windows-check, which has a registry of its own."""
    if sys.platform != "win32":
        pytest.skip("there is no such registry here")
    import winreg

    key, whose = rf"Software\replitune-test-{uuid.uuid4()}", winreg.HKEY_CURRENT_USER
    try:
        with winreg.CreateKeyEx(whose, key) as made:
            for name in (NAME_18, NAME_17):
                winreg.SetValueEx(made, name, 0, winreg.REG_SZ, "Installed")
        assert machine_values(key, View.BITS_64, whose) == {NAME_18: "Installed", NAME_17: "Installed"}
        assert machine_values(rf"{key}\missing", View.BITS_64, whose) == {}
    finally:
        winreg.DeleteKey(whose, key)
