"""Lists drivers in both views of Windows' registry, prints what the program's doctor finds as JSON, and removes them.

Run by check.py with Python for Windows: `list_drivers.py BITS=NAME …`. A driver that stayed would be taken for what
follows. https://learn.microsoft.com/sql/odbc/reference/install/odbc-drivers-subkey
"""

import sys
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

KEY: Final = r"SOFTWARE\ODBC\ODBCINST.INI\ODBC Drivers"


def main(listed: list[str]) -> int:
    """List them, ask, remove them."""
    if sys.platform != "win32":
        raise SystemExit("only Windows has a registry")
    import winreg

    from app.__main__ import main as replitune

    view = {"64": winreg.KEY_WOW64_64KEY, "32": winreg.KEY_WOW64_32KEY}
    opened = []
    for bits, _equals, name in (driver.partition("=") for driver in listed):
        key = winreg.CreateKeyEx(winreg.HKEY_LOCAL_MACHINE, KEY, 0, winreg.KEY_ALL_ACCESS | view[bits])
        winreg.SetValueEx(key, name, 0, winreg.REG_SZ, "Installed")
        opened.append((key, name))
    try:
        return replitune(["doctor", "--json"])
    finally:
        for key, name in opened:
            winreg.DeleteValue(key, name)
            key.Close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
