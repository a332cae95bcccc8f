"""Standard output and error without characters that act on a terminal; rich's bars alone may send such ones."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from app.foundation.terminal_text import for_terminal


class ShownText:
    """A text stream that writes the codes of control characters; in all else the stream it stands for."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text; returns its length."""
        self.stream.write(for_terminal(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class SafeConsole(Console):
    """Rich's console on standard error: its own colours and bars, and texts as a terminal may be sent them."""

    def __init__(self) -> None:
        stream = sys.stderr
        super().__init__(file=stream.stream if isinstance(stream, ShownText) else stream)

    def on_broken_pipe(self) -> None:
        """Say no more where the reader has gone away; rich would end the program for it, in the midst of a run."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print as rich does; anything printed while bars are shown comes here, too."""
        super().print(*(_shown(item) for item in objects), **options)


@contextmanager
def shown_safely() -> Iterator[None]:
    """Let all that is printed meanwhile go through the filter."""
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = ShownText(out), ShownText(err)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


def _shown(item: Any) -> Any:
    if isinstance(item, Text):
        return Text(for_terminal(item.plain))
    return for_terminal(item) if isinstance(item, str) else item
