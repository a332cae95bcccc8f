"""What a run shows while it goes on: on a terminal, with bars, names act as little as anywhere else."""

import io
import sys
from contextlib import suppress

import pytest

from app.cli.progress import RunProgress
from app.cli.terminal import ShownText, shown_safely
from app.domain.events import Note, RunStarted, StepStarted
from tests.store.sample import PLAN, START

HOSTILE = "\x1b]52;c;cm0gLXJm\x07\u202e\x9b31m"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def test_bars_are_drawn_and_names_do_not_act(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rich's own characters reach the terminal; those of a name, a note or another's line do not."""
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "stdout", Terminal())
    with shown_safely(), RunProgress() as progress:
        progress.observe(RunStarted("E1", PLAN, HOSTILE, START))
        progress.observe(StepStarted("E1", HOSTILE))
        progress.observe(Note("E1", HOSTILE))
        sys.stderr.write(f"{HOSTILE}\n")
    shown = terminal.getvalue()
    assert "\x1b[" in shown
    assert "\\u001b]52" in shown
    for acting in ("\x1b]", "\x07", "\u202e", "\x9b"):
        assert acting not in shown


def test_the_streams_come_back() -> None:
    """The filter goes with the command, whatever ended it."""
    before = sys.stdout, sys.stderr
    with suppress(KeyError), shown_safely():
        assert isinstance(sys.stdout, ShownText)
        raise KeyError
    assert (sys.stdout, sys.stderr) == before
