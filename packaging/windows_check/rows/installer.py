"""The installer is made of the frozen programs, installs and replaces them, and leaves nothing of them behind."""

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, Final

from rows.ended_in_mid_run import changed_and_put_back, once_changed, run_words
from rows.frozen import BUNDLE
from under_wine import LIMIT_S, Failed, Windows, here

COMPILER: Final = "/inno/bin/ISCC.exe"
PLACE: Final = r"C:\users\root\AppData\Local\Programs\Replitune"
UNINSTALLER: Final = rf"{PLACE}\unins000.exe"
UNASKED: Final = ("/VERYSILENT", "/SUPPRESSMSGBOXES", "/NORESTART")
# https://jrsoftware.org/ishelp/topic_setupexitcodes.htm
REFUSED: Final = 1
OWN_PATH: Final = r"C:\tools;%USERPROFILE%\bin"
"""What a person has on the PATH already."""
POLL_S: Final = 0.1


def installer(windows: Windows) -> str:
    """Setup installs for one person, waits for a run, removes what a version no longer has, and can be undone."""
    version = here("--version").split()[-1]
    setup = windows.logged(
        "installer.log", COMPILER, f"/DVersion={version}", f"/DBundle=Z:{BUNDLE}", "/DCompression=none",
        "/OZ:/frozen/setup", "packaging/windows.iss",
    )  # fmt: skip
    place = windows.folder / "system/root/.wine/drive_c/users/root/AppData/Local/Programs/Replitune"
    path(windows, "")
    windows.run(setup, *UNASKED)
    must_be(PLACE, path(windows), "the PATH, with nothing on it before,")
    old_pack = place / "_internal" / "advisor_rules" / "of_an_older_version"
    old_pack.mkdir()
    waits_for_a_run(windows, setup, old_pack)
    path(windows, OWN_PATH)
    windows.run(setup, *UNASKED)
    must_be(False, old_pack.exists(), "a rule pack that this version has not")
    must_be(f"{OWN_PATH};{PLACE}", path(windows), "the PATH after an upgrade")
    said = windows.run(rf"{PLACE}\replitune.exe", "--version").strip()
    windows.run(UNINSTALLER, *UNASKED)
    gone_soon(place)
    must_be(OWN_PATH, path(windows), "the PATH after uninstalling")
    return f"{said}, installed, upgraded and removed; refused while a run has servers changed"


def path(windows: Windows, *wanted: str) -> Any:
    """Set a person's own PATH where wanted; return what stands there, None for nothing."""
    return json.loads(windows.python("packaging/windows_check/in_windows/own_path.py", *wanted))


def must_be(wanted: object, seen: object, what: str) -> None:
    """Compare what is seen with what must be.

    Raises:
        Failed: they differ.
    """
    if seen != wanted:
        raise Failed(f"{what} is {seen!r}, not {wanted!r}")


def waits_for_a_run(windows: Windows, setup: str, old_pack: Path) -> None:
    """While a run has servers changed, neither setup nor the uninstaller touches anything.

    Raises:
        Failed: one went on.
    """
    with changed_and_put_back(windows, "installer") as (journal, words):
        run = windows.start("/python/python.exe", "-m", "app", *run_words(words))
        try:
            once_changed(run, journal)
            run.send_signal(signal.SIGSTOP)
            for program in (setup, UNINSTALLER):
                quiet = subprocess.DEVNULL
                code = subprocess.call(
                    windows.command(program, *UNASKED), stdin=quiet, stdout=quiet, stderr=quiet, timeout=LIMIT_S
                )
                must_be(REFUSED, code, f"the end of {program} in mid-run")
                must_be(True, old_pack.exists(), "what is installed")
        finally:
            run.kill()
            run.wait()
        windows.python("-m", "app", "restore", "--journal", words[-1])


def gone_soon(place: Path) -> None:
    """Wait for the copy of itself that the uninstaller leaves the rest to.

    Raises:
        Failed: files stay.
    """
    until_s = time.monotonic() + LIMIT_S
    while place.exists():
        if time.monotonic() > until_s:
            raise Failed(f"{len(list(place.rglob('*')))} files stay after uninstalling")
        time.sleep(POLL_S)
