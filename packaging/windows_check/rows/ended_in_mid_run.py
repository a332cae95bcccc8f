"""A run over TDS that is ended in its middle, in each way that Windows knows, leaves the servers as they were."""

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from labs import PLAN, served_lab
from under_wine import LIMIT_S, Failed, Windows, here

CHANGES_BEFORE_KILL: Final = 6
"""By then a profile of the run is assigned to an agent, which another program can read."""
POLL_S: Final = 0.02


@contextmanager
def changed_and_put_back(windows: Windows, name: str) -> Iterator[tuple[Path, list[str]]]:
    """Give the journal and the words of a run over TDS; its servers must be as before once the block is left.

    Raises:
        Failed: they are not, or they were never changed.
    """
    out = windows.checkout / "check" / name
    out.mkdir(parents=True)
    (out / "plan.toml").write_text(PLAN, encoding="utf-8")
    journal, place = out / "undo.journal", out.relative_to(windows.checkout).as_posix()
    with served_lab() as (key, _address):
        before = here("discover", "--target", key, "--json")
        yield journal, ["--target", key, f"{place}/plan.toml", f"{place}/run", f"{place}/undo.journal"]
        if here("discover", "--target", key, "--json") != before:
            raise Failed("the servers are not as they were before the run")


def run_words(words: Sequence[str]) -> list[str]:
    """Return what the program is called with."""
    option, key, plan, out, journal = words
    return ["run", plan, option, key, "--out", out, "--journal", journal]


def killed_and_restored(windows: Windows, *, runs_here: bool = False, is_restored_here: bool = False) -> str:
    """A run over TDS that is killed leaves changes, and they are put back, as another program reads.

    Args:
        runs_here: the run is killed on this system, not on Windows.
        is_restored_here: this system puts back, not Windows.
    """
    with changed_and_put_back(windows, f"killed-{runs_here:d}{is_restored_here:d}") as (journal, words):
        if runs_here:
            command = [sys.executable, "-m", "app", *run_words(words)]
            quiet = subprocess.DEVNULL
            run = subprocess.Popen(command, cwd=windows.checkout, stdout=quiet, stderr=quiet, text=True)
        else:
            windows.python("-m", "app", "discover", *words[:2], "--json")
            run = windows.start("/python/python.exe", "-m", "app", *run_words(words))
        try:
            left = once_changed(run, journal)
        finally:
            run.kill()
            run.wait()
        if is_restored_here:
            said = here("restore", "--journal", str(journal))
        else:
            said = windows.python("-m", "app", "restore", "--journal", words[-1])
    return f"killed with {left} changes standing; {said.strip().splitlines()[-1]}; the servers are as before"


def console_closed(windows: Windows) -> str:
    """The console of a run is closed: Windows' thread calls the handler, and everything is put back before the end."""
    with changed_and_put_back(windows, "console") as (journal, words):
        asked = "packaging/windows_check/in_windows/close_console.py"
        told, left = end_once_changed(windows.start("/python/python.exe", asked, *run_words(words)), journal)
    if changes_in(journal):
        raise Failed(f"the journal still names {changes_in(journal)} changes")
    return f"closed with {left} changes standing; the run ended with {told['code']}, the servers are as before"


def session_end(windows: Windows) -> str:
    """Windows asks a window in mid-run whether the session may end: refused, and everything is put back."""
    with changed_and_put_back(windows, "session-end") as (journal, words):
        _option, key, plan, out, _journal = words
        program = ("/python/python.exe", "packaging/windows_check/in_windows/end_session.py")
        window = windows.start(*program, key, plan, out, words[-1], QT_QPA_PLATFORM="")
        told, left = end_once_changed(window, journal)
    if told != [False, True] or changes_in(journal):
        raise Failed(f"the session might end by {told}; the journal names {changes_in(journal)} changes")
    return f"asked with {left} changes standing: refused, allowed once they were put back; the servers are as before"


def end_once_changed(run: "subprocess.Popen[str]", journal: Path) -> tuple[Any, int]:
    """Write a line to a program once servers are changed; return what it prints at its end, and how many changes stood.

    Raises:
        Failed: it ended before, or never does.
    """
    try:
        left = once_changed(run, journal)
        printed, _nothing = run.communicate("\n", timeout=LIMIT_S)
        return json.loads(printed), left
    except (subprocess.TimeoutExpired, ValueError) as error:
        raise Failed(f"the program did not end as it must: {error}") from error
    finally:
        run.kill()
        run.wait()


def once_changed(run: "subprocess.Popen[str]", journal: Path) -> int:
    """Wait until a run's journal says that servers are changed; return how many changes stand.

    Raises:
        Failed: the run ended before.
    """
    until_s = time.monotonic() + LIMIT_S
    while (standing := changes_in(journal)) < CHANGES_BEFORE_KILL:
        if run.poll() is not None or time.monotonic() > until_s:
            raise Failed(f"the run changed nothing; it ended with {run.poll()}")
        time.sleep(POLL_S)
    return standing


def changes_in(journal: Path) -> int:
    """Return how many changes stand by an undo journal that another program writes to; 0 while it cannot be read."""
    if not journal.is_file():
        return 0
    # Wine's locks are none of this system: the file is read as it is, and may be in mid-write.
    try:
        with closing(sqlite3.connect(f"file:{journal}?immutable=1", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM entry WHERE state = 'applied'").fetchone()[0])
    except sqlite3.Error:
        return 0
