"""The quick tests pass on Windows."""

import subprocess
from typing import Final

from under_wine import ROOT, Failed, Windows

QUICK_TESTS: Final = (
    "tests/store",
    "tests/unit/foundation",
    "tests/unit/cli",
    "tests/unit/services",
    "tests/unit/flows",
)
NOT_UNDER_WINE: Final[dict[str, str]] = {}
"""Quick tests that Wine cannot do, each with its reason, which is printed."""


def quick_tests(windows: Windows) -> str:
    """The quick tests pass on Windows, but for those that Wine cannot do."""
    words = (
        "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", "-p", "no:cacheprovider",
        "-m", "not prove and not bench", *QUICK_TESTS, *(f"--deselect={test}" for test in NOT_UNDER_WINE),
    )  # fmt: skip
    log = windows.folder / "tests.log"
    with log.open("w", encoding="utf-8") as out:
        command = windows.command("/python/python.exe", *words)
        ended = subprocess.run(command, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.STDOUT, check=False)
    last = (log.read_text(encoding="utf-8", errors="replace").strip().splitlines() or ["nothing was printed"])[-1]
    if ended.returncode:
        raise Failed(f"{last.strip('= ')}; {log.relative_to(ROOT)} says which")
    return last.strip("= ")
