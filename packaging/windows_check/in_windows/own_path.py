"""Tells what stands on a person's own PATH in the registry, or sets it; `own_path.py [TEXT]`, "" removes the value.

Run by check.py with Python for Windows. Prints JSON: the text as it stands, unexpanded, null where there is none.
"""

import json
import sys
from contextlib import suppress


def main(wanted: list[str]) -> int:
    """Set what is wanted, if anything; print what stands there then."""
    if sys.platform != "win32":
        raise SystemExit("only Windows has a registry")
    import winreg

    with winreg.CreateKeyEx(winreg.HKEY_CURRENT_USER, "Environment", access=winreg.KEY_ALL_ACCESS) as key:
        stands: str | None = None
        if wanted == [""]:
            with suppress(FileNotFoundError):
                winreg.DeleteValue(key, "Path")
        elif wanted:
            winreg.SetValueEx(key, "Path", 0, winreg.REG_EXPAND_SZ, wanted[0])
        with suppress(FileNotFoundError):
            stands = winreg.QueryValueEx(key, "Path")[0]
    sys.stdout.write(json.dumps(stands))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
