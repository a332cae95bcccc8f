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


def test_windows_registry_is_read_in_both_views() -> None:
    """Two keys of the same name in a place of this user that Windows keeps apart for programs of 32 bits."""
    if sys.platform != "win32":
        pytest.skip("there is no such registry here")
    import winreg

    key = rf"Software\Classes\CLSID\{{{uuid.uuid4()}}}"
    try:
        for view, name in ((View.BITS_64, NAME_18), (View.BITS_32, NAME_17)):
            with winreg.CreateKeyEx(winreg.HKEY_CURRENT_USER, key, 0, winreg.KEY_WRITE | view.value) as made:
                winreg.SetValueEx(made, name, 0, winreg.REG_SZ, "Installed")
        for view, name in ((View.BITS_64, NAME_18), (View.BITS_32, NAME_17)):
            assert machine_values(key, view, winreg.HKEY_CURRENT_USER) == {name: "Installed"}
        assert machine_values(rf"{key}\missing", View.BITS_64, winreg.HKEY_CURRENT_USER) == {}
    finally:
        for view in View:
            winreg.DeleteKeyEx(winreg.HKEY_CURRENT_USER, key, view.value, 0)
