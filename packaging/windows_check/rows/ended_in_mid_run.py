"""A run over TDS that is ended in its middle, in each way that Windows knows, leaves the servers as they were."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from journals import changes_in, entries_in
from labs import PLAN, lab_of_all
from under_wine import LIMIT_S, SCREEN, Failed, Windows, here

CHANGES_BEFORE_KILL: Final = 6
"""By then a profile of the run is assigned to an agent, which another program can read."""
POLL_S: Final = 0.02
# https://learn.microsoft.com/windows/console/handlerroutine
CTRL_BREAK: Final = 1
CTRL_CLOSE: Final = 2
CANCELLED: Final = 130
SAID: Final = ("Cancelling; every change is being undone.", "E1: cancelled on request")
"""What a run that is cancelled says first."""


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
    key = lab_of_all()
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
            if not is_restored_here:  # once is enough
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
    told, left = pressed(windows, CTRL_CLOSE, "console")
    return f"closed with {left} changes standing; the run ended with {told['code']}, the servers are as before"


def ctrl_break(windows: Windows) -> str:
    """Ctrl+Break cancels a run: everything is put back, and it says so."""
    told, left = pressed(windows, CTRL_BREAK, "break")
    if told["code"] != CANCELLED or told["said"][: len(SAID)] != list(SAID):
        raise Failed(f"the run ended with {told['code']}: {' / '.join(told['said'])}")
    return f"pressed with {left} changes standing; the run ended with {CANCELLED}, the servers are as before"


def pressed(windows: Windows, event: int, name: str) -> tuple[Any, int]:
    """Do something to a run's console once servers are changed; return what is told of its end, and what stood."""
    program = ("/python/python.exe", "packaging/windows_check/in_windows/press.py", str(event))
    with changed_and_put_back(windows, name) as (journal, words):
        told = end_once_changed(windows.start(*program, *run_words(words)), journal)
    nothing_stands_in(journal)
    return told


def nothing_stands_in(journal: Path) -> None:
    """Read the journal of a program that has ended.

    Raises:
        Failed: it still names changes.
    """
    left = {state: count for state, count in entries_in(journal).items() if state != "restored"}
    if left:
        raise Failed(f"the journal still names changes: {left}")


def session_end(windows: Windows) -> str:
    """Windows asks a window in mid-run whether the session may end: refused, and everything is put back."""
    with changed_and_put_back(windows, "session-end") as (journal, words):
        _option, key, plan, out, _journal = words
        program = ("/python/python.exe", "packaging/windows_check/in_windows/end_session.py")
        with SCREEN:
            window = windows.start(*program, key, plan, out, words[-1], QT_QPA_PLATFORM="")
            told, left = end_once_changed(window, journal)
    if told != [False, True]:
        raise Failed(f"the session might end by {told}")
    nothing_stands_in(journal)
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
