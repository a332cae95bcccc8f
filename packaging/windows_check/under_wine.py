"""The program for Windows as it is called under Wine, and the program of this system beside it."""

import functools
import io
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, Final

ROOT: Final = Path(__file__).resolve().parents[2]
LIMIT_S: Final = 3_600.0
"""A guard against hanging for ever, never a verdict; on two quiet cores no row takes two minutes."""


SCREEN: Final = Lock()
"""Held by whoever shows a window, since the picture is one of the whole screen."""


class Failed(Exception):
    """Something does not hold under Wine; the message says what."""


@dataclass(frozen=True)
class Windows:
    """The program for Windows, as it is called under Wine.

    Attributes:
        folder: where everything for it stands, `build/windows`.
    """

    folder: Path

    @property
    def checkout(self) -> Path:
        """The copy of the checkout that it works in."""
        return self.folder / "checkout"

    def command(self, *words: str, **environment: str) -> list[str]:
        """Return the command of this system that starts a program of Windows in the copy of the checkout."""
        settings = {"QT_QPA_PLATFORM": "offscreen", "REPLITUNE_LANGUAGE": "en", **environment}
        names = [f"{name}={value}" for name, value in settings.items() if value]
        start = 'cd /checkout && exec env "$@"'
        return ["chroot", str(self.folder / "system"), "sh", "-c", start, "sh", *names, "wine", *words]

    def python(self, *words: str, **environment: str) -> str:
        """Run Python for Windows; return what it printed.

        Raises:
            Failed: it ended with another code than 0.
        """
        return self.run("/python/python.exe", *words, **environment)

    def run(self, *words: str, **environment: str) -> str:
        """Run a program of Windows; return what it printed.

        Raises:
            Failed: it ended with another code than 0, or not in time.
        """
        # Into files: Wine's desktop outlasts the program that called for it, and what it has inherited never ends.
        with TemporaryFile() as out, TemporaryFile() as err:
            try:
                ended = subprocess.run(
                    self.command(*words, **environment), input=b"", stdout=out, stderr=err, timeout=LIMIT_S
                )
            except subprocess.TimeoutExpired as slow:
                raise Failed(f"{' '.join(words)} has not ended after {LIMIT_S:.0f} s") from slow
            printed, complained = (_text(file) for file in (out, err))
        if ended.returncode:
            last = (complained.strip() or printed.strip()).splitlines()[-3:]
            raise Failed(f"{' '.join(words)} ended with {ended.returncode}: {' / '.join(last)}")
        return printed

    def logged(self, name: str, *words: str) -> str:
        """Run a program of Windows, what it prints into a log of that name beside the copy; return its last line.

        Raises:
            Failed: it ended with another code than 0, or not in time.
        """
        log, command = self.folder / name, self.command(*words)
        try:
            with log.open("w", encoding="utf-8") as out:
                ended = subprocess.run(command, input=b"", stdout=out, stderr=subprocess.STDOUT, timeout=LIMIT_S)
        except subprocess.TimeoutExpired as slow:
            raise Failed(f"{' '.join(words)} has not ended after {LIMIT_S:.0f} s") from slow
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines() or ["nothing was printed"]
        if ended.returncode:
            raise Failed(f"{lines[-1]}; {log.relative_to(ROOT)} says more")
        return lines[-1]

    def start(self, *words: str, **environment: str) -> "subprocess.Popen[str]":
        """Start a program of Windows and leave it running; what it prints can be read."""
        command = self.command(*words, **environment)
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)


def _text(file: IO[bytes]) -> str:
    """Return what was written into a file, with the line ends of this system."""
    file.seek(0)
    return file.read().decode(errors="replace").replace("\r\n", "\n")


def here(*words: str) -> str:
    """Run the program of this system, in one process for all that is asked; return what it printed.

    Raises:
        Failed: it ended with another code than 0.
    """
    return _process().submit(_answer, words).result()


@functools.cache
def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn"))


def _answer(words: tuple[str, ...]) -> str:
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from app.__main__ import main

    with redirect_stdout(io.StringIO()) as printed:
        code = main(list(words))
    if code:
        raise Failed(f"{' '.join(words)} ended with {code} on this system")
    return printed.getvalue()
