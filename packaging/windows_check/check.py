"""Runs the program for Windows under Wine and prints a table of what holds; `check.py FOLDER`, called by inside.sh.

The servers are the lab's, served over TDS by the program of this system: what the program for Windows left there is
read by another than itself.
"""

import functools
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rows.answers import advise, demo, registry, rules, version
from rows.ended_in_mid_run import console_closed, ctrl_break, killed_and_restored, session_end
from rows.frozen import freeze, frozen_program, frozen_window
from rows.held_files import held_files
from rows.installer import installer
from rows.links import round_trips
from rows.quick_tests import LEFT_OUT, NOT_UNDER_WINE, quick_tests
from rows.windows_drawn import window
from under_wine import Failed, Windows

NOT_SHOWN: Final = (
    "connections of pyodbc (Wine's ODBC manager crashes)",
    "Windows authentication, named instances, named pipes",
    "what Windows ends by itself: after five seconds of a closed console, at shutdown; sleep",
    "scaling of 125 to 175 %, high contrast, screen readers",
    "paths longer than 260 characters, network folders",
    "signatures, Credential Manager",
)

Proof = Callable[[Windows], str]
FIRST: Final[tuple[tuple[str, Proof], ...]] = (
    ("version", version),
    ("round trips", round_trips),
)
"""What is timed, before there is other work."""
FROZEN: Final[tuple[tuple[str, Proof], ...]] = (
    ("freeze", freeze),
    ("frozen program", frozen_program),
    ("frozen window", frozen_window),
    ("installer", installer),
)
MEANWHILE: Final[tuple[tuple[str, Proof], ...]] = (
    ("rules check", rules),
    ("drivers in the registry", registry),
    ("advise", advise),
    ("demo", demo),
    ("run over TDS, killed, restored", killed_and_restored),
    ("… restored on this system", functools.partial(killed_and_restored, is_restored_here=True)),
    ("… killed on this system", functools.partial(killed_and_restored, runs_here=True)),
    ("Ctrl+Break in mid-run", ctrl_break),
    ("console closed in mid-run", console_closed),
    ("session ended in mid-run", session_end),
    ("files held by another process", held_files),
    ("window", window),
    ("quick tests", quick_tests),
)
"""What is shown beside PyInstaller, which works on one core."""


@dataclass(frozen=True)
class Row:
    """A line of the table: whether something holds, how long that took, what was seen."""

    title: str
    holds: bool
    took_s: float
    said: str


def judged(windows: Windows, title: str, prove: Proof) -> Row:
    """Show one thing, and print its line."""
    began_s = time.monotonic()
    try:
        holds, said = True, prove(windows)
    except Failed as failed:
        holds, said = False, str(failed)
    row = Row(title, holds, time.monotonic() - began_s, said)
    sys.stdout.write(f"{title:32}{'holds' if holds else 'FAILS':7}{row.took_s:6.1f} s  {said}\n")
    sys.stdout.flush()
    return row


def main(folder: Path, wanted: list[str]) -> int:
    """Show one thing after the other, all but those that are not wanted; return 1 where one does not hold."""
    titles = [title for title, _prove in (*FIRST, *FROZEN, *MEANWHILE)]
    if unknown := [title for title in wanted if title not in titles]:
        sys.stderr.write(f"windows-check: there is no row {unknown[0]!r}; the rows are: {', '.join(titles)}\n")
        return 2
    windows = Windows(folder)
    os.environ["REPLITUNE_LANGUAGE"] = "en"

    def shown(proofs: tuple[tuple[str, Proof], ...]) -> list[Row]:
        return [judged(windows, title, prove) for title, prove in proofs if not wanted or title in wanted]

    rows = shown(FIRST)
    with ThreadPoolExecutor(max_workers=1) as beside:
        frozen = beside.submit(shown, FROZEN)
        rows += shown(MEANWHILE)
    rows += frozen.result()
    sys.stdout.write(f"Left out of the quick tests, as no system changes it: {', '.join(LEFT_OUT)}\n")
    sys.stdout.write("Wine cannot show:\n" + "".join(f"  {line}\n" for line in NOT_SHOWN))
    sys.stdout.writelines(f"  {test}: {why}\n" for test, why in NOT_UNDER_WINE.items())
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
