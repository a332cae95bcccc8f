"""The program for Windows answers: version, rules, drivers, advice, a whole session on the lab."""

import json
from pathlib import Path

from under_wine import Failed, Windows


def version(windows: Windows) -> str:
    """The version answers."""
    return windows.python("-m", "app", "--version").strip()


def rules(windows: Windows) -> str:
    """Every rule pack is read."""
    return windows.python("-m", "app", "rules", "check").strip().splitlines()[-1]


def registry(windows: Windows) -> str:
    """Drivers listed for 64 bits are found in the registry, one for 32 bits alone is told as that."""
    listed = {64: "ODBC Driver 18 for SQL Server", 32: "ODBC Driver 17 for SQL Server"}
    drivers = [f"{bits}={name}" for bits, name in listed.items()]
    parts = json.loads(windows.python("packaging/windows_check/in_windows/list_drivers.py", *drivers))["parts"]
    found = {part["title"]: part["is_there"] for part in parts if part["part_id"].startswith("odbc:")}
    if found != {listed[64]: True, listed[32]: False}:
        raise Failed(f"found are {found}")
    return f"{listed[64]} is found, {listed[32]} is told to be of 32 bits only"


def advise(windows: Windows) -> str:
    """Published measurements lead to a report."""
    windows.python("-m", "app", "advise", "resources/published/replication-agents-2018.csv", "--out", "check/advise")
    return report_in(windows.checkout / "check" / "advise")


def demo(windows: Windows) -> str:
    """A whole session on the lab ends with scripts and a report."""
    windows.python("-m", "app", "demo", "--family", "wan_delivery", "--out", "check/demo")
    return report_in(windows.checkout / "check" / "demo")


def report_in(folder: Path) -> str:
    """Return what a folder of results holds; fails where there is no report."""
    report = folder / "report.pdf"
    if not report.is_file() or not report.read_bytes().startswith(b"%PDF-"):
        raise Failed(f"there is no report in {folder.name}")
    return f"{report.stat().st_size // 1024} kB PDF, {len(list(folder.glob('*.sql')))} scripts"
