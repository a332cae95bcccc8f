"""The quick tests pass on Windows."""

from typing import Final

from under_wine import Windows

QUICK_TESTS: Final = (
    "tests/store",
    "tests/unit/foundation",
    "tests/unit/cli",
    "tests/unit/services",
    "tests/unit/flows",
)
LEFT_OUT: Final = (
    "tests/unit/foundation/test_catalogues.py",
    "tests/unit/foundation/test_german.py",
    "tests/unit/services/test_advising.py",
    "tests/unit/services/test_observing.py",
    "tests/unit/services/test_verdict_counts.py",
)
"""Texts and numbers alone, which no system changes; together they take a third of the time. Printed."""
NOT_UNDER_WINE: Final[dict[str, str]] = {}
"""Quick tests that Wine cannot do, each with its reason, which is printed."""


def quick_tests(windows: Windows) -> str:
    """The quick tests pass on Windows, but for those that Wine cannot do."""
    last = windows.logged(
        "tests.log", "/python/python.exe", "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal",
        "-p", "no:cacheprovider", "-m", "not prove and not bench", *QUICK_TESTS,
        *(f"--ignore={test}" for test in LEFT_OUT), *(f"--deselect={test}" for test in NOT_UNDER_WINE),
    )  # fmt: skip
    return last.strip("= ")
