"""Texts reach consoles and pipes of every kind: nothing a terminal cannot show ends a command."""

import io
import sys
from pathlib import Path
from typing import Final

import pytest

from app.__main__ import main
from tests.forked import start_python
from tests.own_folders import move_data, own_folders
from tests.patience import PATIENCE_S

# cmd and PowerShell 5.1 in Western Europe and the United States, an odd one, and none at all.
ENCODINGS = ("cp1252", "cp437", "cp850", "cp932", "ascii", "utf-8")
ODD = "Kundé → ≤ 5 ‰ 漢字 \N{GRINNING FACE}"


class Stream(io.TextIOWrapper):
    """A standard stream that is a console, or a pipe."""

    def __init__(self, encoding: str, *, is_console: bool) -> None:
        self.written = io.BytesIO()
        super().__init__(self.written, encoding=encoding, errors="strict", write_through=True)
        self._is_console = is_console

    def isatty(self) -> bool:
        """Tell whether a person reads it."""
        return self._is_console


@pytest.mark.parametrize("is_console", [True, False], ids=["console", "pipe"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_text_gets_out(encoding: str, is_console: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Help, results, JSON and errors with characters no code page has; a pipe gets them all, as UTF-8."""
    move_data(monkeypatch, tmp_path)
    codes = []
    for arguments in (
        ["target", "add", ODD, "lab"],
        ["target", "list"],
        ["target", "list", "--json"],
        ["target", "remove", f"{ODD} 2"],
        ["run", "--help"],
    ):
        out, err = Stream(encoding, is_console=is_console), Stream(encoding, is_console=is_console)
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        try:
            codes.append(main(arguments))
        except SystemExit as leaving:
            codes.append(int(leaving.code or 0))
        written = out.written.getvalue() + err.written.getvalue()
        assert written
        if "list" in arguments and (not is_console or encoding == "utf-8"):
            assert ODD in written.decode("utf-8")
    assert codes == [0, 0, 0, 2, 0]


@pytest.mark.parametrize("arguments", [["--version"], ["target", "list"], ["no such command"]])
def test_a_program_without_a_console_does_not_fail(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The windowed program of Windows has no standard streams."""
    move_data(monkeypatch, tmp_path)
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    code = main(arguments)
    for name in ("stdin", "stdout", "stderr"):
        getattr(sys, name).close()
    assert code == (2 if "no such command" in arguments else 0)


_CALLED: Final = """
import threading
from app.__main__ import main
from app.foundation.worker import Abandoned, Worker
try:
    Worker("hangs", 0.0).run(threading.Event().wait, 0.01)
except Abandoned:
    main(["target", "list"])
    print("came back", flush=True)
    import os
    os._exit(0)
"""


def test_a_program_that_is_called_returns_where_a_driver_still_hangs(tmp_path: Path) -> None:
    """The one that was started ends with it at once; whoever calls it, such as a test, has more to do."""
    with start_python("-c", _CALLED, environment=own_folders(tmp_path)) as process:
        said, _errors = process.communicate(timeout=PATIENCE_S)
    assert said.splitlines()[-1] == "came back"
